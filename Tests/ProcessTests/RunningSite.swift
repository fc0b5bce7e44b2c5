import Foundation
import Glibc

@testable import Broker
@testable import Demo
@testable import Simulation
@testable import SiteModel
@testable import Platform
@testable import Wire

/// A site of real processes: a broker, a coordinator with its database, nodes whose radios we are,
/// and a client that sees what any other sees. Everything ends with `stop` or with this object.
///
/// It works only while a test waits: beacons send and messages arrive inside `wait` and `run`.
final class RunningSite {
    /// Everything the site writes.
    let directory: String
    let broker: PrivateBroker
    /// A broker that asks for passwords, in the place of the other; see `secure`.
    var secured: SecuredBroker?
    /// The encrypted port of that one, and the file of its authority, if programs are to use it.
    var encrypted: (port: Int, authority: String)?
    let topics = SiteTopics(site: "gym")
    private(set) var site: SiteText
    var watcher: Watcher
    private(set) var coordinator: RunningProgram?
    private(set) var nodes: [String: RunningProgram] = [:]
    /// The level at which a node hears each person, by node and index.
    var air: [String: [Int: Int8]] = [:]
    /// When something was last sent.
    private(set) var sent = Timestamp(milliseconds: 0)
    private var radios: [String: RadioServer] = [:]
    private var nextSending = Timestamp(milliseconds: 0)
    var requests = 0
    /// More of the coordinator's configuration of the site, from the comma on.
    var coordinatorMore = ""
    /// More of its web server's, from the comma on.
    var httpMore = ""
    private let clock = AnchoredClock()

    /// Between two packets of a tag.
    private static let interval = Timestamp.Span.milliseconds(200)
    /// So long a condition is waited for unless a test says otherwise, in seconds.
    private static let patience = 40.0

    /// A broker, and the site in its database.
    init(_ site: SiteText = SiteText()) throws {
        self.site = site
        directory = NSTemporaryDirectory() + "beaconmesh-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        broker = try PrivateBroker(directory: directory)
        watcher = try Watcher(port: broker.port)
        try importSite(site)
    }

    deinit { stop() }

    /// Ends what runs and removes what was written.
    func stop() {
        coordinator?.kill()
        nodes.values.forEach { $0.kill() }
        broker.stop()
        _ = Result { try FileManager.default.removeItem(atPath: directory) }
    }

    var database: String { file("site.sqlite") }

    /// The path of a file of the site.
    func file(_ name: String) -> String { directory + "/" + name }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    /// The present moment.
    var now: Timestamp { clock.now }
}

extension RunningSite {
    /// Makes the site what `site` says, as `beaconmesh import` does; what it printed.
    @discardableResult
    func importSite(_ site: SiteText) throws -> String {
        self.site = site
        let text = try write(site.text, to: "site.yaml")
        let program = try run("beaconmesh", ["import", text, "--database", database])
        guard program.status == 0 else {
            throw RunningProgram.Fault(
                description: "import ended with \(program.status ?? -1): \(program.errors)")
        }
        return program.output
    }

    /// Runs a program to its end.
    func run(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> RunningProgram {
        let program = try RunningProgram(
            name, arguments, in: directory, environment: environment)
        try wait("\(name) ends") { !program.isRunning }
        return program
    }

    /// The configuration of a coordinator of this site.
    var coordinatorText: String {
        """
        broker: \(brokerText("coordinator"))
        http: {host: 127.0.0.1, port: 0, anonymous_reading: true\(httpMore)}
        sites: [{id: gym, database: site.sqlite\(coordinatorMore)}]

        """
    }

    /// Starts a coordinator. `isReady`: waits until it says so. `descriptors`: as many as it may have.
    func startCoordinator(
        _ arguments: [String] = [], isReady: Bool = true, environment: [String: String] = [:],
        descriptors: Int? = nil
    ) throws {
        let file = try write(coordinatorText, to: "coordinator.yaml")
        let program = try RunningProgram(
            "beacon-coordinator", ["--config", file] + arguments, in: directory,
            environment: environment, descriptors: descriptors)
        coordinator = program
        if isReady { try wait("the coordinator is ready") { program.errors.contains(": ready\n") } }
    }

    /// Starts nodes, by default all of the site's. `isReady`: waits until the coordinator hears them.
    func startNodes(_ slugs: [String]? = nil, isReady: Bool = true) throws {
        let slugs = slugs ?? site.nodes.map(\.0)
        for slug in slugs { try startNode(slug) }
        guard isReady else { return }
        for slug in slugs {
            try wait("\(slug) listens") { nodes[slug]?.errors.contains(": ready\n") ?? false }
        }
    }

    /// Starts one node whose radio is a socket of ours, or `radio` as its configuration names it.
    func startNode(
        _ slug: String, radio: String? = nil, more: String = "",
        environment: [String: String] = [:]
    ) throws {
        let socket = file("\(slug).sock")
        if radio == nil, radios[slug] == nil { radios[slug] = try RadioServer(path: socket) }
        let text = """
            node: \(slug)
            site: gym
            radio: "\(radio ?? "btsnoop:unix:\(socket)")"
            broker: \(brokerText(slug))
            state: state-\(slug)
            outbox: {megabytes: 1}
            \(more)

            """
        nodes[slug] = try RunningProgram(
            "beacon-node", ["--config", try write(text, to: "\(slug).yaml")], in: directory,
            environment: environment)
    }

    /// Asks a program to end, and says how long that took.
    func terminate(_ program: RunningProgram?) throws -> Duration {
        let start = ContinuousClock.now
        program?.signal(SIGTERM)
        try wait("\(program?.name ?? "nothing") ends", within: 10) {
            program?.isRunning == false
        }
        return ContinuousClock.now - start
    }
}

extension RunningSite {
    /// Lets everything go on until a condition holds.
    func wait(
        _ what: String, within seconds: Double = patience, until condition: () throws -> Bool
    ) throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while try !condition() {
            guard ContinuousClock.now < deadline else {
                throw RunningProgram.Fault(description: "not within \(seconds) s: \(what)\n\(logs)")
            }
            work()
        }
    }

    /// Sends what beacons send by now, and takes what comes.
    private func work() {
        if now >= nextSending {
            nextSending = now + Self.interval
            for (node, people) in air.sorted(by: { $0.key < $1.key }) {
                for (person, level) in people.sorted(by: { $0.key < $1.key }) {
                    send(person, level, to: node)
                }
            }
        }
        for radio in radios.values { radio.work() }
        watcher.work(milliseconds: 5)
    }

    private func send(_ person: Int, _ level: Int8, to node: String) {
        let emission = Emission(
            node: 0, at: now, rssi: UInt8(bitPattern: level), sender: .person(person))
        radios[node]?.send(emission.packet(of: site.people), at: now)
        sent = now
    }

    private var logs: String {
        ([coordinator].compactMap(\.self) + nodes.sorted { $0.key < $1.key }.map(\.value))
            .map { "\($0.name):\n\($0.errors.suffix(2000))" }.joined(separator: "\n")
    }
}

import Basics
import Broker
import Foundation
import Glibc
import Platform
import Settings
import Simulation
import SiteModel
import Wire

/// A running demonstration: the processes, the people, the air, and the table on the terminal.
/// Belongs to the thread that makes it.
final class DemoRun {
    private let site: DemoSite
    private let folder: DemoFolder
    private let seed: UInt64
    private let json: String?
    private let clock = AnchoredClock()
    private let broker: PrivateBroker
    private let dashboard: Int
    private let door: LANDoor?
    private var world: World
    private var tag: SurveyTag
    private var radios: [RadioServer] = []
    private var capture: (log: CaptureLoop, radio: RadioServer)?
    private var children: [Child] = []
    private var screen: DemoScreen
    private var members: DemoMembers

    init(
        site: DemoSite, folder: DemoFolder, seed: UInt64, historyDays: Int,
        opened: Timestamp, port: Int, capture: CaptureLoop?,
        json: String?, door: LANDoor? = nil
    ) throws {
        self.door = door
        self.site = site
        self.folder = folder
        self.seed = seed
        self.json = json
        do {
            broker = try PrivateBroker(directory: folder.path, launcher: Bond.launcher("KILL"))
        } catch {
            throw Exit(code: 69, text: "\(error)")
        }
        var obstacle: String?
        dashboard = try FreePort.find(preferring: port) { obstacle = $0 }
        if let obstacle {
            StandardError.write(
                """
                port \(port) of 127.0.0.1 is \(obstacle): the dashboard takes port \(dashboard); \
                --port N asks for another

                """)
        }
        // The same people at the same places as in the history of this day, which goes on here.
        world = World(
            site.layout, people: site.people, pace: .live, seed: seed, from: opened, strays: 3)
        world.advance(to: clock.now) { _ in }
        tag = SurveyTag(in: site.layout, seed: seed, from: clock.now)
        screen = DemoScreen(
            site: site, port: broker.port, dashboard: dashboard, database: folder.database,
            program: Self.programs + "/beaconmesh", door: door)
        members = DemoMembers(
            site: site, port: broker.port, seed: seed, historyDays: historyDays)
        for node in site.layout.nodes {
            radios.append(try RadioServer(path: folder.file("\(node.slug).sock")))
        }
        if let capture {
            let radio = try RadioServer(path: folder.file("\(DemoSite.captureNode).sock"))
            self.capture = (capture, radio)
        }
        try configure()
    }

    /// Runs until SIGINT, SIGTERM or SIGHUP, or until nobody reads standard output any more.
    func run() throws {
        defer { stop() }
        for child in children { try child.start() }
        var nextLook = clock.now
        var isReady = false
        while !StopSignal.isRaised {
            let now = clock.now
            transmit(until: now)
            members.work(world: world)
            if now >= nextLook {
                nextLook = now + .seconds(0.5)
                if screen.isGone { break }
                for child in children where try child.revive() {
                    StandardError.write("\(child.name) had ended and was started again\n")
                    if isReady { try writeJSON() }
                    guard child.restarts <= 20 else {
                        throw Exit(
                            code: 1, text: "\(child.name) keeps ending: see \(folder.path)")
                    }
                }
                if !isReady, members.isComplete {
                    isReady = true
                    try writeJSON()
                    screen.ready(claim: try claimCode())
                }
            }
            if isReady { screen.draw(members.presences, at: now) }
            usleep(20_000)
        }
    }

    /// What the people's beacons send, up to now.
    private func transmit(until now: Timestamp) {
        let people = site.people
        world.advance(to: now) { emission in
            radios[emission.node].send(emission.packet(of: people), at: emission.at)
        }
        tag.send(until: now) { node, packet, at in radios[node].send(packet, at: at) }
        for radio in radios { radio.work() }
        if capture != nil {
            for packet in capture?.log.due(at: now) ?? [] {
                capture?.radio.send(packet, at: now)
            }
            capture?.radio.work()
        }
    }

    /// Where our programs lie.
    private static let programs = URL(fileURLWithPath: "/proc/self/exe")
        .resolvingSymlinksInPath().deletingLastPathComponent().path

    private func configure() throws {
        let bin = Self.programs
        try folder.write(TokenFile.newToken() + "\n", to: "api-token")
        try folder.write(
            """
            coordinator: main
            broker: {host: 127.0.0.1, port: \(broker.port)}
            http:
              host: \(door == nil ? "127.0.0.1" : "0.0.0.0")
              port: \(dashboard)
              token_file: "\(folder.file("api-token"))"
              anonymous_reading: true  # nobody in the demonstration is real
            sites:
              - id: \(site.layout.slug)
                database: "\(folder.database)"

            """, to: "coordinator.yaml")
        children.append(
            Child(
                name: "coordinator", executable: bin + "/beacon-coordinator",
                arguments: ["--config", folder.file("coordinator.yaml")],
                log: folder.file("coordinator.log")))
        // Our variables are meant for the coordinator.
        let environment = EnvironmentOverrides.removed(
            from: ProcessInfo.processInfo.environment)
        for node in site.document.nodes {
            let state = folder.file("state/\(node.slug)")
            try FileManager.default.createDirectory(
                atPath: state, withIntermediateDirectories: true)
            try folder.write(
                """
                node: \(node.slug)
                site: \(site.layout.slug)
                radio: "btsnoop:unix:\(folder.file("\(node.slug).sock"))"
                broker: {host: 127.0.0.1, port: \(broker.port)}
                state: "\(state)"
                outbox: {megabytes: 1}

                """, to: "\(node.slug).yaml")
            children.append(
                Child(
                    name: node.slug, executable: bin + "/beacon-node",
                    arguments: ["--config", folder.file("\(node.slug).yaml")],
                    log: folder.file("\(node.slug).log"),
                    environment: environment))
        }
    }

    /// The code that claims the site, from what the coordinator's log says of its latest start; `nil` if
    /// somebody owns the site.
    private func claimCode() throws -> String? {
        let log = try String(contentsOfFile: folder.file("coordinator.log"), encoding: .utf8)
        guard let start = log.ranges(of: "dashboard at ").last else { return nil }
        return log[start.upperBound...].firstMatch(of: /the code ([A-Z2-9]{4}-[A-Z2-9]{4})/)
            .map { String($0.1) }
    }

    private func stop() {
        StandardError.write("\nstopping …\n")
        for child in children { child.terminate() }
        let deadline = ContinuousClock.now + .seconds(3)
        for child in children { child.end(by: deadline) }
        broker.stop()
        if let json { unlink(json) }
    }

    /// Written beside and renamed, so that no reader sees half of it.
    private func writeJSON() throws {
        guard let json else { return }
        var processes: [DemoDescription.Part] = []
        if let pid = broker.processIdentifier {
            processes.append(DemoDescription.Part(name: "broker", pid: pid))
        }
        for child in children {
            guard let pid = child.processIdentifier else { continue }
            processes.append(DemoDescription.Part(name: child.name, pid: pid))
        }
        let description = DemoDescription(
            site: site.layout.slug, broker: DemoDescription.Address(port: broker.port),
            dashboard: "http://127.0.0.1:\(dashboard)/", api_token_file: folder.file("api-token"),
            database: folder.database, processes: processes, seed: seed)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let draft = json + ".new"
        try encoder.encode(description).write(to: URL(fileURLWithPath: draft))
        guard rename(draft, json) == 0 else {
            throw Exit(code: 1, text: "\(json): \(String(cString: strerror(errno)))")
        }
    }
}

/// The live table of who is where, redrawn in place on a terminal, else printed now and then.
struct DemoScreen {
    private let site: DemoSite
    private let port: Int
    private let dashboard: Int
    private let database: String
    private let program: String
    private let door: LANDoor?
    private let isTerminal = isatty(1) == 1
    private var next = Timestamp(milliseconds: 0)
    private var lines = 0
    /// When the first table could have been drawn.
    private var begun: Timestamp?

    init(
        site: DemoSite, port: Int, dashboard: Int, database: String, program: String,
        door: LANDoor?
    ) {
        self.door = door
        self.site = site
        self.port = port
        self.dashboard = dashboard
        self.database = database
        self.program = program
    }

    /// Whether the reader of standard output has gone: its terminal, or the other end of its pipe.
    var isGone: Bool {
        var output = pollfd(fd: 1, events: 0, revents: 0)
        return poll(&output, 1, 0) == 1 && Int32(output.revents) & (POLLERR | POLLHUP) != 0
    }

    /// Says that everything runs, and where. The commands can be pasted as they are, from anywhere.
    /// `claim`: the code that makes the owner, if there is none.
    func ready(claim: String?) {
        let program = ShellWord.quoted(program)
        let database = ShellWord.quoted(database)
        let way = door?.lines(port: dashboard) ?? signIn(claim)
        print(
            """

            ready
              dashboard  http://127.0.0.1:\(dashboard)/\(way)
              who is in  \(program) who --database \(database)
              why there  \(program) why \(site.people.first?.slug ?? "USER") --database \(database)
              broker     mosquitto_sub -p \(port) -t 'mesh/v1/+/user/+/presence' -v
                         (everything, second by second: -t 'mesh/v1/#')
              nodes      \(site.document.nodes.count), stations \(site.layout.stations.count)
              Ctrl-C stops everything

            """)
        fflush(nil)
    }

    /// Lines below the one of the dashboard: how its owner signs in.
    private func signIn(_ claim: String?) -> String {
        let address = "http://127.0.0.1:\(dashboard)/signin"
        guard let claim else { return "\n  sign in    \(address)" }
        return "\n  sign in    \(address)#claim=\(claim)  (whoever opens it first is the owner)"
            + "\n             (on this machine one sees everything without; --lan lets phones in)"
    }

    /// Draws the table when it is time.
    mutating func draw(_ presences: [String: PresencePayload], at now: Timestamp) {
        guard now >= next else { return }
        // It says nothing yet that nobody is there: who is, is believed after some seconds.
        if lines == 0, now < (begun ?? now) + .seconds(30),
            !presences.values.contains(where: { $0.state == .present })
        {
            begun = begun ?? now
            return
        }
        next = now + .seconds(isTerminal ? 1 : 60)
        var table = TextTable(["name", "state", "room", "station", "sure", "since"])
        for person in site.people {
            guard let presence = presences[person.slug] else { continue }
            let seconds = max(0, now.milliseconds - presence.sinceMs) / 1000
            table.add([
                person.name, presence.state.rawValue.replacing("_", with: " "),
                presence.room ?? "–", presence.station ?? "–",
                presence.confidence == 0 ? "–" : "\(Int(presence.confidence * 100)) %",
                "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)",
            ])
        }
        let text = table.text
        if isTerminal, lines > 0 { print("\u{1B}[\(lines)A\u{1B}[J", terminator: "") }
        lines = text.split(separator: "\n").count + 1
        print(text + "\n")
        fflush(nil)
    }
}

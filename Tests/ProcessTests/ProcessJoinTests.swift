import Foundation
import Glibc
import Testing

@testable import Broker
@testable import Platform
@testable import SiteModel
@testable import Wire

/// Machines become nodes: `beacon-node join`, at a real coordinator and a real broker.
@Suite(.ownThread) struct ProcessJoinTests {
    @Test func `a machine becomes a node by a code, once, and another one replaces it`() throws {
        let own = try JoiningSite()
        defer { own.stop() }
        let code = try own.invite("n-press")
        let first = try own.join([own.address, code], in: "pi-1")
        #expect(first.status == 0, "\(first.errors)")
        #expect(own.mode(of: "pi-1/node-password") == 0o600)
        #expect(own.mode(of: "pi-1/node.yaml") == 0o600)
        // What was made is what a node starts with.
        let checked = try own.site.run(
            "beacon-node", ["--config", own.site.file("pi-1/node.yaml"), "--check"])
        #expect(checked.status == 0, "\(checked.errors)")
        let password = try own.password("pi-1")
        #expect(try own.isLetIn("n-press", password))

        let again = try own.join([own.address, code], in: "pi-2")
        #expect(again.status == 77 && again.errors.contains("used"), "\(again.errors)")
        #expect(own.mode(of: "pi-2/node.yaml") == nil)
        let taken = try own.beaconmesh(["node", "invite", "n-press", "--plain"])
        #expect(taken.status == 1 && taken.errors.contains("replace"), "\(taken.errors)")

        let other = try own.code(in: try own.beaconmesh(["node", "replace", "n-press", "--plain"]))
        #expect(try own.isLetIn("n-press", password), "the first goes on until the other joins")
        #expect(try own.join([own.address, other.uppercased()], in: "pi-2").status == 0)
        #expect(try !own.isLetIn("n-press", password))
        #expect(try own.isLetIn("n-press", try own.password("pi-2")))
    }

    @Test func `of two machines with one code one joins`() throws {
        let own = try JoiningSite()
        defer { own.stop() }
        let code = try own.invite("n-press")
        let pair = try ["pi-1", "pi-2"].map { try own.begin([own.address, code], in: $0) }
        try own.site.wait("both end") { pair.allSatisfy { !$0.isRunning } }
        #expect(Set(pair.map(\.status)) == [0, 77], "\(pair.map(\.errors))")
    }

    @Test func `what a machine heard as another node is not said in the new one's name`() throws {
        let own = try JoiningSite()
        defer { own.stop() }
        #expect(try own.join([own.address, try own.invite("n-press")], in: "pi").status == 0)
        try own.site.write("heard at the press", to: "pi/state/outbox.ring")
        let code = try own.code(in: try own.beaconmesh(["node", "replace", "n-press", "--plain"]))
        #expect(try own.join([own.address, code], in: "pi").status == 0)
        #expect(own.mode(of: "pi/state/outbox.ring") != nil, "it is the same node's")
        #expect(try own.join([own.address, try own.invite("n-row")], in: "pi").status == 0)
        #expect(own.mode(of: "pi/state/outbox.ring") == nil)
        let kept = try FileManager.default.contentsOfDirectory(atPath: own.site.file("pi/state"))
        #expect(kept.contains { $0.hasPrefix("outbox.ring.n-press-") }, "\(kept)")
    }

    @Test func `a node that is retired is nobody when its name comes again`() throws {
        let own = try JoiningSite()
        defer { own.stop() }
        #expect(try own.join([own.address, try own.invite("n-row")], in: "pi").status == 0)
        #expect(try own.isLetIn("n-row", own.password("pi")))
        #expect(try own.beaconmesh(["node", "retire", "n-row"]).status == 0)
        #expect(try own.beaconmesh(["node", "add", "n-row", "room=hall"]).status == 0)
        #expect(try !own.isLetIn("n-row", own.password("pi")))
        _ = try own.invite("n-row")
    }

    @Test func `a second setup goes by the first, and one made by hand is left alone`() throws {
        let own = try JoiningSite()
        defer { own.stop() }
        let again = try own.setUp(["--from", own.site.file("site.yaml")])
        #expect(again.status == 0 && again.output.contains(own.address), "\(again.output)")
        let other = try own.setUp(["--port", "8099"])
        #expect(other.status == 78 && other.errors.contains("--port"), "\(other.errors)")
        for host in ["gym.lan:8080", "my_gym", "10.0.0.256", "-x"] {
            let wrong = try own.site.run(
                "beaconmesh",
                [
                    "site", "new", "--from", own.site.file("site.yaml"), "--host=\(host)",
                    "--no-start", "--config-folder", own.site.file("none"), "--data-folder",
                    own.site.file("none"), "--broker-folder", own.site.file("none"),
                ])
            #expect(wrong.status == 64, "\(host): \(wrong.errors)")
            let left = try FileManager.default.contentsOfDirectory(atPath: own.site.file("none"))
            #expect(left == [], "\(host)")
        }
        try own.site.write(
            "# mine\n" + own.text(of: "etc/coordinator.yaml"), to: "etc/coordinator.yaml")
        let mine = try own.setUp([])
        #expect(mine.status == 78 && mine.errors.contains("by hand"), "\(mine.errors)")
    }
}

/// A site set up by `beaconmesh site new`, that machines join.
private final class JoiningSite {
    let site: RunningSite
    let brokerPort: Int
    private let port: Int
    private let tlsPort: Int
    private var broker: SecuredBroker?
    private var coordinator: RunningProgram?

    init() throws {
        site = try RunningSite()
        (brokerPort, port) = (try FreePort.find(preferring: 0), try FreePort.find(preferring: 0))
        tlsPort = try FreePort.find(preferring: 0)
        let made = try site.run("beaconmesh", arguments)
        #expect(made.status == 0, "\(made.errors)")
        broker = try SecuredBroker(
            directory: site.directory, port: brokerPort,
            configuration: site.file("broker/beaconmesh.conf"),
            pidFile: site.file("mosquitto.pid"))
        let program = try RunningProgram(
            "beacon-coordinator", ["--config", configuration], in: site.directory)
        coordinator = program
        try site.wait("it is ready") { program.errors.contains(": ready\n") }
    }

    private var folders: [String] {
        [
            "--no-start", "--config-folder", site.file("etc"), "--data-folder", site.file("var"),
            "--broker-folder", site.file("broker"),
        ]
    }

    private var arguments: [String] {
        [
            "site", "new", "--from", site.file("site.yaml"), "--host", "127.0.0.1", "--port",
            "\(port)", "--mqtt-port", "\(brokerPort)", "--tls-port", "\(tlsPort)",
        ] + folders
    }

    /// Sets it up again.
    func setUp(_ words: [String]) throws -> RunningProgram {
        try site.run("beaconmesh", ["site", "new"] + words + folders)
    }

    func text(of file: String) throws -> String {
        try String(contentsOfFile: site.file(file), encoding: .utf8)
    }

    private var configuration: String { site.file("etc/coordinator.yaml") }

    var address: String { "127.0.0.1:\(port)" }

    func stop() {
        coordinator?.kill()
        broker?.stop()
        site.stop()
    }

    func beaconmesh(_ words: [String]) throws -> RunningProgram {
        try site.run("beaconmesh", words + ["--config", configuration])
    }

    func invite(_ node: String) throws -> String {
        try code(in: try beaconmesh(["node", "invite", node, "--plain"]))
    }

    func code(in program: RunningProgram) throws -> String {
        #expect(program.status == 0, "\(program.errors)")
        let found = program.output.firstMatch(of: /beacon-node join (\S+) (\S+)/)
        #expect(found?.1 ?? "" == address)
        return String(try #require(found).2)
    }

    func begin(_ words: [String], in folder: String) throws -> RunningProgram {
        let path = site.file(folder)
        try FileManager.default.createDirectory(
            atPath: path + "/state", withIntermediateDirectories: true)
        return try RunningProgram(
            "beacon-node",
            ["join"] + words + [
                "--folder", path, "--state", path + "/state", "--radio", "btsnoop:/dev/null",
                "--no-start",
            ], in: site.directory)
    }

    func join(_ words: [String], in folder: String) throws -> RunningProgram {
        let program = try begin(words, in: folder)
        try site.wait("it ends") { !program.isRunning }
        return program
    }

    func password(_ folder: String) throws -> String {
        try String(contentsOfFile: site.file(folder + "/node-password"), encoding: .utf8)
            .trimmingCharacters(in: .newlines)
    }

    /// Whether the broker lets a name in, after it has read who is enrolled.
    func isLetIn(_ name: String, _ password: String) throws -> Bool {
        let updated = try beaconmesh([
            "broker", "update", "--out", site.file("broker"), "--broker-pid",
            site.file("mosquitto.pid"),
        ])
        #expect(updated.status == 0, "\(updated.errors)")
        usleep(300_000)
        return try EnrolledClient(name, password: password, port: brokerPort).isIn(site)
    }

    /// The rights of a file; `nil`: there is none.
    func mode(of file: String) -> mode_t? {
        var info = stat()
        return stat(site.file(file), &info) == 0 ? info.st_mode & 0o777 : nil
    }
}

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

    @Test func `of two machines with one code one joins, and wrong codes end it`() throws {
        let own = try JoiningSite()
        defer { own.stop() }
        let code = try own.invite("n-press")
        let pair = try ["pi-1", "pi-2"].map { try own.begin([own.address, code], in: $0) }
        try own.site.wait("both end") { pair.allSatisfy { !$0.isRunning } }
        #expect(Set(pair.map(\.status)) == [0, 77], "\(pair.map(\.errors))")

        let other = try own.invite("n-row")
        let wrong = String(other.dropLast()) + (other.hasSuffix("a") ? "b" : "a")
        for _ in 0..<5 {
            #expect(try own.join([own.address, wrong], in: "pi-3").status == 77)
        }
        // Either it is good no more, or whoever guesses waits.
        let late = try own.join([own.address, other], in: "pi-3")
        #expect([69, 77].contains(late.status), "\(late.errors)")
        #expect(own.mode(of: "pi-3/node.yaml") == nil)
        let slip = try own.join([own.address, "ab3k-9mpq"], in: "pi-3")
        #expect(slip.status == 64)
    }

    @Test func `who is no coordinator of ours learns and writes nothing`() throws {
        let own = try JoiningSite()
        defer { own.stop() }
        let code = try own.invite("n-press")
        let deaf = try own.join(["127.0.0.1:\(own.brokerPort)", code], in: "pi-1")
        #expect(deaf.status == 69, "\(deaf.errors)")
        let impostor = try own.impostor()
        defer { impostor.terminate() }
        let fooled = try own.join(["127.0.0.1:\(own.impostorPort)", code], in: "pi-1")
        #expect(fooled.status == 77 && fooled.errors.contains("code"), "\(fooled.errors)")
        #expect(own.mode(of: "pi-1/node.yaml") == nil)
        #expect(own.mode(of: "pi-1/node-password") == nil)
        // The code is as good as before.
        #expect(try own.join([own.address, code], in: "pi-1").status == 0)
    }

    @Test func `files make nodes without a network, and are deleted`() throws {
        let own = try JoiningSite()
        defer { own.stop() }
        let cards = own.site.file("cards")
        let made = try own.beaconmesh(["node", "bundle", "--all", "--out", cards])
        #expect(made.status == 0, "\(made.errors)")
        #expect(own.mode(of: "cards/n-row.join") == 0o600)
        let joined = try own.join([cards + "/n-row.join", "--delete"], in: "pi-1")
        #expect(joined.status == 0, "\(joined.errors)")
        #expect(own.mode(of: "cards/n-row.join") == nil)
        #expect(try own.isLetIn("n-row", try own.password("pi-1")))
        let none = try own.beaconmesh(["node", "bundle", "--all", "--out", cards])
        #expect(none.status == 1, "\(none.output)")

        let hostile = try own.site.write(
            #"{"beaconmesh":"node-1","site":"gym","node":"../x","host":"h","port":1,"password":"p"}"#,
            to: "hostile.join")
        let refused = try own.join([hostile], in: "pi-2")
        #expect(refused.status == 78 && refused.errors.contains("node"), "\(refused.errors)")
        #expect(own.mode(of: "pi-2/node.yaml") == nil)
    }
}

/// A site set up by `beaconmesh site new`, that machines join.
private final class JoiningSite {
    let site: RunningSite
    let brokerPort: Int
    let impostorPort: Int
    private let port: Int
    private let tlsPort: Int
    private var broker: SecuredBroker?
    private var coordinator: RunningProgram?

    init() throws {
        site = try RunningSite()
        (brokerPort, port) = (try FreePort.find(preferring: 0), try FreePort.find(preferring: 0))
        (tlsPort, impostorPort) = (
            try FreePort.find(preferring: 0), try FreePort.find(preferring: 0)
        )
        for _ in 0..<2 {
            let made = try site.run("beaconmesh", arguments)
            #expect(made.status == 0, "\(made.errors)")
        }
        broker = try SecuredBroker(
            directory: site.directory, port: brokerPort,
            configuration: site.file("broker/beaconmesh.conf"),
            pidFile: site.file("mosquitto.pid"))
        let program = try RunningProgram(
            "beacon-coordinator", ["--config", configuration], in: site.directory)
        coordinator = program
        try site.wait("it is ready") { program.errors.contains(": ready\n") }
    }

    private var arguments: [String] {
        [
            "site", "new", "--from", site.file("site.yaml"), "--host", "127.0.0.1", "--no-start",
            "--config-folder", site.file("etc"), "--data-folder", site.file("var"),
            "--broker-folder", site.file("broker"), "--port", "\(port)", "--mqtt-port",
            "\(brokerPort)", "--tls-port", "\(tlsPort)",
        ]
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

    /// Somebody who answers every request, and does not know the code.
    func impostor() throws -> Process {
        let script = try site.write(
            """
            import http.server, sys
            class Answer(http.server.BaseHTTPRequestHandler):
                def do_POST(self):
                    body = b'{"sealed":"' + b'ab' * 200 + b'"}'
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
            server = http.server.HTTPServer(("127.0.0.1", \(impostorPort)), Answer)
            open(sys.argv[1], "w").close()
            server.serve_forever()
            """, to: "impostor.py")
        let ready = site.file("impostor.ready")
        let program = Process()
        program.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        program.arguments = [script, ready]
        program.standardError = FileHandle.nullDevice
        try program.run()
        try site.wait("it listens") { FileManager.default.fileExists(atPath: ready) }
        return program
    }
}

import Foundation
import Glibc
import Testing

@testable import Demo
@testable import Platform
@testable import SiteModel
@testable import Wire

/// A site whose coordinator lets machines become nodes, by a code or by a file.
final class JoinableSite {
    /// What `beaconmesh node invite` has printed.
    struct Invitation {
        /// Where the coordinator is, and the code, as they are typed on the machine.
        var words: [String]
        /// What the code is called in the clear.
        var name: String
    }

    let site: RunningSite
    /// Where the coordinator serves HTTP.
    let port: Int

    /// A site that has a broker, of which the coordinator does not run yet.
    init(_ site: RunningSite) throws {
        self.site = site
        port = try FreePort.find(preferring: 0)
    }

    /// What is written when others may sign in at the broker than before.
    var enrolmentFile: String { site.file("enrolled") }

    /// Starts the coordinator with `join` and `enrolment_file` in its configuration. `more`:
    /// variables in the place of these; an empty one takes a key away.
    func start(_ more: [String: String] = [:]) throws {
        let said = [
            "BEACONMESH_HTTP__PORT": "\(port)", "BEACONMESH_JOIN__HOST": "127.0.0.1",
            "BEACONMESH_JOIN__PORT": "\(site.secured?.port ?? site.broker.port)",
            "BEACONMESH_JOIN__PLAINTEXT": "true", "BEACONMESH_ENROLMENT_FILE": enrolmentFile,
            "BEACONMESH_JOIN__ADDRESS": "127.0.0.1:\(port)",
        ]
        try site.startCoordinator(environment: said.merging(more) { $1 })
    }

    /// Runs `beaconmesh` to its end.
    func beaconmesh(_ words: [String]) throws -> RunningProgram {
        try site.run("beaconmesh", words + ["--database", site.database])
    }

    /// A code for a node, of `node invite` or `node replace`.
    func invite(_ node: String, _ verb: String = "invite") throws -> Invitation {
        let made = try beaconmesh(["node", verb, node, "--plain"])
        #expect(made.status == 0, "\(made.errors)")
        let found = made.output.firstMatch(of: /beacon-node join (\S+) (([a-z2-9]{4})(-\S{4}){3})/)
        let command = try #require(found, "\(made.output)")
        return Invitation(words: [String(command.1), String(command.2)], name: String(command.3))
    }

    /// The rows of those who may sign in as a node.
    func identities(of node: String) throws -> [String] {
        try site.rows(
            "SELECT id FROM broker_identity WHERE name = '\(node)' AND revoked_ms IS NULL")
    }
}

extension EnrolledSite {
    /// Revokes nodes that this site has enrolled, before its broker runs: no machine is these nodes
    /// then.
    func free(_ nodes: [String]) throws {
        let revoked = try site.run(
            "beaconmesh",
            ["revoke"] + nodes + ["--broker-files", folder, "--database", site.database])
        #expect(revoked.status == 0, "\(revoked.errors)")
    }

    /// Has the broker read who is enrolled now, as beacon-broker.service does.
    func updateBroker() throws {
        let updated = try site.run(
            "beaconmesh",
            ["broker", "update", "--out", folder, "--broker-pid", pidFile]
                + ["--database", site.database])
        #expect(updated.status == 0, "\(updated.errors)")
    }
}

/// A machine that may become a node: a folder for its files, and a radio that is silent.
final class JoiningMachine {
    let folder: String
    private let site: RunningSite
    private let name: String

    init(_ site: RunningSite, _ name: String = "pi") throws {
        self.site = site
        self.name = name
        folder = site.file(name)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
    }

    private var radio: String { site.file("\(name).sock") }

    /// Starts `beacon-node join` with more words. It starts no service.
    func begin(_ words: [String]) throws -> RunningProgram {
        try RunningProgram(
            "beacon-node",
            ["join"] + words + [
                "--folder", folder, "--state", site.file("\(name)-state"), "--radio",
                "btsnoop:unix:\(radio)", "--no-start",
            ], in: site.directory)
    }

    /// Runs it to its end, which it reaches within so many seconds.
    @discardableResult
    func join(_ words: [String], within seconds: Double = 20) throws -> RunningProgram {
        let program = try begin(words)
        try site.wait("\(name) joins or not", within: seconds) { !program.isRunning }
        return program
    }

    /// Starts the node that the machine has become, and waits until the coordinator has
    /// told it what to do.
    func runNode(_ node: String) throws -> RunningProgram {
        let air = try RadioServer(path: radio)
        let program = try RunningProgram(
            "beacon-node", ["--config", folder + "/node.yaml"], in: site.directory)
        let topics = site.topics
        try site.wait("\(node) is online and configured") {
            air.work()
            guard program.isRunning else {
                throw RunningProgram.Fault(description: "\(node) ended: \(program.errors)")
            }
            let status: NodeStatusPayload? = site.latest(topics[.nodeStatus, node])
            let active: NodeConfigurationActivePayload? = site.latest(
                topics[.nodeConfigurationActive, node])
            return status?.state == .online && active?.ok == true
        }
        return program
    }

    /// What stands in its files, but for what it notes of a code to ask again with.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where name != ".joining" {
            files[name] = FileManager.default.contents(atPath: "\(folder)/\(name)")
        }
        return files
    }

    func text(of file: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
    }

    /// The one line of its password's file.
    func password() throws -> String {
        try text(of: "node-password").trimmingCharacters(in: .newlines)
    }

    /// Notes a request as `join` does before it asks: a power cut has come since.
    func note(_ request: String, of invitation: JoinableSite.Invitation) throws {
        try Data("\(invitation.name) \(request)".utf8)
            .write(to: URL(fileURLWithPath: folder + "/.joining"))
    }

    /// The rights of a file, or `nil` if there is none.
    static func mode(of path: String) -> mode_t? {
        var info = stat()
        return stat(path, &info) == 0 ? info.st_mode & 0o777 : nil
    }
}

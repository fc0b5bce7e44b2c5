import Foundation
import Glibc
import Testing

@testable import Diagnostics
@testable import Platform

/// The doctor, on this machine and against a real broker that refuses.
@Suite(.ownThread) struct ProcessDoctorTests {
    /// A finding as the program prints it.
    struct Printed: Decodable, Equatable {
        var id: String
        var level: String
        var seen: String
        var `do`: String
    }

    struct Report: Decodable {
        var ok: Bool
        var findings: [Printed]

        /// Those of an id.
        func of(_ id: Finding.ID) -> [Printed] { findings.filter { $0.id == id.rawValue } }

        func levels(_ id: Finding.ID) -> [String] { of(id).map(\.level) }
    }

    static let acl = """
        user n-press
        topic readwrite mesh/v1/gym/node/n-press/#

        user narrow
        topic read mesh/v1/gym/node/narrow/#

        user main
        topic readwrite mesh/v1/gym/#
        topic readwrite mesh/v1/core/main/#

        user deaf
        topic write mesh/v1/gym/#
        topic readwrite mesh/v1/core/main/#

        """
    static let users = ["n-press", "narrow", "main", "deaf"].map {
        (name: $0, password: "right-\($0)")
    }

    let site: RunningSite
    let broker: SecuredBroker

    init() throws {
        site = try RunningSite()
        broker = try SecuredBroker(
            directory: site.directory, users: Self.users, acl: Self.acl)
    }

    /// A node's file whose broker is the secured one.
    func node(
        _ user: String, password: String? = nil, version: String = "5", more: String = ""
    ) throws -> String {
        let secret = try site.write(password ?? "right-\(user)", to: "secret-\(user)")
        chmod(secret, 0o600)
        return try site.write(
            """
            node: \(user)
            site: gym
            radio: "btsnoop:unix:\(site.file("radio.sock"))"
            broker:
              host: 127.0.0.1
              port: \(broker.port)
              username: \(user)
              password_file: \(secret)
              protocol: \(version)
            state: state
            \(more)

            """, to: "\(user).yaml")
    }

    /// A coordinator's file.
    func coordinator(_ user: String, version: String = "5", port: Int = 0) throws -> String {
        let secret = try site.write("right-\(user)", to: "secret-\(user)")
        chmod(secret, 0o600)
        return try site.write(
            """
            broker:
              port: \(broker.port)
              username: \(user)
              password_file: \(secret)
              protocol: \(version)
            http: {port: \(port), anonymous_reading: true}
            sites: [{id: gym, database: site.sqlite}]

            """, to: "coordinator-\(user).yaml")
    }

    /// What the doctor finds, and its exit status.
    func doctor(_ arguments: [String]) throws -> (report: Report, status: Int32) {
        let program = try site.run("beaconmesh", ["doctor", "--json"] + arguments)
        let report = try JSONDecoder().decode(Report.self, from: Data(program.output.utf8))
        let status = try #require(program.status)
        #expect(report.ok == (status == 0), "\(program.output)")
        return (report, status)
    }

    @Test(arguments: ["5", "3.1.1"])
    func `a node that may do what it must is well`(version: String) throws {
        defer { site.stop() }
        let (report, status) = try doctor(["--config", try node("n-press", version: version)])
        #expect(status == 0, "\(report.findings)")
        #expect(report.levels(.configuration) == ["ok"])
        #expect(report.levels(.broker) == ["ok"])
        #expect(report.levels(.login) == ["ok"])
        // Nobody has put its configuration there yet.
        #expect(report.levels(.rights) == ["warning"])
        #expect(report.levels(.state) == ["ok"])
        #expect(report.levels(.outbox) == ["ok"])
        #expect(report.of(.adapter).isEmpty)
    }

    @Test(arguments: ["5", "3.1.1"])
    func `a wrong password is told from a broker that is away`(version: String) throws {
        defer { site.stop() }
        let file = try node("n-press", password: "wrong", version: version)
        let wrong = try doctor(["--config", file])
        #expect(wrong.status == 1)
        #expect(wrong.report.levels(.broker) == ["ok"])
        #expect(wrong.report.levels(.login) == ["fault"])
        #expect(wrong.report.of(.login).first?.do.contains("mosquitto_passwd") == true)
        broker.stop()
        let away = try doctor(["--config", file])
        #expect(away.status == 1)
        #expect(away.report.levels(.broker) == ["fault"])
        #expect(away.report.of(.login).isEmpty)
    }

    /// MQTT 5 says no; with 3.1.1 it is seen by what does not come back.
    @Test(arguments: ["5", "3.1.1"])
    func `a refused right is found in either version of MQTT`(version: String) throws {
        defer { site.stop() }
        let narrow = try doctor(["--config", try node("narrow", version: version)])
        #expect(narrow.status == 1)
        #expect(narrow.report.levels(.login) == ["ok"])
        let right = try #require(narrow.report.of(.rights).first)
        #expect(right.level == "fault")
        #expect(right.seen.contains("mesh/v1/gym/node/narrow/raw"))
        #expect(right.do.contains("beaconmesh broker update"))

        let deaf = try doctor(["--config", try coordinator("deaf", version: version)])
        #expect(deaf.status == 1)
        #expect(deaf.report.levels(.rights).contains("fault"))
    }

    @Test func `a coordinator's broker, database and port are looked at, while it runs, too`()
        throws
    {
        defer { site.stop() }
        let port = try FreePort.find(preferring: 0)
        let file = try coordinator("main", port: port)
        let before = try doctor(["--config", file, "--deep"])
        #expect(before.status == 0, "\(before.report.findings)")
        #expect(before.report.of(.database).first?.seen.contains("site gym, revision 1") == true)
        #expect(before.report.of(.port).first?.seen.contains("is free") == true)
        let program = try RunningProgram(
            "beacon-coordinator", ["--config", file], in: site.directory)
        try site.wait("it is ready") { program.errors.contains(": ready\n") }
        let during = try doctor(["--config", file])
        #expect(during.status == 0, "\(during.report.findings)")
        #expect(during.report.of(.port).first?.seen.contains("a coordinator serves") == true)
        program.kill()
    }

    @Test func `every fault of a file is told, whoever it is for`() throws {
        defer { site.stop() }
        let file = try site.write("node: N!\nsite: core\nradio: nothing\n", to: "bad.yaml")
        let (report, status) = try doctor(["--config", file])
        #expect(status == 1)
        let finding = try #require(report.of(.configuration).first)
        for key in ["node", "site", "radio", "state"] {
            #expect(finding.seen.contains(key), "\(key) in \(finding.seen)")
        }
    }

    @Test func `this machine's own Bluetooth is looked at`() throws {
        defer { site.stop() }
        let program = try site.run(
            "beaconmesh",
            [
                "doctor", "--config",
                try node(
                    "n-press", more: "log: info"
                ).replacing("/n-press.yaml", with: "/none.yaml"),
            ])
        #expect(program.status == 1)
        let file = try site.write(
            """
            node: n-hci
            site: gym
            radio: hci:hci15
            broker: {port: \(broker.port)}
            state: state

            """, to: "hci.yaml")
        let (report, status) = try doctor(["--config", file])
        #expect(status == 1)
        #expect(report.levels(.adapter) == ["fault"])
        #expect(report.of(.adapter).first?.do.isEmpty == false)
        #expect(!report.of(.capability).isEmpty)
        #expect(!report.of(.bluetoothd).isEmpty)
        // Anonymous here, which this broker does not take.
        #expect(report.levels(.login) == ["fault"])
    }

    /// A real full disk, where the system lets us mount one.
    @Test(.enabled(if: ProcessDoctorTests.mayMount, "no right to mount a file system"))
    func `a full disk is found by writing to it`() throws {
        defer { site.stop() }
        let file = try node("n-press")
        let state = site.file("state")
        let script = """
            mkdir -p "$1" && mount -t tmpfs -o size=64k tmpfs "$1" \
            && (dd if=/dev/zero of="$1/filler" bs=4k 2>/dev/null; true) \
            && "$2" doctor --json --config "$3" >"$1.json"; true
            """
        let program = RunningProgram.path("beaconmesh").path
        #expect(try Self.unshared(script, state, program, file) == 0)
        let data = try Data(contentsOf: URL(fileURLWithPath: state + ".json"))
        let report = try JSONDecoder().decode(Report.self, from: data)
        #expect(report.levels(.disk) == ["fault"], "\(report.findings)")
        #expect(report.of(.disk).first?.seen.contains("is full") == true)
    }

    static let mayMount = (try? unshared("mount -t tmpfs tmpfs /mnt")) == 0

    /// Runs a script where mounts are nobody else's.
    static func unshared(_ script: String, _ arguments: String...) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["-rm", "/bin/sh", "-c", script, "sh"] + arguments
        process.environment = [
            "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LLVM_PROFILE_FILE": "/dev/null",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

import Foundation
import Glibc
import Testing

@testable import Broker
@testable import CoordinatorService
@testable import Diagnostics
@testable import Radio
@testable import SiteStore
@testable import Platform

/// The probes see what is there.
struct DoctorProbeTests {
    /// A directory that is gone with the test.
    final class Folder {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "doctor-\(UUID().uuidString)").path

        init() throws {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }

        deinit { _ = Result { try FileManager.default.removeItem(atPath: path) } }

        @discardableResult
        func write(_ text: String, to name: String) throws -> String {
            let file = URL(fileURLWithPath: "\(path)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            return file.path
        }
    }

    let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `switches, programs, privileges and units are read from the system's files`() throws
    {
        for (name, text) in [
            ("sys/class/rfkill/rfkill0/type", "wlan\n"), ("sys/class/rfkill/rfkill0/soft", "1\n"),
            ("sys/class/rfkill/rfkill1/type", "bluetooth\n"),
            ("sys/class/rfkill/rfkill1/name", "hci0\n"),
            ("sys/class/rfkill/rfkill1/soft", "1\n"), ("sys/class/rfkill/rfkill1/hard", "0\n"),
            ("proc/12/comm", "beacon-node\n"),
            ("proc/12/status", "Name:\tx\nUid:\t110\t110\t110\t110\nCapEff:\t0000000000003000\n"),
            ("proc/40/comm", "bluetoothd\n"), ("proc/self/status", "CapEff:\t0000000000000000\n"),
            (
                "lib/systemd/system/beacon-node.service",
                "[Service]\nAmbientCapabilities=CAP_NET_RAW CAP_NET_ADMIN\n"
            ),
        ] { try folder.write(text, to: name) }
        let probe = MachineProbe(root: folder.path)
        let survey = AdapterSurvey(hasBluetooth: true, adapters: [])
        let radio = probe.radio(wanted: ["any"], survey: survey)
        #expect(
            radio.switches == [.init(name: "hci0", isSoftBlocked: true, isHardBlocked: false)])
        #expect(radio.node == .init(process: 12, capabilities: Diagnosis.needed))
        #expect(radio.own == 0)
        #expect(radio.bluetoothd == 40)
        #expect(radio.unit == "/lib/systemd/system/beacon-node.service")
        #expect(probe.user(ofProcess: 12) == 110)
        // What is in /etc counts more, and this one gives too little.
        try folder.write(
            "[Service]\nAmbientCapabilities=CAP_NET_RAW\n",
            to: "etc/systemd/system/beacon-node.service")
        #expect(probe.radio(wanted: ["any"], survey: survey).unit == nil)
        #expect(MachineProbe(root: "/nowhere").radio(wanted: [], survey: survey).node == nil)
    }

    @Test func `a clock that a time server keeps is marked`() throws {
        try folder.write("", to: "run/systemd/timesync/synchronized")
        #expect(MachineProbe(root: folder.path).clock().isSynced)
    }

    @Test func `a directory is written to, and nothing stays`() throws {
        let found = FileProbe.directory(folder.path, for: "a test")
        #expect(found.trial == .written)
        #expect(found.free ?? 0 > 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        #expect(FileProbe.directory(folder.path + "/none", for: "a test").trial == .absent)
        let file = try folder.write("x", to: "file")
        let reason = String(cString: strerror(ENOTDIR))
        #expect(
            FileProbe.directory(file, for: "a test").trial
                == .failed(code: ENOTDIR, reason: reason))
    }

    @Test(.enabled(if: geteuid() == 0, "only root sees more than others"))
    func `a directory that only root may write is noticed`() throws {
        chmod(folder.path, 0o755)
        let nobody: uid_t = 65_534
        #expect(FileProbe.directory(folder.path, for: "x", user: nobody).excluded == "nobody")
        chown(folder.path, nobody, nobody)
        #expect(FileProbe.directory(folder.path, for: "x", user: nobody).excluded == nil)
    }

    @Test func `a port is free, taken, or nobody's`() throws {
        let port = try FreePort.find(preferring: 0)
        #expect(PortProbe.port(port, of: "127.0.0.1").state == .free)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isBound && listen(listener, 1) == 0)
        #expect(PortProbe.port(port, of: "127.0.0.1").state == .taken)
        guard case .refused = PortProbe.port(port, of: "192.0.2.1").state else {
            Issue.record("an address of nobody can be listened on")
            return
        }
    }

    @Test func `a database is looked at without a change`() throws {
        let path = folder.path + "/gym.sqlite"
        let found = FileProbe.database(path, site: "gym", isDeep: false)
        #expect(!found.exists)
        let store = try Store(path: path)
        store.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        for isDeep in [false, true] {
            let found = FileProbe.database(path, site: "gym", isDeep: isDeep)
            let examination = try found.examination.get()
            #expect(examination.schema == examination.known)
            #expect(examination.site == nil)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        var damaged = before
        damaged.replaceSubrange(200..<min(8_192, damaged.count), with: Data(count: 7_992))
        try damaged.write(to: URL(fileURLWithPath: path))
        guard
            case .failure(.corrupt) = FileProbe.database(path, site: "gym", isDeep: true)
                .examination
        else {
            Issue.record("damage is not noticed")
            return
        }
    }

    @Test func `an outbox is looked at`() throws {
        #expect(OutboxProbe.outbox(folder.path + "/outbox.ring").state == .absent)
        #expect(
            OutboxProbe.outbox(folder.path).state == .unusable(reason: "it is no file"))
        let diary = try folder.write("dear diary", to: "diary.ring")
        #expect(OutboxProbe.outbox(diary).state == .unusable(reason: "it is no outbox"))
        // One of the two heads is enough, as for the node.
        let ring = try folder.write(
            String(repeating: "?", count: 4_096) + "BMRING 1", to: "outbox.ring")
        #expect(OutboxProbe.outbox(ring).state == .sound(text: "0 MiB"))
        try folder.write("x", to: "outbox.damaged-3")
        guard case .damaged = OutboxProbe.outbox(ring).state else {
            Issue.record("what was set aside is not noticed")
            return
        }
    }

    @Test func `files are told apart by their keys`() throws {
        let examples = URL(filePath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "../../deploy/examples")
        for kind in [Facts.Configuration.Kind.node, .coordinator, .site] {
            let file = examples.appending(path: "\(kind.rawValue).yaml")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(ConfigurationProbe.kind(of: text) == kind)
        }
        #expect(ConfigurationProbe.kind(of: "dear: diary\n") == .unknown)
        let site = ConfigurationProbe.check(examples.appending(path: "site.yaml").path)
        #expect(site.faults == [])
        let coordinator = try folder.write(
            "sites: [{id: Gym}]\nbroker: {port: 99999, password_file: none}\n", to: "c.yaml")
        #expect(ConfigurationProbe.check(coordinator).faults.count > 2)
        #expect(ConfigurationProbe.check("/nowhere").faults.count == 1)
    }

    @Test func `a node's file is read as far as the doctor needs it`() throws {
        let path = try folder.write(
            """
            node: n-bench
            site: gym
            radio: "hci:hci0, hci:AA:BB:CC:DD:EE:FF"
            broker: {host: broker.lan, port: 1884, username: n, protocol: 3.1.1}
            state: here
            unheard_of: true

            """, to: "node.yaml")
        let file = try NodeFile(reading: path)
        #expect(file.adapters == ["hci0", "AA:BB:CC:DD:EE:FF"])
        #expect(
            file.broker
                == BrokerAddress(
                    host: "broker.lan", port: 1884, username: "n", version: .threeOneOne))
        #expect(file.outbox == folder.path + "/here/outbox.ring")
        #expect(NodeFile.adapters("btsnoop:a.log") == [])
    }

    @Test func `the doctor sends no password in the clear that the node would not send`() throws {
        try folder.write("secret\n", to: "password")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.path + "/password")
        func fault(_ more: String) throws -> String? {
            let path = try folder.write(
                """
                node: n-bench
                site: gym
                broker: {host: broker.lan, username: n, password_file: password\(more)}
                state: here

                """, to: "node.yaml")
            return try NodeFile(reading: path).passwordFault
        }
        #expect(try fault("")?.contains("broker.lan in the clear") == true)
        #expect(try fault(", plaintext: true") == nil)
        #expect(try fault(", tls: {ca: ca.pem}") == nil)
    }

    @Test(arguments: [
        ("a", "a", 1883), ("a:1", "a", 1), ("10.0.0.2:1884", "10.0.0.2", 1884),
        ("::1", "::1", 1883), ("[::1]:99", "::1", 99), ("[fe80::1]", "fe80::1", 1883),
    ])
    func `a broker's name is read`(text: String, host: String, port: Int) {
        let address = BrokerAddress.parse(text)
        #expect(address?.host == host)
        #expect(address?.port == port)
    }

    @Test(arguments: ["", ":1", "a:", "a:0", "a:65536", "a:b", "[::1", "[::1]1", "a b"])
    func `a name that is none is refused`(text: String) {
        #expect(BrokerAddress.parse(text) == nil)
    }
}

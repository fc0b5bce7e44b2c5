import Foundation
import Glibc
import Testing

@testable import Broker
@testable import Diagnostics
@testable import Radio
@testable import SiteModel
@testable import SiteStore

/// Every failure is recognised by its facts, and each is told with what to do.
struct DiagnosisTests {
    static let adapter = AdapterSurvey.Adapter(
        index: 0, address: "C4:A7:F1:0B:22:E8", isUp: true)

    /// A machine on which all is well.
    static var sound: Facts {
        var facts = Facts()
        facts.configurations = [.init(file: "node.yaml", kind: .node, faults: [])]
        facts.radio = RadioFacts(
            wanted: ["hci0"], survey: AdapterSurvey(hasBluetooth: true, adapters: [adapter]),
            switches: [.init(name: "hci0", isSoftBlocked: false, isHardBlocked: false)],
            own: Diagnosis.needed)
        facts.clock = .init(now: Timestamp(milliseconds: 1_789_302_400_000), isSynced: true)
        facts.brokers = [
            BrokerFacts(
                file: "node.yaml", host: "10.0.0.2", port: 1883, username: "n-bench",
                role: .node("n-bench", site: "gym"),
                outcome: .connected([
                    .init(verb: .write, topic: "mesh/v1/gym/node/n-bench/raw", outcome: .granted)
                ]))
        ]
        facts.directories = [
            .init(
                path: "/var/lib/beaconmesh", purpose: "a node's state", trial: .written,
                free: 5_000_000_000, freeFiles: 100_000)
        ]
        facts.databases = [
            .init(
                path: "gym.sqlite", site: "gym", exists: true,
                examination: .success(
                    StoreExamination(schema: 1, known: 1, site: "gym", revision: 3)),
                isDeep: false,
                backups: .init(
                    folder: "backups", newest: Timestamp(milliseconds: 1_789_300_000_000)))
        ]
        facts.outboxes = [.init(path: "outbox.ring", state: .absent)]
        facts.ports = [.init(host: "127.0.0.1", port: 8080, state: .free)]
        return facts
    }

    @Test func `where all is well every check says so`() {
        let findings = Diagnosis.findings(of: Self.sound)
        #expect(findings.filter { $0.level != .ok } == [])
        #expect(Set(findings.map(\.id)) == Set(Finding.ID.allCases))
        #expect(findings.allSatisfy { !$0.seen.isEmpty && $0.action.isEmpty })
    }

    /// What is done to a sound machine, and what must come of it.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var id: Finding.ID
        var level = Finding.Level.fault
        /// What the advice must name.
        var action: String
        var change: @Sendable (inout Facts) -> Void

        init(
            _ name: String, _ id: Finding.ID, _ level: Finding.Level = .fault, _ action: String,
            _ change: @escaping @Sendable (inout Facts) -> Void
        ) {
            testDescription = name
            self.id = id
            self.level = level
            self.action = action
            self.change = change
        }
    }

    @Test(arguments: radioCases + brokerCases + otherCases)
    func `a failure is recognised, alone, and comes with advice`(failure: Case) throws {
        var facts = Self.sound
        failure.change(&facts)
        let findings = Diagnosis.findings(of: facts).filter { $0.level != .ok }
        let finding = try #require(findings.first)
        #expect(findings.count == 1, "\(findings)")
        #expect(finding.id == failure.id)
        #expect(finding.level == failure.level)
        #expect(finding.action.contains(failure.action), "\(finding.action)")
    }

    /// A coordinator's machine has no adapter, and a node of the demonstration needs none.
    @Test func `without a configuration nothing about an adapter is a fault`() {
        var facts = Facts()
        facts.radio = RadioFacts(
            wanted: ["any"], survey: AdapterSurvey(hasBluetooth: false, adapters: []),
            switches: [], own: 0, node: .init(process: 7, capabilities: 0))
        let findings = Diagnosis.findings(of: facts)
        #expect(findings.filter { $0.level == .fault } == [])
        #expect(findings.contains { $0.id == .adapter && $0.level == .warning })
        #expect(findings.first?.id == .configuration)
        #expect(findings.first?.seen.contains("this machine only") == true)
        facts.configurations = [.init(file: "node.yaml", kind: .node, faults: [])]
        #expect(Diagnosis.findings(of: facts).contains { $0.level == .fault })
    }

    static let radioCases = [
        Case("no Bluetooth in the kernel", .adapter, .fault, "modprobe") {
            $0.radio?.survey = AdapterSurvey(hasBluetooth: false, adapters: [])
        },
        Case("no adapter", .adapter, .fault, "dmesg") { $0.radio?.survey.adapters = [] },
        Case("another adapter", .adapter, .fault, "hci0 (C4:A7:F1:0B:22:E8)") {
            $0.radio?.wanted = ["hci1"]
        },
        Case("blocked by software", .rfkill, .fault, "rfkill unblock") {
            $0.radio?.switches[0].isSoftBlocked = true
        },
        Case("blocked by a switch", .rfkill, .fault, "switch") {
            $0.radio?.switches[0].isHardBlocked = true
        },
        Case("switched off", .power, .warning, "hciconfig hci0 up") {
            $0.radio?.survey.adapters[0].isUp = false
        },
        Case("switched off under a node", .power, .fault, "journalctl") {
            $0.radio?.survey.adapters[0].isUp = false
            $0.radio?.node = .init(process: 7, capabilities: Diagnosis.needed)
        },
        Case("no capability", .capability, .fault, "setcap") { $0.radio?.own = 0 },
        Case("one capability", .capability, .fault, "beacon-node.service") {
            $0.radio?.node = .init(process: 7, capabilities: 1 << 13)
        },
        Case("bluetoothd runs", .bluetoothd, .warning, "disable --now bluetooth") {
            $0.radio?.bluetoothd = 412
        },
    ]

    static let brokerCases = [
        Case("unreachable", .broker, .fault, "listener 1883") {
            $0.brokers[0].outcome = .unreachable(reason: "Connection refused")
        },
        Case("another name", .broker, .fault, "broker.tls of node.yaml") {
            $0.brokers[0].outcome = .unencrypted(.otherName(host: "10.0.0.2"))
        },
        Case("mute", .broker, .fault, "TLS") { $0.brokers[0].outcome = .mute },
        Case("wrong password", .login, .fault, "beaconmesh node replace n-bench") {
            $0.brokers[0].outcome = .refused(reason: "Not authorized")
        },
        Case("no user", .login, .fault, "broker.username") {
            $0.brokers[0].outcome = .refused(reason: "Not authorized")
            $0.brokers[0].username = nil
        },
        Case("writing refused", .rights, .fault, "sudo beaconmesh broker update") {
            $0.brokers[0].outcome = .connected([
                .init(verb: .write, topic: "raw", outcome: .refused(reason: "Not authorized"))
            ])
        },
        Case("silence", .rights, .fault, "sudo beaconmesh broker update") {
            $0.brokers[0].role = .coordinator("main", sites: ["gym"])
            $0.brokers[0].outcome = .connected([
                .init(verb: .write, topic: "raw", outcome: .silent)
            ])
        },
        Case("nothing kept", .rights, .warning, "is in its site") {
            $0.brokers[0].outcome = .connected([
                .init(verb: .read, topic: "config/desired", outcome: .empty)
            ])
        },
    ]

    static let otherCases = [
        Case("a wrong file", .configuration, .fault, "deploy/examples") {
            $0.configurations[0].faults = ["node.yaml:3: radio: missing"]
        },
        Case("no known file", .configuration, .fault, "coordinator.yaml") {
            $0.configurations[0] = .init(file: "x", kind: .unknown, faults: ["x: …"])
        },
        Case("unchecked", .configuration, .warning, "beacon-node --config") {
            $0.configurations[0].unchecked = "there is no beacon-node"
        },
        Case("no time server", .clock, .warning, "timedatectl set-ntp true") {
            $0.clock?.isSynced = false
        },
        Case("the year 1970", .clock, .fault, "time server") {
            $0.clock?.now = Timestamp(milliseconds: 3_600_000)
        },
        Case("no directory", .state, .fault, "install -d") {
            $0.directories[0].trial = .absent
        },
        Case("no right to write", .state, .fault, "chown") {
            $0.directories[0].trial = .failed(code: EACCES, reason: "Permission denied")
        },
        Case("reading only", .state, .fault, "remount") {
            $0.directories[0].trial = .failed(code: EROFS, reason: "Read-only file system")
        },
        Case("another user's", .state, .fault, "chown -R beaconmesh:") {
            $0.directories[0].excluded = "beaconmesh"
        },
        Case("disk full", .disk, .fault, "free some space") {
            $0.directories[0].trial = .failed(code: ENOSPC, reason: "No space left on device")
        },
        Case("disk low", .disk, .warning, "free some space") { $0.directories[0].free = 9_999 },
        Case("no files left", .disk, .warning, "df -i") { $0.directories[0].freeFiles = 0 },
        Case("no database", .database, .fault, "beaconmesh import --database gym.sqlite") {
            $0.databases[0].exists = false
        },
        Case("an empty database", .database, .fault, "beaconmesh import") {
            $0.databases[0].examination = .success(
                StoreExamination(schema: 0, known: 1, site: nil, revision: 0))
        },
        Case("another site's", .database, .fault, "sites:") {
            $0.databases[0].site = "other"
        },
        Case("a newer schema", .database, .fault, "newer release") {
            $0.databases[0].examination = .failure(
                .newerSchema(path: "gym.sqlite", found: 9, known: 1))
        },
        Case("one of a build before the first release", .database, .fault, "into a new file") {
            $0.databases[0].examination = .failure(.beforeFirstRelease(path: "gym.sqlite"))
        },
        Case("a damaged database", .database, .fault, "backup") {
            $0.databases[0].examination = .failure(.corrupt(path: "gym.sqlite", detail: "x"))
        },
        Case("no backup", .backup, .warning, "beaconmesh backup --database gym.sqlite") {
            $0.databases[0].backups?.newest = nil
        },
        Case("no backup for two hours", .backup, .warning, "logs about backups") {
            $0.databases[0].backups?.newest = Timestamp(milliseconds: 1_789_295_000_000)
        },
        Case("a backup from the future", .backup, .warning, "the clock") {
            $0.databases[0].backups?.newest = Timestamp(milliseconds: 1_789_309_000_000)
        },
        Case("a damaged backup", .backup, .fault, "beaconmesh backup") {
            $0.databases[0].backups?.fault = "damaged"
        },
        Case("backups that are switched off", .backup, .warning, "enabled: false") {
            $0.databases[0].backups = nil
        },
        Case("a damaged outbox", .outbox, .warning, "SD card") {
            $0.outboxes[0].state = .damaged(reason: "x")
        },
        Case("an outbox of no use", .outbox, .fault, "move it aside") {
            $0.outboxes[0].state = .unusable(reason: "x")
        },
        Case("a taken port", .port, .fault, "ss -ltnp") { $0.ports[0].state = .taken },
        Case("a port nobody may have", .port, .fault, "1024") {
            $0.ports[0].state = .refused(reason: "Permission denied")
        },
    ]

    @Test func `an older schema and a unit that gives capabilities are well`() {
        var facts = Self.sound
        facts.radio?.own = 0
        facts.radio?.unit = "/etc/systemd/system/beacon-node.service"
        facts.databases[0].examination = .success(
            StoreExamination(schema: 1, known: 2, site: "gym", revision: 3))
        facts.ports[0].state = .ours
        #expect(Diagnosis.findings(of: facts).allSatisfy { $0.level == .ok })
    }

    @Test func `every finding has its row in the document of faults`() throws {
        let document = URL(filePath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "../../docs/troubleshooting.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        for id in Finding.ID.allCases {
            #expect(text.contains("\n| `\(id.rawValue)` | "), "\(id)")
        }
    }

    @Test func `the report counts, and escapes what strangers chose`() throws {
        let findings = [
            Finding.ok(.clock, "fine"), .warning(.disk, "low", do: "more"),
            .fault(.login, "first\nsecond \u{1B}[2J", do: "do \"this\""),
        ]
        let text = DoctorReport.text(findings)
        #expect(text.contains("1 fault, 1 warning"))
        #expect(text.contains("→ do \"this\""))
        #expect(!text.contains("\u{1B}"))
        let json = CorpusCase.object(
            String(decoding: DoctorReport.json(findings), as: UTF8.self))
        #expect(json["ok"] as? Bool == false)
        let list = json["findings"] as? [[String: Any]] ?? []
        #expect(list.map { $0["id"] as? String } == ["clock", "disk", "broker-login"])
        #expect(list.last?["seen"] as? String == "first\nsecond \u{1B}[2J")
        #expect(list.last?["do"] as? String == "do \"this\"")
    }
}

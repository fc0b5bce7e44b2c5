import Foundation
import Glibc
import Permissions
import Testing

@testable import BrokerAccess
@testable import Operations
@testable import Platform
@testable import SiteModel
@testable import Wire

/// The files for mosquitto, and what stands in them.
struct BrokerFilesTests {
    private static let root = "mesh/v1/gym/"

    private func enrolled(_ identities: [BrokerIdentity]) -> [EnrolledIdentity] {
        identities.enumerated().map { index, identity in
            EnrolledIdentity(
                id: Int64(index + 1), identity: identity, hash: "$7$101$c2FsdA==$a2V5",
                made: start, revoked: nil)
        }
    }

    private static let all = [
        BrokerIdentity(name: "n-rack", kind: .node), BrokerIdentity(name: "board", kind: .screen),
        BrokerIdentity(name: "door", kind: .kiosk),
        BrokerIdentity(name: "ann-phone", kind: .member, person: "u-ann"),
        BrokerIdentity(name: "reports", kind: .integration, scopes: [.attendance]),
        BrokerIdentity(name: "desk", kind: .integration, scopes: [.requests]),
        BrokerIdentity(name: "esp32", kind: .integration, scopes: [.detections]),
        BrokerIdentity(name: "coordinator", kind: .coordinator),
    ]

    /// Every level of the site's tree, and its like of others.
    private static let topics =
        [
            "info", "state", "shadow", "room/hall/info", "room/hall/state", "station/rack/info",
            "station/rack/state", "beacon/b-1/info", "beacon/b-1/state", "user/u-ann/presence",
            "user/u-ann/why",
            "user/u-ann/attendance", "user/u-ann/workout", "user/u-ann/wait",
            "user/u-bob/wait", "user/u-bob/presence",
            "user/u-bob/why", "user/u-bob/attendance", "user/u-bob/workout", "notify/u-ann",
            "notify/u-bob", "event/attendance/gym-1", "node/n-rack/frame", "node/n-rack/status",
            "node/n-rack/cursor", "node/n-rack/cmd", "node/n-rack/config/desired",
            "node/n-rack/config/active", "node/n-hall/frame", "node/n-hall/cmd",
            "debug/lease/n-rack", "debug/lease/n-hall", "ingest/detection/esp32",
            "ingest/detection/desk", "ingest/detection/ann-phone", "res/esp32/ingest",
            "res/u-ann/ingest",
            "ingest/position/u-ann", "node/n-rack/sightings",
        ].map { root + $0 }
        + all.map(\.name).flatMap { name in
            ["attendance-check-in", "attendance-check-out", "attendance-correct", "workout-start"]
                .flatMap {
                    [root + "req/\(name)/\($0)", root + "res/\(name)/\($0)"]
                }
        } + ["mesh/v1/core/main/status", "mesh/v1/pool/user/u-ann/presence", "elsewhere", "$SYS/x"]

    /// What an identity may do of all that, without the root.
    private func allowed(_ name: String, _ access: BrokerRights.Access) throws -> Set<String> {
        let identity = try #require(Self.all.first { $0.name == name })
        let rights = BrokerRights(of: identity, site: "gym")
        return Set(
            Self.topics.filter { rights.allows(access, $0) }
                .map { $0.replacing(Self.root, with: "") })
    }

    @Test func `each kind may do what it is there for, and nothing else`() throws {
        let shown: Set = [
            "info", "state", "room/hall/info", "room/hall/state", "station/rack/info",
        ]
        func answers(_ name: String) -> Set<String> {
            Set(
                [
                    "attendance-check-in", "attendance-check-out", "attendance-correct",
                    "workout-start",
                ].map { "res/\(name)/\($0)" })
        }
        func asked(_ name: String) -> Set<String> {
            Set(answers(name).map { $0.replacing("res/", with: "req/") })
        }
        #expect(try allowed("board", .read) == shown)
        #expect(try allowed("board", .write).isEmpty)
        #expect(try allowed("esp32", .write) == ["ingest/detection/esp32"])
        #expect(
            try allowed("esp32", .read) == ["ingest/detection/esp32", "res/esp32/ingest"])
        #expect(try allowed("door", .read) == shown.union(answers("door")))
        #expect(
            try allowed("door", .write)
                == ["req/door/attendance-check-in", "req/door/attendance-check-out"])
        #expect(
            try allowed("ann-phone", .read)
                == answers("ann-phone").union([
                    "info", "user/u-ann/presence", "user/u-ann/why", "user/u-ann/attendance",
                    "user/u-ann/workout", "user/u-ann/wait", "notify/u-ann", "res/u-ann/ingest",
                ]))
        #expect(
            try allowed("ann-phone", .write)
                == asked("ann-phone").union([
                    "ingest/position/u-ann", "ingest/detection/ann-phone",
                ]))
        #expect(
            try allowed("reports", .read) == ["user/u-ann/attendance", "user/u-bob/attendance"])
        #expect(try allowed("reports", .write).isEmpty)
        #expect(try allowed("desk", .write) == asked("desk"))
        #expect(try allowed("desk", .read) == answers("desk").union(["info"]))
        #expect(
            try allowed("n-rack", .write)
                == [
                    "node/n-rack/frame", "node/n-rack/status", "node/n-rack/config/active",
                    "node/n-rack/sightings",
                ])
        #expect(
            try allowed("n-rack", .read)
                == [
                    "node/n-rack/cursor", "node/n-rack/cmd", "node/n-rack/config/desired",
                    "debug/lease/n-rack",
                ])
        let core = try allowed("coordinator", .write)
        #expect(!core.contains { $0.hasSuffix("/frame") })
        #expect(core.contains("req/ann-phone/workout-start"), "it clears what is retained there")
        #expect(core.contains("node/n-rack/cursor") && core.contains("mesh/v1/core/main/status"))
        let heard = try allowed("coordinator", .read)
        #expect(heard.contains("node/n-hall/frame") && !heard.contains("elsewhere"))
        #expect(!heard.contains("mesh/v1/pool/user/u-ann/presence"))
    }

    @Test(arguments: [BrokerIdentity.Kind.screen, .kiosk])
    func `what hangs on a wall or stands at a door reads nothing that means a person`(
        kind: BrokerIdentity.Kind
    ) {
        let rights = BrokerRights(of: BrokerIdentity(name: "x", kind: kind), site: "gym")
        let paths = SiteTopics(site: "gym")
        for topic in [
            paths[.stationState, "rack"], paths[.presence, "u-ann"], paths[.attendance, "u-ann"],
            paths[.workout, "u-ann"], paths[.why, "u-ann"], paths[.notification, "u-ann"],
            paths[.beaconState, "b-1"], paths[.beaconInfo, "b-1"], paths[.event, "stay", "1"],
            paths[.nodeInfo, "n-ann"], paths[.response, "door", "workout-start"],
        ] {
            #expect(!rights.allows(.read, topic), "\(topic)")
        }
        #expect(rights.allows(.read, paths[.stationInfo, "rack"]))
        #expect(rights.allows(.read, paths[.roomState, "hall"]))
    }

    @Test func `each scope opens its own branch`() {
        for scope in BrokerIdentity.Scope.allCases {
            let rights = BrokerRights(
                of: BrokerIdentity(name: "x", kind: .integration, scopes: [scope]), site: "gym")
            let branches = Set(
                rights.rules.map { $0.filter.dropFirst(Self.root.count).prefix { $0 != "/" } })
            let expected: Set<Substring> =
                switch scope {
                case .presence, .attendance, .workouts: ["user"]
                case .rooms: ["info", "state", "room", "station"]
                case .beacons: ["beacon"]
                case .events: ["event"]
                case .nodes: ["node"]
                case .diagnosis: ["node", "debug"]
                case .requests: ["req", "res", "info"]
                case .detections: ["ingest", "res"]
                }
            #expect(branches == expected, "\(scope)")
            let isWriting = rights.rules.contains { $0.access == .write }
            let writers: [BrokerIdentity.Scope] = [.requests, .diagnosis, .detections]
            #expect(isWriting == writers.contains(scope), "\(scope)")
        }
    }

    /// What is retained under each level stays at the broker.
    @Test func `there is a level for each request, and none for anything else`() {
        for identity in Self.all where identity.kind != .coordinator {
            let rights = BrokerRights(of: identity, site: "gym")
            #expect(!rights.allows(.write, Self.root + "req/\(identity.name)/other"))
            let asked = rights.rules.filter { $0.filter.contains("/req/") }
            #expect(asked.allSatisfy { $0.access == .write && !$0.filter.hasSuffix("+") })
            guard identity.kind == .member else { continue }
            #expect(
                asked.map(\.filter)
                    == Verb.all.map { Self.root + "req/\(identity.name)/\($0.name)" })
        }
    }

    /// Patterns give `node/%u` to everybody of that name.
    @Test func `who is named like a node has none of its rights`() {
        let member = BrokerIdentity(name: "n-rack", kind: .member, person: "u-ann")
        let rights = BrokerRights(of: member, site: "gym")
        #expect(!rights.rules.contains { $0.filter.contains("node/") })
        let text = BrokerFiles(site: "gym", identities: enrolled(Self.all)).accessList
        #expect(!text.contains("pattern") && !text.contains("%u"))
    }

    /// The file that is shipped for brokers without enrolment says the same, for all sites.
    @Test func `nodes and coordinator have the rights of the list that is shipped`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../deploy/mosquitto").standardized
        let shipped = try String(
            contentsOf: folder.appending(path: "beaconmesh.acl"), encoding: .utf8
        ).split(separator: "\n").map(String.init)
        func rules(_ name: String, _ kind: BrokerIdentity.Kind) -> [String] {
            BrokerRights(of: BrokerIdentity(name: name, kind: kind), site: "gym").rules.map {
                "\($0.access.rawValue) \($0.filter)"
            }
        }
        let patterns = shipped.filter { $0.hasPrefix("pattern ") }.map {
            String($0.dropFirst("pattern ".count)).replacing("%u", with: "n-rack")
                .replacing("v1/+/", with: "v1/gym/")
        }
        #expect(patterns == rules("n-rack", .node))
        let coordinators = shipped.drop { $0 != "user coordinator" }.dropFirst()
            .prefix { !$0.hasPrefix("user ") }
        let written = coordinators.filter { $0.hasPrefix("topic write ") }.map {
            String($0.dropFirst("topic ".count)).replacing("v1/+/", with: "v1/gym/")
        }
        #expect(written == rules("coordinator", .coordinator).filter { $0.hasPrefix("write") })
    }

    @Test func `revoked identities are in no file, and the order of enrolment does not show`() {
        var rows = enrolled(Self.all)
        rows[2].revoked = start
        rows[2].hash = ""
        let files = BrokerFiles(site: "gym", identities: rows)
        #expect(!files.passwords.contains("door") && !files.accessList.contains("door"))
        let again = BrokerFiles(site: "gym", identities: rows.reversed())
        #expect(again.access == files.access)
        let lines = files.passwords.split(separator: "\n").filter { !$0.hasPrefix("#") }
        // Each with its doctor, the coordinator with all tools.
        #expect(lines.count == 6 * 2 + 1 + BrokerIdentity.Tool.allCases.count)
        #expect(lines.allSatisfy { $0.contains(":$7$") })
        #expect(files.access.map(\.isSecret) == [true, false])
    }

    @Test func `what a tool does beside a program it may do as that program`() throws {
        let files = BrokerFiles(site: "gym", identities: enrolled(Self.all))
        let blocks = files.accessList.split(separator: "user ").dropFirst().map {
            $0.split(separator: "\n").filter { !$0.hasPrefix("#") }
        }
        for tool in BrokerIdentity.Tool.allCases {
            let (own, beside) = ("coordinator", tool.userName(beside: "coordinator"))
            let rules = try [own, beside].map { name in
                try #require(blocks.first { $0[0] == name }).dropFirst()
            }
            #expect(rules[0] == rules[1])
            #expect(files.passwords.contains("\n\(beside):$7$"))
        }
        #expect(files.accessList.contains("\nuser n-rack.doctor\n"))
        #expect(!files.accessList.contains("n-rack.record"))
    }

    /// Both files are for brokers of the same size.
    @Test func `the shipped file has the limits of the file that is made`() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../deploy/mosquitto/beaconmesh.conf").standardized
        func limits(_ text: String) -> [Substring] {
            text.split(separator: "\n").filter {
                $0.hasPrefix("max_") || $0.hasPrefix("memory_limit ")
            }
        }
        let made = BrokerFiles(site: "gym", identities: [])
            .configuration(BrokerListener(), in: "/d").text
        #expect(limits(made).count == 4)
        #expect(limits(try String(contentsOf: path, encoding: .utf8)) == limits(made))
    }

    @Test func `no listener lets anybody choose a client id`() {
        let tls = BrokerListener.TLS(certificate: "/c", key: "/k", authority: nil, port: 8883)
        for listener in [BrokerListener(), BrokerListener(isOnLAN: true, tls: tls)] {
            let text = BrokerFiles(site: "gym", identities: []).configuration(listener, in: "/d")
                .text
            // It is an option of the listener above it.
            let parts = text.split(separator: "\nlistener ").dropFirst()
            #expect(parts.count == (listener.tls == nil ? 1 : 2))
            #expect(parts.allSatisfy { $0.contains("\nuse_username_as_clientid true\n") })
        }
    }

    @Test func `other machines are served only where that is said`() {
        let files = BrokerFiles(site: "gym", identities: [])
        func listeners(_ listener: BrokerListener) -> [String] {
            files.configuration(listener, in: "/d").text.split(separator: "\n").filter {
                $0.hasPrefix("listener") || $0.contains("file ")
            }.map(String.init)
        }
        let kept = [
            "password_file /d/beaconmesh.passwords", "acl_file /d/beaconmesh.acl",
        ]
        #expect(listeners(BrokerListener()) == ["listener 1883 127.0.0.1"] + kept)
        #expect(
            listeners(BrokerListener(port: 1884, isOnLAN: true)) == ["listener 1884"] + kept)
        let tls = BrokerListener.TLS(certificate: "/c", key: "/k", authority: "/a", port: 8883)
        #expect(
            listeners(BrokerListener(tls: tls))
                == [
                    "listener 1883 127.0.0.1", "listener 8883", "certfile /c", "keyfile /k",
                    "cafile /a",
                ] + kept)
    }

    private func entries(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func `files appear all or none, the passwords for one reader only`() throws {
        let scratch = try Scratch()
        let folder = BrokerFolder(scratch.directory.path)
        let files = BrokerFiles(site: "gym", identities: enrolled(Self.all)).access
        try folder.write(files)
        #expect(try entries(scratch.directory) == ["beaconmesh.acl", "beaconmesh.passwords"])
        let path = scratch.directory.appending(path: "beaconmesh.passwords").path
        var info = stat()
        #expect(stat(path, &info) == 0 && info.st_mode & 0o777 == 0o600)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        // A directory stands where the list should.
        let list = scratch.directory.appending(path: "beaconmesh.acl")
        try FileManager.default.removeItem(at: list)
        try FileManager.default.createDirectory(at: list, withIntermediateDirectories: false)
        let others = BrokerFiles(site: "gym", identities: []).access
        #expect(throws: Exit.self) { try folder.write(others) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try entries(scratch.directory) == ["beaconmesh.acl", "beaconmesh.passwords"])
        // The same for who does not look before.
        #expect(throws: Exit.self) { try folder.replace(others) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: Exit.self) { try folder.replace(others) }
        #expect(try entries(scratch.directory) == ["beaconmesh.acl"])
        try before.write(to: URL(fileURLWithPath: path))
        // A name that cannot be written, after one that can.
        try FileManager.default.removeItem(at: list)
        let broken = [
            others[0], BrokerFile(name: "none/beaconmesh.acl", text: "", isSecret: false),
        ]
        #expect(throws: Exit.self) { try folder.write(broken) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try entries(scratch.directory) == ["beaconmesh.passwords"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files to others"))
    func `files stay of the user they were of, and the authority's key is root's`() throws {
        let scratch = try Scratch()
        let names = [BrokerFile.authorityKey, BrokerFile.certificateKey]
        let files = names.map { BrokerFile(name: $0, text: "k", isSecret: true) }
        func owners() -> [uid_t] {
            names.map { name in
                var info = stat()
                #expect(stat(scratch.directory.appending(path: name).path, &info) == 0)
                #expect(info.st_mode & 0o777 == 0o600)
                return info.st_uid
            }
        }
        try BrokerFolder(scratch.directory.path).write(files)
        #expect(owners()[0] == 0)
        for name in names {
            #expect(chown(scratch.directory.appending(path: name).path, 65534, 65534) == 0)
        }
        try BrokerFolder(scratch.directory.path).write(files)
        #expect(owners() == [0, 65534])
    }

    @Test func `a directory that is none is refused before anything is done`() throws {
        let scratch = try Scratch()
        let file = scratch.directory.appending(path: "file").path
        try Data().write(to: URL(fileURLWithPath: file))
        for path in [file, scratch.directory.path + "/none", "/proc", "a\nb"] {
            let folder = BrokerFolder(path)
            let files = BrokerFiles(site: "gym", identities: []).access
            #expect(throws: Exit.self, "\(path)") { try folder.write(files) }
        }
        #expect(try entries(scratch.directory) == ["file"])
    }

    @Test func `only a mosquitto is told to read its files again`() throws {
        let scratch = try Scratch()
        let file = scratch.directory.appending(path: "pid").path
        for text in ["", "x", "-1", "0", "1", "\(getpid())\n", "999999999"] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            #expect(throws: Exit.self, "\(text)") { try RunningBroker(pidFile: file) }
        }
        #expect(throws: Exit.self) { try RunningBroker(pidFile: file + "-none") }
    }
}

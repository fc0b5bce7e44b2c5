import Foundation
import Glibc
import Testing

@testable import Broker
@testable import Platform
@testable import SiteModel
@testable import Wire

/// Who is enrolled, at a real broker with the files that are made of that.
@Suite(.ownThread) struct ProcessEnrolmentTests {
    private static let everybody = [
        "coordinator", "n-press", "n-row", "board", "door", "ann-phone", "reports", "desk",
    ]

    @Test func `with the files that are made everybody does their work, and no more`() throws {
        let own = try EnrolledSite()
        defer { own.site.stop() }
        try own.startBroker()
        let tried = try own.doctor(Self.everybody)
        #expect(tried.status == 0, "\(tried.output)\(tried.errors)")
        #expect(tried.output.contains(" 0 too many, 0 missing, "))
        print(tried.output.split(separator: "\n").last ?? "")
        try own.site.startCoordinator()
        try own.site.startNodes()
        own.site.air = ["n-press": [0: -50]]
        try own.site.wait("somebody is in") { own.site.attendance(0)?.state == .checkedIn }
        for node in ["n-press", "n-row"] {
            try own.site.wait("\(node) is configured") {
                let topic = own.site.topics[.nodeConfigurationActive, node]
                return own.site.latest(topic, as: NodeConfigurationActivePayload.self)?.ok == true
            }
        }
        // The door may for anybody, a member for themselves only, the desk all.
        let atDoor = try own.ask("check-in", of: 1, as: "door")
        #expect(atDoor.status == 0, "\(atDoor.errors)")
        let other = try own.ask("check-out", of: 1, as: "ann-phone")
        #expect(other.errors.contains("forbidden"), "\(other.errors)")
        #expect(other.status == 5)
        #expect(try own.ask("check-out", of: 0, as: "ann-phone").status == 0)
        #expect(try own.ask("check-out", of: 1, as: "desk").status == 0)
        try own.site.wait("it is counted") {
            try own.site.metric("mesh_requests_refused_total") == 1
        }
        // Not even the broker takes these.
        #expect(try own.ask("check-in", of: 1, as: "board").status == 77)
        let log = own.site.coordinator?.errors ?? ""
        #expect(!log.contains("access list") && !log.contains("no broker"), "\(log)")
    }

    @Test func `a hole in the access list, and a right that is missing, are found`() throws {
        let own = try EnrolledSite()
        defer { own.site.stop() }
        let list = own.folder + "/beaconmesh.acl"
        let text = try String(contentsOfFile: list, encoding: .utf8)
        // In the blocks that the trial signs in with, beside the programs.
        let hole = "user board.doctor\ntopic read mesh/v1/gym/user/+/presence\n"
        let other = "user n-row.doctor\ntopic write mesh/v1/gym/node/n-press/beat\n"
        let missing = text.replacing("user board.doctor\n", with: hole)
            .replacing("user n-row.doctor\n", with: other)
            .replacing("topic write mesh/v1/gym/node/n-press/frame\n", with: "")
        #expect(missing.count != text.count)
        try Data(missing.utf8).write(to: URL(fileURLWithPath: list))
        try own.startBroker()
        let tried = try own.doctor(Self.everybody, json: true)
        #expect(tried.status == 1, "\(tried.errors)")
        struct Line: Decodable {
            var identity, right, topic, expected, seen: String
        }
        let lines = try JSONDecoder().decode([Line].self, from: Data(tried.output.utf8))
        let faults = lines.filter { $0.seen != "unproven" && $0.seen != $0.expected }
        let found = faults.map { line in
            let levels = line.topic.split(separator: "/").dropFirst(3)
            return "\(line.identity) \(line.right) \(levels.first ?? "") \(levels.last ?? "") "
                + line.seen
        }
        #expect(
            Set(found) == [
                "board read user presence allowed", "n-press write node frame denied",
                "n-row write node beat allowed",
            ])
    }

    @Test func `what a member retains where nothing is to be is taken away`() throws {
        let own = try EnrolledSite()
        defer { own.site.stop() }
        try own.startBroker()
        let phone = try own.client("ann-phone")
        #expect(try phone.isIn(own.site))
        let (root, ann) = (own.site.topics.root, own.site.people[0].slug)
        let early = root + "req/ann-phone/workout-pause"
        func retain(_ topic: String, _ payload: [UInt8]) throws {
            try phone.client.publish(
                Publication(topic: topic, payload: payload, quality: 1, isRetained: true))
        }
        /// What is kept below `req/` and `ingest/`, as a subscriber who comes is told.
        func kept() throws -> [String: [UInt8]] {
            try Watcher(
                port: own.port, username: "coordinator.calibrate",
                password: own.passwords["coordinator"], marked: root + "debug/doctor/"
            ).kept.filter { $0.key.hasPrefix(root + "req/") || $0.key.hasPrefix(root + "ingest/") }
        }
        // Small, and before the coordinator is there.
        try retain(early, Array(#"{"id":"1","args":{}}"#.utf8))
        try own.site.wait("it is kept") {
            phone.work()
            return try Set(kept().keys) == [early]
        }
        try own.site.startCoordinator()
        try own.site.wait("it is taken away") { try kept().isEmpty }
        // Large, while it is.
        let large = [UInt8](repeating: UInt8(ascii: " "), count: 1_000_000)
        let topics = [
            "req/ann-phone/set-add", "req/ann-phone/workout-pause", "ingest/steps/\(ann)",
            "ingest/hr/\(ann)",
        ]
        for topic in topics { try retain(root + topic, large) }
        try own.site.wait("they are taken away") {
            phone.work()
            return try kept().isEmpty
        }
        let answer = try phone.ask(
            "workout-pause", #"{"id":"2","args":{}}"#, as: "ann-phone", of: own.site)
        #expect((answer["error"] as? [String: Any])?["code"] as? String == "bad_state", "\(answer)")
    }

    @Test func `who is revoked is cut off within seconds, and not let in again`() throws {
        let own = try EnrolledSite()
        defer { own.site.stop() }
        try own.startBroker()
        try own.site.startCoordinator()
        let (phone, board) = (try own.client("ann-phone"), try own.client("board"))
        #expect(try phone.isIn(own.site))
        #expect(try board.isIn(own.site))
        let begun = ContinuousClock.now
        let revocation = try RunningProgram(
            "beaconmesh",
            [
                "revoke", "ann-phone", "--database", own.site.database, "--broker-files",
                own.folder, "--broker-pid", own.pidFile,
            ], in: own.site.directory)
        var told: ContinuousClock.Instant?
        try own.site.wait("it is cut off", within: 10) {
            phone.work()
            if told == nil, !revocation.isRunning { told = .now }
            return phone.isLost && told != nil
        }
        let now = ContinuousClock.now
        print("cut off after \(now - begun), of which after the verb \(now - (told ?? now))")
        #expect(revocation.status == 0, "\(revocation.output)\(revocation.errors)")
        board.work()
        #expect(!board.isLost)
        #expect(try !own.client("ann-phone").isIn(own.site))
        let listed = try own.site.run(
            "beaconmesh", ["broker", "list", "--database", own.site.database])
        #expect(
            listed.output.split(separator: "\n").contains {
                $0.hasPrefix("ann-phone") && $0.hasSuffix("revoked")
            })
        // Who is enrolled now is let in, too, without a restart.
        try own.enrol(
            "screen", "hall-board",
            ["--broker-files", own.folder, "--broker-pid", own.pidFile])
        try own.site.wait("the broker has read it", within: 10) {
            try own.client("hall-board").isIn(own.site)
        }
        board.work()
        #expect(!board.isLost)
    }

    @Test func `a phone corrects, decides and locks over MQTT by the role of its person`() throws {
        let own = try EnrolledSite()
        defer { own.site.stop() }
        try own.startBroker()
        try own.site.startCoordinator()
        let (site, ann) = (own.site, own.site.people[0].slug)
        #expect(try own.ask("check-in", of: 0, as: "door").status == 0)
        #expect(try own.ask("check-in", of: 1, as: "door").status == 0)
        #expect(try own.ask("check-out", of: 0, as: "door").status == 0)
        #expect(try own.ask("check-out", of: 1, as: "door").status == 0)
        func session(_ person: Int) throws -> String {
            try site.rows(
                "SELECT session_id FROM v_session WHERE user = '\(site.people[person].slug)'")[0]
        }
        let (theirs, others) = (try session(0), try session(1))
        let phone = try own.client("ann-phone")
        #expect(try phone.isIn(site))
        func ask(_ operation: String, _ id: String, _ args: String) throws -> [String: Any] {
            try phone.ask(
                operation, "{\"id\":\"\(id)\",\"args\":\(args)}", as: "ann-phone", of: site)
        }
        func code(_ answer: [String: Any]) -> String? {
            (answer["error"] as? [String: Any])?["code"] as? String
        }
        let remove = { (session: String) in
            "{\"change\":\"remove\",\"session\":\(session),\"reason\":\"not me\"}"
        }
        #expect(try code(ask("attendance-correct", "1", remove(others))) == "forbidden")
        let made = try ask("attendance-correct", "2", remove(theirs))
        let correction = try #require((made["result"] as? [String: Any])?["id"] as? Int)
        // No line of MQTT has names, or words of people.
        let told = { (answer: [String: Any]) in
            Set((answer["result"] as? [String: Any] ?? [:]).keys)
        }
        let words: Set = ["name", "reason", "requested_by", "decided_by", "decision_reason"]
        #expect(told(made).isSuperset(of: ["id", "user", "state"]))
        #expect(told(made).isDisjoint(with: words))
        let again = try ask("attendance-correct", "2", remove(theirs))
        #expect((again["result"] as? [String: Any])?["id"] as? Int == correction)
        let other = remove(theirs).replacing("not me", with: "nor me")
        #expect(try code(ask("attendance-correct", "2", other)) == "idempotency_mismatch")
        #expect(
            try code(ask("attendance-correct", "2", remove(others))) == "forbidden",
            "whom it is about comes before what was asked")
        #expect(try site.rows("SELECT count(*) FROM correction") == ["1"])
        let decision = "{\"correction\":\(correction),\"approve\":true,\"reason\":\"seen\"}"
        #expect(try code(ask("attendance-decide", "3", decision)) == "forbidden")
        let early = #"{"through":"2026-03-31","reason":"paid"}"#
        #expect(try code(ask("attendance-lock", "4", early)) == "forbidden")

        let invited = try site.run(
            "beaconmesh",
            ["account", "invite", "ann", "--role", "manager", "--user", ann]
                + ["--database", site.database])
        #expect(
            try code(ask("attendance-decide", "11", decision)) == "forbidden", "not accepted yet")
        var page = WebClient(site)
        #expect(try page.accept(invited.output) == 201, "\(invited.errors)")
        try site.wait("the phone is a manager's") {
            try code(ask("attendance-decide", "5", #"{"correction":0}"#)) != "forbidden"
        }
        let decided = try ask("attendance-decide", "6", decision)
        #expect((decided["result"] as? [String: Any])?["state"] as? String == "approved")
        #expect(told(decided).isDisjoint(with: words))
        #expect(try code(ask("attendance-decide", "7", decision)) == "bad_state")
        #expect(try code(ask("attendance-lock", "8", "{}")) == "schema")
        let lock = #"{"through":"2026-01-31","reason":"paid"}"#
        let locked = try ask("attendance-lock", "9", lock)
        #expect((locked["result"] as? [String: Any])?["reason"] as? String == "paid")
        let late = try phone.ask(
            "attendance-lock", "{\"id\":\"10\",\"args\":\(lock),\"exp_ms\":1}", as: "ann-phone",
            of: site)
        #expect(code(late) == "expired")
        let inTime = try phone.ask(
            "attendance-lock", "{\"id\":\"10\",\"args\":\(lock)}", as: "ann-phone", of: site)
        #expect(code(inTime) != "expired", "what came too late was not asked")
        #expect(
            try site.rows(
                """
                SELECT via, value FROM audit_log JOIN audit_value ON audit = id AND side = 'actor'
                WHERE entity = 'correction' ORDER BY id
                """) == ["mqtt mqtt:ann-phone", "mqtt mqtt:ann-phone"])
    }

    @Test func `a node's credential is of no use for another node's topics`() throws {
        let own = try EnrolledSite()
        defer { own.site.stop() }
        try own.startBroker()
        let node = try own.client("n-press")
        #expect(try node.isIn(own.site))
        var refused: Set<String> = []
        var sent: [Int32: String] = [:]
        var answered = 0
        node.client.onRefused = { message, _ in
            if let topic = sent[message] { refused.insert(topic) }
        }
        node.client.onPublished = { _ in answered += 1 }
        let topics = ["node/n-row/frame", "node/n-row/status", "node/n-press/frame"].map {
            own.site.topics.root + $0
        }
        for topic in topics {
            let message = try node.client.publish(
                Publication(topic: topic, payload: [0x78], quality: 1, isRetained: false))
            sent[message] = topic
        }
        try own.site.wait("the broker answers") {
            node.work()
            return answered == topics.count
        }
        #expect(refused == Set(topics.prefix(2)))
        try own.site.wait("its own arrives") {
            own.site.watcher.messages.contains { $0.topic == topics[2] }
        }
        #expect(!own.site.watcher.messages.contains { $0.topic.contains("node/n-row/") })
    }

    @Test func `bad names, kinds and directories change nothing`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        func run(_ words: [String]) throws -> Int32? {
            try site.run("beaconmesh", words + ["--database", site.database]).status
        }
        for name in ["a+b", "#", "a/b", "A", String(repeating: "a", count: 65)] {
            #expect(try run(["enrol", "kiosk", name]) == 64, "\(name)")
        }
        #expect(try run(["enrol", "king", "x"]) == 64)
        #expect(try run(["enrol", "member", "x"]) == 64)
        #expect(try run(["enrol", "integration", "x", "--scope", "all"]) == 64)
        #expect(try run(["enrol", "node", "n-none"]) == 3)
        #expect(try run(["revoke", "nobody"]) == 3)
        for folder in [site.file("none"), site.database] {
            #expect(try run(["enrol", "kiosk", "door", "--broker-files", folder]) == 78)
            #expect(try run(["broker", "config", "--out", folder]) == 78)
        }
        let pid = try site.write("\(getpid())\n", to: "pid")
        let target = ["--broker-files", site.directory, "--broker-pid", pid]
        #expect(try run(["enrol", "kiosk", "door"] + target) == 69)
        #expect(try site.rows("SELECT count(*) FROM broker_identity") == ["0"])
        #expect(try run(["enrol", "kiosk", "door"]) == 0)
        #expect(try run(["enrol", "screen", "door"]) == 4)
        #expect(
            try site.rows("SELECT name, kind FROM broker_identity") == ["door kiosk"])
    }
}

import Testing

@testable import SiteModel
@testable import Wire

/// Messages nobody should send are counted by reason and stop nothing.
@Suite(.ownThread) struct ProcessHostileTests {
    /// A frame of a node, good but for what is said otherwise.
    func frame(
        boot: String = "\"00000000000000ff\"", seq: String = "1", rows: String = "[]"
    ) -> String {
        "{\"boot\":\(boot),\"seq\":\(seq),\"t_ms\":1790000000000,\"r\":\(rows)}"
    }

    @Test func `bad messages are counted by reason, and a good one is heard after them`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let root = site.topics.root
        let press = root + "node/n-press/"
        // As a newcomer the coordinator is given what the broker has kept.
        try site.watcher.publish(press + "frame", Array(frame().utf8), isRetained: true)
        try site.watcher.publish(root + "req/x/workout-start", Array("{}".utf8), isRetained: true)
        try site.startCoordinator()
        let reason = { (name: String) in
            try site.metric("mesh_messages_rejected_total{reason=\"\(name)\"}")
        }
        // In the first seconds it reads its own topics, and counts nothing under them as foreign.
        let start = site.now
        try site.wait("it has tidied") { site.now - start > .seconds(4) }
        try site.wait("retained ones are counted") { try reason("retained") == 2 }

        let bad: [(topic: String, payload: String, reason: String)] = [
            (press + "frame", "{\"boot\":", "not-json"),
            (press + "status", "", ""),
            (press + "beat", "online", "not-json"),
            (
                press + "frame", frame(rows: "[" + String(repeating: " ", count: 140_000) + "]"),
                "oversize"
            ),
            (press + "beat", String(repeating: "{\"a\":", count: 4000), "oversize"),
            (press + "health", String(repeating: "[", count: 500), "too-deep"),
            (press + "frame", frame(seq: "\"1\""), "wrong-type"),
            (press + "status", "[]", "wrong-type"),
            (press + "frame", frame(boot: "7"), "wrong-type"),
            (press + "frame", "{\"boot\":\"00000000000000ff\"}", "missing-field"),
            (press + "frame", frame(rows: "[[\"b-x\",-50,-1,-50]]"), "out-of-range"),
            (press + "frame", frame(seq: "9e99"), "wrong-type"),
            (
                press + "status", "{\"state\":\"asleep\",\"boot\":\"00000000000000ff\"}",
                "unknown-value"
            ),
            (root + "node/n-ghost/frame", frame(), "unknown-node"),
            (root + "node/N_Press/frame", frame(), "foreign"),
            (root + "req/a b/workout-start", "{}", "foreign"),
            (root + "req/x/workout-delete", "{\"id\":\"1\",\"args\":{}}", "unknown-operation"),
            (root + "req/x/workout-start", "{\"args\":{}}", "missing-field"),
            (
                root + "req/x/workout-start",
                "{\"id\":\"1\",\"args\":{\"user\":\"\(site.site.people[0].slug)\"},\"exp_ms\":5}",
                "expired"
            ),
        ]
        var expected: [String: Double] = [:]
        for message in bad {
            try site.watcher.publish(message.topic, Array(message.payload.utf8))
            if !message.reason.isEmpty { expected[message.reason, default: 0] += 1 }
        }
        try site.watcher.publish(press + "frame", [0x7B, 0xFF, 0xFE, 0x7D])
        expected["not-json", default: 0] += 1
        for (name, count) in expected.sorted(by: { $0.key < $1.key }) {
            try site.wait("\(count) \(name), not \(try reason(name))", within: 10) {
                try reason(name) >= count
            }
            #expect(try reason(name) == count, "\(name)")
        }
        #expect(site.coordinator?.isRunning == true)
        try site.startNodes(["n-press"])
        site.air = ["n-press": [0: -50]]
        try site.wait("somebody is in") { site.attendance(0)?.state == .checkedIn }
        try site.ask(.startWorkout, user: 0, station: "press")
        // The same figures as a retained message.
        let health = CoreTopics(coordinator: "main")[.coreHealth]
        #expect(site.latest(health, as: CoreHealthPayload.self) != nil)
    }
}

import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import SitePipeline
@testable import Wire

/// Facts are stored before they are told; the broker may forget everything at any time.
struct PipelineTests {
    var run = PipelineRun()

    private static let sigh = Pipeline.Refusal.later("disk full")

    /// The state of a workout as it was last published.
    private func workout(_ effects: [Pipeline.Effect]) throws -> Workout.State? {
        try effects.last("user/u-ann/workout").flatMap {
            try WorkoutPayload(json: $0.payload.span).state
        }
    }

    private func code(_ publication: Publication?) throws -> String? {
        guard let publication,
            case .error(let code, _) = try ResponsePayload(json: publication.payload.span).outcome
        else { return nil }
        return code
    }

    @Test mutating func `facts are told when they are stored, not before`() throws {
        let asked = run.ask("workout-start", id: "1", station: "bench", 1)
        #expect(asked.commits.count == 1)
        #expect(asked.topics.allSatisfy { !$0.hasPrefix("user/") && !$0.hasPrefix("res/") })
        let stored = run.store()
        #expect(try workout(stored) == .active)
        #expect(stored.topics.contains("res/kiosk/workout-start"))
        #expect(stored.topics.contains { $0.hasPrefix("event/workout/") })
        #expect(run.pipeline.isSettled)
    }

    @Test mutating func `while a batch is stored the next one collects`() throws {
        run.ask("workout-start", id: "1", 1)
        let second = run.ask("workout-pause", id: "2", 2)
        let third = run.ask("workout-resume", id: "3", 3)
        #expect((second + third).commits.isEmpty)
        #expect(run.pipeline.factsWaiting > 6)
        let stored = run.store()
        #expect(try workout(stored) == .active)
        #expect(stored.commits.first?.count { if case .answer = $0 { true } else { false } } == 2)
        #expect(run.store().topics.filter { $0.hasPrefix("res/") }.count == 2)
    }

    @Test mutating func `a batch refused for now is kept and tried again each second`() throws {
        let batch = run.ask("workout-start", id: "1", 1).commits
        let refused = run.refuse(Self.sigh, 1)
        #expect(refused.commits.isEmpty && refused.warnings.count == 1)
        #expect(refused.warnings.first?.contains("disk full") == true)
        #expect(run.tick(1.9).commits.isEmpty)
        #expect(run.tick(2).commits == batch)
        #expect(run.tick(3).commits.isEmpty, "one attempt at a time")
        run.refuse(Self.sigh, 3)
        #expect(run.tick(4).commits == batch)
        #expect(try workout(run.store()) == .active)
    }

    @Test mutating func `a batch refused for good is handed over, and the store is loaded`() throws
    {
        run.ask("workout-start", id: "1", 1)
        run.store()
        run.ask("workout-pause", id: "2", 2)
        run.ask("workout-complete", id: "3", 3)
        let refused = run.refuse(.never("two claims of a slot"), 3)
        guard case .restore(let facts, let reason) = refused.first else {
            Issue.record("\(refused)")
            return
        }
        #expect(reason == "two claims of a slot")
        #expect(facts.count { if case .answer = $0 { true } else { false } } == 2)
        #expect(run.pipeline.counts.refused == ["constraint": 1])
        run.note(
            run.pipeline.restored(
                plan: PipelineSite.plan(), names: PipelineSite.names(), saved: run.saved))
        #expect(run.pipeline.isSettled && run.pipeline.mesh.saved == run.saved)
        run.ask("workout-pause", id: "2", 4)
        #expect(try workout(run.settle()) == .paused, "the gym is open")
    }

    @Test mutating func `until the store is loaded, nothing decided on what was refused is stored`()
        throws
    {
        run.ask("workout-start", id: "1", 1)
        run.store()
        run.ask("workout-pause", id: "2", 2)
        run.refuse(.never("two claims of a slot"), 2)
        // Decided by a mesh that believes the workout is paused.
        let between = run.ask("workout-complete", id: "3", 2.5)
        #expect(between.commits.isEmpty)
        #expect(run.tick(3.6).commits.isEmpty)
        run.note(
            run.pipeline.restored(
                plan: PipelineSite.plan(), names: PipelineSite.names(), saved: run.saved))
        #expect(run.pipeline.isSettled && run.pipeline.mesh.saved == run.saved)
        run.ask("workout-pause", id: "2", 4)
        #expect(try workout(run.settle()) == .paused)
        #expect(run.saved == run.pipeline.mesh.saved)
    }

    @Test mutating func `with a full disk requests are refused in the end, and Live goes on`()
        throws
    {
        run.second(1)
        var number = 0
        while run.pipeline.factsWaiting < Pipeline.patience, number < 10_000 {
            number += 1
            let operation = number % 2 == 1 ? "workout-start" : "workout-complete"
            #expect(run.ask(operation, id: "\(number)", 2).last("res/kiosk/\(operation)") == nil)
        }
        #expect(run.pipeline.factsWaiting >= Pipeline.patience)
        let full = run.ask("workout-pause", id: "full", 3)
        #expect(try code(full.last("res/kiosk/workout-pause")) == "unavailable")
        for second in 4...20 { run.second(Double(second), [("tag-1", -50)]) }
        let presence = try #require(run.effects.last("user/u-ann/presence"))
        #expect(try PresencePayload(json: presence.payload.span).station == "bench")
        #expect(run.pipeline.factsWaiting < Pipeline.patience + 50, "rows do not pile up")
        run.settle()
        #expect(run.saved == run.pipeline.mesh.saved)
        let again = run.ask("workout-pause", id: "full", 21)
        #expect(again.commits.count == 1, "an answer that was not stored is not remembered")
    }

    @Test mutating func `on connecting everything is said anew, around the subscriptions`() {
        let effects = run.connect(1)
        let paths = run.pipeline.board.paths
        #expect(effects.first == .subscribe(paths.inboundFilters, quality: 1))
        #expect(effects.last == .subscribe(paths.ownFilters, quality: 1))
        #expect(effects.publications == run.pipeline.board.all)
        #expect(effects.topics.contains("user/u-ben/presence"), "who was never heard, too")
        #expect(effects.publications.allSatisfy { $0.isRetained && !$0.payload.isEmpty })
    }

    @Test mutating func `events and answers of while the broker was away are told later, once`() {
        run.ask("workout-start", id: "1", 1)
        run.store()
        let connected = run.connect(2)
        #expect(connected.topics.contains("res/kiosk/workout-start"))
        #expect(connected.topics.count { $0.hasPrefix("event/") } == 1)
        run.pipeline.disconnected()
        let again = run.connect(3)
        #expect(!again.topics.contains("res/kiosk/workout-start"))
    }

    @Test mutating func `what the broker kept and we no longer say is cleared, for three seconds`()
    {
        run.tick(1)
        run.settle()
        run.connect(1)
        let stray = "mesh/v1/gym/room/attic/state"
        #expect(
            run.hear(stray, "{}", isRetained: true, 2) == [
                .publish(Publication(topic: stray, payload: [], quality: 1, isRetained: true))
            ])
        #expect(run.pipeline.counts.refused == ["stray": 1])
        let own = "mesh/v1/gym/room/hall/state"
        #expect(run.hear(own, "{}", isRetained: true, 2).isEmpty)
        #expect(run.hear(stray, "", isRetained: true, 2).isEmpty, "that is our own clearing")
        #expect(run.hear(stray, "{}", 2).isEmpty, "and that an echo")
        #expect(run.tick(3.9) == [])
        let paths = run.pipeline.board.paths
        #expect(run.tick(4) == [.unsubscribe(paths.ownFilters.filter { $0 != paths.cursors })])
        #expect(run.hear(stray, "{}", isRetained: true, 5).isEmpty)
        #expect(run.pipeline.counts.refused == ["stray": 1, "foreign": 1])
        #expect(run.tick(6) == [])
    }

    @Test mutating func `a new plan publishes what changed and clears what is gone`() throws {
        run.connect(1)
        var plan = PipelineSite.plan(2)
        plan.rooms.removeLast()
        plan.nodes.removeLast()
        let effects = run.pipeline.adopt(
            plan: plan, names: PipelineSite.names(bench: "<img onerror>"),
            at: PipelineRun.moment(2))
        let cleared = effects.publications.filter(\.payload.isEmpty).map(\.topic)
        #expect(
            cleared
                == ["node/n2/config/desired", "room/yard/info", "room/yard/state"].map {
                    PipelineSite.root + $0
                })
        let passing = effects.publications.filter { !$0.isRetained }
        #expect(passing.isEmpty)
        let said = effects.publications.filter { !$0.payload.isEmpty }.map(\.topic)
        #expect(
            !said.contains(PipelineSite.root + "node/n1/config/desired"),
            "rooms and names are of no concern to a node")
        for topic in ["info", "station/bench/info"] {
            #expect(said.contains(PipelineSite.root + topic))
        }
        #expect(!said.contains(PipelineSite.root + "room/hall/info"), "nothing new about it")
        let station = try #require(effects.last("station/bench/info"))
        #expect(try StationInfoPayload(json: station.payload.span).name == "<img onerror>")
    }

    @Test mutating func `a new plan tells no fact that is not stored`() throws {
        run.ask("workout-start", id: "1", 1)
        let adopted = run.note(
            run.pipeline.adopt(
                plan: PipelineSite.plan(2), names: PipelineSite.names(),
                at: PipelineRun.moment(2)))
        #expect(try workout(adopted) == nil)
        #expect(try workout(run.settle()) == .active)
    }

    @Test mutating func `messages of nodes are shown on the page, retained or not`() {
        let status = NodeStatusPayload(state: .online, boot: 1).json
        let topic = "mesh/v1/gym/node/n1/status"
        let effects = run.hear(topic, status, isRetained: true, 1)
        #expect(
            effects.shown
                == [Publication(topic: topic, payload: status, quality: 0, isRetained: true)])
    }

    @Test mutating func `a node that goes offline listens no longer`() {
        run.second(1)
        run.second(2)
        let offline = NodeStatusPayload(state: .offline, boot: 1).json
        run.hear("mesh/v1/gym/node/n1/status", offline, 2)
        run.tick(3)
        #expect(run.pipeline.mesh.live.nodes.map(\.isListening) == [false, true])
    }

    @Test mutating func `a refused configuration is a line in the log`() {
        let payload = NodeConfigurationActivePayload(
            rev: 3, ok: false, appliedMs: 1, error: "two beacons")
        let topic = "mesh/v1/gym/node/n1/config/active"
        let effects = run.hear(topic, payload.json, isRetained: true, 1)
        #expect(effects.warnings == ["node n1 refused configuration 3: two beacons"])
        let good = NodeConfigurationActivePayload(rev: 3, ok: true, appliedMs: 1)
        #expect(run.hear(topic, good.json, isRetained: true, 2).warnings.isEmpty)
    }

    @Test mutating func `unregistered devices are shown for a minute after they were heard`() {
        let rssi = RSSIPayload(boot: 1, seq: 1, tMs: 1, rssi: -60, n: 1, sd: 0).json
        let topic = "mesh/v1/gym/node/n1/rssi/mac-00000000000a"
        #expect(run.hear(topic, rssi, 1).shown.map(\.payload) == [rssi])
        #expect(run.hear("mesh/v1/gym/node/n1/rssi/tag-1", rssi, 1).shown.isEmpty)
        run.hear(topic, rssi, 30)
        #expect(run.tick(89).shown.isEmpty)
        #expect(
            run.tick(95).shown
                == [Publication(topic: topic, payload: [], quality: 0, isRetained: true)])
        #expect(run.tick(200).shown.isEmpty)
    }

    @Test mutating func `there is room for two thousand unregistered devices, and no more`() {
        let rssi = RSSIPayload(boot: 1, seq: 1, tMs: 1, rssi: -60, n: 1, sd: 0).json
        for number in 0..<3000 {
            run.hear("mesh/v1/gym/node/n1/rssi/dev-\(number)", rssi, 1)
        }
        #expect(run.effects.shown.count == 2048)
    }

    @Test mutating func `decisions are kept only when asked for`() {
        run.ask("workout-start", id: "1", 1)
        #expect(run.pipeline.takeDecisions().isEmpty)
        run.pipeline.keepsDecisions = true
        run.ask("workout-pause", id: "2", 2)
        #expect(!run.pipeline.takeDecisions().isEmpty)
        #expect(run.pipeline.takeDecisions().isEmpty)
    }
}

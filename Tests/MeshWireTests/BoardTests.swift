import NodePipeline
import Testing

@testable import Operations
@testable import SiteModel
@testable import SitePipeline
@testable import Wire

/// The one owner of what the broker retains.
struct BoardTests {
    var run = PipelineRun()

    /// Whatever happened: what was published bit by bit is what would be rendered anew.
    @Test(arguments: UInt64(1)...200)
    func `after any history the board is the one rendered anew`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var run = PipelineRun()
        var names = PipelineSite.names()
        var broker: [String: [UInt8]] = [:]
        run.connect(0)
        let operations = Verb.all.filter(\.isOfMachines)
        for second in 1...Int.random(in: 20...140, using: &random) {
            let level = Double.random(in: -90 ... -50, using: &random)
            let node = second / 40 % 2 == 0 ? "n1" : "n2"
            let heard = ["tag-1", "tag-2"].filter { _ in second % 90 < 60 }.map { ($0, level) }
            run.second(Double(second), heard, node: node)
            if Int.random(in: 0..<5, using: &random) == 0 {
                let name = operations.randomElement(using: &random)?.name ?? ""
                run.ask(
                    name, id: "\(second)",
                    user: ["u-ann", "u-ben"].randomElement(using: &random) ?? "",
                    station: name.hasPrefix("queue")
                        || name == "workout-start" && Bool.random(using: &random)
                        ? "bench" : nil,
                    Double(second))
            }
            if Bool.random(using: &random), !run.pipeline.isSettled { run.store() }
            if Int.random(in: 0..<60, using: &random) == 0 {
                names = PipelineSite.names(bench: "Bench \(second)")
                run.note(
                    run.pipeline.adopt(
                        plan: PipelineSite.plan(Int64(second)),
                        names: names,
                        at: PipelineRun.moment(Double(second))))
            }
        }
        run.settle()
        for message in run.effects.publications where message.isRetained {
            broker[message.topic] = message.payload.isEmpty ? nil : message.payload
        }
        let board = run.pipeline.board
        let anew = RetainedTopics(rendering: run.pipeline.mesh, names: names)
        let different = Set(board.topics.keys).union(anew.topics.keys)
            .filter { board.topics[$0] != anew.topics[$0] }
        #expect(different.isEmpty)
        #expect(broker == board.topics)
    }

    @Test mutating func `a site has a topic for each thing, from the start`() {
        let topics = run.pipeline.board.all.map {
            String($0.topic.dropFirst(PipelineSite.root.count))
        }
        #expect(
            topics == [
                "beacon/tag-1/info", "beacon/tag-1/state", "beacon/tag-2/info",
                "beacon/tag-2/state", "info", "node/n1/config/desired", "node/n2/config/desired",
                "room/hall/info", "room/hall/state", "room/yard/info", "room/yard/state", "state",
                "station/bench/info", "station/bench/state", "user/u-ann/attendance",
                "user/u-ann/presence", "user/u-ann/workout", "user/u-ben/attendance",
                "user/u-ben/presence", "user/u-ben/workout",
            ])
    }

    @Test mutating func `nodes are told thresholds and what is allowed, as soon as they change`()
        throws
    {
        var plan = PipelineSite.plan(2)
        plan.beacons[1].threshold = RSSI(dBm: -48)
        plan.policy.allowed = [.address(9)]
        run.connect(0)
        let topic = "mesh/v1/gym/node/n1/config/desired"
        let before = try #require(run.pipeline.board.topics[topic])
        let effects = run.pipeline.adopt(
            plan: plan, names: PipelineSite.names(), at: PipelineRun.moment(1))
        let message = try #require(effects.publications.last { $0.topic == topic })
        let configuration = try NodeConfiguration(json: message.payload.span)
        let old = try NodeConfiguration(json: before.span).policy.revision
        #expect(configuration.policy.revision != old)
        #expect(configuration.policy.allowed == [.address(9)])
        #expect(
            [0, 1].map { configuration.threshold(of: $0) } == [-60, -48].map { RSSI(dBm: $0) })
    }

    @Test mutating func `only who hears a beacon is worth no acknowledgement`() {
        let plain = run.pipeline.board.all.filter { $0.quality == 0 }.map(\.topic)
        #expect(plain == (1...2).map { "mesh/v1/gym/beacon/tag-\($0)/state" })
    }

    @Test mutating func `every topic of the site holds a payload of its kind`() throws {
        for second in 1...30 { run.second(Double(second), [("tag-1", -50)]) }
        run.ask("workout-start", id: "1", station: "bench", 31)
        run.settle()
        let board = run.pipeline.board
        let kinds: [(String, PayloadKind)] = [
            ("info", .siteInfo), ("state", .siteState), ("room/hall/info", .roomInfo),
            ("room/hall/state", .roomState), ("station/bench/info", .stationInfo),
            ("station/bench/state", .stationState), ("beacon/tag-1/info", .beaconInfo),
            ("beacon/tag-1/state", .beaconState), ("user/u-ann/presence", .presence),
            ("user/u-ann/attendance", .attendance), ("user/u-ann/workout", .workout),
            ("node/n1/config/desired", .nodeConfiguration),
        ]
        for (topic, kind) in kinds {
            let payload = try #require(board.topics[PipelineSite.root + topic])
            #expect(kind.complaint(payload) == nil, "\(topic)")
        }
    }

    @Test mutating func `who waits is told of their place, of what is kept, and that it is over`()
        throws
    {
        let topic = PipelineSite.root + "user/u-ben/wait"
        func told(_ second: Double) throws -> [WaitPayload?] {
            try run.settle().publications.filter { $0.topic == topic }.map {
                $0.payload.isEmpty ? nil : try WaitPayload(json: $0.payload.span)
            }
        }
        run.ask("workout-start", id: "1", user: "u-ann", station: "bench", 1)
        run.ask("queue-join", id: "2", user: "u-ben", station: "bench", 2)
        let joined = WaitPayload(
            station: "bench", joinedMs: PipelineRun.moment(2).milliseconds, offeredUntilMs: nil,
            ahead: 0)
        #expect(try told(2) == [joined])
        run.ask("workout-complete", id: "3", user: "u-ann", 10)
        let kept = try told(10)
        #expect(kept.count == 1 && kept[0]?.offeredUntilMs != nil)
        run.ask("queue-leave", id: "4", user: "u-ben", station: "bench", 11)
        #expect(try told(11) == [nil])
        #expect(run.pipeline.board.topics[topic] == nil)
    }

    @Test mutating func `an event says who, what, where and when, under its area`() throws {
        for second in -120...0 { run.second(Double(second)) }
        for second in 1...30 { run.second(Double(second), [("tag-1", -50)]) }
        run.settle()
        let events = run.effects.publications.filter { $0.topic.contains("/event/") }
        #expect(events.allSatisfy { $0.quality == 1 && !$0.isRetained })
        let payloads = try events.map { try EventPayload(json: $0.payload.span) }
        #expect(payloads.map(\.type) == [.entered, .entered, .checkedIn])
        #expect(payloads.map(\.room) == ["hall", nil, nil])
        #expect(payloads.map(\.station) == [nil, "bench", nil])
        #expect(Set(payloads.map(\.id)).count == 3)
        for (event, payload) in zip(events, payloads) {
            let area = payload.type == .checkedIn ? "attendance" : "presence"
            #expect(event.topic == "mesh/v1/gym/event/\(area)/\(payload.id)")
            #expect(payload.user == "u-ann")
        }
    }

    @Test(arguments: [
        ("workout-start", "already_active"), ("workout-resume", "bad_state"),
    ])
    mutating func `an answer goes to who asked, with a word and a sentence`(
        operation: String, code: String
    ) throws {
        run.ask("workout-start", id: "1", 1)
        run.ask(operation, id: "2", client: "phone", 2)
        let answers = run.settle().publications.filter { $0.topic.contains("/res/") }
        #expect(
            answers.map(\.topic) == [
                "mesh/v1/gym/res/kiosk/workout-start", "mesh/v1/gym/res/phone/\(operation)",
            ])
        let payloads = try answers.map { try ResponsePayload(json: $0.payload.span) }
        #expect(payloads.map(\.id) == ["1", "2"])
        guard case .error(let word, let sentence) = payloads[1].outcome else {
            Issue.record("\(payloads)")
            return
        }
        #expect(word == code && sentence.count > 20)
    }

    @Test func `each refusal has a sentence of its own`() {
        let sentences = ProblemCode.allCases.map(\.message)
        #expect(Set(sentences).count == sentences.count)
        let listed = Verb.all.flatMap(\.refusals).map(\.message)
        #expect(listed.allSatisfy { $0.count > 20 }, "what to do is said, too")
    }

    @Test mutating func `attendance and workout follow what is stored`() throws {
        for second in 1...20 { run.second(Double(second), [("tag-1", -50)]) }
        for second in 21...130 { run.second(Double(second)) }
        run.ask("workout-start", id: "1", 131)
        run.ask("workout-pause", id: "2", 141)
        run.ask("workout-complete", id: "3", 151)
        run.settle()
        let topics = run.pipeline.board.topics
        let attended = try #require(topics["mesh/v1/gym/user/u-ann/attendance"])
        let attendance = try AttendancePayload(json: attended.span)
        #expect(attendance.state == .checkedOut)
        #expect(attendance.checkInMs == PipelineRun.moment(0).milliseconds)
        #expect(attendance.checkOutMs == PipelineRun.moment(20).milliseconds)
        let trained = try #require(topics["mesh/v1/gym/user/u-ann/workout"])
        let workout = try WorkoutPayload(json: trained.span)
        #expect(workout.state == .completed && workout.pausedS == 10)
        #expect(workout.endedMs == PipelineRun.moment(151).milliseconds)
    }

    @Test mutating func `a glance is for the page and not for the broker`() {
        for second in 1...40 { run.second(Double(second), [("tag-1", -50)]) }
        let glances = run.effects.shown.filter { $0.topic.hasSuffix("/presence") }
        #expect(!glances.isEmpty)
        #expect(glances.allSatisfy { !run.effects.publications.contains($0) })
    }
}

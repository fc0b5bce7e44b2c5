import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import SitePipeline
@testable import Wire

/// Why somebody is where they are said to be, on the wire.
struct WhyTests {
    var run = PipelineRun()
    let topic = "mesh/v1/gym/user/u-ann/why"

    static func reasons(user: Int64 = 1, at: Double, readings: [Reasons.Reading] = []) -> Reasons {
        Reasons(
            user: UserID(user), at: PipelineRun.moment(at), rule: .margin,
            from: Place(room: RoomID(2), station: nil),
            to: Place(room: RoomID(1), station: StationID(1)),
            runnerUp: Place(room: RoomID(2), station: nil), prior: 0.3, runnerUpPrior: 0.6,
            probability: 0.93, runnerUpProbability: 0.05, spotWeight: 0, model: nil,
            readings: readings)
    }

    private func board(_ saved: Saved) -> RetainedTopics {
        RetainedTopics(
            rendering: Mesh(plan: PipelineSite.plan(), restoring: saved),
            names: PipelineSite.names())
    }

    @Test func `the latest is retained, acknowledged, and says slugs only`() throws {
        var board = board(Saved())
        let readings = [
            Reasons.Reading(
                ear: .node(NodeID(1)), device: 1, level: RSSI(dBm: -50), age: .milliseconds(400),
                expected: -52.5, expectedAtRunnerUp: -63, support: 3, against: 0),
            Reasons.Reading(
                ear: .beacon(BeaconID(2)), device: 2, level: nil, age: .seconds(0), expected: nil,
                support: 0, against: 0.5),
        ]
        let told = board.tell(Fact.reasons(Self.reasons(at: 5, readings: readings)))
        let message = try #require(told.first)
        #expect(told.count == 1 && message.topic == topic)
        #expect(message.isRetained && message.quality == 1)
        let why = try WhyPayload(json: message.payload.span)
        #expect(why.tMs == PipelineRun.moment(5).milliseconds && why.rule == .margin)
        #expect(why.from == PlaceSlugs(room: "yard", station: nil))
        #expect(why.to == PlaceSlugs(room: "hall", station: "bench"))
        #expect(why.readings.map(\.ear) == [.node, .beacon])
        #expect(why.readings.map(\.node) == ["n1", "n2"])
        #expect(why.readings.map(\.beacon) == ["tag-1", "tag-2"])
        #expect(why.readings.map(\.rssi) == [-50, nil])
        #expect(why.readings.map(\.expectedAtRunnerUp) == [-63, nil])
        #expect(!String(decoding: message.payload, as: UTF8.self).contains("Bench"))
    }

    @Test func `a coordinator that starts again says it again`() throws {
        var saved = Saved()
        saved.apply(.reasons(Self.reasons(at: 5)))
        saved.apply(.reasons(Self.reasons(at: 9)))
        let payload = try #require(board(saved).topics[topic])
        let why = try WhyPayload(json: payload.span)
        #expect(why.tMs == PipelineRun.moment(9).milliseconds)
    }

    @Test func `after two weeks it is cleared`() {
        var board = board(Saved())
        _ = board.tell(Fact.reasons(Self.reasons(at: 0)))
        _ = board.tell(Fact.reasons(Self.reasons(user: 2, at: 86_400)))
        let row = SiteRow(
            clock: PipelineRun.moment(14 * 86_400 + 1), next: 1, coverage: [], clocks: [])
        let told = board.tell(Fact.site(row))
        #expect(
            told == [Publication(topic: topic, payload: [], quality: 1, isRetained: true)])
        #expect(board.topics[topic] == nil)
        #expect(board.topics["mesh/v1/gym/user/u-ben/why"] != nil)
    }

    @Test func `of whoever was retired nothing is told`() {
        var board = board(Saved())
        #expect(board.tell(Fact.reasons(Self.reasons(user: 9, at: 0))) == [])
    }

    @Test func `the most readings fit the limit`() throws {
        let reading = Reasons.Reading(
            ear: .node(NodeID(1)), device: 1, level: RSSI(dBm: -100.5),
            age: .milliseconds(3_599_999),
            expected: -100.5, expectedAtRunnerUp: -100.5, support: -999.99, against: -999.99)
        let slug = String(repeating: "x", count: 64)
        var names = PipelineSite.names()
        names.nodes = NameTable([.init(id: NodeID(1), slug: slug, name: "")])
        names.beacons = NameTable([.init(id: BeaconID(1), slug: slug, name: "")])
        let readings = Array(repeating: reading, count: Reasons.mostReadings)
        let payload = WhyPayload(Self.reasons(at: 1, readings: readings), names: names)
        #expect(payload.json.count < WhyPayload.limit - 1000, "\(payload.json.count) bytes")
        #expect(try WhyPayload(json: payload.json.span) == payload)
    }

    @Test func `a shadow has a topic once it was told`() throws {
        var plan = PipelineSite.plan()
        plan.policy.locating = LocatingPolicy(shadow: .nearest)
        var pipeline = Pipeline(plan: plan, names: PipelineSite.names(), saved: Saved())
        for second in 0...61 { _ = pipeline.tick(at: PipelineRun.moment(Double(second))) }
        let payload = try #require(pipeline.board.topics["mesh/v1/gym/shadow"])
        let shadow = try ShadowPayload(json: payload.span)
        #expect(shadow.shadow.method == .nearest && shadow.deciding.method == .auto)
        #expect(shadow.seconds == 0, "nobody was heard")
        let effects = pipeline.adopt(
            plan: PipelineSite.plan(2), names: PipelineSite.names(), at: PipelineRun.moment(62))
        #expect(
            effects.publications.contains {
                $0.topic == "mesh/v1/gym/shadow" && $0.payload.isEmpty && $0.isRetained
            })
    }

    @Test mutating func `a presence tells the decided place beside the believed one`() throws {
        for second in 1...3 { run.second(Double(second), [("tag-1", -50)]) }
        let topic = "mesh/v1/gym/user/u-ann/presence"
        let payload = try #require(run.pipeline.board.topics[topic])
        let presence = try PresencePayload(json: payload.span)
        #expect(presence.place == PlaceSlugs(room: "hall", station: "bench"))
        #expect(presence.station == nil, "no machine believes it yet")
        #expect(presence.probability ?? 0 > 0 && presence.confirmed != nil)
    }
}

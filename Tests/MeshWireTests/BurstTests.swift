import Testing

@testable import Basics
@testable import NodePipeline
@testable import SiteEngine
@testable import SiteModel
@testable import SitePipeline
@testable import Wire

/// What the coordinator tells nodes because of how a site wants it.
struct BurstTests {
    private func configurations(_ policy: Policy) throws -> [NodeConfigurationPayload] {
        var plan = PipelineSite.plan()
        plan.policy = policy
        let pipeline = Pipeline(plan: plan, names: PipelineSite.names(), saved: Saved())
        return try ["n1", "n2"].map { node in
            let topic = PipelineSite.root + "node/\(node)/config/desired"
            let json = pipeline.board.topics[topic] ?? []
            return try NodeConfigurationPayload(json: json.span)
        }
    }

    @Test(
        arguments: [
            (Policy(), 20.0), (Policy(publishesUnregistered: true), 1000),
            (Policy(practice: NodePractice(rangingRange: 7, sparseRange: 50)), 7),
            (
                Policy(practice: NodePractice(profile: .sparse, rangingRange: 7, sparseRange: 50)),
                50
            ),
            (Policy(practice: NodePractice(profile: .sparse, rangingRange: 7)), 20),
            (Policy(publishesUnregistered: true, practice: NodePractice(rangingRange: 7)), 7),
        ] as [(Policy, Double)])
    func `a site says how far its nodes hear, by profile`(policy: Policy, range: Double) throws {
        for payload in try configurations(policy) {
            #expect(payload.maxRangeM == range)
            #expect(payload.profile == (policy.profile == .ranging ? .ranging : .sparse))
        }
    }

    /// What the two nodes are to tell in a minute of the day.
    private func profiles(
        _ practice: NodePractice, _ own: [NodeHours], at minute: Int
    ) throws -> [NodeConfigurationPayload.Profile] {
        var plan = PipelineSite.plan()
        plan.policy.practice = practice
        var names = PipelineSite.names()
        names.practices = own
        names.hour = names.hour(at: minute, in: plan.policy)
        let pipeline = Pipeline(plan: plan, names: names, saved: Saved())
        return try ["n1", "n2"].map { node in
            let json =
                pipeline.board.topics[PipelineSite.root + "node/\(node)/config/desired"] ?? []
            return try NodeConfigurationPayload(json: json.span).profile
        }
    }

    @Test func `what is said of a node counts more than what is said of the site`() throws {
        let plan = PipelineSite.plan()
        let (first, night) = (plan.nodes[0].id, try #require(DailyHours("22:00-06:00")))
        let (day, evening) = (12 * 60, 23 * 60)
        let site = NodePractice(sparseHours: night)
        let all: [(NodePractice, [NodeHours], Int, [NodeConfigurationPayload.Profile])] = [
            (NodePractice(), [NodeHours(node: first, profile: .sparse)], day, [.sparse, .ranging]),
            (site, [], day, [.ranging, .ranging]), (site, [], evening, [.sparse, .sparse]),
            (site, [], 6 * 60 - 1, [.sparse, .sparse]), (site, [], 6 * 60, [.ranging, .ranging]),
            (site, [NodeHours(node: first, profile: .ranging)], evening, [.ranging, .sparse]),
            (
                site, [NodeHours(node: first, sparseHours: DailyHours("12:00-13:00"))], day,
                [.sparse, .ranging]
            ),
            (
                site, [NodeHours(node: first, sparseHours: DailyHours("12:00-13:00"))], evening,
                [.ranging, .sparse]
            ),
        ]
        for (practice, own, minute, expected) in all {
            #expect(try profiles(practice, own, at: minute) == expected, "\(own) \(minute)")
        }
    }

    @Test func `at another hour only the nodes are told, and another range with it`() throws {
        var plan = PipelineSite.plan()
        plan.policy.practice = NodePractice(
            rangingRange: 7, sparseRange: 50, sparseHours: DailyHours("22:00-06:00"))
        var names = PipelineSite.names()
        names.hour = 6 * 60
        var pipeline = Pipeline(plan: plan, names: names, saved: Saved())
        names.hour = 22 * 60
        let told = pipeline.adopt(plan: plan, names: names, at: PipelineRun.moment(1)).compactMap {
            effect -> Publication? in
            guard case .publish(let one) = effect, !one.topic.hasSuffix("/info") else { return nil }
            return one
        }
        #expect(told.count == plan.nodes.count)
        for one in told {
            let payload = try NodeConfigurationPayload(json: one.payload.span)
            #expect(payload.profile == .sparse)
            #expect(payload.maxRangeM == 50)
        }
    }

    @Test func `groups add to what nodes regard, each rule once`() throws {
        func rule(_ text: String) throws -> Identity { try #require(Identity(text: text)) }
        let (wide, narrow) = (
            try rule("ib-7b44b47b52a1538190c2f09b6838c5d4"),
            try rule("ib-7b44b47b52a1538190c2f09b6838c5d4-1")
        )
        let other = try rule("eu-00112233445566778899")
        func allowed(_ policy: [Identity]?, _ groups: [BeaconGroup]) throws -> [Identity]? {
            var plan = PipelineSite.plan()
            plan.policy.allowed = policy
            var names = PipelineSite.names()
            names.groups = groups
            let pipeline = Pipeline(plan: plan, names: names, saved: Saved())
            let json = pipeline.board.topics[PipelineSite.root + "node/n1/config/desired"] ?? []
            // A node takes it, and refuses a rule that never holds.
            return try NodeConfiguration(json: json.span).policy.allowed
        }
        let groups = [
            BeaconGroup(slug: "a", rule: narrow, isAllowed: true),
            BeaconGroup(slug: "b", rule: wide, isAllowed: true),
            BeaconGroup(slug: "c", rule: other),
        ]
        #expect(try allowed(nil, []) == nil)
        #expect(try allowed(nil, [groups[2]]) == nil)
        #expect(try allowed(nil, groups) == [wide])
        #expect(try allowed([other], groups) == [other, wide])
        #expect(try allowed([wide], groups) == [wide])
        #expect(try allowed([narrow], [groups[1]]) == [wide])
    }

    @Test
    func `nodes look for strangers' devices where that is asked, those that are carried never`()
        throws
    {
        let rule = NodeConfigurationPayload.Rule(type: "camera", confidence: 0.5)
        for (isOn, expected) in [(false, [nil, nil]), (true, [[rule], nil])] {
            var plan = PipelineSite.plan()
            var practice = NodePractice(rangingRange: 7)
            practice.detects = isOn
            plan.policy.practice = practice
            plan.nodes[1].station = nil
            plan.nodes[1].carrier = plan.users[0].id
            var names = PipelineSite.names()
            names.deviceRules = [rule]
            let pipeline = Pipeline(plan: plan, names: names, saved: Saved())
            let told = try ["n1", "n2"].map { node in
                let topic = PipelineSite.root + "node/\(node)/config/desired"
                let json = pipeline.board.topics[topic] ?? []
                return try NodeConfigurationPayload(json: json.span).detect
            }
            #expect(told == expected)
        }
    }

    /// The commands after Ann was heard at node 1 for 20 s.
    private func commands(_ practice: NodePractice?) -> [Publication] {
        var plan = PipelineSite.plan()
        plan.policy.practice = practice
        var pipeline = Pipeline(plan: plan, names: PipelineSite.names(), saved: Saved())
        var effects: [Pipeline.Effect] = []
        for second in 0..<20 {
            let now = PipelineRun.moment(Double(second))
            let frame = FramePayload(
                boot: 1, seq: Int64(second) + 1, tMs: now.milliseconds,
                r: [.init(beacon: "tag-1", median: -60, count: 5, strongest: -58)])
            let json = frame.json
            effects += pipeline.heard(
                topic: PipelineSite.root + "node/n1/frame", payload: json.span,
                isRetained: false, at: now)
            effects += pipeline.tick(at: now)
        }
        return effects.compactMap { effect in
            guard case .publish(let message) = effect, message.topic.hasSuffix("/cmd") else {
                return nil
            }
            return message
        }
    }

    @Test func `where somebody came, nodes are asked for frames if the site wants it`() throws {
        let asked = commands(NodePractice(profile: .sparse, bursts: true))
        #expect(asked.count == 1)
        let message = try #require(asked.first)
        #expect(message.topic == PipelineSite.root + "node/n1/cmd")
        #expect(message.quality == 1 && !message.isRetained)
        let command = try NodeCommandPayload(json: message.payload.span)
        #expect(command.op == "burst" && command.forS == nil)
        #expect(command.expMs.map { $0 > PipelineRun.moment(0).milliseconds } == true)
    }

    @Test(
        arguments: [
            nil, NodePractice(profile: .sparse), NodePractice(profile: .ranging, bursts: true),
        ] as [NodePractice?])
    func `otherwise they are not`(practice: NodePractice?) {
        #expect(commands(practice) == [])
    }

    @Test func `a node that did not obey is told of in the log`() {
        var run = PipelineRun()
        let answer = NodeResponsePayload(
            id: "1", op: "burst", tMs: 1, outcome: .failed(.init(code: "x", message: "no way")))
        let effects = run.pipeline.heard(
            topic: PipelineSite.root + "node/n1/res", payload: answer.json.span, isRetained: false,
            at: PipelineRun.moment(0))
        // Its page shows the answer, whatever it is.
        #expect(effects.count == 2)
        #expect(effects.last == .complain("node n1 did not burst: no way", about: "command"))
        let stranger = run.pipeline.heard(
            topic: PipelineSite.root + "node/n9/res", payload: answer.json.span, isRetained: false,
            at: PipelineRun.moment(0))
        #expect(stranger == [])
        #expect(run.pipeline.counts.refused["unknown-node"] == 1)
    }
}

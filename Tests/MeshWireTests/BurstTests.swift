import Testing

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
        #expect(effects == [.complain("node n1 did not burst: no way", about: "command")])
        let stranger = run.pipeline.heard(
            topic: PipelineSite.root + "node/n9/res", payload: answer.json.span, isRetained: false,
            at: PipelineRun.moment(0))
        #expect(stranger == [])
        #expect(run.pipeline.counts.refused["unknown-node"] == 1)
    }
}

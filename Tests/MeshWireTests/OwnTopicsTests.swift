import Foundation
import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import SitePipeline
@testable import TrainingEngine
@testable import Wire

/// What we retain is read back after connecting, so that what nobody says any more is cleared. A
/// topic missing from the filters would stay on the broker for ever.
struct OwnTopicsTests {
    /// A topic of each kind at a site, and what it is.
    private static let topics = PayloadKind.allCases.map(\.topic)
        .filter { $0.parameters.first == "site" }
        .map { spec in
            (
                spec: spec,
                topic: spec.path(["gym"] + spec.parameters.dropFirst().map { _ in "x" }),
                isOwn: spec.writer == .coordinator && spec.isRetained
            )
        }

    /// A site with everything that can be said of one: reasons, a cursor, and a second rule beside.
    private static func pipeline() -> Pipeline {
        var plan = PipelineSite.plan()
        plan.policy.locating = LocatingPolicy(shadow: .nearest)
        var saved = Saved()
        saved.apply(.reasons(WhyTests.reasons(at: 0)))
        saved.apply(
            .wait(
                Wait(
                    id: 1, station: StationID(1), user: UserID(1), joined: PipelineRun.moment(0))))
        saved.apply(
            .cursor(
                CursorRow(
                    node: NodeID(1), log: 1, sequence: 1, since: PipelineRun.moment(0))))
        var pipeline = Pipeline(plan: plan, names: PipelineSite.names(), saved: saved)
        for second in 0...61 { _ = pipeline.tick(at: PipelineRun.moment(Double(second))) }
        _ = pipeline.tell(days: ["u-ann": day, "u-nobody": day])
        _ = pipeline.tell(near: ["u-ann": near, "u-nobody": near])
        return pipeline
    }

    private static let day = DayPayload(
        date: "2026-03-29", steps: 5, distanceM: 3.7, kcal: nil, goal: 4, movingS: 60,
        source: "phone")

    @Test func `a day is told once, outlives another plan, and goes with its person`() {
        var pipeline = Self.pipeline()
        let topic = SiteTopics(site: "gym")[.day, "u-ann"]
        #expect(pipeline.board.topics[topic] == Self.day.json)
        #expect(pipeline.tell(days: ["u-ann": Self.day]) == [])
        var plan = PipelineSite.plan()
        plan.revision += 1
        let moment = PipelineRun.moment(70)
        _ = pipeline.adopt(plan: plan, names: PipelineSite.names(), at: moment)
        #expect(pipeline.board.topics[topic] == Self.day.json)
        plan.revision += 1
        plan.users.removeAll()
        let effects = pipeline.adopt(plan: plan, names: PipelineSite.names(), at: moment)
        #expect(effects.contains(.publish(.retained(topic, []))))
        #expect(pipeline.tell(days: ["u-ann": Self.day]) == [])
    }

    private static let near = NearPayload(
        tMs: 7, nodes: ["n1"], beacons: [.init(id: "tag-2", zone: .near)])

    @Test func `what is near somebody goes when they do, and outlives a restart of the machines`() {
        var pipeline = Self.pipeline()
        let topic = SiteTopics(site: "gym")[.near, "u-ann"]
        #expect(pipeline.board.topics[topic] == Self.near.json)
        #expect(pipeline.tell(near: ["u-ann": Self.near]) == [])
        _ = pipeline.restored(
            plan: PipelineSite.plan(), names: PipelineSite.names(), saved: Saved())
        #expect(pipeline.board.topics[topic] == Self.near.json)
        #expect(pipeline.tell(near: ["u-ann": nil]) == [.publish(.retained(topic, []))])
        #expect(pipeline.tell(near: ["u-ann": nil]) == [])
        _ = pipeline.tell(near: ["u-ann": Self.near])
        var plan = PipelineSite.plan()
        plan.revision += 1
        plan.users.removeAll()
        let effects = pipeline.adopt(
            plan: plan, names: PipelineSite.names(), at: PipelineRun.moment(70))
        #expect(effects.contains(.publish(.retained(topic, []))))
        #expect(pipeline.tell(near: ["u-ann": Self.near]) == [])
    }

    /// A topic with `x` for whatever it is about, so that topics of one kind are alike.
    private static func kind(of topic: String) -> String {
        let names = ["hall", "yard", "bench", "n1", "n2", "tag-1", "tag-2", "u-ann", "u-ben"]
        return topic.split(separator: "/").map { names.contains(String($0)) ? "x" : String($0) }
            .joined(separator: "/")
    }

    @Test func `the board retains each topic that is said to be retained, and no other`() {
        let said = Set(Self.pipeline().board.topics.keys.map(Self.kind))
        #expect(said == Set(Self.topics.filter(\.isOwn).map(\.topic)))
    }

    @Test func `each retained topic of ours is read back once`() {
        for (_, topic, isOwn) in Self.topics {
            let filters = Self.paths.ownFilters.filter { TopicTests.matches($0, topic) }
            #expect(filters.count == (isOwn ? 1 : 0), "\(topic): \(filters)")
        }
    }

    @Test func `a stray on any of them is cleared`() {
        var pipeline = Self.pipeline()
        _ = pipeline.connected(at: PipelineRun.moment(70))
        for (_, topic, isOwn) in Self.topics
        where isOwn && topic.contains("/x") {
            let effects = pipeline.heard(
                topic: topic, payload: Array("{}".utf8).span, isRetained: true,
                at: PipelineRun.moment(71))
            #expect(
                effects.publications == [
                    Publication(topic: topic, payload: [], quality: 1, isRetained: true)
                ], "\(topic)")
        }
    }

    private static let paths = SiteTopics(site: "gym")
}

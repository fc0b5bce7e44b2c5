import Foundation
import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import SitePipeline
@testable import Wire

/// What we retain is read back after connecting, so that what nobody says any more is cleared. A
/// topic missing from the filters would stay on the broker for ever.
struct OwnTopicsTests {
    /// Every topic of a site by its name in `SiteTopics`, and whether the coordinator's board
    /// retains it. The rest is said by others, or passes by.
    private static let topics: [(name: String, topic: String, isRetained: Bool)] = {
        let paths = SiteTopics(site: "gym")
        return [
            ("nodeStatus", paths.nodeStatus("x"), false), ("nodeInfo", paths.nodeInfo("x"), false),
            ("nodeHealth", paths.nodeHealth("x"), false), ("nodeBeat", paths.nodeBeat("x"), false),
            ("nodeFrame", paths.nodeFrame("x"), false),
            ("nodeRSSI", paths.nodeRSSI("x", beacon: "x"), false),
            ("nodeConfigurationDesired", paths.nodeConfigurationDesired("x"), true),
            ("nodeConfigurationActive", paths.nodeConfigurationActive("x"), false),
            ("nodeCommand", paths.nodeCommand("x"), false),
            ("nodeResponse", paths.nodeResponse("x"), false),
            ("nodeRaw", paths.nodeRaw("x"), false),
            ("debugLease", paths.debugLease("x"), false),
            ("nodeEvidence", paths.nodeEvidence("x"), false),
            ("nodeEvent", paths.nodeEvent("x"), false), ("nodeCursor", paths.nodeCursor("x"), true),
            ("info", paths.info, true), ("state", paths.state, true),
            ("shadow", paths.shadow, true),
            ("roomInfo", paths.roomInfo("x"), true), ("roomState", paths.roomState("x"), true),
            ("stationInfo", paths.stationInfo("x"), true),
            ("stationState", paths.stationState("x"), true),
            ("beaconInfo", paths.beaconInfo("x"), true),
            ("beaconState", paths.beaconState("x"), true), ("presence", paths.presence("x"), true),
            ("attendance", paths.attendance("x"), true), ("workout", paths.workout("x"), true),
            ("why", paths.why("x"), true), ("event", paths.event(area: "x", id: "x"), false),
            ("notification", paths.notification("x"), false),
            ("request", paths.request(client: "x", operation: "x"), false),
            ("response", paths.response(client: "x", operation: "x"), false),
        ]
    }()

    /// A site with everything that can be said of one: reasons, a cursor, and a second rule beside.
    private static func pipeline() -> Pipeline {
        var plan = PipelineSite.plan()
        plan.policy.locating = LocatingPolicy(shadow: .nearest)
        var saved = Saved()
        saved.apply(.reasons(WhyTests.reasons(at: 0)))
        saved.apply(
            .cursor(
                CursorRow(
                    node: NodeID(1), log: 1, sequence: 1, since: PipelineRun.moment(0))))
        var pipeline = Pipeline(plan: plan, names: PipelineSite.names(), saved: saved)
        for second in 0...61 { _ = pipeline.tick(at: PipelineRun.moment(Double(second))) }
        return pipeline
    }

    /// A topic with `x` for whatever it is about, so that topics of one kind are alike.
    private static func kind(of topic: String) -> String {
        let names = ["hall", "yard", "bench", "n1", "n2", "tag-1", "tag-2", "u-ann", "u-ben"]
        return topic.split(separator: "/").map { names.contains(String($0)) ? "x" : String($0) }
            .joined(separator: "/")
    }

    /// Who adds a topic decides here whether it is retained, and the tests below hold them to it.
    @Test func `every topic of a site is looked at`() throws {
        let file = Examples.root.appending(path: "Sources/Core/Wire/Topic.swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        let site = try #require(text.components(separatedBy: "package struct CoreTopics").first)
        let declared = site.matches(of: /package (?:func|var) (\w+)[^{]*String \{/)
            .map { String($0.1) }
            .filter { $0 != "cursors" }  // A filter, no topic.
        #expect(declared.count > 30)
        #expect(declared.sorted() == Self.topics.map(\.name).sorted())
    }

    @Test func `the board retains each topic that is said to be retained, and no other`() {
        let said = Set(Self.pipeline().board.topics.keys.map(Self.kind))
        #expect(said == Set(Self.topics.filter(\.isRetained).map(\.topic)))
    }

    @Test func `each retained topic of ours is read back once`() {
        for (_, topic, isRetained) in Self.topics {
            let filters = Self.paths.ownFilters.filter { TopicTests.matches($0, topic) }
            #expect(filters.count == (isRetained ? 1 : 0), "\(topic): \(filters)")
        }
    }

    @Test func `a stray on any of them is cleared`() {
        var pipeline = Self.pipeline()
        _ = pipeline.connected(at: PipelineRun.moment(70))
        for (_, topic, isRetained) in Self.topics
        where isRetained && topic.contains("/x") {
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

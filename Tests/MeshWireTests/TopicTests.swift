import Testing

@testable import Operations
@testable import SiteEngine
@testable import Wire

/// The topic says who speaks, so only topics that are exactly right are listened to.
struct TopicTests {
    let topics = SiteTopics(site: "demo-gym")

    @Test func `what a node or client publishes to is understood`() {
        let spoken: [(String, Inbound)] = [
            (topics[.nodeStatus, "n1"], .nodeStatus(node: "n1")),
            (topics[.nodeInfo, "n1"], .nodeInfo(node: "n1")),
            (topics[.nodeHealth, "n1"], .nodeHealth(node: "n1")),
            (topics[.nodeBeat, "n1"], .nodeBeat(node: "n1")),
            (topics[.frame, "n1"], .nodeFrame(node: "n1")),
            (topics[.rssi, "n1", "tag-1"], .nodeRSSI(node: "n1", beacon: "tag-1")),
            (topics[.evidence, "n1"], .nodeEvidence(node: "n1")),
            (topics[.nodeEvent, "n1"], .nodeEvent(node: "n1")),
            (topics[.nodeConfigurationActive, "n1"], .nodeConfigurationActive(node: "n1")),
            (topics[.nodeResponse, "n1"], .nodeResponse(node: "n1")),
            (
                topics[.request, "app-1", "workout-start"],
                .request(client: "app-1", operation: "workout-start")
            ),
            (topics[.ingestSteps, "u-1"], .ingest(.ingestSteps, of: "u-1")),
            (topics[.ingestActivity, "u-1"], .ingest(.ingestActivity, of: "u-1")),
            (topics[.ingestHeartRate, "u-1"], .ingest(.ingestHeartRate, of: "u-1")),
            (topics[.ingestPosition, "u-1"], .ingest(.ingestPosition, of: "u-1")),
            (topics[.ingestDetection, "esp32"], .ingest(.ingestDetection, of: "esp32")),
        ]
        for (topic, inbound) in spoken {
            #expect(Inbound.parse(topic, site: "demo-gym") == inbound)
            #expect(Inbound.parse(topic, site: "demo") == nil)
            #expect(Inbound.parse(topic + "/", site: "demo-gym") == nil)
            #expect(Inbound.parse(topic + "/x", site: "demo-gym") == nil)
            #expect(Inbound.parse("/" + topic, site: "demo-gym") == nil)
            #expect(topics.inboundFilters.count { Self.matches($0, topic) } == 1)
        }
        #expect(spoken.count == topics.inboundFilters.count)
    }

    @Test func `what the coordinator takes in is said to be, and nothing else is`() {
        for kind in PayloadKind.allCases {
            let spec = kind.topic
            let topic = spec.path(spec.parameters.map { $0 == "site" ? "demo-gym" : "x" })
            let inbound = Inbound.parse(topic, site: "demo-gym")
            #expect(inbound?.kind == (spec.isInbound ? kind : nil), "\(topic)")
            let filters = topics.inboundFilters.count { Self.matches($0, topic) }
            #expect(filters == (spec.isInbound ? 1 : 0), "\(topic)")
            #expect(PayloadKind.of(topic)?.kind == kind, "\(topic)")
        }
    }

    /// What every version subscribed to: what an earlier one retained must be read back, too.
    @Test func `its own tree is read back whole`() {
        #expect(
            Set(topics.ownFilters.map { String($0.dropFirst(topics.root.count)) }) == [
                "info", "state", "shadow", "room/+/+", "station/+/+", "beacon/+/+", "user/+/+",
                "node/+/config/desired", "node/+/cursor",
            ])
    }

    @Test(arguments: [
        "", "/", "mesh", "mesh/v1/demo-gym/node", "mesh/v1/demo-gym/node/n1",
        "mesh/v2/demo-gym/node/n1/beat", "Mesh/v1/demo-gym/node/n1/beat",
        "mesh/v1/demo-gym/node//beat", "mesh/v1/demo-gym/node/N1/beat",
        "mesh/v1/demo-gym/node/n_1/beat", "mesh/v1/demo-gym/node/n.1/beat",
        "mesh/v1/demo-gym/node/n1 /beat", "mesh/v1/demo-gym/node/n1\n/beat",
        "mesh/v1/demo-gym/node/é/beat", "mesh/v1/demo-gym/node/n1/Beat",
        "mesh/v1/demo-gym/node/n1/beats", "mesh/v1/demo-gym/node/n1/rssi",
        "mesh/v1/demo-gym/node/n1/rssi/", "mesh/v1/demo-gym/node/n1/rssi/TAG",
        "mesh/v1/demo-gym/node/n1/config", "mesh/v1/demo-gym/node/n1/config/desired",
        "mesh/v1/demo-gym/room/n1/beat", "mesh/v1/demo-gym/req/app",
        "mesh/v1/demo-gym/req/app/", "mesh/v1/demo-gym/req//workout-start",
        "mesh/v1/demo-gym/req/app/workout_start", "mesh/v1/demo-gym/req/app/a/b",
        "mesh/v1/demo-gym/node/n1/frame/////////",
        "mesh/v1/demo-gym/node/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx/beat",
    ])
    func `any other topic is foreign`(topic: String) {
        #expect(Inbound.parse(topic, site: "demo-gym") == nil)
    }

    @Test func `a name of 64 characters is still a name`() {
        let name = String(repeating: "x", count: 64)
        #expect(
            Inbound.parse(topics[.nodeBeat, name], site: "demo-gym") == .nodeBeat(node: name))
    }

    @Test func `an operation nobody knows still says who asked`() {
        let topic = topics[.request, "app", "fly"]
        #expect(
            Inbound.parse(topic, site: "demo-gym") == .request(client: "app", operation: "fly"))
        #expect(Verb.named("fly") == nil)
        #expect(Verb.named("workout-start")?.name == Verb.startWorkout.name)
    }

    @Test func `only states may be retained`() {
        #expect(Inbound.nodeStatus(node: "n").mayBeRetained)
        #expect(Inbound.nodeConfigurationActive(node: "n").mayBeRetained)
        #expect(!Inbound.nodeFrame(node: "n").mayBeRetained)
        #expect(!Inbound.nodeRSSI(node: "n", beacon: "b").mayBeRetained)
        #expect(!Inbound.nodeResponse(node: "n").mayBeRetained)
        #expect(!Inbound.nodeEvidence(node: "n").mayBeRetained)
        #expect(!Inbound.nodeEvent(node: "n").mayBeRetained)
        #expect(!Inbound.request(client: "c", operation: "o").mayBeRetained)
    }

    @Test func `a coordinator has a tree of its own`() {
        let core = CoreTopics(coordinator: "c1")
        #expect(core[.coreStatus] == "mesh/v1/core/c1/status")
        #expect(core[.coreInfo] == "mesh/v1/core/c1/info")
        #expect(core[.coreHealth] == "mesh/v1/core/c1/health")
    }

    /// Whether a broker would send a topic for a filter with `+` only.
    static func matches(_ filter: String, _ topic: String) -> Bool {
        let wanted = filter.split(separator: "/", omittingEmptySubsequences: false)
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        return wanted.count == levels.count
            && zip(wanted, levels).allSatisfy { $0 == "+" || $0 == $1 }
    }
}

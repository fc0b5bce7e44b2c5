import Basics

/// A message for a coordinator, read from its topic and payload. Its author is the one that the
/// topic names, never one in the payload.
package enum Inbound: Hashable, Sendable {
    /// A node came or went.
    case nodeStatus(node: String)
    /// A node describes itself.
    case nodeInfo(node: String)
    /// A node's counters.
    case nodeHealth(node: String)
    /// A node's sign of life.
    case nodeBeat(node: String)
    /// All a node heard in one second.
    case nodeFrame(node: String)
    /// One beacon's level at one node.
    case nodeRSSI(node: String, beacon: String)
    /// What configuration a node applied.
    case nodeConfigurationActive(node: String)
    /// A node's answer to a command.
    case nodeResponse(node: String)
    /// The runs of a minute at a node.
    case nodeEvidence(node: String)
    /// Something happened at a node.
    case nodeEvent(node: String)
    /// A client asks for something. The operation is a slug that need not be an `Operation`.
    case request(client: String, operation: String)

    /// A phone, a watch or a bridge sends what it measured: of which kind, and of whom; or a detector what it found, and which it is.
    case ingest(PayloadKind, of: String)

    /// Reads a topic of a site; `nil` if it is not one of those above, or a level is no slug.
    package static func parse(_ topic: String, site: String) -> Inbound? {
        // The longest has seven levels; an eighth part would hold the excess, slashes and all.
        let levels = topic.utf8.split(
            separator: UInt8(ascii: "/"), maxSplits: 7, omittingEmptySubsequences: false)
        guard levels.count >= 6, equal(levels[0], "mesh"), equal(levels[1], "v1"),
            equal(levels[2], site), let name = slug(levels[4])
        else { return nil }
        let isNode = equal(levels[3], "node")
        switch levels.count {
        case 6 where isNode: return nodeTopic(levels[5], of: name)
        case 6 where equal(levels[3], "ingest"):
            return ingested(levels[4]).flatMap { kind in
                slug(levels[5]).map { .ingest(kind, of: $0) }
            }
        case 6 where equal(levels[3], "req"):
            return slug(levels[5]).map { .request(client: name, operation: $0) }
        case 7 where isNode && equal(levels[5], "rssi"):
            return slug(levels[6]).map { .nodeRSSI(node: name, beacon: $0) }
        case 7 where isNode && equal(levels[5], "config") && equal(levels[6], "active"):
            return .nodeConfigurationActive(node: name)
        default: return nil
        }
    }

    /// What it is.
    package var kind: PayloadKind {
        switch self {
        case .nodeStatus: .nodeStatus
        case .nodeInfo: .nodeInfo
        case .nodeHealth: .nodeHealth
        case .nodeBeat: .nodeBeat
        case .nodeFrame: .frame
        case .nodeRSSI: .rssi
        case .nodeConfigurationActive: .nodeConfigurationActive
        case .nodeResponse: .nodeResponse
        case .nodeEvidence: .evidence
        case .nodeEvent: .nodeEvent
        case .request: .request
        case .ingest(let kind, _): kind
        }
    }

    /// Whether the broker may keep such a message. A retained one of the others is refused: it
    /// would be old news told as new.
    package var mayBeRetained: Bool { kind.topic.isRetained }

    private static func nodeTopic(_ level: Substring.UTF8View, of node: String) -> Inbound? {
        if equal(level, "frame") { return .nodeFrame(node: node) }
        if equal(level, "beat") { return .nodeBeat(node: node) }
        if equal(level, "health") { return .nodeHealth(node: node) }
        if equal(level, "status") { return .nodeStatus(node: node) }
        if equal(level, "info") { return .nodeInfo(node: node) }
        if equal(level, "res") { return .nodeResponse(node: node) }
        if equal(level, "evidence") { return .nodeEvidence(node: node) }
        if equal(level, "event") { return .nodeEvent(node: node) }
        return nil
    }

    private static func ingested(_ level: Substring.UTF8View) -> PayloadKind? {
        if equal(level, "steps") { return .ingestSteps }
        if equal(level, "activity") { return .ingestActivity }
        if equal(level, "hr") { return .ingestHeartRate }
        if equal(level, "position") { return .ingestPosition }
        return equal(level, "detection") ? .ingestDetection : nil
    }

    private static func equal(_ level: Substring.UTF8View, _ word: String) -> Bool {
        level.elementsEqual(word.utf8)
    }

    private static func slug(_ level: Substring.UTF8View) -> String? {
        let text = Substring(level)
        return text.isSlug ? String(text) : nil
    }
}

/// A message to be sent to the broker.
package struct Publication: Equatable, Sendable {
    /// The full topic.
    package var topic: String
    /// The bytes. Empty and retained: clears what the broker keeps.
    package var payload: [UInt8]
    /// 0 or 1.
    package var quality: Int
    /// Whether the broker keeps it for late subscribers.
    package var isRetained: Bool

    package init(topic: String, payload: [UInt8], quality: Int, isRetained: Bool) {
        self.topic = topic
        self.payload = payload
        self.quality = quality
        self.isRetained = isRetained
    }

    /// One that the broker keeps, once acknowledged.
    package static func retained(_ topic: String, _ payload: [UInt8]) -> Publication {
        Publication(topic: topic, payload: payload, quality: 1, isRetained: true)
    }
}

/// How large an MQTT packet may be.
package enum PacketSize {
    /// In bytes: the longest payload there is, a node's configuration of 1 MiB, with its topic and
    /// what MQTT puts before it. Every client asks its broker for no more, and the brokers that we
    /// configure take no more: without a limit MQTT allows 256 MB, and a client that may publish
    /// one topic could fill the memory of all that read it.
    package static let most = NodeConfigurationPayload.limit + envelope

    /// The fixed header (5), a topic (2 and its bytes, of ours at most some 200), a message number
    /// (2) and properties, with room to spare.
    static let envelope = 1024
}

import SiteModel

/// Sees that what waits in a node's outbox does not become less. A record waits for a second or two
/// as a rule; a day without a broker is stored within a minute.
struct OutboxWatch: Sendable {
    /// No longer than this without becoming less.
    static let patience = Timestamp.Span.seconds(3600)
    /// A node that is silent for this long is away, which is another alert.
    static let silence = Timestamp.Span.seconds(300)

    private struct Waiting: Sendable {
        var count: Int64
        /// When it last became less, or was 0, or the node came back.
        var since: Timestamp
        var seen: Timestamp
    }

    private var nodes: [NodeID: Waiting] = [:]

    /// A node told how many records wait.
    mutating func saw(waiting count: Int64, of node: NodeID, at now: Timestamp) {
        var since = now
        if let old = nodes[node], now - old.seen <= Self.silence, count > 0, count >= old.count {
            since = old.since
        }
        nodes[node] = Waiting(count: count, since: since, seen: now)
    }

    /// The nodes whose outboxes are stuck, by node.
    func raised(at now: Timestamp) -> [RaisedSiteAlert] {
        nodes.sorted { $0.key < $1.key }.compactMap { node, waiting in
            let isStuck =
                waiting.seen - waiting.since >= Self.patience && now - waiting.seen <= Self.silence
            return isStuck ? RaisedSiteAlert(.outboxStuck, node: node, since: waiting.since) : nil
        }
    }
}

/// Through when a node has told what it heard, with nothing missing before.
package struct Watermark: Equatable, Sendable, Codable {
    package var node: NodeID
    /// The end of its newest evidence, by our own clock; of a node that never told any that follows,
    /// the horizon of when it first told some.
    package var through: Timestamp
    /// When its newest evidence arrived; `nil` if it was stored before this was noted.
    package var told: Timestamp?

    /// How far back late evidence may change sessions.
    package static let horizon = Timestamp.Span.seconds(36 * 3600)

    package init(node: NodeID, through: Timestamp, told: Timestamp? = nil) {
        self.node = node
        self.through = through
        self.told = told
    }
}

/// A person said that nobody needs to wait for what a node has not told. It holds until the node
/// tells again.
package struct NodeExcuse: Equatable, Sendable, Codable {
    package var node: NodeID
    /// When it was said.
    package var since: Timestamp

    package init(node: NodeID, since: Timestamp) {
        self.node = node
        self.since = since
    }
}

extension [Watermark] {
    /// A node told evidence at `now`, and with it everything through `moment`; `nil` if something
    /// before it is missing.
    package mutating func raise(_ node: NodeID, to moment: Timestamp?, at now: Timestamp) {
        let old = first { $0.node == node }?.through
        let through = [old, moment].compactMap(\.self).max() ?? now - Watermark.horizon
        put(Watermark(node: node, through: through, told: now), by: \.node)
    }

    /// The nodes that are waited for, in order: all but those that are excused and have not told
    /// anything since. `through` is `nil` for a node that never told anything.
    package func awaited(
        of nodes: [Node], excuses: [NodeExcuse]
    ) -> [(node: NodeID, through: Timestamp?)] {
        nodes.compactMap { node in
            let mark = first { $0.node == node.id }
            let isExcused = excuses.contains { excuse in
                excuse.node == node.id && (mark?.told.map { $0 <= excuse.since } ?? true)
            }
            return isExcused ? nil : (node.id, mark?.through)
        }
    }

    /// Before which moment nothing can change any more: whatever a node of the plan has not told yet is
    /// awaited as long as it may still change something.
    package func site(
        nodes: [Node], excuses: [NodeExcuse], at now: Timestamp
    ) -> Timestamp {
        let horizon = now - Watermark.horizon
        let least = awaited(of: nodes, excuses: excuses).map { $0.through ?? horizon }.min()
        return Swift.max(horizon, least ?? now)
    }
}

/// Through when a node has told what it heard, with nothing missing before.
public struct Watermark: Equatable, Sendable, Codable {
    /// The node.
    public var node: NodeID
    /// The end of its newest evidence, by our own clock.
    public var through: Timestamp

    /// A watermark.
    public init(node: NodeID, through: Timestamp) {
        self.node = node
        self.through = through
    }
}

extension [Watermark] {
    /// A node has told everything through `moment`.
    mutating func raise(_ node: NodeID, to moment: Timestamp) {
        let old = first { $0.node == node }?.through ?? moment
        put(Watermark(node: node, through: Swift.max(old, moment)), by: \.node)
    }

    /// Before which moment nothing can change any more: whatever a node of the plan has not told yet is
    /// awaited as long as it may still change something.
    func site(nodes: [Node], at now: Timestamp) -> Timestamp {
        let known = filter { mark in nodes.contains { $0.id == mark.node } }.map(\.through)
        return Swift.max(now - Saved.horizon, known.min() ?? now)
    }
}

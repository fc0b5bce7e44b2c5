/// The estimated offset of one process of a node.
public struct NodeClock: Equatable, Sendable, Codable {
    /// The node.
    public var node: NodeID
    /// Its process.
    public var boot: UInt64
    /// What to add to its times: the smallest difference of arrival and time stamp seen lately.
    public var offset: Timestamp.Span

    /// A node's clock.
    public init(node: NodeID, boot: UInt64, offset: Timestamp.Span) {
        self.node = node
        self.boot = boot
        self.offset = offset
    }
}

/// Whether a node listens.
public struct NodeState: Equatable, Sendable, Codable {
    /// Which.
    public var node: NodeID
    /// Whether frames arrive.
    public var isListening: Bool
    /// Since when.
    public var since: Timestamp

    /// A node's state.
    public init(node: NodeID, isListening: Bool, since: Timestamp) {
        self.node = node
        self.isListening = isListening
        self.since = since
    }
}

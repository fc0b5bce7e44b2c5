/// Whether a node listens.
package struct NodeState: Equatable, Sendable, Codable {
    /// Which.
    package var node: NodeID
    /// Whether frames arrive.
    package var isListening: Bool
    /// Since when.
    package var since: Timestamp

    /// A node's state.
    package init(node: NodeID, isListening: Bool, since: Timestamp) {
        self.node = node
        self.isListening = isListening
        self.since = since
    }
}

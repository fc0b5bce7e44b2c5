/// Whether a node listens.
package struct NodeState: Equatable, Sendable, Codable {
    package var node: NodeID
    /// Whether frames arrive.
    package var isListening: Bool
    package var since: Timestamp

    package init(node: NodeID, isListening: Bool, since: Timestamp) {
        self.node = node
        self.isListening = isListening
        self.since = since
    }
}

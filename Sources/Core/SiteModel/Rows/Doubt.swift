/// Something about a user's beacon that does not happen to honest people.
package struct Doubt: Hashable, Sendable, Codable {
    /// Whose beacon.
    package var user: UserID
    /// When it showed.
    package var at: Timestamp
    /// What showed.
    package var kind: Review
    /// The nodes that show it, sorted.
    package var nodes: [NodeID]

    package init(user: UserID, at: Timestamp, kind: Review, nodes: [NodeID]) {
        self.user = user
        self.at = at
        self.kind = kind
        self.nodes = nodes
    }
}

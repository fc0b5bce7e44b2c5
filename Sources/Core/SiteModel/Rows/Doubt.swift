/// Something about a user's beacon that does not happen to honest people.
public struct Doubt: Hashable, Sendable, Codable {
    /// Whose beacon.
    public var user: UserID
    /// When it showed.
    public var at: Timestamp
    /// What showed.
    public var kind: Review
    /// The nodes that show it, sorted.
    public var nodes: [NodeID]

    /// A doubt.
    public init(user: UserID, at: Timestamp, kind: Review, nodes: [NodeID]) {
        self.user = user
        self.at = at
        self.kind = kind
        self.nodes = nodes
    }
}

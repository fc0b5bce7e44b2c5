import GRDB

/// A node nobody waits for, because a person said so.
public struct ExcuseRow: Equatable, Sendable, Codable {
    /// Its row.
    public var id: Int64
    /// The slug of the node.
    public var node: String
    /// Who excused it.
    public var excusedBy: String
    /// When, in milliseconds.
    public var excusedAt: Int64
    /// Why. Hostile text.
    public var reason: String
    /// Who ended it, or `nil` while it stands.
    public var endedBy: String?
    /// When, in milliseconds.
    public var endedAt: Int64?

    /// The names in JSON.
    public enum CodingKeys: String, CodingKey {
        case id, node, reason
        case excusedBy = "excused_by"
        case excusedAt = "excused_ms"
        case endedBy = "ended_by"
        case endedAt = "ended_ms"
    }

    /// The columns that `init` reads; a condition on `excuse` or `node` can follow.
    static let query = """
        SELECT excuse.*, node.slug FROM node_excuse AS excuse JOIN node ON node.id = excuse.node
        """

    /// One row of `query`.
    init(_ row: Row) {
        id = row["id"]
        node = row["slug"]
        excusedBy = row["excused_by"]
        excusedAt = row["excused_ms"]
        reason = row["reason"]
        endedBy = row["ended_by"]
        endedAt = row["ended_ms"]
    }
}

/// How much of what it heard a node has told, and whether that is waited for.
public struct ToldRow: Equatable, Sendable, Codable {
    /// The node's slug.
    public var node: String
    /// What it is called. Hostile text.
    public var name: String
    /// Through when it has told everything, in milliseconds; `nil` if it never told anything.
    public var through: Int64?
    /// Whether nothing becomes final before it has told.
    public var isAwaited: Bool
    /// Why nobody waits for it, if that is so.
    public var excuse: ExcuseRow?

    /// The names in JSON.
    public enum CodingKeys: String, CodingKey {
        case node, name, excuse
        case through = "through_ms"
        case isAwaited = "awaited"
    }
}

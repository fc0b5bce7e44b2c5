import GRDB

/// A node nobody waits for, because a person said so.
package struct ExcuseRow: Equatable, Sendable, Codable {
    /// Its row.
    package var id: Int64
    /// The slug of the node.
    package var node: String
    /// Who excused it.
    package var excusedBy: String
    /// When, in milliseconds.
    package var excusedAt: Int64
    /// Why. Hostile text.
    package var reason: String
    /// Who ended it, or `nil` while it stands.
    package var endedBy: String?
    /// When, in milliseconds.
    package var endedAt: Int64?

    /// The names in JSON.
    package enum CodingKeys: String, CodingKey {
        case id, node, reason
        case excusedBy = "excused_by"
        case excusedAt = "excused_ms"
        case endedBy = "ended_by"
        case endedAt = "ended_ms"
    }

    /// The columns that `init` reads; a condition on `excuse` or `node` can follow.
    package static let query = """
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
package struct ToldRow: Equatable, Sendable, Codable {
    /// The node's slug.
    package var node: String
    /// What it is called. Hostile text.
    package var name: String
    /// Through when it has told everything, in milliseconds; `nil` if it never told anything.
    package var through: Int64?
    /// Whether nothing becomes final before it has told.
    package var isAwaited: Bool
    /// Why nobody waits for it, if that is so.
    package var excuse: ExcuseRow?

    /// The names in JSON.
    package enum CodingKeys: String, CodingKey {
        case node, name, excuse
        case through = "through_ms"
        case isAwaited = "awaited"
    }
}

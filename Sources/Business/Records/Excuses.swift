import Basics
import GRDB
import SiteModel
import SiteStore

/// A node nobody waits for, because a person said so.
package struct ExcuseRow: Equatable, Sendable, Codable {
    /// Its row.
    package var id: Int64
    /// The slug of the node.
    package var node: String
    package var excusedBy: String
    /// When, in milliseconds.
    package var excusedAt: Int64
    /// Why. Hostile text.
    package var reason: String
    /// Who ended it, or `nil` while it stands.
    package var endedBy: String?
    /// When, in milliseconds.
    package var endedAt: Int64?

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

    package enum CodingKeys: String, CodingKey {
        case node, name, excuse
        case through = "through_ms"
        case isAwaited = "awaited"
    }
}

/// Which nodes have not told everything yet, and for which of them nobody waits.
package struct Excuses: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// What each node of the site has told, by slug.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func told() throws(StoreError) -> [ToldRow] {
        try store.read { db in try Self.told(db) }
    }

    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func told(_ db: Database) throws -> [ToldRow] {
        let text = try String.fetchOne(db, sql: "SELECT watermarks FROM site_state")
        let marks = try text.map { try JSONText.value([Watermark].self, from: $0) } ?? []
        let nodes = try db.rows(
            "SELECT id, slug, name, room FROM node WHERE retired_ms IS NULL ORDER BY slug"
        ) { row in
            (
                node: Node(id: row["id"], room: row["room"], station: nil),
                slug: row["slug"] as String, name: row["name"] as String
            )
        }
        let awaited = marks.awaited(of: nodes.map(\.node), excuses: try OverrideTable.excuses(db))
            .map(\.node)
        return try nodes.map { node, slug, name in
            let isAwaited = awaited.contains(node.id)
            return ToldRow(
                node: slug, name: name,
                through: marks.first { $0.node == node.id }?.through.milliseconds,
                isAwaited: isAwaited, excuse: isAwaited ? nil : try openExcuse(of: slug, db))
        }
    }

    /// Waits no longer for what a node has not told. Throws `badState` if nobody waits for it already.
    package static func excuse(
        _ slug: String, reason: String, by asker: Asker, _ db: Database
    ) throws -> ExcuseRow {
        let reason = try Books.checked(reason: reason)
        let node = try node(slug, db)
        if let old = try openExcuse(of: slug, db) {
            guard try told(db).contains(where: { $0.node == slug && $0.isAwaited }) else {
                throw BooksRefusal(.badState, "\(slug) is excused already by \(old.excusedBy)")
            }
            // It has told since, and is silent again.
            _ = try end(old, by: asker, db)
        }
        try db.run(
            "INSERT INTO node_excuse (node, excused_by, excused_ms, reason) VALUES (?, ?, ?, ?)",
            [node, asker.name.storable, asker.at.milliseconds, reason])
        guard let row = try openExcuse(of: slug, db) else {
            throw StoreError.other(code: 0, message: "an excuse just written is gone")
        }
        try AuditTrail.append(
            asker.entry("excuse", "node_excuse", "\(row.id)", after: try JSONText.text(of: row)), db
        )
        try OverrideTable.raiseOverrides(db)
        return row
    }

    /// Waits again for what a node has not told. Throws `badState` if it is not excused.
    package static func endExcuse(of slug: String, by asker: Asker, _ db: Database) throws
        -> ExcuseRow
    {
        _ = try node(slug, db)
        guard let old = try openExcuse(of: slug, db) else {
            throw BooksRefusal(.badState, "\(slug) is not excused")
        }
        let row = try end(old, by: asker, db)
        try OverrideTable.raiseOverrides(db)
        return row
    }

    private static func end(
        _ old: ExcuseRow, by asker: Asker, _ db: Database
    ) throws -> ExcuseRow {
        var row = old
        (row.endedBy, row.endedAt) = (asker.name.storable, asker.at.milliseconds)
        try db.run(
            "UPDATE node_excuse SET ended_by = ?, ended_ms = ? WHERE id = ?",
            [row.endedBy, row.endedAt, row.id])
        try AuditTrail.append(
            asker.entry(
                "await", "node_excuse", "\(row.id)", before: try JSONText.text(of: old),
                after: try JSONText.text(of: row)), db)
        return row
    }

    private static func openExcuse(of slug: String, _ db: Database) throws -> ExcuseRow? {
        try Row.fetchOne(
            db, sql: ExcuseRow.query + " WHERE node.slug = ? AND ended_ms IS NULL",
            arguments: [slug]
        ).map { ExcuseRow($0) }
    }

    /// The row of a node that is in force. Throws `notFound`.
    private static func node(_ slug: String, _ db: Database) throws -> Int64 {
        let row = try Int64.fetchOne(
            db, sql: "SELECT id FROM node WHERE slug = ? AND retired_ms IS NULL", arguments: [slug])
        guard let row else { throw BooksRefusal(.notFound, "there is no node \(slug.quoted)") }
        return row
    }
}

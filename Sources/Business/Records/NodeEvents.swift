import GRDB
import SiteModel
import SiteStore

/// What happened at nodes, as they told it and as long as it is kept.
package struct NodeEvents: Sendable {
    /// One of them.
    package struct Told: Equatable, Sendable {
        /// When it happened, by the site's clock where the node knew it, else when it arrived.
        package var at: Timestamp
        /// A value of `NodeEventPayload.Kind`.
        package var kind: String
        /// More, for people: hostile text.
        package var detail: String?
        /// The slug of the beacon concerned.
        package var beacon: String?
        /// A figure whose meaning depends on the kind.
        package var value: Double?
    }

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// What happened at a node, the newest first, at most so many; `nil` if there is no such node.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func newest(of slug: String, most: Int) throws(StoreError) -> [Told]? {
        try store.read { db in
            let node = try Int64.fetchOne(
                db, sql: "SELECT id FROM node WHERE slug = ?", arguments: [slug])
            guard let node else { return nil }
            return try db.rows(
                """
                SELECT coalesce(site_ms, at_ms) AS at_ms, kind, detail, value,
                    (SELECT slug FROM beacon WHERE beacon.id = node_event.beacon) AS beacon
                FROM node_event WHERE node = ? ORDER BY at_ms DESC, seq DESC LIMIT ?
                """, [node, most]
            ) { row in
                Told(
                    at: row["at_ms"], kind: row["kind"], detail: row["detail"],
                    beacon: row["beacon"], value: row["value"])
            }
        }
    }
}

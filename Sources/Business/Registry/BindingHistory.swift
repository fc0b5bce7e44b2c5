import GRDB
import SiteModel
import SiteStore

/// Who carried which beacon from when until when.
package struct BindingHistory: Sendable {
    /// One person's time with a beacon.
    package struct Line: Equatable, Sendable, Encodable {
        /// The slug of the person.
        package var user: String
        /// Milliseconds since 1970.
        package var fromMs: Int64
        /// `nil` while they carry it.
        package var toMs: Int64?
    }

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// The lines of a beacon, oldest first; `nil` if it was never registered.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func bindings(of beacon: String) throws(StoreError) -> [Line]? {
        try store.read { db in
            let row = try Int64.fetchOne(
                db, sql: "SELECT id FROM beacon WHERE slug = ?", arguments: [beacon])
            guard let row else { return nil }
            return try db.rows(
                """
                SELECT user.slug, from_ms, to_ms FROM beacon_binding AS binding
                    JOIN user ON user.id = binding.user
                WHERE beacon = ? ORDER BY from_ms
                """, [row]
            ) { Line(user: $0["slug"], fromMs: $0["from_ms"], toMs: $0["to_ms"]) }
        }
    }
}

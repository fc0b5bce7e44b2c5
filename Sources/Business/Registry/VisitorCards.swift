import GRDB
import SiteModel
import SiteStore

/// What of a site whoever passes by may see.
package struct VisitorCards: Sendable {
    package enum Kind: Sendable {
        case station
        /// One that nobody carries.
        case beacon
    }

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// What an id is of; `nil`: nothing for visitors, or the site has none.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func kind(of id: String, at now: Timestamp) throws(StoreError) -> Kind? {
        try store.read { db in
            guard try SiteRows.head(db)?.shown.visitors == true else { return nil }
            if try RowTable(.stations).number(of: id, db) != nil,
                try !RowTable(.stations).existing([id], db).isEmpty
            {
                return .station
            }
            let isFree = try Bool.fetchOne(
                db,
                sql: """
                    SELECT NOT EXISTS (SELECT 1 FROM beacon_binding WHERE beacon = beacon.id
                        AND from_ms <= ?2 AND coalesce(to_ms, ?2 + 1) > ?2)
                    FROM beacon WHERE slug = ?1 AND retired_ms IS NULL
                    """, arguments: [id, now.milliseconds])
            return isFree == true ? .beacon : nil
        }
    }
}

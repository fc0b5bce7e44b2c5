import GRDB
import Scheduling
import SiteModel
import SiteStore

/// Stores that tags came into range, or went out of it, for those who are told.
package struct RangeNotices: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Whether the groups of a site tell of anything: of which, and when, by slug.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func groups() throws(StoreError) -> [String: (enter: Bool, leave: Bool)] {
        let rows = try store.read { db in
            try db.rows(
                "SELECT slug, notify FROM beacon_group WHERE retired_ms IS NULL AND notify IS NOT NULL"
            ) { ($0["slug"] as String, try JSONText.value([String].self, from: $0["notify"])) }
        }
        return Dictionary(
            rows.map { ($0, (enter: $1.contains("enter"), leave: $1.contains("leave"))) }
        ) { first, _ in first }
    }

    /// Which tags were in range when that was told last.
    ///
    /// - Throws: As `groups`.
    package func known() throws(StoreError) -> [String: Bool] {
        let rows = try store.read { db in
            try db.rows(
                """
                SELECT subject, kind FROM notification WHERE id IN (
                    SELECT max(id) FROM notification WHERE kind IN ('tag-seen', 'tag-gone') GROUP BY subject)
                """
            ) { ($0["subject"] as String, $0["kind"] as String == "tag-seen") }
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// Stores it. Of a tag of somebody who has not agreed to be located nothing is told.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func put(_ crossings: [RangeWatch.Crossing], at now: Timestamp) throws(StoreError) {
        try store.write { db in
            let rules = try NotificationQueue.noticeRules(db)
            let zone = try String.fetchOne(db, sql: "SELECT time_zone FROM site") ?? "UTC"
            let calendar = SiteCalendar(zone: zone)
            for crossing in crossings {
                let row = try Row.fetchOne(
                    db,
                    sql: """
                        SELECT beacon.id AS beacon, binding.user AS user,
                            binding.user IS NULL OR \(StoredState.agreed("binding.user")) AS agreed
                        FROM beacon LEFT JOIN beacon_binding AS binding ON binding.beacon = beacon.id
                            AND from_ms <= ?2 AND coalesce(to_ms, ?2 + 1) > ?2
                        WHERE beacon.slug = ?1 AND beacon.retired_ms IS NULL
                        """, arguments: [crossing.beacon, now.milliseconds])
                guard let row, row["agreed"] else { continue }
                let kind: NotificationRow.Kind = crossing.isIn ? .tagSeen : .tagGone
                let (beacon, user): (BeaconID, UserID?) = (row["beacon"], row["user"])
                try NotificationTable.put(
                    NotificationRow(
                        kind: kind,
                        cause: "\(kind.rawValue)-\(beacon.row)-\(crossing.at.milliseconds)",
                        user: user,
                        beacon: beacon, at: crossing.at, made: now,
                        due: rules.due(kind, about: user, at: now, by: calendar)), into: db)
            }
        }
    }
}

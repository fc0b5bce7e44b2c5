import GRDB
import SiteModel
import SiteStore
import Platform
import Wire

/// A notification as it is stored, and who is told.
package struct Notice: Equatable, Sendable {
    /// Its row.
    package var id: Int64
    package var payload: NotificationPayload
}

/// Telling people what the machines decided to tell. The recipients are found in the rows and never kept
/// in memory, so that no restart loses anything.
package struct NotificationQueue: Sendable {
    let store: Store

    package init(_ store: Store) { self.store = store }

    /// Notifications that are due on MQTT and of which it is not known that they arrived there,
    /// oldest first.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func untold(at now: Timestamp, most count: Int) throws(StoreError) -> [Notice] {
        try store.read { db in
            try db.rows(
                """
                SELECT notification.*, user.slug AS user_slug, site.slug AS site_slug, time_zone
                FROM notification JOIN user ON user.id = notification.user CROSS JOIN site
                WHERE told_ms IS NULL AND late = 0 AND notification.user IS NOT NULL
                    AND due_ms <= ?
                ORDER BY due_ms, notification.id LIMIT ?
                """, [now.milliseconds, count], as: notice)
        }
    }

    /// Notes that notifications arrived on MQTT.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func told(_ ids: [Int64], at now: Timestamp) throws(StoreError) {
        guard !ids.isEmpty else { return }
        try store.write { db in
            for id in ids {
                try db.run(
                    "UPDATE notification SET told_ms = ? WHERE id = ? AND told_ms IS NULL",
                    [now.milliseconds, id])
            }
        }
    }

    /// When something waits that may be told later than `now`, on MQTT or to a webhook, or tried again:
    /// the first such moment; `nil` if there is none.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func next(after now: Timestamp) throws(StoreError) -> Timestamp? {
        try store.read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT min(next) FROM (
                        SELECT min(due_ms) AS next FROM notification
                        WHERE told_ms IS NULL AND late = 0 AND user IS NOT NULL AND due_ms > ?1
                        UNION ALL
                        SELECT min(max(due_ms, next_ms)) FROM delivery
                        WHERE state = 'waiting' AND max(due_ms, next_ms) > ?1)
                    """, arguments: [now.milliseconds])
        }.map { Timestamp(milliseconds: $0) }
    }

    /// One row, with the columns `user_slug`, `site_slug` and `time_zone`.
    ///
    /// - Throws: `StoreError.corrupt` or a `DecodingError`: no row that this release wrote.
    package func notice(_ row: Row) throws -> Notice {
        let id: Int64 = row["id"]
        guard let kind = NotificationPayload.Kind(rawValue: row["kind"]) else {
            throw StoreError.corrupt(path: store.path, detail: "bad notification.kind in row \(id)")
        }
        let site: String = row["site_slug"]
        let wording = Wording(kind, row)
        return Notice(
            id: id,
            payload: NotificationPayload(
                id: "\(site)-n\(row["epoch"] as Int64)-\(id)", site: site, kind: kind,
                user: row["user_slug"], title: wording.title, body: wording.body,
                tMs: row["at_ms"], madeMs: row["made_ms"], late: row["late"],
                subject: row["subject"]))
    }
}

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

/// Telling people what was stored. The recipients are found in the rows and never kept in memory,
/// so that no restart loses anything.
package struct NotificationQueue: Sendable {
    let store: Store

    package init(_ store: Store) { self.store = store }

    /// What happened longer ago than this when it is noticed is recorded and no news.
    package static let freshness = Timestamp.Span.seconds(15 * 60)
    /// How long notifications and their deliveries are kept.
    package static let noticeLife = Timestamp.Span.seconds(90 * 86_400)

    /// Looks at what was stored since the last time, and writes down whom to tell of it: the
    /// notifications, what each webhook is to get, and how far it has looked, in one transaction.
    /// Returns what the new ones are about. Without news nothing is written.
    ///
    /// Of many events it looks at some only: call it again until it returns nothing.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func notice(at now: Timestamp) throws(StoreError) -> [NotificationPayload.Kind] {
        guard try hasNews(at: now) else { return [] }
        return try store.write { db in
            guard let outlook = try Outlook(db) else { return [] }
            // Another process may have noticed meanwhile.
            let news = try Self.news(outlook, at: now, db)
            for occasion in news.occasions {
                try Self.put(occasion, outlook, at: now, db)
            }
            try db.run("UPDATE notice_cursor SET event = ?", [news.cursor])
            try db.run(
                "DELETE FROM notification WHERE made_ms < ?", [(now - Self.noticeLife).milliseconds]
            )
            return news.occasions.map(\.kind)
        }
    }

    /// Whether `notice` would write anything.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func hasNews(at now: Timestamp) throws(StoreError) -> Bool {
        try store.read { db in
            guard let outlook = try Outlook(db) else { return false }
            let news = try Self.news(outlook, at: now, db)
            return news.cursor != outlook.cursor || !news.occasions.isEmpty
        }
    }

    /// Notifications that are due on MQTT and of which it is not known that they arrived there,
    /// oldest first.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func untold(at now: Timestamp, most count: Int) throws(StoreError) -> [Notice] {
        try store.read { db in
            try db.rows(
                """
                SELECT notification.*, user.slug AS user_slug, site.slug AS site_slug
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

    /// One row, with the columns `user_slug` and `site_slug`.
    ///
    /// - Throws: `StoreError.corrupt` or a `DecodingError`: no row that this release wrote.
    package func notice(_ row: Row) throws -> Notice {
        let id: Int64 = row["id"]
        guard let kind = NotificationPayload.Kind(rawValue: row["kind"]) else {
            throw StoreError.corrupt(path: store.path, detail: "bad notification.kind in row \(id)")
        }
        let site: String = row["site_slug"]
        return Notice(
            id: id,
            payload: NotificationPayload(
                id: "\(site)-n\(row["epoch"] as Int64)-\(id)", site: site, kind: kind,
                user: row["user_slug"], title: row["title"], body: row["body"],
                tMs: row["at_ms"], madeMs: row["made_ms"], late: row["late"],
                subject: row["subject"]))
    }
}

/// What a look at the stored rows starts from.
private struct Outlook {
    let calendar: SiteCalendar
    let rules: NoticeRules
    let epoch: Int64
    /// The last event that was looked at.
    let cursor: Int64

    /// `nil` before the first import.
    init?(_ db: Database) throws {
        guard let zone = try String.fetchOne(db, sql: "SELECT time_zone FROM site") else {
            return nil
        }
        calendar = SiteCalendar(zone: zone)
        rules = try NotificationQueue.noticeRules(db)
        epoch = try Int64.fetchOne(db, sql: "SELECT epoch FROM site_state") ?? 1
        cursor = try Int64.fetchOne(db, sql: "SELECT event FROM notice_cursor") ?? 0
    }

    /// When somebody may be told of something noticed now.
    func due(_ occasion: NotificationCandidate, at now: Timestamp) -> Timestamp {
        guard occasion.user != nil, !rules.urgent.contains(occasion.kind) else { return now }
        return rules.quiet?.end(after: now, by: calendar) ?? now
    }
}

extension NotificationQueue {
    private static func news(
        _ outlook: Outlook, at now: Timestamp, _ db: Database
    ) throws -> (occasions: [NotificationCandidate], cursor: Int64) {
        var (occasions, cursor) = try NotificationCandidates.comings(
            after: outlook.cursor, outlook.calendar, db)
        occasions += try NotificationCandidates.endless(
            outlook.rules, at: now, outlook.calendar, db)
        occasions += try NotificationCandidates.strays(at: now, outlook.calendar, db)
        occasions += try MissedShifts.occasions(at: now, outlook.calendar, db)
        occasions += try NotificationCandidates.batteries(at: now, db)
        return (occasions, cursor)
    }

    private static func put(
        _ occasion: NotificationCandidate, _ outlook: Outlook, at now: Timestamp, _ db: Database
    ) throws {
        let due = outlook.due(occasion, at: now)
        let isLate = now - occasion.at > freshness
        try db.run(
            """
            INSERT INTO notification (epoch, kind, cause, user, subject, title, body, at_ms, made_ms,
                due_ms, late)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (cause) DO NOTHING
            """,
            [
                outlook.epoch, occasion.kind.rawValue, occasion.cause, occasion.user,
                occasion.subject, occasion.title, occasion.body, occasion.at.milliseconds,
                now.milliseconds, due.milliseconds, isLate,
            ])
        guard db.changesCount == 1 else { return }
        try db.run(
            """
            INSERT INTO delivery (webhook, notification, due_ms, next_ms, attempts, state)
            SELECT id, number, due, due, 0, 'waiting' FROM (
                SELECT id, ? AS number, CASE WHEN keeps_quiet THEN ? ELSE ? END AS due FROM webhook
                WHERE revoked_ms IS NULL
                    AND EXISTS (SELECT 1 FROM json_each(webhook.kinds) WHERE value = ?))
            """,
            [
                db.lastInsertedRowID, due.milliseconds, now.milliseconds, occasion.kind.rawValue,
            ])
    }
}

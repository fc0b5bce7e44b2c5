import GRDB
import SiteModel

/// What people are to be told of, and what each webhook is to get of it.
package enum NotificationTable {
    /// Of one cause the first one stays. Its deliveries are written with it, so that a webhook hears
    /// of everything that was stored since it was added, and of nothing before.
    package static func put(_ row: NotificationRow, into db: Database) throws {
        try db.run(
            """
            INSERT INTO notification (epoch, kind, cause, user, subject, title, body, at_ms, since_ms,
                made_ms, due_ms, late)
            VALUES (coalesce((SELECT epoch FROM site_state), 1), ?, ?, ?,
                coalesce((SELECT slug FROM beacon WHERE id = ?),
                    (SELECT slug FROM station WHERE id = ?), ?), '', '', ?, ?, ?, ?, ?)
            ON CONFLICT (cause) DO NOTHING
            """,
            [
                row.kind.rawValue, row.cause, row.user, row.beacon, row.station,
                row.subject, row.at,
                row.since, row.made, row.due, row.isLate,
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
                db.lastInsertedRowID, row.due.milliseconds, row.made.milliseconds,
                row.kind.rawValue,
            ])
    }
}

extension NotificationRow: FetchableRecord {
    /// One that does not follow from an event, with its `beacon`.
    package init(row: Row) throws {
        guard let kind = Kind(rawValue: row["kind"]) else {
            throw DamagedRow("notification.kind", row)
        }
        let beacon: BeaconID? = row["beacon"]
        self.init(
            kind: kind, cause: row["cause"], user: row["user"],
            subject: beacon == nil ? row["subject"] : "", beacon: beacon, at: row["at_ms"],
            since: row["since_ms"], made: row["made_ms"], due: row["due_ms"])
    }
}

import GRDB
import SiteModel

/// What people are to be told of, and what each webhook is to get of it.
enum NotificationTable {
    /// Of one cause the first one stays. Its deliveries are written with it, so that a webhook hears
    /// of everything that was stored since it was added, and of nothing before.
    static func put(_ row: NotificationRow, into db: Database) throws {
        try db.run(
            """
            INSERT INTO notification (epoch, kind, cause, user, subject, title, body, at_ms, since_ms,
                made_ms, due_ms, late)
            VALUES (coalesce((SELECT epoch FROM site_state), 1), ?, ?, ?,
                coalesce((SELECT slug FROM beacon WHERE id = ?), ?), '', '', ?, ?, ?, ?, ?)
            ON CONFLICT (cause) DO NOTHING
            """,
            [
                row.kind.rawValue, row.cause, row.user?.row, row.beacon?.row, row.subject,
                row.at.milliseconds, row.since?.milliseconds, row.made.milliseconds,
                row.due.milliseconds, row.isLate,
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

    /// One that does not follow from an event, with its `beacon`.
    static func row(_ row: Row) throws -> NotificationRow {
        guard let kind = NotificationRow.Kind(rawValue: row["kind"]) else {
            throw StoreError.other(
                code: 0, message: "notification \(row["id"] as Int64) has no kind")
        }
        let beacon = (row["beacon"] as Int64?).map { BeaconID($0) }
        return NotificationRow(
            kind: kind, cause: row["cause"], user: (row["user"] as Int64?).map { UserID($0) },
            subject: beacon == nil ? row["subject"] : "", beacon: beacon, at: row.moment("at_ms"),
            since: row.optionalMoment("since_ms"), made: row.moment("made_ms"),
            due: row.moment("due_ms"))
    }
}

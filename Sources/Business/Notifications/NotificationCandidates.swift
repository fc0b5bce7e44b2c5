import GRDB
import SiteEngine
import SiteModel
import SiteStore
import Wire

/// What of the stored rows people are to be told.
package enum NotificationCandidates {
    /// The shortest time between two notifications about one battery.
    static let batteryRest = Timestamp.Span.seconds(7 * 86_400)
    /// How long after a stated end the tag may still be heard before it counts as left behind.
    static let strayAfter = Timestamp.Span.seconds(30 * 60)
    /// The most events looked at in one transaction.
    private static let eventsAtOnce = 1000

    /// Who came and left after the last event that was looked at, and the event looked at now.
    static func comings(
        after cursor: Int64, _ calendar: SiteCalendar, _ db: Database
    ) throws -> (occasions: [NotificationCandidate], cursor: Int64) {
        var occasions: [NotificationCandidate] = []
        var last = cursor
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT event.id, event.kind, event.at_ms, event.user, event.subject, user.slug
                FROM event JOIN user ON user.id = event.user
                WHERE event.id > ? ORDER BY event.id LIMIT ?
                """, arguments: [cursor, eventsAtOnce])
        while let row = try rows.next() {
            last = row["id"]
            let moment = row.moment("at_ms")
            let slug: String = row["slug"]
            let kind: NotificationPayload.Kind
            let (title, deed): (String, String)
            switch Event.Kind(rawValue: row["kind"]) {
            case .checkedIn: (kind, title, deed) = (.arrival, "Arrival", "arrived")
            case .checkedOut: (kind, title, deed) = (.departure, "Departure", "left")
            default: continue
            }
            occasions.append(
                NotificationCandidate(
                    kind: kind, cause: "event-\(last)", user: row["user"],
                    subject: "\(row["subject"] as Int64)", at: moment, title: title,
                    body: "\(slug) \(deed) at \(calendar.clock(moment))."))
        }
        return (occasions, last)
    }

    /// Whose session has been open for longer than anybody stays.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func endless(
        _ rules: NoticeRules, at now: Timestamp, _ calendar: SiteCalendar, _ db: Database
    ) throws -> [NotificationCandidate] {
        try db.rows(
            """
            SELECT session.id, session.user, session.from_ms, user.slug
            FROM attendance_session AS session JOIN user ON user.id = session.user
            WHERE session.to_ms IS NULL AND session.void = 0 AND session.from_ms < ?
                AND NOT EXISTS (SELECT 1 FROM notification WHERE cause = 'open-' || session.id)
            ORDER BY session.id
            """, [(now - rules.forgotten).milliseconds]
        ) { row in
            let from = row.moment("from_ms")
            let hours = rules.forgotten.milliseconds / 3_600_000
            return NotificationCandidate(
                kind: .forgottenTag, cause: "open-\(row["id"] as Int64)", user: row["user"],
                subject: "\(row["id"] as Int64)", at: from + rules.forgotten,
                title: "Tag left behind?",
                body: "\(row["slug"] as String) has been in for more than \(hours) hours, since "
                    + "\(calendar.clock(from)) on \(calendar.local(from).date).")
        }
    }

    /// Whose tag is still heard although they said that they left.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func strays(
        at now: Timestamp, _ calendar: SiteCalendar, _ db: Database
    ) throws -> [NotificationCandidate] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT session.id, session.user, session.to_ms, user.slug, ledger.heard
                FROM attendance_session AS session JOIN user ON user.id = session.user
                    JOIN ledger ON ledger.user = session.user
                WHERE session.void = 0 AND session.out_cause = 'manual' AND session.to_ms >= ?
                    AND NOT EXISTS (
                        SELECT 1 FROM attendance_session AS later
                        WHERE later.user = session.user AND later.void = 0
                            AND later.from_ms >= session.to_ms)
                    AND NOT EXISTS (SELECT 1 FROM notification WHERE cause = 'stray-' || session.id)
                ORDER BY session.id
                """, arguments: [(now - Saved.horizon).milliseconds])
        return rows.compactMap { row in
            let left = row.moment("to_ms")
            let heard = Packed.times(from: row["heard"])?.compactMap(\.seconds.intervals.last?.to)
            guard let last = heard?.max(), last > left + strayAfter else { return nil }
            return NotificationCandidate(
                kind: .forgottenTag, cause: "stray-\(row["id"] as Int64)", user: row["user"],
                subject: "\(row["id"] as Int64)", at: last, title: "Tag left behind?",
                body:
                    "\(row["slug"] as String) checked out at \(calendar.clock(left)), and the tag was "
                    + "still heard at \(calendar.clock(last)).")
        }
    }

    /// Whose beacon will soon be silent; each is told of once a week at most.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func batteries(at now: Timestamp, _ db: Database) throws
        -> [NotificationCandidate]
    {
        try db.rows(
            """
            SELECT beacon.id, beacon.slug, max(coalesce(node_event.site_ms, node_event.at_ms)) AS at_ms,
                (SELECT user FROM beacon_binding
                    WHERE beacon_binding.beacon = beacon.id AND to_ms IS NULL) AS user
            FROM node_event JOIN beacon ON beacon.id = node_event.beacon
            WHERE node_event.kind = 'battery-low' AND node_event.at_ms >= ?
                AND NOT EXISTS (
                    SELECT 1 FROM notification
                    WHERE notification.kind = 'battery-low' AND subject = beacon.slug
                        AND made_ms > ?)
            GROUP BY beacon.id ORDER BY beacon.id
            """, [(now - .seconds(86_400)).milliseconds, (now - batteryRest).milliseconds]
        ) { row in
            let slug: String = row["slug"]
            return NotificationCandidate(
                kind: .batteryLow, cause: "battery-\(slug)-\(now.milliseconds)", user: row["user"],
                subject: slug, at: row.moment("at_ms"), title: "Battery low",
                body: "The battery of \(slug) is nearly empty.")
        }
    }
}

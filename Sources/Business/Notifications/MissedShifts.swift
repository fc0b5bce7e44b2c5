import GRDB
import SiteModel
import SiteStore

/// Who should be there by now and is not.
enum MissedShifts {
    /// Whose shift began, is not over, and who did not come within its grace: nobody saw them and
    /// nobody said that they are in. Who has leave on that day, if for half of it only, is left alone.
    static func occasions(
        at now: Timestamp, _ calendar: SiteCalendar, _ db: Database
    ) throws -> [NotificationCandidate] {
        var occasions: [NotificationCandidate] = []
        // A night shift of yesterday may still go on.
        let today = calendar.local(now).date
        for day in [today + -1, today] {
            let shifts = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, slug, start_min, end_min, late_grace_min, early_in_min FROM shift
                    WHERE retired_ms IS NULL
                        AND EXISTS (SELECT 1 FROM shift_assignment AS own WHERE own.shift = shift.id)
                    ORDER BY id
                    """)
            for shift in shifts {
                let (first, last): (Int, Int) = (shift["start_min"], shift["end_min"])
                let grace = 60_000 * (shift["late_grace_min"] as Int64)
                let early = 60_000 * (shift["early_in_min"] as Int64)
                guard let begin = LocalTime(minutes: first), let close = LocalTime(minutes: last)
                else { continue }
                let start = calendar.first(day, begin)
                let end = calendar.first(last > first ? day : day + 1, close)
                let due = start + .milliseconds(grace)
                guard due <= now, now < end else { continue }
                let missing = try missing(
                    from: shift["id"], on: day, since: start - .milliseconds(early), at: now, db)
                for (assignment, user, slug) in missing {
                    occasions.append(
                        NotificationCandidate(
                            kind: .noCheckIn, cause: "shift-\(assignment)-\(day)", user: user,
                            subject: "\(shift["slug"] as String) \(day)", at: due,
                            title: "No check-in",
                            body:
                                "\(slug) has not come; the shift began at \(calendar.clock(start))."
                        ))
                }
            }
        }
        return occasions
    }

    /// Who is assigned to a shift on a day, has no session since a moment, and was not told of.
    private static func missing(
        from shift: Int64, on day: LocalDate, since moment: Timestamp, at now: Timestamp,
        _ db: Database
    ) throws -> [(assignment: Int64, user: Int64, slug: String)] {
        try db.rows(
            """
            SELECT assignment.id, assignment.user, user.slug
            FROM shift_assignment AS assignment JOIN user ON user.id = assignment.user
            WHERE assignment.shift = ?1 AND user.retired_ms IS NULL
                AND assignment.from_date <= ?2
                AND (assignment.to_date IS NULL OR assignment.to_date >= ?2)
                AND (assignment.weekdays >> ?3) & 1 = 1
                AND NOT EXISTS (SELECT 1 FROM leave_day
                    WHERE leave_day.user = assignment.user AND leave_day.date = ?2)
                AND NOT EXISTS (SELECT 1 FROM notification
                    WHERE cause = 'shift-' || assignment.id || '-' || ?2)
                AND NOT EXISTS (SELECT 1 FROM attendance_session AS session
                    WHERE session.user = assignment.user AND session.void = 0
                        AND session.from_ms <= ?5
                        AND (session.to_ms IS NULL OR session.to_ms > ?4))
            ORDER BY assignment.id
            """,
            [shift, "\(day)", day.weekday - 1, moment.milliseconds, now.milliseconds]
        ) { (assignment: $0["id"], user: $0["user"], slug: $0["slug"]) }
    }
}

import Basics
import GRDB
import Scheduling
import SiteModel
import SiteStore

/// The days that a lock has closed, for what is planned by dates: shifts, and leave.
struct LockedDays {
    /// The last locked date.
    let through: LocalDate
    /// The first moment that is not locked.
    private let boundary: Timestamp
    /// When a business day begins, in milliseconds after midnight.
    private let dayStart: Int64

    private static let day: Int64 = 86_400_000
    /// The clocks may be changed between the boundary and a shift.
    private static let clocks: Int64 = 3_600_000

    /// Those of the lock in force, or `nil` if nothing is locked.
    init?(_ db: Database) throws {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT through_date, through_ms, (SELECT day_start_min FROM site) AS day_start_min
                FROM period_lock ORDER BY id DESC LIMIT 1
                """)
        guard let row else { return nil }
        guard let through = LocalDate(row["through_date"] as String) else {
            throw StoreError.other(code: 0, message: "the lock has no valid date")
        }
        self.through = through
        boundary = row["through_ms"]
        dayStart = (row["day_start_min"] as Int64? ?? 0) * 60_000
    }

    /// What the audit adds to a change that touches locked days: what it was forced over. Nothing for one
    /// that touches none.
    ///
    /// - Throws: `RosterError.locked` for one that touches some and is not forced.
    static func override(
        force: Bool, _ db: Database, touches: (LockedDays) throws -> Bool
    ) throws -> [String: String] {
        guard let locked = try LockedDays(db), try touches(locked) else { return [:] }
        guard force else { throw RosterError.locked(through: locked.through) }
        return ["forced_over": locked.through.description]
    }

    /// Whether an assignment has a day, from a date on, that takes part in what a locked day comes to.
    func touches(
        _ assignment: ShiftAssignment, from first: LocalDate, at now: Timestamp, _ db: Database
    ) throws -> Bool {
        let last = try last(of: assignment, at: now, db)
        let start = max(first, assignment.from)
        // Days of the week come again after seven.
        return (0..<7).contains { start + $0 <= last && assignment.covers(start + $0) }
    }

    /// The last day on which a shift of somebody's may draw a session away from a locked day: a session
    /// counts for the shift whose window it shares most time with.
    private func last(
        of assignment: ShiftAssignment, at now: Timestamp, _ db: Database
    ) throws -> LocalDate {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT start_min, early_in_min, (
                    SELECT coalesce(to_ms, ?2) FROM attendance_session
                    WHERE user = ?3 AND void = 0 AND from_ms < ?4
                    ORDER BY from_ms DESC LIMIT 1) AS end_ms
                FROM shift WHERE id = ?1
                """,
            arguments: [
                assignment.shift, now.milliseconds, assignment.user.row,
                try end(of: assignment.user, db).milliseconds,
            ])
        guard let row, let end = row["end_ms"] as Int64? else { return through }
        let start = (row["start_min"] as Int64 - (row["early_in_min"] as Int64)) * 60_000
        let reach = end - boundary.milliseconds - (start - dayStart) + Self.clocks
        return through + max(0, reach.quotientDown(Self.day) + 1)
    }

    /// Until when sessions of somebody begin that may count for a locked day: a shift of the last locked
    /// day may go on after it.
    func end(of user: UserID, _ db: Database) throws -> Timestamp {
        let shifts = try Roster.shifts(removed: true, db)
        let assignments = try db.rows(
            "SELECT * FROM shift_assignment WHERE user = ? ORDER BY id", [user.row],
            as: Roster.assignment)
        var end = boundary
        for assignment in assignments {
            guard let shift = shifts.first(where: { $0.id == assignment.shift }) else { continue }
            let whole = shift.end.milliseconds + (shift.end > shift.start ? 0 : Self.day)
            let late = whole + shift.lateOut.milliseconds - dayStart
            for before in Int64(0)...1 where assignment.covers(through + -before) {
                let after = late - (before + 1) * Self.day
                guard after > 0 else { continue }
                end = max(end, boundary + .milliseconds(after + Self.clocks))
            }
        }
        return end
    }
}

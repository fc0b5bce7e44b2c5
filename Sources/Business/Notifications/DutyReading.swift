import Basics
import GRDB
import Platform
import Records
import Scheduling
import SiteEngine
import SiteModel
import SiteStore

extension Store {
    /// What the machines are to know by now of what people decided: `overrides`, and who is to be there
    /// when. A zone that this machine does not know counts as UTC.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func decisions() throws(StoreError) -> Overrides {
        var overrides = try overrides()
        let duties = try read { db in try Duties(db) }
        // Where nobody has said anything, and the clocks are those that are taken for granted, there is nothing
        // to take in.
        let isUsual =
            duties.assignments.isEmpty && duties.rules == NoticeRules()
            && duties.calendar == Duties().calendar
        overrides.duties = isUsual ? nil : duties
        return overrides
    }
}

extension Duties {
    /// As they are stored; days that are over by the site's clock are left out.
    fileprivate init(_ db: Database) throws {
        let clock = try Int64.fetchOne(db, sql: "SELECT clock_ms FROM site_state") ?? 0
        // A night shift of yesterday may go on, and no clock is a day from another.
        let past = Timestamp(milliseconds: clock) - .seconds(3 * 86_400)
        let first = SiteCalendar(.utc, dayStart: .midnight).local(past).date.description
        let zones = try db.rows("SELECT from_ms, zone FROM site_zone ORDER BY from_ms") {
            SiteCalendar.Zone(
                from: $0["from_ms"], table: Self.table($0["zone"], since: past))
        }
        let start = try Int.fetchOne(db, sql: "SELECT day_start_min FROM site")
        self.init(
            zones: zones.isEmpty ? [.utc] : zones,
            dayStart: start.flatMap { LocalTime(minutes: $0) } ?? .midnight,
            shifts: try Roster.shifts(removed: false, db).sorted { $0.id < $1.id },
            assignments: try db.rows(
                """
                SELECT * FROM shift_assignment WHERE coalesce(to_date, '9999-12-31') >= ? ORDER BY id
                """, [first], as: Roster.assignment),
            daysOff: try db.rows(
                "SELECT * FROM leave_day WHERE date >= ? ORDER BY date, user", [first]
            ) {
                let leave = try Roster.leaveDay($0)
                return DayOff(user: leave.user, date: leave.date)
            },
            rules: try NotificationQueue.noticeRules(db))
    }

    /// A zone's clocks from a moment on: what they showed before is not kept with each decision.
    private static func table(_ zone: String, since moment: Timestamp) -> TimeZoneTable {
        guard let table = try? TimeZoneTable(iana: zone) else { return .utc }
        return TimeZoneTable(
            name: table.name, first: table.offset(at: moment),
            transitions: table.transitions.filter { $0.at > moment })
    }
}

import Basics
import SiteModel

/// Who is to be there when, and when people are told what, by the clocks of the site: what notifications
/// are decided with, besides what happens.
package struct Duties: Equatable, Sendable, Codable {
    /// A day on which somebody need not come.
    package struct DayOff: Equatable, Sendable, Codable {
        package var user: UserID
        package var date: LocalDate

        package init(user: UserID, date: LocalDate) {
            self.user = user
            self.date = date
        }
    }

    /// The zones the site goes by, oldest first, at least one.
    package var zones: [SiteCalendar.Zone]
    /// The shifts that are worked, by row.
    package var shifts: [Shift]
    /// Who works them, by row.
    package var assignments: [ShiftAssignment]
    /// Leave, by date and person; also of half a day.
    package var daysOff: [DayOff]
    package var rules: NoticeRules

    package init(
        zones: [SiteCalendar.Zone] = [.utc], shifts: [Shift] = [],
        assignments: [ShiftAssignment] = [], daysOff: [DayOff] = [],
        rules: NoticeRules = NoticeRules()
    ) {
        self.zones = zones
        self.shifts = shifts
        self.assignments = assignments
        self.daysOff = daysOff
        self.rules = rules
    }

    /// What the clocks of the site show. Business days are of no matter here: shifts are on dates.
    package var calendar: SiteCalendar { SiteCalendar(zones: zones, dayStart: .midnight) }

    /// A shift that should have begun, with whoever works it.
    package struct Turn: Equatable, Sendable {
        package let assignment: ShiftAssignment
        package let shift: Shift
        package let date: LocalDate
        /// From its start to its end.
        package let hours: Interval
    }

    /// The shifts that are under way at a moment and whose grace is over, by row of the shift and of
    /// the assignment, those of yesterday's nights first. Without people who have leave on that day.
    package func turns(at now: Timestamp, by calendar: SiteCalendar) -> [Turn] {
        guard !assignments.isEmpty else { return [] }
        let today = calendar.local(now).date
        var turns: [Turn] = []
        for date in [today + -1, today] {
            for shift in shifts {
                let hours = shift.hours(on: date, calendar)
                guard hours.from + shift.lateGrace <= now, now < hours.to else { continue }
                for assignment in assignments
                where assignment.shift == shift.id && assignment.covers(date)
                    && !daysOff.contains(DayOff(user: assignment.user, date: date))
                {
                    turns.append(
                        Turn(assignment: assignment, shift: shift, date: date, hours: hours))
                }
            }
        }
        return turns
    }
}

import Basics
import SiteModel

/// Who is to be there when, when people are told what, and the clocks of the site by which that and its queues
/// go: what notifications are decided with, besides what happens.
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
    /// When a business day begins, by its clocks.
    package var dayStart: LocalTime
    /// The shifts that are worked, by row.
    package var shifts: [Shift]
    /// Who works them, by row.
    package var assignments: [ShiftAssignment]
    /// Leave, by date and person; also of half a day.
    package var daysOff: [DayOff]
    package var rules: NoticeRules

    package init(
        zones: [SiteCalendar.Zone] = [.utc], dayStart: LocalTime = .midnight, shifts: [Shift] = [],
        assignments: [ShiftAssignment] = [], daysOff: [DayOff] = [],
        rules: NoticeRules = NoticeRules()
    ) {
        self.zones = zones
        self.dayStart = dayStart
        self.shifts = shifts
        self.assignments = assignments
        self.daysOff = daysOff
        self.rules = rules
    }

    /// Also duties that were stored, or recorded, before the beginning of days was part of them.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            zones: try values.decode([SiteCalendar.Zone].self, forKey: .zones),
            dayStart: try values.decodeIfPresent(LocalTime.self, forKey: .dayStart) ?? .midnight,
            shifts: try values.decode([Shift].self, forKey: .shifts),
            assignments: try values.decode([ShiftAssignment].self, forKey: .assignments),
            daysOff: try values.decode([DayOff].self, forKey: .daysOff),
            rules: try values.decode(NoticeRules.self, forKey: .rules))
    }

    /// What the clocks of the site show, and when its business days begin. Shifts are on dates all the same.
    package var calendar: SiteCalendar { SiteCalendar(zones: zones, dayStart: dayStart) }

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

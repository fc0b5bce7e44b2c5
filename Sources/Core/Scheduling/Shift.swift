import Basics
import SiteModel

/// When people on it should be there, by the clocks of the site, on any day it is worked.
package struct Shift: Equatable, Sendable, Codable {
    /// Its row.
    package var id: Int64
    /// Its id for people and programs.
    package var slug: String
    /// What people call it. Hostile text, like all names.
    package var name: String
    /// When it begins.
    package var start: LocalTime
    /// When it ends; on the next day unless it is later than `start`.
    package var end: LocalTime
    /// How long before its start presence belongs to the shift.
    package var earlyIn: Timestamp.Span
    /// How long after its end presence still belongs to the shift.
    package var lateOut: Timestamp.Span
    /// Who comes later than this after the start is late, by all of it.
    package var lateGrace: Timestamp.Span
    /// Who leaves earlier than this before the end leaves early, by all of it.
    package var exitGrace: Timestamp.Span
    /// The break that is not paid: taken off, as far as absences did not make it up.
    package var pause: Timestamp.Span
    /// Who was there for less than this worked half a day; 0: never.
    package var halfDay: Timestamp.Span
    /// Who was there for less than this was absent; who never came always was.
    package var absent: Timestamp.Span

    package init(
        id: Int64, slug: String, name: String, start: LocalTime, end: LocalTime,
        earlyIn: Timestamp.Span = .seconds(3600), lateOut: Timestamp.Span = .seconds(3600),
        lateGrace: Timestamp.Span = .seconds(0), exitGrace: Timestamp.Span = .seconds(0),
        pause: Timestamp.Span = .seconds(0), halfDay: Timestamp.Span = .seconds(0),
        absent: Timestamp.Span = .seconds(0)
    ) {
        self.id = id
        self.slug = slug
        self.name = name
        self.start = start
        self.end = end
        self.earlyIn = earlyIn
        self.lateOut = lateOut
        self.lateGrace = lateGrace
        self.exitGrace = exitGrace
        self.pause = pause
        self.halfDay = halfDay
        self.absent = absent
    }

    /// From its start to its end when it is worked on `date`; 7 or 9 hours instead of 8 in a night
    /// when the clocks are changed.
    package func hours(on date: LocalDate, _ calendar: SiteCalendar) -> Interval {
        let from = calendar.first(date, start)
        let to = calendar.first(end > start ? date : date + 1, end)
        return Interval(from: from, to: max(from, to))
    }
}

/// Who works a shift, and on which days.
package struct ShiftAssignment: Equatable, Sendable, Codable {
    /// Its row.
    package var id: Int64
    package var user: UserID
    /// The row of the shift.
    package var shift: Int64
    /// The first day.
    package var from: LocalDate
    /// The last day, or `nil` if it goes on.
    package var to: LocalDate?
    /// The days of the week, 1 Monday to 7 Sunday, sorted.
    package var weekdays: [Int]

    package init(
        id: Int64, user: UserID, shift: Int64, from: LocalDate, to: LocalDate?,
        weekdays: [Int] = [1, 2, 3, 4, 5, 6, 7]
    ) {
        self.id = id
        self.user = user
        self.shift = shift
        self.from = from
        self.to = to
        self.weekdays = weekdays
    }

    /// Whether the shift is worked on a day.
    package func covers(_ date: LocalDate) -> Bool {
        from <= date && (to.map { date <= $0 } ?? true) && weekdays.contains(date.weekday)
    }
}

/// A day on which somebody need not come.
package struct LeaveDay: Equatable, Sendable {
    package var user: UserID
    package var date: LocalDate
    /// Why, as people call it: `holiday`, `sick`.
    package var kind: String
    /// Whether it is half a day only.
    package var isHalf: Bool

    package init(user: UserID, date: LocalDate, kind: String, isHalf: Bool = false) {
        self.user = user
        self.date = date
        self.kind = kind
        self.isHalf = isHalf
    }
}

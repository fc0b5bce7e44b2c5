import Basics
import Scheduling
import SiteModel

/// Which parts of sessions count for which shifts.
struct ShiftMatch {
    /// A shift on a day.
    struct Instance {
        var shift: Shift
        var date: LocalDate
        /// From its start to its end.
        var hours: Interval
        /// With what is before and after it and still belongs to it.
        var window: Interval
        /// What counts for it, oldest first.
        var attended: [Counted] = []
    }

    /// The shifts of the days and of those around them, by their start.
    private(set) var instances: [Instance]
    /// Sessions that count for no shift.
    private(set) var others: [Counted] = []

    /// Matches a person's sessions with their shifts.
    ///
    /// A session counts for the shift whose window it shares the most time with, as a whole; and for
    /// every other shift of which it covers half or more: then it is cut in the middle between the
    /// end of one and the start of the next. So everything counts once.
    init(_ person: PersonRecord, days: ClosedRange<LocalDate>, _ context: ReportContext) {
        instances = []
        let whole = person.sessions.map { Counted($0, knownThrough: person.knownThrough, context) }
        // Every shift near a session is looked at, also beyond the days: whichever days are asked
        // for, a session counts for the same shift.
        let touched = whole.flatMap { [$0.from, $0.to] }.map(context.calendar.businessDay)
        let first = min(days.lowerBound, touched.min() ?? days.lowerBound) + -2
        let last = max(days.upperBound, touched.max() ?? days.upperBound) + 2
        for day in first.day...last.day {
            let date = LocalDate(day: day)
            for assignment in person.assignments where assignment.covers(date) {
                guard let shift = context.shifts[assignment.shift] else { continue }
                let hours = shift.hours(on: date, context.calendar)
                instances.append(
                    Instance(
                        shift: shift, date: date, hours: hours,
                        window: Interval(
                            from: hours.from - shift.earlyIn, to: hours.to + shift.lateOut)))
            }
        }
        instances.sort {
            ($0.hours.from, $0.hours.to, $0.shift.id) < ($1.hours.from, $1.hours.to, $1.shift.id)
        }
        for attended in whole { match(attended) }
    }

    private mutating func match(_ whole: Counted) {
        func shared(_ interval: Interval) -> Int64 {
            (min(interval.to, whole.to) - max(interval.from, whole.from)).milliseconds
        }
        // One that just began has no length yet and still belongs to its shift.
        let near = instances.indices.filter { shared(instances[$0].window) >= 0 }
        guard
            let best = near.max(by: { a, b in
                let keys = [a, b].map {
                    (shared(instances[$0].window), shared(instances[$0].hours))
                }
                return keys[0] == keys[1] ? a > b : keys[0] < keys[1]
            })
        else {
            others.append(whole)
            return
        }
        let chosen = near.filter { index in
            let hours = instances[index].hours
            return index == best
                || (hours.from < hours.to && shared(hours) * 2 >= hours.length.milliseconds)
        }
        var from = whole.from
        for (place, index) in chosen.enumerated() {
            var to = whole.to
            if place + 1 < chosen.count {
                let ends = instances[index].hours.to.milliseconds
                let starts = instances[chosen[place + 1]].hours.from.milliseconds
                to = max(from, Timestamp(milliseconds: ends + (starts - ends) / 2))
            }
            let part = whole.part(from: from, to: to)
            instances[index].attended.append(part)
            from = part.to
        }
    }
}

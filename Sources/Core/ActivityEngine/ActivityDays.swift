import Basics
import Scheduling
import SiteModel

/// Somebody's days, hours, weeks and months, computed from their samples whenever they are asked for.
package struct ActivityDays: Sendable {
    /// The samples of one source, none of which overlap.
    package struct Source: Equatable, Sendable {
        package var name: String
        /// Whether it is made up: it counts only where no other does.
        package var isDemo: Bool
        /// By their beginning, so by their end, too.
        package let samples: [ActivitySample]

        package init(name: String, isDemo: Bool = false, samples: [ActivitySample]) {
            self.name = name
            self.isDemo = isDemo
            self.samples = samples.sorted { $0.from < $1.from }
        }

        /// Those that fall into an interval, at least in part.
        func samples(in interval: Interval) -> ArraySlice<ActivitySample> {
            let first = samples.partitioningIndex { $0.to > interval.from }
            let end = samples.partitioningIndex { $0.from >= interval.to }
            return samples[first..<max(first, end)]
        }
    }

    /// What is looked at.
    package enum Range: String, CaseIterable, Sendable {
        /// A day, hour by hour.
        case day
        /// The ISO week of a day, day by day.
        case week
        /// The month of a day, by the ISO weeks that touch it, whole; all of it is of its own days only.
        case month
    }

    private static let hour = Timestamp.Span.seconds(3600)
    private static let minute: Int64 = 60_000

    private let calendar: SiteCalendar
    private let body: BodyFigures
    private let sources: [Source]
    /// The source that counts wherever it has a sample.
    private let primary: String?
    /// The minutes since 1970 in which the mesh saw somebody change their room or station, sorted.
    private let minutes: [Int64]
    private let legs: [StationLeg]

    /// - Parameters:
    ///   - sources: All samples that fall into what is asked for; others do no harm.
    ///   - moves: When the mesh saw them come to a room or station.
    ///   - legs: The ways between stations that it saw.
    package init(
        _ calendar: SiteCalendar, _ body: BodyFigures, _ sources: [Source], primary: String?,
        moves: [Timestamp] = [], legs: [StationLeg] = []
    ) {
        self.legs = legs
        self.calendar = calendar
        self.body = body
        self.sources = sources.sorted { $0.name < $1.name }
        self.primary = primary
        minutes = Set(moves.map { $0.milliseconds.quotientDown(Self.minute) }).sorted()
    }

    /// The days of which samples are needed for a range.
    package static func dates(_ range: Range, around date: LocalDate) -> ClosedRange<LocalDate> {
        func week(_ date: LocalDate) -> ClosedRange<LocalDate> {
            let monday = date + Int64(1 - date.weekday)
            return monday...(monday + 6)
        }
        switch range {
        case .day: return date...date
        case .week: return week(date)
        case .month:
            let first = date.startOfMonth
            let last = (first + 31).startOfMonth + -1
            return week(first).lowerBound...week(last).upperBound
        }
    }

    /// From the first moment of a day to that of the next, by the clocks on the wall: 23 or 25 hours where they
    /// are changed.
    package static func bounds(of date: LocalDate, _ calendar: SiteCalendar) -> Interval {
        Interval(
            from: calendar.first(date, .midnight), to: calendar.first(date + 1, .midnight))
    }

    /// The parts of a range, oldest first, and all of it.
    package func told(
        _ range: Range, around date: LocalDate
    ) -> (buckets: [ActivityTotal], total: ActivityTotal) {
        let dates = Self.dates(range, around: date)
        switch range {
        case .day: return (hours(of: date), day(date))
        case .week:
            let days = Self.all(dates).map { day($0) }
            return (days, sum(days))
        case .month:
            let days = Self.all(dates).map { (date: $0, total: day($0)) }
            let weeks = stride(from: 0, to: days.count, by: 7).map { start in
                sum(days[start..<start + 7].map(\.total))
            }
            let own = days.filter { $0.date.startOfMonth == date.startOfMonth }
            return (weeks, sum(own.map(\.total)))
        }
    }

    private static func all(_ dates: ClosedRange<LocalDate>) -> [LocalDate] {
        (dates.lowerBound.day...dates.upperBound.day).map { LocalDate(day: $0) }
    }

    /// A day by what counts on it.
    package func day(_ date: LocalDate) -> ActivityTotal {
        let bounds = Self.bounds(of: date, calendar)
        return total(bounds, of: counted(in: bounds))
    }

    /// Hours from the first moment of the day on. Where clocks are changed by half an hour, the last is half a one.
    private func hours(of date: LocalDate) -> [ActivityTotal] {
        let bounds = Self.bounds(of: date, calendar)
        let counted = counted(in: bounds)
        let whole = total(bounds, of: counted)
        var hours: [ActivityTotal] = []
        var from = bounds.from
        while from < bounds.to {
            let to = min(from + Self.hour, bounds.to)
            var hour = total(Interval(from: from, to: to), of: counted)
            if hour.source == nil { hour.source = whole.source }
            hours.append(hour)
            from = to
        }
        return hours
    }

    /// A sample, and the place of its source among the sources.
    private struct Counted {
        var sample: ActivitySample
        var source: Int
    }

    /// The samples of a day that count, by their beginning. Samples of all sources that overlap, one after the other,
    /// are a part of the day. In each part one source counts: the chosen one, if it has a sample there, else that with
    /// most steps, of equal ones the first by name. So nothing is counted twice, and what only one source has counts.
    private func counted(in bounds: Interval) -> [Counted] {
        let present = sources.indices.filter { !sources[$0].samples(in: bounds).isEmpty }
        let real = present.filter { !sources[$0].isDemo }
        let all = (real.isEmpty ? present : real).flatMap { place in
            sources[place].samples(in: bounds).map { Counted(sample: $0, source: place) }
        }.sorted { ($0.sample.from, $0.source) < ($1.sample.from, $1.source) }
        var counted: [Counted] = []
        var start = 0
        while start < all.count {
            var end = start + 1
            var last = all[start].sample.to
            while end < all.count, max(all[end].sample.from, bounds.from) < last {
                last = max(last, all[end].sample.to)
                end += 1
            }
            let part = all[start..<end]
            let source = most(of: part, in: bounds) { sources[$0].name == primary }
            counted += part.filter { $0.source == source }
            start = end
        }
        return counted
    }

    /// The source of samples that has most steps in an interval, of equal ones the first; one that is chosen before all
    /// others.
    private func most(
        of samples: some Collection<Counted>, in interval: Interval,
        isChosen: (Int) -> Bool = { _ in false }
    ) -> Int? {
        var best: (source: Int, steps: Int64)?
        for source in Set(samples.map(\.source)).sorted() {
            if isChosen(source) { return source }
            let steps = samples.reduce(0) { sum, one in
                one.source == source
                    ? sum + one.sample.share(of: one.sample.steps, in: interval) : sum
            }
            if steps > best?.steps ?? -1 { best = (source, steps) }
        }
        return best?.source
    }

    private func total(_ interval: Interval, of counted: [Counted]) -> ActivityTotal {
        var total = ActivityTotal(interval)
        let inside = counted.filter {
            $0.sample.from < interval.to && $0.sample.to > interval.from
        }
        for one in inside { total.add(one.sample, of: body) }
        total.source = most(of: inside, in: interval).map { sources[$0].name }
        for leg in legs where interval.from <= leg.at && leg.at < interval.to {
            total.between += leg.distance
        }
        total.moving = Int64(minutes.count { interval.holds(minute: $0 * Self.minute) }) * 60
        return total
    }

    private func sum(_ parts: [ActivityTotal]) -> ActivityTotal {
        var sum = ActivityTotal(Interval(from: parts[0].interval.from, to: parts[0].interval.from))
        for part in parts { sum.add(part) }
        sum.interval.to = parts[parts.count - 1].interval.to
        return sum
    }
}

extension Interval {
    fileprivate func holds(minute: Int64) -> Bool {
        from.milliseconds <= minute && minute < to.milliseconds
    }
}

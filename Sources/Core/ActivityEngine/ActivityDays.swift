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
        /// The month of a day, by the ISO weeks that touch it, whole.
        case month
    }

    private static let hour = Timestamp.Span.seconds(3600)
    private static let minute: Int64 = 60_000

    private let calendar: SiteCalendar
    private let body: BodyFigures
    private let sources: [Source]
    /// The source that counts, if it counted on a day.
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
        let days = (dates.lowerBound.day...dates.upperBound.day).map { LocalDate(day: $0) }
        let buckets: [ActivityTotal] =
            switch range {
            case .day: hours(of: date)
            case .week: days.map { day($0) }
            case .month:
                stride(from: 0, to: days.count, by: 7).map { start in
                    sum(days[start..<start + 7].map { day($0) })
                }
            }
        var total = sum(buckets)
        if range == .day { total.source = buckets.first?.source }
        return (buckets, total)
    }

    /// A day by the source that counts on it.
    package func day(_ date: LocalDate) -> ActivityTotal {
        let bounds = Self.bounds(of: date, calendar)
        return total(bounds, of: source(in: bounds))
    }

    /// Hours from the first moment of the day on. Where clocks are changed by half an hour, the last is half a one.
    private func hours(of date: LocalDate) -> [ActivityTotal] {
        let bounds = Self.bounds(of: date, calendar)
        let source = source(in: bounds)
        var hours: [ActivityTotal] = []
        var from = bounds.from
        while from < bounds.to {
            let to = min(from + Self.hour, bounds.to)
            hours.append(total(Interval(from: from, to: to), of: source))
            from = to
        }
        return hours
    }

    /// The source that was chosen, if it has a sample there; else that with most steps, of equal ones the first by
    /// name.
    private func source(in bounds: Interval) -> Source? {
        let all = sources.filter { !$0.samples(in: bounds).isEmpty }
        let real = all.filter { !$0.isDemo }
        let present = real.isEmpty ? all : real
        if let chosen = present.first(where: { $0.name == primary }) { return chosen }
        let counted = present.map { source in
            (
                source,
                source.samples(in: bounds).reduce(0) { $0 + $1.share(of: $1.steps, in: bounds) }
            )
        }
        guard let most = counted.map(\.1).max() else { return nil }
        return counted.first { $0.1 == most }?.0
    }

    private func total(_ interval: Interval, of source: Source?) -> ActivityTotal {
        var total = ActivityTotal(interval)
        for sample in source?.samples(in: interval) ?? [] { total.add(sample, of: body) }
        total.source = source?.name
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

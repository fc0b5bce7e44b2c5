import Basics
import Scheduling
import SiteModel

/// Steps that a phone, a watch or a bridge counted between two moments, with what else it said of them.
package struct ActivitySample: Equatable, Sendable, Codable {
    /// More steps in a second nobody makes.
    package static let mostStepsPerSecond: Int64 = 10
    /// The longest sample: a day.
    package static let longest = Timestamp.Span.seconds(24 * 3600)
    /// So far ahead the clock of a phone may be.
    package static let longestLead = Timestamp.Span.seconds(60)
    /// What is older is neither taken nor kept.
    package static let keptDays: Int64 = 730

    package var from: Timestamp
    package var to: Timestamp
    package var steps: Int64
    /// In millimetres, if the source sent it.
    package var distance: Int64?
    /// In calories, thousandths of a kilocalorie, if the source sent it.
    package var energy: Int64?

    package init(
        from: Timestamp, to: Timestamp, steps: Int64, distance: Int64? = nil, energy: Int64? = nil
    ) {
        self.from = from
        self.to = to
        self.steps = steps
        self.distance = distance
        self.energy = energy
    }

    /// Why it is not taken at a moment; `nil`: it is. Amounts beyond a type's limits are not looked at here.
    package func fault(at now: Timestamp) -> ProblemCode? {
        let length = (to - from).milliseconds
        if length > 0, steps * 1000 > Self.mostStepsPerSecond * length { return .schema }
        guard length > 0, length <= Self.longest.milliseconds, to <= now + Self.longestLead,
            from >= now - .seconds(Double(Self.keptDays * 24 * 3600))
        else { return .badTime }
        return nil
    }

    /// The days that it touches, also one that is shorter than it.
    package func dates(by calendar: SiteCalendar) -> [LocalDate] {
        let (first, last) = (calendar.local(from).date, calendar.local(to - .milliseconds(1)).date)
        return (first.day...max(first.day, last.day)).map { LocalDate(day: $0) }
    }

    /// How much of an amount falls between two moments, if it accrued evenly. Parts are differences of sums that
    /// are rounded down, so that those of intervals that follow one another add up to the whole.
    package func share(of amount: Int64, in interval: Interval) -> Int64 {
        share(of: amount, before: interval.to) - share(of: amount, before: interval.from)
    }

    private func share(of amount: Int64, before moment: Timestamp) -> Int64 {
        let part = (min(max(moment, from), to) - from).milliseconds
        return amount * part / (to - from).milliseconds
    }
}

/// What is known of somebody's body, to estimate what no source sent.
package struct BodyFigures: Equatable, Sendable, Codable {
    /// In millimetres.
    package var height: Int64?
    /// In grams.
    package var weight: Int64?
    /// The length of a step, in millimetres.
    package var stride: Int64?

    package init(height: Int64? = nil, weight: Int64? = nil, stride: Int64? = nil) {
        self.height = height
        self.weight = weight
        self.stride = stride
    }

    /// The length of a step, in micrometres: as they say, else 0.414 of the height, else 0.74 m. Rules of thumb that
    /// pedometers use; they are estimates.
    package var step: Int64 {
        if let stride { return stride * 1000 }
        return height.map { $0 * 414 } ?? 740_000
    }

    /// What walking costs, in kilocalories for each kilogram and kilometre; a rule of thumb, without what a body
    /// needs at rest.
    package static let walkingCost = 0.57

    /// What a distance in micrometres costs, in kilocalories; `nil` without a weight.
    package func energy(walking distance: Int64) -> Double? {
        weight.map { Self.walkingCost * Double($0) / 1000 * Double(distance) / 1e9 }
    }
}

/// What somebody did between two moments.
package struct ActivityTotal: Equatable, Sendable {
    package var interval: Interval
    package var steps: Int64 = 0
    /// In micrometres.
    package var distance: Int64 = 0
    /// In kilocalories; `nil` where a part can only be estimated, and the weight is not known.
    package var energy: Double? = 0
    /// In seconds, as the mesh saw them.
    package var moving: Int64 = 0
    /// In micrometres, between stations, as the mesh saw them. No part of `distance`.
    package var between: Int64 = 0
    /// Whose count it is, or most of it; `nil`: nobody counted. Of several days: nothing.
    package var source: String?

    package init(_ interval: Interval) { self.interval = interval }

    /// Adds what falls into it of a sample.
    mutating func add(_ sample: ActivitySample, of body: BodyFigures) {
        let counted = sample.share(of: sample.steps, in: interval)
        let walked =
            sample.distance.map { sample.share(of: $0, in: interval) * 1000 } ?? counted * body.step
        let used =
            sample.energy.map { Double(sample.share(of: $0, in: interval)) / 1000 }
            ?? (walked == 0 ? 0 : body.energy(walking: walked))
        steps += counted
        distance += walked
        energy = energy.flatMap { sum in used.map { sum + $0 } }
    }

    /// Adds another one's amounts.
    mutating func add(_ other: ActivityTotal) {
        steps += other.steps
        distance += other.distance
        energy = energy.flatMap { sum in other.energy.map { sum + $0 } }
        moving += other.moving
        between += other.between
    }
}

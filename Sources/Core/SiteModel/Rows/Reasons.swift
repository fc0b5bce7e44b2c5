/// Why somebody was decided to be at another place than before.
package struct Reasons: Equatable, Sendable, Codable {
    /// What fired.
    package enum Rule: String, Sendable, Codable, CaseIterable {
        /// Nothing had been decided before.
        case first
        /// The new place won by the margin.
        case margin
        /// The old place is not heard any more.
        case lost
        /// Nobody is heard at all.
        case silent
    }

    /// What one ear said.
    package struct Reading: Equatable, Sendable, Codable {
        /// Who heard, or was heard.
        package var ear: Ear
        /// The beacon or own node at the other end, by its row in the plan.
        package var device: Int64
        /// The level, or `nil` if the ear listened and heard nothing: what was heard last or, without
        /// a model, the smoothed level, which silence lowers.
        package var level: RSSI?
        /// How old it was.
        package var age: Timestamp.Span
        /// What is usual at the new place of somebody who is heard as this user is, in dBm, or `nil`
        /// where that was not learned.
        package var expected: Double?
        /// The same at the runner-up.
        package var expectedAtRunnerUp: Double?
        /// How much likelier it makes the new place than the runner-up, as a logarithm; 0 if less
        /// likely.
        package var support: Double
        /// How much likelier it makes the runner-up than the new place.
        package var against: Double

        package init(
            ear: Ear, device: Int64, level: RSSI?, age: Timestamp.Span, expected: Double?,
            expectedAtRunnerUp: Double? = nil, support: Double, against: Double
        ) {
            self.ear = ear
            self.device = device
            self.level = level
            self.age = age
            self.expected = expected
            self.expectedAtRunnerUp = expectedAtRunnerUp
            self.support = support
            self.against = against
        }
    }

    package var user: UserID
    /// When it was decided.
    package var at: Timestamp
    /// The rule that fired.
    package var rule: Rule
    /// Where they were before.
    package var from: Place?
    /// Where they are now.
    package var to: Place?
    /// The place that came next: the old one, if it is not the best of the others.
    package var runnerUp: Place?
    /// What the posterior of a second ago gave to the new place and to the runner-up.
    package var prior: Double
    /// The same of the runner-up.
    package var runnerUpPrior: Double
    /// What it gives to the new place now.
    package var probability: Double
    /// The same of the runner-up.
    package var runnerUpProbability: Double
    /// How much the learned spots counted, 0 ... 1; the rest is the zone level.
    package var spotWeight: Double
    /// The revision of the model that said so, or `nil` without one.
    package var model: Int64?
    /// What each ear said. What they say for the new place, less what they say against it, is how much
    /// likelier the second in which it was decided made that than the runner-up.
    package var readings: [Reading]

    package init(
        user: UserID, at: Timestamp, rule: Rule, from: Place?, to: Place?, runnerUp: Place?,
        prior: Double, runnerUpPrior: Double, probability: Double, runnerUpProbability: Double,
        spotWeight: Double, model: Int64?, readings: [Reading]
    ) {
        self.user = user
        self.at = at
        self.rule = rule
        self.from = from
        self.to = to
        self.runnerUp = runnerUp
        self.prior = prior
        self.runnerUpPrior = runnerUpPrior
        self.probability = probability
        self.runnerUpProbability = runnerUpProbability
        self.spotWeight = spotWeight
        self.model = model
        self.readings = readings
    }
}

extension Reasons {
    /// The most readings that are kept of a decision: those that tell the two places apart best, in that
    /// order.
    package static let mostReadings = 16
    /// How long reasons are kept. A user who has not moved for this long has none.
    package static let life = Timestamp.Span.seconds(14 * 86_400)

    /// The same as it is stored and told: in figures that mean something, of a size that is bounded,
    /// and without what no JSON text carries. Levels go to tenths of a dBm, logarithms to hundredths,
    /// probabilities to thousandths.
    package var kept: Reasons {
        var kept = self
        kept.prior = Self.share(prior)
        kept.runnerUpPrior = Self.share(runnerUpPrior)
        kept.probability = Self.share(probability)
        kept.runnerUpProbability = Self.share(runnerUpProbability)
        kept.spotWeight = Self.share(spotWeight)
        kept.readings = readings.map(\.kept)
        kept.readings = Array(kept.ranked.prefix(Self.mostReadings))
        return kept
    }

    /// The readings by how well they tell the two places apart, the best first.
    package var ranked: [Reading] {
        // Of equal ones the first: sorting by weight alone is not stable.
        readings.enumerated().sorted {
            (-abs($0.element.difference), $0.offset) < (-abs($1.element.difference), $1.offset)
        }.map(\.element)
    }

    private static func share(_ value: Double) -> Double {
        value.rounded(toParts: 1000, in: 0...1)
    }
}

extension Reasons.Reading {
    /// How much likelier it makes the new place than the runner-up, as a logarithm.
    package var difference: Double { support - against }

    fileprivate var kept: Self {
        Self(
            ear: ear, device: device,
            level: level.map { RSSI(dBm: $0.dBm.rounded(toParts: 10, in: -127...20)) },
            age: min(max(age, .seconds(0)), .seconds(3600)),
            expected: expected.map { $0.rounded(toParts: 10, in: -127...20) },
            expectedAtRunnerUp: expectedAtRunnerUp.map {
                $0.rounded(toParts: 10, in: -127...20)
            },
            support: support.rounded(toParts: 100, in: -1000...1000),
            against: against.rounded(toParts: 100, in: -1000...1000))
    }
}

extension Double {
    /// Rounded to a fraction of one and limited to a range; what is no number becomes the limit
    /// nearest to 0.
    fileprivate func rounded(toParts parts: Double, in range: ClosedRange<Double>) -> Double {
        let value = isNaN ? 0 : self
        let drawn = Swift.min(Swift.max(value, range.lowerBound), range.upperBound)
        // The sum makes −0 a plain 0.
        return (drawn * parts).rounded() / parts + 0
    }
}

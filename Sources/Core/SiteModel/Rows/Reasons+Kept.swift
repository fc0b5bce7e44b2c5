extension Reasons {
    /// The most readings that are kept of a decision: those that tell the two places apart best.
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
        guard kept.readings.count > Self.mostReadings else { return kept }
        // Of equal ones the first: sorting by weight alone is not stable.
        let weighed = kept.readings.enumerated().sorted {
            (-$0.element.weight, $0.offset) < (-$1.element.weight, $1.offset)
        }
        let best = weighed.prefix(Self.mostReadings).map(\.offset).sorted()
        kept.readings = best.map { kept.readings[$0] }
        return kept
    }

    private static func share(_ value: Double) -> Double {
        value.rounded(toParts: 1000, in: 0...1)
    }
}

extension Reasons.Reading {
    /// How well it tells the two places apart.
    fileprivate var weight: Double { abs(support - against) }

    fileprivate var kept: Self {
        Self(
            ear: ear, device: device,
            level: level.map { RSSI(dBm: $0.dBm.rounded(toParts: 10, in: -127...20)) },
            age: min(max(age, .seconds(0)), .seconds(3600)),
            expected: expected.map { $0.rounded(toParts: 10, in: -127...20) },
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

import Foundation

extension ZoneScore {
    /// Stated probabilities of one tenth, and what was observed.
    struct Reliability: Equatable, Sendable {
        /// The mean of what was stated.
        var stated: Double
        /// The share of right seconds among these.
        var observed: Double
        /// How many.
        var seconds: Int
    }

    private static let bins = 10
    /// From this probability on machines act.
    private static let certain = 0.9

    package var accuracy: Double { Self.share(right, of: seconds) }

    /// The same, without the first seconds after each change.
    var settledAccuracy: Double { Self.share(settledRight, of: settledSeconds) }

    /// The share of seconds in which any zone was said.
    package var coverage: Double { Self.share(decided, of: seconds) }

    /// Said changes for each true one; 1 is ideal.
    package var flaps: Double { Self.share(saidChanges, of: trueChanges) }

    /// Changes to a wrong zone in an hour.
    var wrongChangesAnHour: Double {
        seconds > 0 ? Double(wrongChanges) / (Double(seconds) / 3600) : 0
    }

    /// The mean over the zones of the truth of how well each is told from the others, 0 ... 1.
    var macroF1: Double {
        let zones = Set(hits.keys).union(misses.keys).sorted()
        guard !zones.isEmpty else { return 0 }
        let each = zones.map { zone in
            let (hit, over, miss) = (hits[zone] ?? 0, excess[zone] ?? 0, misses[zone] ?? 0)
            return Self.share(2 * hit, of: 2 * hit + over + miss)
        }
        return each.reduce(0, +) / Double(zones.count)
    }

    /// The share of visits that were noticed at all.
    package var found: Double { Self.share(latencies.count { $0.isFinite }, of: latencies.count) }

    /// The median latency in seconds, infinite if half of the visits were missed.
    package var latency: Double { Self.quantile(latencies, 0.5) }

    /// The latency not exceeded by 95 of 100.
    package var latency95: Double { Self.quantile(latencies, 0.95) }

    /// The median of the seconds until answers stay right.
    package var settling: Double { Self.quantile(settlings, 0.5) }

    /// The same, not exceeded by 95 of 100.
    var settling95: Double { Self.quantile(settlings, 0.95) }

    /// The mean square between what was stated and what was so, or `nil` if nothing was stated.
    var brier: Double? {
        guard !claims.isEmpty else { return nil }
        let sum = claims.reduce(0) { $0 + pow($1.stated - ($1.isRight ? 1 : 0), 2) }
        return sum / Double(claims.count)
    }

    /// How far what is stated is from what is observed, in the mean over ten bins.
    package var calibrationError: Double? {
        guard !claims.isEmpty else { return nil }
        return reliability.reduce(0) {
            $0 + abs($1.stated - $1.observed) * Double($1.seconds) / Double(claims.count)
        }
    }

    /// The share of stated seconds in which machines may act, and how many of these were right.
    var certain: (share: Double, accuracy: Double)? {
        guard !claims.isEmpty else { return nil }
        let certain = claims.filter { $0.stated >= Self.certain }
        return (
            Self.share(certain.count, of: claims.count),
            Self.share(certain.count { $0.isRight }, of: certain.count)
        )
    }

    /// By tenth of the stated probability, without empty tenths.
    var reliability: [Reliability] {
        var bins: [[Claim]] = (0..<Self.bins).map { _ in [] }
        for claim in claims {
            bins[min(Int(claim.stated * Double(Self.bins)), Self.bins - 1)].append(claim)
        }
        return bins.filter { !$0.isEmpty }.map { bin in
            Reliability(
                stated: bin.reduce(0) { $0 + $1.stated } / Double(bin.count),
                observed: Self.share(bin.count { $0.isRight }, of: bin.count), seconds: bin.count)
        }
    }

    /// Between two values in proportion, infinite as soon as the upper one is.
    private static func quantile(_ values: [Double], _ share: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let place = share * Double(sorted.count - 1)
        let index = Int(place)
        let rest = place - Double(index)
        guard rest >= 1e-9, index + 1 < sorted.count else { return sorted[index] }
        guard sorted[index + 1].isFinite else { return .infinity }
        return sorted[index] + (sorted[index + 1] - sorted[index]) * rest
    }

    private static func share(_ part: Int, of whole: Int) -> Double {
        whole > 0 ? Double(part) / Double(whole) : 0
    }
}

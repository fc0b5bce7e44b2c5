import Basics
import NodeEngine
import Positioning
import SiteModel

/// A way of making one level a second out of the readings of one link.
protocol LevelRule: Sendable {
    /// A reading arrived.
    mutating func heard(_ level: RSSI, at moment: Timestamp)
    /// The level at the end of a second in which something was heard.
    mutating func endSecond() -> RSSI?
}

/// A rule and what the locator does with its levels.
struct NamedRule: Sendable {
    let name: String
    /// The time constant of the locator's own mean, in seconds; 0 for none.
    let mean: Double
    /// A rule that has heard nothing.
    let rule: any LevelRule

    /// All rules compared. None of their constants was fitted to the recordings: each steadies over
    /// about two seconds, and Kalman is there with a brisk and a slow walk.
    static let all: [NamedRule] = {
        let frames: [(String, Summary)] = [
            ("median", .median), ("trimmed", .trimmedMean), ("mean", .mean), ("maximum", .maximum),
        ]
        let steadied: [(String, any LevelRule)] = [
            ("smoother", SmootherRule()),
            ("Kalman 4 dB²/s", KalmanRule(walk: 4)),
            ("Kalman 1 dB²/s", KalmanRule(walk: 1)),
            ("mean 2 s", ExponentialRule(timeConstant: 2)),
            ("median 2 s", WindowRule(.median)),
            ("trimmed 2 s", WindowRule(.trimmedMean)),
            ("median, mean 2 s", RestartingRule()),
        ]
        return frames.map {
            NamedRule(name: "frame \($0.0)", mean: Locating.timeConstant, rule: FrameRule($0.1))
        }
            + steadied.map { NamedRule(name: $0.0, mean: 0, rule: $0.1) }
            + steadied.map {
                NamedRule(name: "\($0.0), fused", mean: Locating.timeConstant, rule: $0.1)
            }
    }()
}

/// One number for several readings.
package enum Summary: Sendable {
    case median, mean, maximum, trimmedMean

    /// Of at least one level.
    package func value(of levels: [Double]) -> Double {
        let sorted = levels.sorted()
        switch self {
        case .median: return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        case .maximum: return sorted[sorted.count - 1]
        case .mean: return sorted.reduce(0, +) / Double(sorted.count)
        case .trimmedMean:
            // A fifth off each end; of three or four readings one, of two or one none.
            let cut = sorted.count < 3 ? 0 : max(1, sorted.count / 5)
            let kept = sorted[cut..<sorted.count - cut]
            return kept.reduce(0, +) / Double(kept.count)
        }
    }
}

/// What a frame says: a number for the readings of the second alone. The median is the node's own.
struct FrameRule: LevelRule {
    private let summary: Summary
    private var second = SecondOfLevels()
    private var levels: [Double] = []

    init(_ summary: Summary) { self.summary = summary }

    mutating func heard(_ level: RSSI, at moment: Timestamp) {
        guard Smoother.possible.contains(level.dBm) else { return }
        second.heard(level)
        levels.append(level.dBm)
    }

    mutating func endSecond() -> RSSI? {
        guard !levels.isEmpty else { return nil }
        defer {
            second.clear()
            levels.removeAll(keepingCapacity: true)
        }
        switch summary {
        case .median: return second.median
        case .maximum: return second.strongest
        case .mean, .trimmedMean: return RSSI(dBm: summary.value(of: levels))
        }
    }
}

/// The node's own smoother, as `rssi/{b}` tells it.
struct SmootherRule: LevelRule {
    private var smoother = Smoother()

    mutating func heard(_ level: RSSI, at moment: Timestamp) { smoother.heard(level, at: moment) }

    mutating func endSecond() -> RSSI? { smoother.level }
}

/// A number for the readings of the last two seconds, at least the last five.
struct WindowRule: LevelRule {
    private let summary: Summary
    private var window: [(level: Double, at: Timestamp)] = []

    init(_ summary: Summary) { self.summary = summary }

    mutating func heard(_ level: RSSI, at moment: Timestamp) {
        guard Smoother.possible.contains(level.dBm) else { return }
        window.append((level.dBm, moment))
        while let first = window.first,
            moment - first.at > .seconds(10)
                || (moment - first.at > .seconds(2) && window.count > 5)
        {
            window.removeFirst()
        }
    }

    mutating func endSecond() -> RSSI? {
        window.isEmpty ? nil : RSSI(dBm: summary.value(of: window.map(\.level)))
    }
}

/// An exponential mean by elapsed time.
struct ExponentialRule: LevelRule {
    private let timeConstant: Double
    private var mean: (level: Double, at: Timestamp)?

    init(timeConstant: Double) { self.timeConstant = timeConstant }

    mutating func heard(_ level: RSSI, at moment: Timestamp) {
        guard Smoother.possible.contains(level.dBm) else { return }
        guard let old = mean, moment - old.at <= .seconds(10) else {
            mean = (level.dBm, moment)
            return
        }
        // Two readings at one moment would leave the second without weight.
        let elapsed = max((moment - old.at).seconds, 0.02)
        let weight = 1 - Exponential.exp(-elapsed / timeConstant)
        mean = (old.level + weight * (level.dBm - old.level), moment)
    }

    mutating func endSecond() -> RSSI? { mean.map { RSSI(dBm: $0.level) } }
}

/// A Kalman filter of one dimension: the level walks at random, readings have a deviation of 5 dB.
struct KalmanRule: LevelRule {
    private static let noise = 25.0

    private let walk: Double
    private var state: (level: Double, variance: Double, at: Timestamp)?

    /// `walk` is by how much the level's variance grows, in dB² a second.
    init(walk: Double) { self.walk = walk }

    mutating func heard(_ level: RSSI, at moment: Timestamp) {
        guard Smoother.possible.contains(level.dBm) else { return }
        guard let old = state else {
            state = (level.dBm, Self.noise, moment)
            return
        }
        let expected = old.variance + walk * max((moment - old.at).seconds, 0)
        let gain = expected / (expected + Self.noise)
        state = (old.level + gain * (level.dBm - old.level), (1 - gain) * expected, moment)
    }

    mutating func endSecond() -> RSSI? { state.map { RSSI(dBm: $0.level) } }
}

/// The median of a window under an exponential mean of two seconds that starts over where the
/// median moved by more than 8 dB.
struct RestartingRule: LevelRule {
    private static let timeConstant = 2.0
    private static let step = 8.0

    private var window = WindowRule(.median)
    private var mean: (level: Double, at: Timestamp)?

    mutating func heard(_ level: RSSI, at moment: Timestamp) {
        window.heard(level, at: moment)
        guard let median = window.endSecond()?.dBm else { return }
        guard let old = mean, abs(median - old.level) <= Self.step else {
            mean = (median, moment)
            return
        }
        let weight = 1 - Exponential.exp(-max((moment - old.at).seconds, 0) / Self.timeConstant)
        mean = (old.level + weight * (median - old.level), moment)
    }

    mutating func endSecond() -> RSSI? { mean.map { RSSI(dBm: $0.level) } }
}

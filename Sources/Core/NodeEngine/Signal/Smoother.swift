import SiteModel

/// The smoothed level of one transmitter, for the topic `rssi`.
///
/// A Kalman filter of one dimension: the level walks at random while time passes, and readings
/// scatter about it, so that a reading weighs more the longer ago the last one was. A reading too
/// far off to be scatter is held back. If the next ones are as far off on the same side for a
/// second, the transmitter has moved, and the filter starts over at their mean; else they were
/// wrong, as single ones are (+42 dBm were seen). So it can be late by a second, never for good.
///
/// Chosen by scores on recordings: `DESIGN.md`, “Smoothing, chosen by evidence”. Memory is constant.
package struct Smoother: Sendable {
    /// Readings outside this range come from no radio and are ignored, in dBm.
    package static let possible = -120.0...20.0
    /// The variance of readings of a transmitter at rest, in dB²: a deviation of 5 dB.
    package static let noise = 25.0
    /// By how much the level's variance grows, in dB² a second: somebody who walks changes it by
    /// some 2 dB in a second.
    package static let walk = 4.0
    /// The standard deviations beyond which a level is an outlier or a step, not noise.
    package static let gate = 2.5
    /// How long readings must agree that the level is elsewhere.
    package static let patience = Timestamp.Span.seconds(1)
    /// The silence after which earlier levels are forgotten.
    package static let memory = Timestamp.Span.seconds(15)

    /// Readings held back, all on one side of the level.
    private struct Strays: Sendable {
        var sum: Double
        var count: Int
        var since: Timestamp
        var isAbove: Bool
    }

    private var mean = 0.0
    /// Of the mean, in dB²; `nil` before the first reading.
    private var variance: Double?
    private var heardAt = Timestamp(milliseconds: 0)
    private var strays: Strays?
    private var last = 0.0

    /// Readings since the last `beginCount`.
    package private(set) var count = 0
    private var countedMean = 0.0
    private var squares = 0.0

    package init() {}

    /// The steadied level, or `nil` if nothing was heard.
    package var level: RSSI? { variance == nil ? nil : RSSI(dBm: mean) }

    /// The last reading, or `nil` if nothing was heard.
    package var newest: RSSI? { variance == nil ? nil : RSSI(dBm: last) }

    /// The standard deviation of the readings since the last `beginCount`, in dB; 0 of a single one.
    package var spread: Double { count > 1 ? (squares / Double(count - 1)).squareRoot() : 0 }

    /// Begins to count, and to measure the spread, anew.
    package mutating func beginCount() {
        count = 0
        countedMean = 0
        squares = 0
    }

    /// A reading arrived. A moment before the last reading's counts as that one's.
    package mutating func heard(_ reading: RSSI, at moment: Timestamp) {
        let level = reading.dBm
        guard Self.possible.contains(level) else { return }
        note(level)
        let now = max(moment, heardAt)
        defer { heardAt = now }
        guard let before = variance, now - heardAt <= Self.memory else {
            begin(at: level, variance: Self.noise)
            return
        }
        let expected = before + Self.walk * (now - heardAt).seconds
        let difference = level - mean
        let scatter = expected + Self.noise
        guard difference * difference <= Self.gate * Self.gate * scatter else {
            variance = expected
            hold(level, at: now)
            return
        }
        strays = nil
        let gain = expected / scatter
        mean += gain * difference
        variance = (1 - gain) * expected
    }

    private mutating func begin(at level: Double, variance: Double) {
        mean = level
        self.variance = variance
        strays = nil
    }

    /// Keeps a reading that is far off, and starts over when enough of them agree.
    private mutating func hold(_ level: Double, at now: Timestamp) {
        let isAbove = level > mean
        guard var held = strays, held.isAbove == isAbove else {
            strays = Strays(sum: level, count: 1, since: now, isAbove: isAbove)
            return
        }
        held.sum += level
        held.count += 1
        strays = held
        guard now - held.since >= Self.patience else { return }
        begin(at: held.sum / Double(held.count), variance: Self.noise / Double(held.count))
    }

    /// Counts a reading; the sums are those of Welford (1962), which lose no digits.
    private mutating func note(_ level: Double) {
        last = level
        count += 1
        let difference = level - countedMean
        countedMean += difference / Double(count)
        squares += difference * (level - countedMean)
    }
}

/// The levels of one transmitter within one second: what a frame says about it.
package struct SecondOfLevels: Sendable {
    /// Levels kept for the median; of a transmitter that sends more often, the newest.
    private static let capacity = 64

    private var levels = InlineArray<64, Int8>(repeating: 0)
    /// Readings so far.
    package private(set) var count = 0
    private var greatest = Int8.min

    package init() {}

    /// A reading arrived, in whole dBm as radios report it.
    package mutating func heard(_ reading: RSSI) {
        let level = Int8(max(-128, min(127, reading.dBm.rounded())))
        levels[count % Self.capacity] = level
        greatest = max(greatest, level)
        count += 1
    }

    /// The strongest reading; meaningless before the first.
    package var strongest: RSSI { RSSI(dBm: Double(greatest)) }

    /// The median reading, of an even number the mean of the middle two; meaningless before the
    /// first.
    package var median: RSSI {
        let kept = min(count, Self.capacity)
        guard kept > 0 else { return strongest }
        let sorted = (0..<kept).map { Double(levels[$0]) }.sorted()
        return RSSI(dBm: (sorted[(kept - 1) / 2] + sorted[kept / 2]) / 2)
    }

    /// Begins the next second.
    package mutating func clear() {
        count = 0
        greatest = Int8.min
    }
}

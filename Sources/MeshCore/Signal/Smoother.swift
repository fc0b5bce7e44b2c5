/// The level of one transmitter, steadied.
///
/// Each reading gives the median of a short window, and an exponential mean follows these medians
/// by elapsed time. Single readings, however wrong (+42 dBm were seen), stay on the edge of the
/// window and hardly count. When the median itself has moved by more than `step`, most of the
/// window agrees that the transmitter has moved, and the mean starts over there: it can be fooled
/// for a few readings, never for good.
///
/// The window holds the readings of the last two seconds, at most the newest sixteen; of a slow
/// transmitter the last five, if not older than ten seconds. Memory is constant.
public struct Smoother: Sendable {
    /// Readings outside this range come from no radio and are ignored, in dBm.
    public static let possible = -120.0...20.0
    /// The time constant of the mean.
    static let timeConstant = Timestamp.Span.seconds(2)
    /// A difference between median and mean that is a move and no noise, in dB.
    static let step = 8.0

    private static let capacity = 16
    private static let span = Timestamp.Span.seconds(2)
    private static let fewest = 5
    private static let memory = Timestamp.Span.seconds(10)

    private struct Sample: Sendable {
        var level: Double
        var at: Timestamp
    }

    private var samples = InlineArray<16, Sample>(
        repeating: Sample(level: 0, at: Timestamp(milliseconds: 0)))
    /// Where the next sample goes.
    private var next = 0
    /// Samples in the window, the newest before `next`.
    public private(set) var count = 0
    private var mean = 0.0

    /// Nothing heard yet.
    public init() {}

    /// The steadied level, or `nil` if nothing was heard.
    public var level: RSSI? { count == 0 ? nil : RSSI(dBm: mean) }

    /// The last reading, or `nil` if nothing was heard.
    public var newest: RSSI? { count == 0 ? nil : RSSI(dBm: sample(0).level) }

    /// The standard deviation of the readings in the window, in dB; 0 of a single one.
    public var spread: Double {
        guard count > 1 else { return 0 }
        var sum = 0.0
        for age in 0..<count { sum += sample(age).level }
        let average = sum / Double(count)
        var squares = 0.0
        for age in 0..<count {
            let difference = sample(age).level - average
            squares += difference * difference
        }
        return (squares / Double(count - 1)).squareRoot()
    }

    /// A reading arrived. A moment before the last reading's counts as that one's.
    public mutating func heard(_ reading: RSSI, at moment: Timestamp) {
        guard Self.possible.contains(reading.dBm) else { return }
        let last: Timestamp? = count == 0 ? nil : sample(0).at
        let now = max(moment, last ?? moment)
        samples[next] = Sample(level: reading.dBm, at: now)
        next = (next + 1) % Self.capacity
        count = min(count + 1, Self.capacity)
        shorten(at: now)

        let median = median
        guard let last, count > 1, abs(median - mean) <= Self.step else {
            mean = median
            return
        }
        let elapsed = (now - last).seconds / Self.timeConstant.seconds
        mean += (median - mean) * (1 - Exponential.exp(-elapsed))
    }

    /// The sample `age` readings before the newest.
    private func sample(_ age: Int) -> Sample {
        samples[(next + Self.capacity - 1 - age) % Self.capacity]
    }

    private mutating func shorten(at now: Timestamp) {
        while count > 1 {
            let age = now - sample(count - 1).at
            guard age > Self.memory || (age > Self.span && count > Self.fewest) else { return }
            count -= 1
        }
    }

    /// The middle reading, of an even number the weaker of the two: their mean would be a level
    /// nobody sent while the transmitter moves from one to another.
    private var median: Double {
        var sorted = InlineArray<16, Double>(repeating: 0)
        for age in 0..<count {
            let level = sample(age).level
            var place = age
            while place > 0, sorted[place - 1] > level {
                sorted[place] = sorted[place - 1]
                place -= 1
            }
            sorted[place] = level
        }
        return sorted[(count - 1) / 2]
    }
}

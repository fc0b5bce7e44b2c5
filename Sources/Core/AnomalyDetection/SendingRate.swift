import SiteModel

/// How often a node hears one beacon when it is near: learnt, and compared with what comes later.
///
/// A transmitter sends at a steady rate, and a node can hear no more than is sent. So the rate in a
/// stretch in which the beacon was loud says how many transmitters there are; losses only make it
/// less. The greatest of the first stretches is what is usual; twice as much is a second
/// transmitter (more than 1.6 times the learnt rate).
///
/// It is learnt for each node, because receivers share their time differently, and only where the
/// beacon is loud, so that losses do not teach a low rate. Tags that send more often while they move
/// teach that on the way in.
struct SendingRate: Sendable {
    /// The seconds of a stretch.
    static let stretch: Int64 = 30
    /// A mean level from which nearly every packet is heard.
    static let loud = RSSI(dBm: -75)
    /// The number of loud stretches to learn from before anything is doubted: ten minutes.
    static let lessons = 20
    /// The multiple of its usual rate at which a beacon is doubted.
    static let excess = 1.6
    /// For how many stretches in a row it must send too fast.
    static let confirmations = 2
    /// Packets a second by which it must be more besides: of a slow tag one packet more is nothing.
    private static let least = 0.2
    /// What is usual creeps up by this much a stretch at most.
    private static let creep = 1.1

    private var from: Int64 = 0
    private var packets = 0
    private var levels = 0.0
    /// Packets a second.
    private(set) var usual = 0.0
    private var learnt = 0
    private var excesses = 0

    /// What a stretch that has ended says.
    struct Verdict: Equatable, Sendable {
        /// How many times the usual rate.
        var ratio: Double
        /// Whether it is doubted by itself.
        var isExcess: Bool
    }

    /// Heard in a second. Returns what the last stretch says, if this one begins another, and that
    /// one was loud and enough was learnt before.
    mutating func heard(_ level: RSSI, count: Int, in second: Int64) -> Verdict? {
        var verdict: Verdict?
        if second >= from + Self.stretch {
            verdict = close()
            from = second
            packets = 0
            levels = 0
        }
        // Of a late frame there is nothing to learn.
        guard second >= from else { return nil }
        packets += count
        levels += level.dBm * Double(count)
        return verdict
    }

    /// What seemed too much is usual: every beacon is heard more often at this node.
    mutating func accept(_ ratio: Double) {
        usual *= ratio
        excesses = 0
    }

    private mutating func close() -> Verdict? {
        guard packets > 0, levels / Double(packets) >= Self.loud.dBm else { return nil }
        let rate = Double(packets) / Double(Self.stretch)
        guard learnt >= Self.lessons else {
            learnt += 1
            usual = max(usual, rate)
            return nil
        }
        let ratio = rate / usual
        guard ratio > Self.excess, rate - usual >= Self.least else {
            excesses = 0
            usual = max(usual, min(rate, usual * Self.creep))
            return Verdict(ratio: ratio, isExcess: false)
        }
        excesses += 1
        return Verdict(ratio: ratio, isExcess: excesses >= Self.confirmations)
    }
}

/// How the rates of several beacons at one node compare with the usual ones: when all rise, it is the
/// node that hears better, and nobody is doubted.
struct NodeRates: Sendable {
    private static let kept = 8
    /// What was said longer ago does not count, in seconds.
    private static let memory: Int64 = 120
    /// From this mean ratio of the others on the node has changed.
    private static let lift = 1.3

    private var newest: [(beacon: Int, ratio: Double, second: Int64)] = []

    /// A stretch of a beacon has ended.
    mutating func add(_ ratio: Double, of beacon: Int, at second: Int64) {
        if newest.count == Self.kept { newest.removeFirst() }
        newest.append((beacon, ratio, second))
    }

    /// Whether the other beacons have risen, too.
    func haveRisen(without beacon: Int, at second: Int64) -> Bool {
        var (sum, count) = (0.0, 0)
        for entry in newest where entry.beacon != beacon && second - entry.second <= Self.memory {
            sum += entry.ratio
            count += 1
        }
        return count > 0 && sum > Self.lift * Double(count)
    }
}

/// What one node heard of one beacon in each of the last 16 seconds. Of constant size.
package struct HeardSeconds: Sendable {
    /// What was heard in a stretch of seconds.
    package struct Sum: Equatable, Sendable {
        /// The number of packets.
        package var count: Int
        /// The mean of the seconds' levels, weighted by their packets, in dBm.
        package var level: Double

        package init(count: Int, level: Double) {
            self.count = count
            self.level = level
        }
    }

    private static let kept: Int64 = 16

    /// The newest second in which it was heard; 0 if it never was.
    package private(set) var newest: Int64 = 0
    private var counts = InlineArray<16, UInt8>(repeating: 0)
    private var levels = InlineArray<16, Int8>(repeating: 0)

    /// Heard in a second. `false` if that second was told before, or is too long ago to matter: a
    /// frame that arrives twice must not count twice.
    package mutating func heard(_ level: RSSI, count: Int, in second: Int64) -> Bool {
        if second > newest {
            for passed in 0..<min(second - newest, Self.kept) {
                counts[Self.slot(second - passed)] = 0
            }
            newest = second
        } else if newest - second >= Self.kept || counts[Self.slot(second)] > 0 {
            return false
        }
        counts[Self.slot(second)] = UInt8(clamping: count)
        levels[Self.slot(second)] = Int8(max(-128, min(127, level.dBm.rounded())))
        return true
    }

    /// What was heard in the `seconds` seconds that end with `second`; `nil` if nothing was.
    package func sum(of seconds: Int64, endingWith second: Int64) -> Sum? {
        guard newest > second - seconds, newest - second < Self.kept - seconds else { return nil }
        var (count, levels) = (0, 0)
        for back in 0..<seconds where second - back <= newest {
            let slot = Self.slot(second - back)
            count += Int(counts[slot])
            levels += Int(counts[slot]) * Int(self.levels[slot])
        }
        return count > 0 ? Sum(count: count, level: Double(levels) / Double(count)) : nil
    }

    private static func slot(_ second: Int64) -> Int { Int(truncatingIfNeeded: second & 15) }
}

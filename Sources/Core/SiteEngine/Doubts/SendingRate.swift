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

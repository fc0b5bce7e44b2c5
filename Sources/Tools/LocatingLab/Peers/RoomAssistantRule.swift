import SiteModel

/// What `presence.md` 3.1 and 3.3 tell of room-assistant: a Kalman filter of one dimension for each
/// receiver, stepped by the reading and not by the second, and the smallest distance of the last
/// 60 s without any hysteresis.
struct RoomAssistantRule: ZoneRule {
    private static let process = 0.008
    private static let measurement = 4.0
    private static let life = 60.0
    /// The level at one metre, in dBm.
    private static let power = -59.0

    private let zoneOfReceiver: [Int]
    private var links: [(level: Double, variance: Double, at: Double)?]

    init(zoneOfReceiver: [Int]) {
        self.zoneOfReceiver = zoneOfReceiver
        links = zoneOfReceiver.map { _ in nil }
    }

    mutating func heard(receiver: Int, level: Double, at: Double) {
        guard level.isFinite else { return }
        guard let old = links[receiver] else {
            // The first reading is believed as far as one measurement is.
            links[receiver] = (level, Self.measurement, at)
            return
        }
        let expected = old.variance + Self.process
        let gain = expected / (expected + Self.measurement)
        links[receiver] = (old.level + gain * (level - old.level), (1 - gain) * expected, at)
    }

    mutating func zone(at now: Double) -> (zone: Int, confidence: Double?)? {
        var best: (receiver: Int, metres: Double)?
        for (receiver, link) in links.enumerated() {
            guard let link, now - link.at <= Self.life else { continue }
            let metres = Self.distance(link.level)
            if let best, metres >= best.metres { continue }
            best = (receiver, metres)
        }
        return best.map { (zoneOfReceiver[$0.receiver], nil) }
    }

    /// In metres, to the nearest tenth.
    static func distance(_ level: Double) -> Double {
        let ratio = level / power
        guard ratio > 0 else { return 0 }
        let logarithm = Exponential.ln(ratio)
        let metres =
            ratio < 1
            ? Exponential.exp(10 * logarithm)
            : 0.89976 * Exponential.exp(7.7095 * logarithm) + 0.111
        return (metres * 10).rounded() / 10
    }
}

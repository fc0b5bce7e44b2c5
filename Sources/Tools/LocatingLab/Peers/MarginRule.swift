import SiteModel

/// The zone of the receiver with the strongest exponential mean; another one must be 5 dB stronger.
///
/// The time constant of 4 s is the best of a plain mean in the comparison of `locating.md` 4, the
/// margin that of `presence.md` 3.8. A receiver that was silent for 10 s is forgotten.
struct MarginRule: ZoneRule {
    private static let timeConstant = 4.0
    private static let margin = 5.0
    private static let life = 10.0

    private let zoneOfReceiver: [Int]
    private var means: [(level: Double, at: Double)?]
    private var chosen: Int?

    init(zoneOfReceiver: [Int]) {
        self.zoneOfReceiver = zoneOfReceiver
        means = zoneOfReceiver.map { _ in nil }
    }

    mutating func heard(receiver: Int, level: Double, at: Double) {
        guard level.isFinite else { return }
        guard let old = means[receiver], at - old.at <= Self.life else {
            means[receiver] = (level, at)
            return
        }
        let weight = 1 - Exponential.exp(-max(at - old.at, 0) / Self.timeConstant)
        means[receiver] = (old.level + weight * (level - old.level), at)
    }

    mutating func zone(at now: Double) -> (zone: Int, confidence: Double?)? {
        var best: (receiver: Int, level: Double)?
        for receiver in means.indices {
            guard let level = level(of: receiver, at: now) else { continue }
            if let best, level <= best.level { continue }
            best = (receiver, level)
        }
        guard let best else {
            chosen = nil
            return nil
        }
        if let old = chosen.flatMap({ level(of: $0, at: now) }), best.level - old < Self.margin {
            return chosen.map { (zoneOfReceiver[$0], nil) }
        }
        chosen = best.receiver
        return (zoneOfReceiver[best.receiver], nil)
    }

    private func level(of receiver: Int, at now: Double) -> Double? {
        guard let mean = means[receiver], now - mean.at <= Self.life else { return nil }
        return mean.level
    }
}

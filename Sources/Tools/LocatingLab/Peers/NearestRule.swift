/// The zone of the receiver whose latest reading is the strongest, if it is at most 10 s old.
struct NearestRule: ZoneRule {
    private static let life = 10.0

    private let zoneOfReceiver: [Int]
    private var latest: [(level: Double, at: Double)?]

    init(zoneOfReceiver: [Int]) {
        self.zoneOfReceiver = zoneOfReceiver
        latest = zoneOfReceiver.map { _ in nil }
    }

    mutating func heard(receiver: Int, level: Double, at: Double) {
        guard level.isFinite else { return }
        latest[receiver] = (level, at)
    }

    mutating func zone(at now: Double) -> (zone: Int, confidence: Double?)? {
        var best: (receiver: Int, level: Double)?
        for (receiver, reading) in latest.enumerated() {
            guard let reading, now - reading.at <= Self.life else { continue }
            if let best, reading.level <= best.level { continue }
            best = (receiver, reading.level)
        }
        return best.map { (zoneOfReceiver[$0.receiver], nil) }
    }
}

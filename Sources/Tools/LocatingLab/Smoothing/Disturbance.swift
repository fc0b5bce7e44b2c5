import Basics

/// What is done to a recording before it is located: rules must serve in worse air, too.
enum Disturbance: String, CaseIterable, Sendable {
    /// Nothing.
    case recorded = "as recorded"
    /// Thinned to two readings a second and receiver, as of a tag that sends less often.
    case two = "2/s"
    /// Thinned to one in two seconds.
    case half = "0.5/s"
    /// One reading of twenty is 20 dB too strong.
    case spikes = "spikes"
    /// Each link is 20 dB too weak for a tenth of the time, 0.3 s to 1.5 s at once.
    case fades = "fades"
    /// Two readings a second, spikes and fades.
    case all = "2/s, spikes, fades"

    /// Readings below this no receiver has, in dBm.
    private static let floor = -100.0
    private static let strength = 20.0
    private static let spikeShare = 0.05
    private static let fadeLength = 0.3...1.5
    /// The mean pause between fades that makes them a tenth of the time.
    private static let pause = 0.0...16.2

    /// How often it is drawn anew; what is left to chance is scored together.
    var draws: UInt64 { self == .recorded ? 1 : 3 }

    /// The readings as they would have been.
    func applied(
        to sequence: RecordedSequence, seed: UInt64
    ) -> [RecordedReadings.Reading] {
        var random = SeededRandom(seed: seed, stream: 70)
        var readings = sequence.readings
        if let rate { Self.thin(&readings, to: rate, &random) }
        if self == .spikes || self == .all {
            for index in readings.indices where random.chance(Self.spikeShare) {
                readings[index].level += Self.strength
            }
        }
        if self == .fades || self == .all { Self.fade(&readings, &random) }
        return readings
    }

    private var rate: Double? {
        switch self {
        case .two, .all: 2
        case .half: 0.5
        case .recorded, .spikes, .fades: nil
        }
    }

    /// Drops readings by chance, so that a receiver that heard at full rate keeps `rate` a second.
    private static func thin(
        _ readings: inout [RecordedReadings.Reading], to rate: Double, _ random: inout SeededRandom
    ) {
        guard let last = readings.last, last.at > 0 else { return }
        // The rate of the receiver that heard most: the others lost some already.
        let most = counts(readings).max() ?? 0
        let share = rate * last.at / Double(most)
        guard share < 1 else { return }
        readings = readings.filter { _ in random.chance(share) }
    }

    private static func counts(_ readings: [RecordedReadings.Reading]) -> [Int] {
        var counts: [Int] = []
        for reading in readings {
            let receiver = Int(reading.receiver)
            while counts.count <= receiver { counts.append(0) }
            counts[receiver] += 1
        }
        return counts
    }

    private static func fade(
        _ readings: inout [RecordedReadings.Reading], _ random: inout SeededRandom
    ) {
        var ends: [Int: (start: Double, end: Double)] = [:]
        for index in readings.indices {
            let link = Int(readings[index].receiver) << 32 | Int(readings[index].transmitter)
            let now = readings[index].at
            var fade = ends[link] ?? next(after: now, &random)
            while fade.end <= now { fade = next(after: fade.end, &random) }
            ends[link] = fade
            if now >= fade.start { readings[index].level -= strength }
        }
        readings.removeAll { $0.level < floor }
    }

    private static func next(
        after moment: Double, _ random: inout SeededRandom
    ) -> (start: Double, end: Double) {
        let start = moment + random.number(in: pause)
        return (start, start + random.number(in: fadeLength))
    }
}

import MeshSim

/// How well answers match the simulated truth, second by second, as `zonescore` counts it.
struct ScenarioScore: Sendable {
    /// A zone, and its probability if the method has one.
    typealias Answer = (zone: Int, confidence: Double?)

    private static let bins = 10

    private var zones = ZoneScore()
    /// By tenth of the probability stated: seconds, their right ones, the sum stated.
    private var stated: [(seconds: Int, right: Int, sum: Double)] = Array(
        repeating: (0, 0, 0), count: Self.bins)

    /// The share of right seconds.
    var accuracy: Double { zones.accuracy }
    /// Changes said for each true one.
    var flaps: Double { zones.flaps }
    /// The median of the seconds from a change to the first right answer; infinite if half of the
    /// visits were missed.
    var latency: Double { zones.latency }

    /// The seconds from a change to the right answer that 95 % of visits do not exceed.
    var slowest: Double {
        guard !zones.latencies.isEmpty else { return 0 }
        let sorted = zones.latencies.sorted()
        let place = 0.95 * Double(sorted.count - 1)
        let (low, part) = (sorted[Int(place)], place - place.rounded(.down))
        return part > 0 ? low + part * (sorted[Int(place) + 1] - low) : low
    }

    /// By how much stated probabilities differ from the share of right seconds, or `nil` if none
    /// were stated.
    var calibrationError: Double? {
        let total = stated.map(\.seconds).reduce(0, +)
        guard total > 0 else { return nil }
        let sum = stated.map { abs($0.sum - Double($0.right)) }.reduce(0, +)
        return sum / Double(total)
    }

    /// Adds one transmitter. `said` gives the answer at each whole second from the start; the last
    /// one holds on.
    mutating func add(_ visits: [SimulatedRecording.Visit], said: [Answer?]) {
        zones.add(
            visits.map { .init(start: $0.start, end: $0.end, zone: String($0.zone)) },
            said: said.map { $0.map { String($0.zone) } })
        for visit in visits {
            var second = Int((visit.start - 1e-9).rounded(.up))
            while Double(second) < visit.end - 1e-9 {
                let answer = second < said.count ? said[second] : said.last ?? nil
                if let answer, let confidence = answer.confidence {
                    let bin = max(0, min(Int(confidence * Double(Self.bins)), Self.bins - 1))
                    stated[bin].seconds += 1
                    stated[bin].right += answer.zone == visit.zone ? 1 : 0
                    stated[bin].sum += confidence
                }
                second += 1
            }
        }
    }

    /// Adds what another score counted.
    mutating func add(_ other: ScenarioScore) {
        zones.add(other.zones)
        for bin in stated.indices {
            stated[bin].seconds += other.stated[bin].seconds
            stated[bin].right += other.stated[bin].right
            stated[bin].sum += other.stated[bin].sum
        }
    }
}

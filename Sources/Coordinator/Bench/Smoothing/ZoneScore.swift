/// How well said places match the truth, second by second.
struct ZoneScore: Sendable {
    /// Seconds in which the truth is known.
    private(set) var seconds = 0
    /// Of these, with the right place.
    private(set) var right = 0
    /// Changes of the true place, and of the said one in known seconds.
    private(set) var trueChanges = 0
    private(set) var saidChanges = 0
    /// Seconds from each true change to the first right answer; infinite for a visit missed.
    private(set) var latencies: [Double] = []

    /// Unknown time up to so long joins the visits on both sides, in seconds.
    private static let bridge = 90.0
    /// A shorter visit need not be noticed, in seconds.
    private static let shortest = 3.0

    /// The share of right seconds.
    var accuracy: Double { seconds > 0 ? Double(right) / Double(seconds) : 0 }

    /// Said changes for each true one; 1 is ideal.
    var flaps: Double { trueChanges > 0 ? Double(saidChanges) / Double(trueChanges) : 0 }

    /// The median latency in seconds, infinite if half of the visits were missed.
    var latency: Double {
        guard !latencies.isEmpty else { return 0 }
        let sorted = latencies.sorted()
        let (low, high) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
        return low + (high - low) / 2
    }

    /// Adds one transmitter. `said` gives the place at each whole second from the start, or `nil`.
    mutating func add(_ visits: [RecordedSequence.Visit], said: [String?]) {
        var before: RecordedSequence.Visit?
        var last: String??
        for visit in Self.joined(visits) {
            let follows = before.map { visit.start - $0.end <= Self.bridge } ?? false
            let isChange = follows && before?.zone != visit.zone
            if !follows { last = nil }
            if isChange { trueChanges += 1 }
            var firstRight: Double?
            var second = Int((visit.start - 1e-9).rounded(.up))
            while Double(second) < visit.end - 1e-9 {
                let answer = second < said.count ? said[second] : said.last ?? nil
                seconds += 1
                if answer == visit.zone {
                    right += 1
                    firstRight = firstRight ?? max(Double(second) - visit.start, 0)
                }
                if let last, last != answer { saidChanges += 1 }
                last = .some(answer)
                second += 1
            }
            if isChange, visit.end - visit.start >= Self.shortest {
                latencies.append(firstRight ?? .infinity)
            }
            before = visit
        }
    }

    /// Adds what another score counted.
    mutating func add(_ other: ZoneScore) {
        seconds += other.seconds
        right += other.right
        trueChanges += other.trueChanges
        saidChanges += other.saidChanges
        latencies += other.latencies
    }

    /// Visits that follow each other at one place are one.
    private static func joined(_ visits: [RecordedSequence.Visit]) -> [RecordedSequence.Visit] {
        var joined: [RecordedSequence.Visit] = []
        for visit in visits {
            if let last = joined.last, last.zone == visit.zone, visit.start - last.end < 1e-6 {
                joined[joined.count - 1].end = visit.end
            } else {
                joined.append(visit)
            }
        }
        return joined
    }
}

import Foundation

/// How well said zones match the truth, second by second. Counts as the project's independent
/// scorer does, to the last digit.
package struct ZoneScore: Sendable {
    /// What was said of one transmitter at one whole second.
    package struct Answer: Equatable, Sendable {
        /// The zone, or `nil` for nowhere.
        package var zone: String?
        /// The probability of the zone, or `nil` if the rule states none.
        package var confidence: Double?

        package init(zone: String? = nil, confidence: Double? = nil) {
            self.zone = zone
            self.confidence = confidence
        }
    }

    /// A said probability and whether the zone was right.
    package struct Claim: Sendable {
        package var stated: Double
        var isRight: Bool

        package init(stated: Double, isRight: Bool) {
            self.stated = stated
            self.isRight = isRight
        }
    }

    /// Seconds in which the truth is known.
    package private(set) var seconds = 0
    /// Of these, with the right zone, and with any.
    package private(set) var right = 0
    package private(set) var decided = 0
    /// The same where the last change is at least `settling` ago.
    private(set) var settledSeconds = 0
    private(set) var settledRight = 0
    /// Changes of the true zone, of the said one in known seconds, and to a wrong one.
    private(set) var trueChanges = 0
    private(set) var saidChanges = 0
    private(set) var wrongChanges = 0
    /// Seconds from each true change to the first right answer; infinite for a visit missed.
    private(set) var latencies: [Double] = []
    /// The same to answers that stay right for `settling`, or until the visit ends.
    private(set) var settlings: [Double] = []
    /// By zone: said and right, said and wrong, true and not said.
    private(set) var hits: [String: Int] = [:]
    package private(set) var excess: [String: Int] = [:]
    package private(set) var misses: [String: Int] = [:]
    /// The stated probabilities, in order.
    package private(set) var claims: [Claim] = []

    package init(
        seconds: Int = 0, right: Int = 0, decided: Int = 0, settledSeconds: Int = 0,
        settledRight: Int = 0, trueChanges: Int = 0, saidChanges: Int = 0, wrongChanges: Int = 0,
        latencies: [Double] = [], settlings: [Double] = [], hits: [String: Int] = [:],
        excess: [String: Int] = [:], misses: [String: Int] = [:], claims: [Claim] = []
    ) {
        self.seconds = seconds
        self.right = right
        self.decided = decided
        self.settledSeconds = settledSeconds
        self.settledRight = settledRight
        self.trueChanges = trueChanges
        self.saidChanges = saidChanges
        self.wrongChanges = wrongChanges
        self.latencies = latencies
        self.settlings = settlings
        self.hits = hits
        self.excess = excess
        self.misses = misses
        self.claims = claims
    }

    /// The longest unknown time, in seconds, that joins the visits on both sides.
    private static let bridge = 90.0
    /// A shorter visit need not be noticed, in seconds.
    private static let shortest = 3.0
    /// From then on after a change the answer should be right, in seconds.
    private static let settling = 5
    /// Whole seconds this near to a limit count as on it.
    private static let slack = 1e-9
    /// Names that mean nowhere.
    private static let nowhere: Set = ["", "none", "unknown", "away", "not_home", "not_present"]

    /// Adds one transmitter, of which the first answer holds at the whole second `first`, and the
    /// last one on and on.
    package mutating func add(_ visits: [RecordedTruth.Visit], from first: Int, answers: [Answer]) {
        var before: RecordedTruth.Visit?
        var last: String??
        for visit in Self.joined(visits) {
            let follows = before.map { visit.start - $0.end <= Self.bridge } ?? false
            let isChange = follows && before?.zone != visit.zone
            if !follows { last = nil }
            if isChange { trueChanges += 1 }
            var good: [(delay: Double, isRight: Bool)] = []
            var second = Int((visit.start - Self.slack).rounded(.up))
            while Double(second) < visit.end - Self.slack {
                let answer = Self.answer(at: second, from: first, answers)
                let delay = Double(second) - visit.start
                count(
                    answer, truth: visit.zone,
                    isSettled: !isChange || delay >= Double(Self.settling))
                good.append((delay, answer.zone == visit.zone))
                if let last, last != answer.zone {
                    saidChanges += 1
                    if answer.zone != nil, answer.zone != visit.zone { wrongChanges += 1 }
                }
                last = .some(answer.zone)
                second += 1
            }
            if isChange, visit.end - visit.start >= Self.shortest {
                latencies.append(good.first { $0.isRight }.map { max($0.delay, 0) } ?? .infinity)
                settlings.append(Self.settled(good))
            }
            before = visit
        }
    }

    /// Adds what another score counted.
    package mutating func add(_ other: ZoneScore) {
        seconds += other.seconds
        right += other.right
        decided += other.decided
        settledSeconds += other.settledSeconds
        settledRight += other.settledRight
        trueChanges += other.trueChanges
        saidChanges += other.saidChanges
        wrongChanges += other.wrongChanges
        latencies += other.latencies
        settlings += other.settlings
        hits.merge(other.hits, uniquingKeysWith: +)
        excess.merge(other.excess, uniquingKeysWith: +)
        misses.merge(other.misses, uniquingKeysWith: +)
        claims += other.claims
    }

    private mutating func count(_ answer: Answer, truth: String, isSettled: Bool) {
        let isRight = answer.zone == truth
        seconds += 1
        if isRight { right += 1 }
        if answer.zone != nil { decided += 1 }
        if isSettled {
            settledSeconds += 1
            if isRight { settledRight += 1 }
        }
        if isRight {
            hits[truth, default: 0] += 1
        } else {
            misses[truth, default: 0] += 1
            if let zone = answer.zone { excess[zone, default: 0] += 1 }
        }
        if answer.zone != nil, let stated = answer.confidence {
            claims.append(Claim(stated: min(max(stated, 0), 1), isRight: isRight))
        }
    }

    private static func answer(at second: Int, from first: Int, _ answers: [Answer]) -> Answer {
        guard second >= first, let last = answers.last else { return Answer() }
        let answer = second - first < answers.count ? answers[second - first] : last
        if let zone = answer.zone, nowhere.contains(zone.lowercased()) { return Answer() }
        return answer
    }

    /// From when on the answers stay right.
    private static func settled(_ good: [(delay: Double, isRight: Bool)]) -> Double {
        for start in good.indices {
            let end = min(start + settling, good.count)
            if good[start..<end].allSatisfy(\.isRight) { return max(good[start].delay, 0) }
        }
        return .infinity
    }

    /// Visits that follow each other in one zone are one.
    private static func joined(_ visits: [RecordedTruth.Visit]) -> [RecordedTruth.Visit] {
        var joined: [RecordedTruth.Visit] = []
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

extension ZoneScore {
    /// Stated probabilities of one tenth, and what was observed.
    struct Reliability: Equatable, Sendable {
        /// The mean of what was stated.
        var stated: Double
        /// The share of right seconds among these.
        var observed: Double
        /// How many.
        var seconds: Int
    }

    private static let bins = 10
    /// From this probability on machines act.
    private static let certain = 0.9

    package var accuracy: Double { Self.share(right, of: seconds) }

    /// The same, without the first seconds after each change.
    var settledAccuracy: Double { Self.share(settledRight, of: settledSeconds) }

    /// The share of seconds in which any zone was said.
    package var coverage: Double { Self.share(decided, of: seconds) }

    /// Said changes for each true one; 1 is ideal.
    package var flaps: Double { Self.share(saidChanges, of: trueChanges) }

    /// Changes to a wrong zone in an hour.
    var wrongChangesAnHour: Double {
        seconds > 0 ? Double(wrongChanges) / (Double(seconds) / 3600) : 0
    }

    /// The mean over the zones of the truth of how well each is told from the others, 0 ... 1.
    var macroF1: Double {
        let zones = Set(hits.keys).union(misses.keys).sorted()
        guard !zones.isEmpty else { return 0 }
        let each = zones.map { zone in
            let (hit, over, miss) = (hits[zone] ?? 0, excess[zone] ?? 0, misses[zone] ?? 0)
            return Self.share(2 * hit, of: 2 * hit + over + miss)
        }
        return each.reduce(0, +) / Double(zones.count)
    }

    /// The share of visits that were noticed at all.
    package var found: Double { Self.share(latencies.count { $0.isFinite }, of: latencies.count) }

    /// The median latency in seconds, infinite if half of the visits were missed.
    package var latency: Double { Self.quantile(latencies, 0.5) }

    /// The latency not exceeded by 95 of 100.
    package var latency95: Double { Self.quantile(latencies, 0.95) }

    /// The median of the seconds until answers stay right.
    package var settling: Double { Self.quantile(settlings, 0.5) }

    /// The same, not exceeded by 95 of 100.
    var settling95: Double { Self.quantile(settlings, 0.95) }

    /// The mean square between what was stated and what was so, or `nil` if nothing was stated.
    var brier: Double? {
        guard !claims.isEmpty else { return nil }
        let sum = claims.reduce(0) { $0 + pow($1.stated - ($1.isRight ? 1 : 0), 2) }
        return sum / Double(claims.count)
    }

    /// How far what is stated is from what is observed, in the mean over ten bins.
    package var calibrationError: Double? {
        guard !claims.isEmpty else { return nil }
        return reliability.reduce(0) {
            $0 + abs($1.stated - $1.observed) * Double($1.seconds) / Double(claims.count)
        }
    }

    /// The share of stated seconds in which machines may act, and how many of these were right.
    var certain: (share: Double, accuracy: Double)? {
        guard !claims.isEmpty else { return nil }
        let certain = claims.filter { $0.stated >= Self.certain }
        return (
            Self.share(certain.count, of: claims.count),
            Self.share(certain.count { $0.isRight }, of: certain.count)
        )
    }

    /// By tenth of the stated probability, without empty tenths.
    var reliability: [Reliability] {
        var bins: [[Claim]] = (0..<Self.bins).map { _ in [] }
        for claim in claims {
            bins[min(Int(claim.stated * Double(Self.bins)), Self.bins - 1)].append(claim)
        }
        return bins.filter { !$0.isEmpty }.map { bin in
            Reliability(
                stated: bin.reduce(0) { $0 + $1.stated } / Double(bin.count),
                observed: Self.share(bin.count { $0.isRight }, of: bin.count), seconds: bin.count)
        }
    }

    /// Between two values in proportion, infinite as soon as the upper one is.
    private static func quantile(_ values: [Double], _ share: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let place = share * Double(sorted.count - 1)
        let index = Int(place)
        let rest = place - Double(index)
        guard rest >= 1e-9, index + 1 < sorted.count else { return sorted[index] }
        guard sorted[index + 1].isFinite else { return .infinity }
        return sorted[index] + (sorted[index + 1] - sorted[index]) * rest
    }

    private static func share(_ part: Int, of whole: Int) -> Double {
        whole > 0 ? Double(part) / Double(whole) : 0
    }
}

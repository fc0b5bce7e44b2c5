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

    /// Adds one transmitter. `said` gives the zone at each whole second from the start, or `nil`.
    package mutating func add(_ visits: [RecordedTruth.Visit], said: [String?]) {
        add(visits, from: 0, answers: said.map { Answer(zone: $0, confidence: nil) })
    }

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

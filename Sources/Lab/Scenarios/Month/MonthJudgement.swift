import Simulation
import SiteModel

/// Holds the sessions of a simulated month against where people were.
struct MonthJudgement: Codable, Equatable {
    /// How far something is off, in seconds, without its sign.
    struct Errors: Codable, Equatable {
        var median = 0.0
        var percentile95 = 0.0
        var worst = 0.0

        init(_ errors: [Double]) {
            let sorted = errors.map(\.magnitude).sorted()
            guard let last = sorted.last else { return }
            median = sorted[sorted.count / 2]
            percentile95 = sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
            worst = last
        }
    }

    /// A part of the visits.
    struct Part: Codable, Equatable {
        /// Visits in truth, absences up to the merge gap being none.
        var visits = 0
        /// Visits without a session.
        var lost = 0
        /// Visits with more than one session.
        var split = 0
        /// Visits that share a session with another one.
        var merged = 0
        /// Visits whose session's beginning, end or length is off by more than `worthALook`.
        var wrong = 0
        /// Those among them whose session does not say that it should be looked at.
        var unflagged = 0
        var begin = Errors([])
        var end = Errors([])
        var length = Errors([])
    }

    /// An error of this many seconds or more must be reported by the site.
    static let worthALook = 120.0

    /// Visits of people who could be heard, or said when they came and went.
    var heard = Part()
    /// Visits that touch a time in which nobody at the site could hear them.
    var unheard = Part()
    /// Sessions of people who were not there at all.
    var invented = 0
    /// Sessions that a person corrected, and that are not judged.
    var corrected = 0
    /// Sessions that never ended.
    var open = 0
    /// Sessions that somebody should look at.
    var flagged = 0
    /// Hours of everybody, in truth and as recorded.
    var trueHours = 0.0
    var recordedHours = 0.0
    /// How far the month of one person is off, in seconds.
    var perPerson = Errors([])

    private struct Visit {
        var interval: Interval
        var isUnheard: Bool
    }

    private struct Pile {
        var part = Part()
        var begin: [Double] = []
        var end: [Double] = []
        var length: [Double] = []

        var whole: Part {
            var part = part
            part.begin = Errors(begin)
            part.end = Errors(end)
            part.length = Errors(length)
            return part
        }
    }

    /// Judges sessions by site; `users` says whose they are.
    init(
        _ life: MonthLife, trouble: MonthTrouble, sessions: [[Session]], users: [[UserID]],
        mergeGap: Timestamp.Span
    ) {
        var (heard, unheard) = (Pile(), Pile())
        var differences = users.first?.map { _ in 0.0 } ?? []
        for site in sessions.indices {
            let dark = trouble.spells
                .filter { $0.site == site && $0.kind == .siteWithoutPower }.map(\.interval)
            for (person, user) in users[site].enumerated() {
                let all = sessions[site].filter { $0.user == user }
                let corrected = all.filter(\.isCorrected)
                let own = all.filter { !$0.isCorrected }
                self.corrected += corrected.count
                let visits = Self.visits(
                    life.visits.filter { $0.site == site && $0.person == person }, mergeGap, dark
                ).filter { visit in !corrected.contains { $0.shares(visit.interval) } }
                let truth = visits.reduce(0) { $0 + $1.interval.length.seconds }
                let recorded = own.reduce(0) { $0 + $1.length }
                differences[person] += recorded - truth
                trueHours += truth / 3600
                recordedHours += recorded / 3600
                open += own.filter { $0.to == nil }.count
                flagged += own.filter { !$0.review.isEmpty }.count
                invented +=
                    own.filter { session in
                        !visits.contains { session.shares($0.interval) }
                    }.count
                for visit in visits {
                    if visit.isUnheard {
                        Self.judge(visit, among: visits, own, &unheard)
                    } else {
                        Self.judge(visit, among: visits, own, &heard)
                    }
                }
            }
        }
        self.heard = heard.whole
        self.unheard = unheard.whole
        perPerson = Errors(differences)
    }

    private static func judge(
        _ visit: Visit, among visits: [Visit], _ sessions: [Session], _ pile: inout Pile
    ) {
        pile.part.visits += 1
        let own = sessions.filter { $0.shares(visit.interval) }
        guard let first = own.first, let last = own.last else {
            pile.part.lost += 1
            return
        }
        if own.count > 1 { pile.part.split += 1 }
        let isShared = own.contains { session in
            visits.contains { $0.interval != visit.interval && session.shares($0.interval) }
        }
        if isShared { pile.part.merged += 1 }
        let begin = (first.from - visit.interval.from).seconds
        let end = ((last.to ?? last.from) - visit.interval.to).seconds
        let length = own.reduce(0) { $0 + $1.length } - visit.interval.length.seconds
        pile.begin.append(begin)
        pile.end.append(end)
        pile.length.append(length)
        guard max(begin.magnitude, end.magnitude, length.magnitude) > worthALook else { return }
        pile.part.wrong += 1
        if own.allSatisfy(\.review.isEmpty) { pile.part.unflagged += 1 }
    }

    /// The visits of one person at one site, absences up to the merge gap being none.
    private static func visits(
        _ visits: [MonthVisit], _ mergeGap: Timestamp.Span, _ dark: [Interval]
    ) -> [Visit] {
        var merged = IntervalSet(joining: mergeGap)
        for visit in visits { merged.insert(visit.interval) }
        let said = visits.filter(\.isTagless).map(\.interval)
        return merged.intervals.map { interval in
            Visit(
                interval: interval,
                isUnheard: !said.contains(interval)
                    && dark.contains { $0.from <= interval.to && interval.from <= $0.to })
        }
    }
}

extension Session {
    /// In seconds; 0 while it is open.
    fileprivate var length: Double { to.map { ($0 - from).seconds } ?? 0 }

    fileprivate var isCorrected: Bool { inCause == .corrected || outCause == .corrected }

    fileprivate func shares(_ interval: Interval) -> Bool {
        from < interval.to && (to.map { interval.from < $0 } ?? true)
    }
}

import Basics
import SiteModel

/// Decides whether a gap in a user's evidence was an absence or a time in which no node listened.
struct GapJudge {
    /// Unlistened time up to this long is not worth a person's attention.
    static let patience = Timestamp.Span.seconds(60)

    let ledger: Ledger
    let coverage: [RoomTime]
    let timing: Policy.Timing
    let listeningSince: Timestamp?
    let now: Timestamp

    /// What a stretch without evidence was.
    struct Verdict {
        /// Whether they were away.
        var isAbsence = false
        /// Whether they came up at another site.
        var isElsewhere = false
        /// Whether so much of it went by before anybody listened that they may have left later.
        var isUncovered = false
    }

    var knowsOtherSites: Bool { !ledger.elsewhere.isEmpty }

    /// Whether any room heard them just before `moment`.
    func isHeard(before moment: Timestamp) -> Bool {
        let window = Interval(from: moment - Ledger.joining, to: moment)
        return ledger.heard.contains { $0.seconds.covered(in: window).milliseconds > 0 }
    }

    /// Whether any room heard them right from `moment` on.
    func isHeard(after moment: Timestamp) -> Bool {
        let window = Interval(from: moment, to: moment + Ledger.joining)
        return ledger.heard.contains { $0.seconds.covered(in: window).milliseconds > 0 }
    }

    /// The end of the last second in which any room heard them within `stretch`, or `nil`.
    func lastHeard(in stretch: Interval) -> Timestamp? {
        ledger.heard.compactMap { $0.seconds.end(before: stretch.to) }.max()
            .flatMap { $0 > stretch.from ? $0 : nil }
    }

    /// For how long any room heard them within some stretches, which do not overlap.
    func heard(in stretches: [Interval]) -> Timestamp.Span {
        guard stretches.contains(where: { $0.length.milliseconds > 0 }) else {
            return .milliseconds(0)
        }
        let union = ledger.union
        return stretches.reduce(.milliseconds(0)) { $0 + union.covered(in: $1) }
    }

    /// Whether the rooms that heard them from `first.from` on had only just begun to listen: then they
    /// may have been there before. When the whole site had, for the first time ever, that is said once
    /// of the site and not of everybody there.
    func isUncovered(before first: Interval) -> Bool {
        let start = Interval(from: first.from, to: first.from + Ledger.joining)
        let before = Interval(from: first.from - timing.leave, to: first.from)
        if let listeningSince, before.from <= listeningSince { return false }
        for room in ledger.heard where room.seconds.covered(in: start).milliseconds > 0 {
            guard let listened = coverage.first(where: { $0.room == room.room }) else { continue }
            if listened.seconds.covered(in: before) + Self.patience >= timing.leave { return false }
        }
        return true
    }

    /// When any room listened in a stretch, besides what is known of that already.
    func listened(in gap: Interval, and known: [Interval]) -> [Interval] {
        var all = IntervalSet(known, joining: Frame.joining)
        for interval in coverage.flatMap(\.seconds.intervals) {
            if let part = interval.common(with: gap) { all.insert(part) }
        }
        return all.intervals
    }

    /// How much of a stretch the rooms that heard them last did not listen to.
    func unlistened(in gap: Interval) -> Timestamp.Span {
        .milliseconds(
            gap.length.milliseconds
                - ledger.silence(in: gap, coverage: coverage).milliseconds)
    }

    /// Judges a stretch in which they were not heard; `from` is the end of the last heard second.
    func verdict(on gap: Interval) -> Verdict {
        var verdict = Verdict()
        verdict.isElsewhere = ledger.elsewhere.contains { other in
            let end = min(other.to ?? gap.to, gap.to)
            return gap.from <= other.from && end - other.from >= timing.enter
        }
        var decided: Timestamp?
        for seconds in ledger.listeners(before: gap, coverage: coverage) {
            guard let moment = seconds.moment(after: timing.leave, in: gap) else { continue }
            decided = min(decided ?? moment, moment)
        }
        verdict.isAbsence =
            verdict.isElsewhere || decided != nil || gap.length >= Saved.horizon
        let waited = (decided ?? gap.to) - gap.from
        verdict.isUncovered =
            verdict.isAbsence && !verdict.isElsewhere
            && waited.milliseconds > (timing.leave + Self.patience).milliseconds
        return verdict
    }
}

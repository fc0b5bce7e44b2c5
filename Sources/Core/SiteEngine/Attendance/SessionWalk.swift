import SiteModel

/// Walks through a user's ledger in order of time and finds where sessions begin and end.
package struct SessionWalk {
    package struct Group: Equatable, Sendable, Codable {
        var session: Attended
        /// The end of the last heard second, or the statement it began with.
        var last: Timestamp
        /// Whether nothing was heard since they were said to be in: then only a statement, or a
        /// correction, ends it.
        var isHeld = false
        /// When anybody listened since `last`, as far as that is forgotten, of one that is held.
        var listened: [Interval]?
    }

    /// Evidence that runs on after a stated end: it belongs to no session.
    package struct Overrun: Equatable, Sendable, Codable {
        /// The end of the last heard second, at first what was stated.
        var last: Timestamp
        /// The session it runs on after, if any: its place in `done`.
        var session: Int?
        var heard: Int64 = 0
    }

    let silence: GapJudge
    let timing: Policy.Timing
    let policy: AttendancePolicy
    let now: Timestamp
    var done: [Attended] = []
    var group: Group?
    var overrun: Overrun?

    init(silence: GapJudge, timing: Policy.Timing, policy: AttendancePolicy, now: Timestamp) {
        self.silence = silence
        self.timing = timing
        self.policy = policy
        self.now = now
    }

    /// They were heard. Intervals and statements come in order of time.
    mutating func heard(_ interval: Interval) {
        guard interval.length.milliseconds > 0 else { return }
        if var over = overrun {
            let gap = Interval(from: over.last, to: max(over.last, interval.from))
            if silence.isHeard(before: over.last), !silence.verdict(on: gap).isAbsence {
                over.last = max(over.last, interval.to)
                over.heard += interval.length.milliseconds
                overrun = over
                if let index = over.session, over.heard > Session.grace.milliseconds {
                    done[index].review.insert(.heardOutside)
                }
                return
            }
            endOverrun()
        }
        if let open = group {
            let gap = Interval(from: open.last, to: max(open.last, interval.from))
            guard isOver(open, gap) else {
                join(interval)
                return
            }
            close(gap)
        }
        group = Group(
            session: Attended(
                from: interval.from, to: nil, inCause: .heard, outCause: nil,
                lastHeard: interval.to), last: interval.to)
        if silence.isUncovered(before: interval) { group?.session.review.insert(.coverageGap) }
    }

    /// Somebody said something.
    mutating func said(_ statement: Statement) {
        switch statement.kind {
        case .checkIn:
            endOverrun()
            if let open = group {
                let gap = Interval(from: open.last, to: max(open.last, statement.at))
                guard isOver(open, gap) else {
                    if silence.verdict(on: gap).isAbsence {
                        group?.last = statement.at
                        group?.isHeld = true
                        group?.listened = nil
                    }
                    return
                }
                close(gap)
            }
            group = Group(
                session: Attended(
                    from: statement.at, to: nil, inCause: .manual, outCause: nil, lastHeard: nil),
                last: statement.at, isHeld: true)
        case .checkOut:
            guard var open = group else { return }
            let gap = Interval(from: open.last, to: max(open.last, statement.at))
            let verdict = silence.verdict(on: gap)
            group = nil
            open.session.to = max(statement.at, open.session.from)
            open.session.outCause = .manual
            if statement.said < statement.at { open.session.review.insert(.wrongClock) }
            if verdict.isAbsence, !open.isHeld, gap.length > Session.grace {
                open.session.review.insert(.silentBeforeOut)
            }
            let count = done.count
            finish(open)
            overrun = Overrun(last: open.last, session: done.count > count ? count : nil)
        }
    }

    /// A correction begins to hold: what was heard up to it and runs on into it is overruled.
    mutating func wall(_ hull: Interval, _ walls: Walls) {
        enter(hull, walls)
        let stated = walls.stated.filter { hull.common(with: $0) != nil }
        done += stated.map { walls.session($0) }
        let start = walls.opening(in: hull)
        let overruled = Interval(from: hull.from, to: start ?? hull.to)
        let outside = stated.reduce([overruled]) { parts, session in
            parts.flatMap { $0.without(session) }
        }
        let isHeardOutside = silence.heard(in: outside) > Session.grace
        if isHeardOutside, !stated.isEmpty { done[done.count - 1].review.insert(.heardOutside) }
        if let start {
            begin(at: start, after: hull)
            if isHeardOutside, stated.isEmpty { group?.session.review.insert(.heardOutside) }
        } else {
            overrun = Overrun(
                last: hull.to, session: stated.last?.to == hull.to ? done.count - 1 : nil)
        }
    }

    /// Ends what went on before a correction.
    mutating func enter(_ hull: Interval, _ walls: Walls) {
        guard let open = group else { return }
        let gap = Interval(from: open.last, to: max(open.last, hull.from))
        let isApart =
            !open.isHeld && !walls.replaces(from: hull) && !silence.isHeard(after: hull.from)
        if isApart || isOver(open, gap) { close(gap) }
        group = nil
    }

    /// A correction says when a session began that goes on: what was heard in the hull only tells
    /// whether they were still there. `known` is the session as far as it was walked through.
    mutating func begin(at start: Timestamp, after hull: Interval, _ known: Group? = nil) {
        endOverrun()
        let heard = silence.lastHeard(in: hull)
        var session =
            known?.session
            ?? Attended(from: start, to: nil, inCause: .corrected, outCause: nil, lastHeard: nil)
        session.from = start
        session.inCause = .corrected
        session.breaks = session.breaks.filter { $0.to > start }
            .map { Interval(from: max($0.from, start), to: $0.to) }
        var open = Group(session: session, last: max(hull.to, known?.last ?? hull.to), isHeld: true)
        let last = [known.flatMap { $0.isHeld ? nil : $0.last }, heard].compactMap(\.self).max()
        // What was heard before the stated start says nothing of the time after it: in because somebody
        // says so, as after a check-in.
        if let last, last >= start {
            let gap = Interval(from: last, to: max(last, hull.to))
            if gap.length.milliseconds == 0 || !silence.verdict(on: gap).isAbsence {
                open.last = last
                open.isHeld = false
            }
        }
        group = open
    }

    /// The sessions, after everything was told.
    mutating func end() -> [Attended] {
        if let over = overrun {
            let rest = Interval(from: over.last, to: max(over.last, now))
            if silence.verdict(on: rest).isAbsence { endOverrun() }
        }
        guard let open = group else { return done }
        group = nil
        let rest = Interval(from: open.last, to: max(open.last, now))
        if open.isHeld {
            finish(open)
            return done
        }
        let verdict = silence.verdict(on: rest)
        if verdict.isAbsence {
            group = open
            close(rest, verdict)
        } else {
            finish(open)
        }
        return done
    }

    private mutating func join(_ interval: Interval) {
        guard var open = group else { return }
        let gap = Interval(from: open.last, to: max(open.last, interval.from))
        if open.isHeld {
            // For so long a silence after a check-in nobody vouches: it is no time there, if anybody
            // listened.
            if gap.length > policy.longestOpen {
                let listened = silence.listened(in: gap, and: open.listened ?? [])
                let covered = listened.reduce(.milliseconds(0)) { $0 + $1.length }
                if gap.length > covered + max(policy.mergeGap, GapJudge.patience) {
                    open.session.breaks += listened
                    open.session.review.insert(.coverageGap)
                } else {
                    open.session.breaks.append(gap)
                }
            }
        } else if gap.length > policy.mergeGap {
            if silence.verdict(on: gap).isAbsence {
                // A correction may state a start after the last heard second.
                open.session.breaks.append(
                    Interval(from: max(gap.from, open.session.from), to: gap.to))
            } else if silence.unlistened(in: gap) > max(policy.mergeGap, GapJudge.patience) {
                // Nobody listened: they may have been away, and come back.
                open.session.review.insert(.coverageGap)
            }
        }
        open.last = max(open.last, interval.to)
        open.session.lastHeard = open.last
        open.isHeld = false
        open.listened = nil
        group = open
    }

    /// Whether a gap that has ended ends the session before it.
    func isOver(_ open: Group, _ gap: Interval) -> Bool {
        if open.isHeld { return false }
        // Most gaps are short, and this is asked for each of them every second.
        if gap.length <= policy.mergeGap, !silence.knowsOtherSites { return false }
        let verdict = silence.verdict(on: gap)
        if verdict.isElsewhere { return true }
        return verdict.isAbsence
            && gap.length > max(policy.mergeGap, policy.longestBreak)
    }

    mutating func close(_ gap: Interval, _ known: GapJudge.Verdict? = nil) {
        guard var open = group else { return }
        group = nil
        let verdict = known ?? silence.verdict(on: gap)
        open.session.to = max(open.last, open.session.from)
        open.session.outCause = verdict.isElsewhere ? .superseded : .lastHeard
        if verdict.isUncovered { open.session.review.insert(.coverageGap) }
        finish(open)
    }

    private mutating func finish(_ open: Group) {
        var session = open.session
        let length = (session.to ?? open.last) - session.from
        guard session.inCause != .heard || length >= timing.enter else { return }
        if (session.to ?? now) - session.from > policy.longestOpen {
            session.review.insert(.tooLong)
        }
        done.append(session)
    }

    /// Evidence has stopped running on after what was stated. Until then the last heard second is
    /// none: a row that changed every second would be a burden.
    mutating func endOverrun() {
        if let over = overrun, over.heard > 0, let index = over.session {
            done[index].lastHeard = over.last
        }
        overrun = nil
    }
}

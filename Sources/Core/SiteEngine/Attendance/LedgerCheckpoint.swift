import SiteModel

/// How a user's sessions stood at a moment: all that a ledger still needs of what it has forgotten.
///
/// Nothing before that moment can change any more, so the sessions computed from here on are those
/// computed from everything, and a ledger stays small however long a session goes on.
package struct LedgerCheckpoint: Equatable, Sendable, Codable {
    /// Everything before is counted, and nothing from then on.
    package var at: Timestamp
    /// The session that may still go on.
    package var group: SessionWalk.Group?
    /// Evidence that may still run on after a stated end.
    package var overrun: SessionWalk.Overrun?
    /// The session it runs on after.
    package var ended: Attended?
    /// How long they were heard at another site during that session, at the same time.
    var atTwoSites = Timestamp.Span.milliseconds(0)

    /// The session it is about.
    package var session: Attended? { group?.session ?? ended }

    /// From when on the ledger and what was listened to must be kept: a silence is judged as a whole,
    /// by the rooms that heard them just before.
    package var needed: Timestamp {
        var needed = at
        if let group, !group.isHeld { needed = min(needed, group.last) }
        if let overrun { needed = min(needed, overrun.last) }
        return needed - Ledger.joining
    }

    /// A checkpoint at which nothing was going on.
    package init(at: Timestamp) {
        self.at = at
    }

    /// The checkpoint of a ledger that was stored without one, which forgot what is older than the
    /// horizon: a session that had begun by then goes on as it is stored, heard as far as `heard` knows.
    package init(at: Timestamp, continuing session: Session?, heard: [RoomTime]) {
        self.at = at
        guard let session, session.from < at, session.to.map({ $0 > at }) ?? true else { return }
        let codes = Set(session.review).subtracting([.tooLong, .silentBeforeOut, .heardOutside])
        let last = heard.compactMap { $0.seconds.end(before: at) }.max() ?? at
        group = SessionWalk.Group(
            session: Attended(
                from: session.from, to: nil, inCause: session.inCause, outCause: nil,
                lastHeard: last, breaks: session.breaks.filter { $0.to <= last }, review: codes),
            last: last)
    }
}

extension SessionWalk {
    /// Goes on from a checkpoint. The walls before it are passed already, but for corrections
    /// that were approved since.
    mutating func resume(from checkpoint: LedgerCheckpoint, walls: Walls) {
        let past = walls.hulls.filter { $0.from < checkpoint.at }
        done = past.flatMap { hull in
            walls.stated.filter { hull.common(with: $0) != nil }.map { walls.session($0) }
        }
        group = checkpoint.group
        if let open = group, open.isHeld, open.listened == nil, open.last < checkpoint.at {
            // Releases that did not keep it took all of it for listened.
            group?.listened = [Interval(from: open.last, to: checkpoint.at)]
        }
        overrun = checkpoint.overrun
        if let session = checkpoint.ended {
            if session.inCause == .corrected {
                overrun?.session = done.firstIndex { $0.to == session.to }
            } else {
                done.append(session)
                overrun?.session = done.count - 1
            }
            if let index = overrun?.session { done[index] = session }
        }
        for hull in past {
            if let start = walls.opening(in: hull) {
                reopen(at: start, after: hull, walls, since: checkpoint.at)
            } else {
                overrule(by: hull)
            }
        }
    }

    /// A session that goes on begins at another moment. It is told anew only if it is not what the
    /// checkpoint holds; one that has ended and is forgotten stays so.
    private mutating func reopen(
        at start: Timestamp, after hull: Interval, _ walls: Walls, since at: Timestamp
    ) {
        let open = group
        if let open, open.session.from == start, open.session.inCause == .corrected { return }
        if let open, hull.from <= open.session.from, open.session.from <= hull.to {
            begin(at: start, after: hull, open)
            if open.session.inCause == .heard, start - open.session.from > Session.grace {
                group?.session.review.insert(.heardOutside)
            }
        } else if hull.to >= at {
            enter(hull, walls)
            begin(at: start, after: hull)
        }
    }

    /// What was heard in a stretch that a correction has overruled since, and ran on from there,
    /// is no session. Of that time only the session and its breaks are known any more.
    private mutating func overrule(by hull: Interval) {
        let stated = done.lastIndex { $0.inCause == .corrected && $0.to == hull.to }
        // Of a session that begins with a word and that nobody heard, nothing lies after its beginning.
        if let open = group, open.isHeld || hull.from < open.last, open.session.from < hull.to {
            group = nil
            let pause = open.session.breaks.firstIndex { hull.to < $0.to }
            if let pause, hull.to < open.last {
                let away = open.session.breaks[pause]
                var rest = open
                rest.session.from = away.to
                rest.session.inCause = .heard
                rest.listened = nil
                rest.session.breaks.removeFirst(pause + 1)
                group = rest
                markHeard(from: hull.to, to: away.from, stated)
            } else {
                let last = open.isHeld ? open.session.lastHeard ?? hull.to : open.last
                overrun = Overrun(
                    last: max(last, hull.to), session: stated,
                    heard: max(0, (last - hull.to).milliseconds))
                markHeard(from: hull.to, to: last, stated)
            }
        } else if let over = overrun, let index = over.session, done[index].inCause != .corrected,
            hull.from < done[index].to ?? over.last, done[index].from < hull.to
        {
            done.remove(at: index)
            overrun = Overrun(
                last: max(over.last, hull.to),
                session: done.lastIndex { $0.inCause == .corrected && $0.to == hull.to },
                heard: over.heard)
        }
    }

    /// They were heard beside a stated session, as far as is still known.
    private mutating func markHeard(from: Timestamp, to: Timestamp, _ stated: Int?) {
        guard let stated, to - from > Session.grace else { return }
        done[stated].review.insert(.heardOutside)
    }

    /// How things stand after everything before `moment` was told. What is over by then is not
    /// part of it, unless a check-out is the next that is known (`isToldEnd`): that ends a session
    /// though they had been silent for long.
    mutating func checkpoint(at moment: Timestamp, isToldEnd: Bool) -> LedgerCheckpoint {
        // A wall may reach farther than what is known for good.
        if let over = overrun, over.last <= moment {
            let gap = Interval(from: over.last, to: max(over.last, moment))
            if silence.verdict(on: gap).isAbsence || !silence.isHeard(before: over.last) {
                endOverrun()
            }
        }
        if let open = group, !isToldEnd {
            let gap = Interval(from: open.last, to: max(open.last, moment))
            if isOver(open, gap) { close(gap) }
        }
        var checkpoint = LedgerCheckpoint(at: moment)
        checkpoint.group = group
        if let open = group, open.isHeld, open.last < moment {
            let gap = Interval(from: open.last, to: moment)
            checkpoint.group?.listened = silence.listened(in: gap, and: open.listened ?? [])
        }
        checkpoint.overrun = overrun
        checkpoint.overrun?.session = nil
        checkpoint.ended = overrun?.session.map { done[$0] }
        return checkpoint
    }
}

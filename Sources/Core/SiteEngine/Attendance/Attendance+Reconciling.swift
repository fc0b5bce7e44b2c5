import SiteModel

extension Attendance {
    /// What becomes of a stored session.
    private struct Change {
        var session: Session
        /// The session before.
        var old: Session
        /// Whether it covers time it did not cover before.
        var grows: Bool
    }

    /// Brings the stored sessions to the computed ones: void, shrink, grow, open, in this order,
    /// so that the database never sees an overlap; one that moves is first cut to what stays. A
    /// session keeps its id if it overlaps its stored self.
    mutating func reconcile(
        _ user: Int, with spans: [Attended], next: inout Int64
    ) -> [Fact] {
        var taken = people[user].sessions.map { _ in false }
        var kept: [Session] = []
        var changes: [Change] = []
        var opened: [Session] = []
        for span in spans {
            let touching = people[user].sessions.indices.filter { index in
                !taken[index] && people[user].sessions[index].overlaps(span.from, span.to)
            }
            // One that it only touches may be another's.
            let old =
                touching.first { people[user].sessions[$0].shares(span) }
                ?? touching.first { index in
                    !spans.contains { people[user].sessions[index].shares($0) }
                }
            guard let old else {
                let new = Session(
                    id: row(stating: span, of: user) ?? 0, user: people[user].id, from: span.from,
                    to: span.to)
                var session = new.becoming(span)
                markForgotten(
                    &session,
                    people[user].amendments.session(movedTo: span, among: people[user].sessions),
                    of: user)
                opened.append(session)
                continue
            }
            taken[old] = true
            let before = people[user].sessions[old]
            var session = before.becoming(span)
            markForgotten(&session, before, of: user)
            if session == before || isSettled(before, as: span, of: user) {
                kept.append(before)
                continue
            }
            session.revision += 1
            let grows =
                session.from < before.from
                || (before.to != nil && (session.to.map { $0 > before.to ?? $0 } ?? true))
            changes.append(Change(session: session, old: before, grows: grows))
        }
        let (left, voided) = unmatched(user, taken)
        var facts: [Fact] = []
        for session in voided {
            facts.append(.session(session))
            facts.append(event(.corrected, session, at: session.from, next: &next))
        }
        for change in changes where change.grows {
            if let rest = change.old.common(with: change.session.from, change.session.to) {
                facts.append(.session(rest))
            }
        }
        changes = changes.filter { !$0.grows } + changes.filter(\.grows)
        for change in changes {
            facts.append(.session(change.session))
            facts += events(of: change, next: &next)
        }
        for index in opened.indices {
            if opened[index].id == 0 {
                opened[index].id = next
                next += 1
            }
            let session = opened[index]
            facts.append(.session(session))
            facts.append(event(.checkedIn, session, at: session.from, next: &next))
            if let to = session.to {
                facts.append(event(.checkedOut, session, at: to, next: &next))
            }
            facts += reviewEvent(session, new: session.review, next: &next)
        }
        people[user].sessions = (kept + left + changes.map(\.session) + opened)
            .sorted { ($0.from, $0.id) < ($1.from, $1.id) }
        return facts
    }

    /// The row of a session that a correction states, or `nil` for the counter's next.
    private func row(stating span: Attended, of user: Int) -> Int64? {
        guard span.inCause == .corrected, let to = span.to else { return nil }
        let stated = Interval(from: span.from, to: to)
        return people[user].amendments.last { $0.isMade != nil && $0.stated == stated }?.row
    }

    /// A session that was over before all that the ledger still knows stands as it is, unless a
    /// correction withdrew it; what is locked stands.
    private func unmatched(
        _ user: Int, _ taken: [Bool]
    ) -> (kept: [Session], voided: [Session]) {
        let forgotten = people[user].ledger.checkpoint?.at
        var kept: [Session] = []
        var voided: [Session] = []
        for index in people[user].sessions.indices where !taken[index] {
            var session = people[user].sessions[index]
            let isAmended = people[user].amendments.replace(session)
            let isForgotten = session.to.map { to in forgotten.map { to <= $0 } ?? false } ?? false
            if isLocked(session) || (isForgotten && !isAmended) {
                kept.append(session)
            } else {
                session.isVoid = true
                session.to = session.to ?? session.from
                session.outCause = session.outCause ?? .lastHeard
                session.revision += 1
                voided.append(session)
            }
        }
        return (kept, voided)
    }

    /// Whether a session that a correction stated was over before all that the ledger still knows: then
    /// what was heard beside it is forgotten, and its codes stand.
    private func isSettled(_ session: Session, as span: Attended, of user: Int) -> Bool {
        guard let to = span.to, let forgotten = people[user].ledger.checkpoint?.at else {
            return false
        }
        return to <= forgotten && span.inCause == .corrected && session.inCause == .corrected
            && span.review.isEmpty && session.from == span.from && session.to == to
    }

    /// Of a session that a correction shortens when all of it is forgotten here its row still tells that
    /// they were heard outside of what is stated now.
    private func markForgotten(_ session: inout Session, _ before: Session?, of user: Int) {
        guard let before, let to = session.to, let forgotten = people[user].ledger.checkpoint?.at,
            to <= forgotten, session.inCause == .corrected,
            before.isHeard(outside: Interval(from: session.from, to: to)),
            !session.review.contains(.heardOutside)
        else { return }
        session.review = (session.review + [.heardOutside]).sorted()
    }

    private func events(of change: Change, next: inout Int64) -> [Fact] {
        let (session, old) = (change.session, change.old)
        var facts: [Fact] = []
        let isMoved = session.from != old.from || session.to != old.to
        if isMoved {
            let kind: Event.Kind =
                old.to == nil && session.to != nil ? .checkedOut : .corrected
            facts.append(event(kind, session, at: session.to ?? session.from, next: &next))
        }
        return facts
            + reviewEvent(
                session, new: session.review.filter { !old.review.contains($0) }, next: &next)
    }

    private func reviewEvent(
        _ session: Session, new: [Review], next: inout Int64
    ) -> [Fact] {
        guard !new.isEmpty else { return [] }
        return [event(.needsReview, session, at: session.to ?? session.from, next: &next)]
    }
}

// What is locked is not changed by evidence: a person decides.
extension Attendance {
    /// Whether evidence may not change a session any more. One that is open must be able to end.
    package func isLocked(_ session: Session) -> Bool {
        session.from < unlocked && session.to != nil
    }

    /// The spans with those of locked days brought to what is stored, and what is to be decided about
    /// the difference: each once.
    mutating func unlocked(
        _ spans: [Attended], of user: Int, now: Timestamp
    ) -> (spans: [Attended], disputes: [Fact]) {
        guard spans.contains(where: { $0.from < unlocked }) else { return (spans, []) }
        let stored = people[user].sessions
        var result: [Attended] = []
        var disputes: [Dispute] = []
        var continued: Int64?
        for span in spans {
            guard span.from < unlocked else {
                result.append(span)
                continue
            }
            let locked = stored.filter { $0.from < unlocked && $0.overlaps(span.from, span.to) }
            // One that only touches a session is not it while another span is.
            let old =
                locked.first { $0.shares(span) }
                ?? locked.first { stored in !spans.contains { stored.shares($0) } }
            if let old, old.to == nil, old.id != continued {
                continued = old.id
                // It ends as any other; its start stands.
                var kept = span
                (kept.from, kept.inCause) = (old.from, old.inCause)
                kept.breaks =
                    old.breaks.filter { $0.to <= span.from }
                    + span.breaks.filter { $0.from >= old.from }
                result.append(kept)
                // A later start would take time away: nothing is to be added.
                guard span.from < old.from else { continue }
                disputes.append(
                    Dispute(
                        user: people[user].id, kind: .locked, session: old.id,
                        interval: Interval(from: span.from, to: old.from),
                        heard: .milliseconds(0)))
                continue
            }
            if let old, old.from == span.from, old.to == span.to { continue }
            disputes.append(
                Dispute(
                    user: people[user].id, kind: .locked, session: old?.id,
                    interval: Interval(
                        from: span.from, to: span.to ?? max(span.from, span.lastHeard ?? now)),
                    heard: .milliseconds(0)))
            // A user who is still in stays in, from the first moment that may change.
            let end = max(unlocked, old?.to ?? unlocked)
            let isWanted =
                span.to == nil
                || stored.contains { $0.from >= unlocked && $0.overlaps(end, span.to) }
            if isWanted, span.to.map({ $0 - end >= timing.enter }) ?? true {
                var rest = span
                rest.from = end
                rest.breaks.removeAll { $0.from < end }
                result.append(rest)
            }
        }
        return (result, told(disputes, of: user))
    }

    /// The disputes that were not told before, as facts.
    package mutating func told(_ disputes: [Dispute], of user: Int) -> [Fact] {
        var facts: [Fact] = []
        for dispute in disputes where !people[user].disputes.contains(dispute) {
            people[user].disputes.append(dispute)
            people[user].isChanged = true
            facts.append(.dispute(dispute))
        }
        return facts
    }
}

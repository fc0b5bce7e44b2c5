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
        _ user: Int, with spans: [Attended], since horizon: Timestamp, next: inout Int64
    ) -> [Fact] {
        var taken = people[user].sessions.map { _ in false }
        var kept: [Session] = []
        var changes: [Change] = []
        var opened: [Session] = []
        // Whether what follows began after something that the ledger still knows. A correction says
        // nothing of that: it is known for good.
        var isWhole = false
        for span in spans {
            let old = people[user].sessions.indices.first { index in
                !taken[index] && people[user].sessions[index].overlaps(span.from, span.to)
            }
            guard let old else {
                let new = Session(id: 0, user: people[user].id, from: span.from, to: span.to)
                opened.append(new.becoming(span))
                continue
            }
            taken[old] = true
            let before = people[user].sessions[old]
            var session = before.becoming(span)
            // The ledger may have forgotten how the oldest session began.
            isWhole = isWhole || before.from >= horizon
            if !isWhole, !isAmended(before, of: user), before.from <= span.from {
                session.keepBeginning(of: before)
            }
            isWhole = isWhole || span.inCause != .corrected
            if session == before {
                kept.append(session)
                continue
            }
            session.revision += 1
            let grows =
                session.from < before.from
                || (before.to != nil && (session.to.map { $0 > before.to ?? $0 } ?? true))
            changes.append(Change(session: session, old: before, grows: grows))
        }
        let (left, voided) = unmatched(user, taken, spans: spans, since: horizon)
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
            opened[index].id = next
            next += 1
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

    /// A session whose beginning the ledger may have forgotten stands as it is, unless another
    /// one has taken its place or a correction withdrew it; what is locked stands.
    private func unmatched(
        _ user: Int, _ taken: [Bool], spans: [Attended], since horizon: Timestamp
    ) -> (kept: [Session], voided: [Session]) {
        let oldest = spans.first { $0.inCause != .corrected }?.from
        var kept: [Session] = []
        var voided: [Session] = []
        for index in people[user].sessions.indices where !taken[index] {
            var session = people[user].sessions[index]
            let isAmended = isAmended(session, of: user)
            let isForgotten =
                session.to.map { to in
                    session.from < horizon && (oldest.map { to <= $0 } ?? true)
                } ?? false
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

    /// Whether a correction took the place of all that was decided of a session.
    private func isAmended(_ session: Session, of user: Int) -> Bool {
        people[user].amendments.contains { amendment in
            amendment.replaced.map { replaced in
                replaced.from <= session.from && (session.to.map { $0 <= replaced.to } ?? true)
            } ?? false
        }
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

extension Session {
    /// Takes over what is no longer known of how it began.
    fileprivate mutating func keepBeginning(of old: Session) {
        let start = from
        from = old.from
        inCause = old.inCause
        breaks = old.breaks.filter { $0.to <= start } + breaks
        review = Set(review).union(old.review).sorted()
    }
}

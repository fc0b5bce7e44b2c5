import SiteModel

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
            let old = locked.first { $0.shares(span) } ?? locked.first
            if let old, old.to == nil, old.id != continued {
                continued = old.id
                // It ends as any other; its start stands.
                var kept = span
                (kept.from, kept.inCause) = (old.from, old.inCause)
                result.append(kept)
                guard span.from != old.from else { continue }
                disputes.append(
                    Dispute(
                        user: people[user].id, kind: .locked, session: old.id,
                        interval: Interval(
                            from: min(span.from, old.from), to: max(span.from, old.from)),
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
            // Whoever is still in is in, from the first moment that may change.
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

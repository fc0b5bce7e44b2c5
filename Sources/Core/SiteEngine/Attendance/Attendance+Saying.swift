import SiteModel

// What people say of attendance: explicitly in, or out.
extension Attendance {
    /// Clocks of kiosks may be ahead by this much.
    private static let ahead = Timestamp.Span.seconds(60)

    /// Takes in a check-in or check-out at `moment`, or now. The facts are one transaction; a refusal
    /// changes nothing.
    package mutating func say(
        _ kind: Statement.Kind, user: UserID, at moment: Timestamp?, reason: String?,
        by client: String, coverage: [RoomTime], now: Timestamp, next: inout Int64
    ) -> (facts: [Fact], outcome: Answer.Outcome) {
        guard let index = users[user] else {
            return ([], .refused(.notFound))
        }
        let at = moment ?? now
        var facts = step(user: index, coverage: coverage, at: now, next: &next)
        if let refusal = refusal(of: kind, user: index, at: at, now: now) {
            return (facts, .refused(refusal))
        }
        let statement = Statement(
            id: next, user: user, kind: kind,
            at: endAhead(kind, user: index, now: now) ?? min(at, now),
            said: now, by: client, reason: reason)
        next += 1
        let (before, done) = (self, facts)
        people[index].ledger.add(statement)
        changed(index)
        facts.append(.statement(statement))
        facts += step(user: index, coverage: coverage, at: now, next: &next)
        guard let session = session(of: index, after: statement) else {
            // It would change nothing: what is known of that moment outweighs it.
            self = before
            return (done, .refused(kind == .checkIn ? .overlap : .notIn))
        }
        return (facts, .session(session))
    }

    private func refusal(
        of kind: Statement.Kind, user: Int, at: Timestamp, now: Timestamp
    ) -> Answer.Refusal? {
        guard at <= now + Self.ahead, at > now - Saved.horizon else { return .badTime }
        guard at >= unlocked else { return .lockedPeriod }
        let sessions = people[user].sessions
        switch kind {
        case .checkIn:
            if let open = sessions.last, open.to == nil {
                return at < open.from ? .overlap : .alreadyIn
            }
            let isTaken = sessions.contains { session in
                session.from <= at && (session.to.map { at < $0 } ?? true) || session.from > at
            }
            return isTaken ? .overlap : nil
        case .checkOut:
            guard let open = sessions.last, open.to == nil else { return .notIn }
            return at < open.from && !isAhead(open, of: now) ? .badTime : nil
        }
    }

    /// Whether a session begins in our future: the clock that it began by was wrong.
    private func isAhead(_ session: Session, of now: Timestamp) -> Bool {
        session.from > now + Self.ahead
    }

    /// When a session that begins in our future ends once somebody says that they left: at its last
    /// heard second, so that its length stays what the evidence says, else where it began.
    private func endAhead(
        _ kind: Statement.Kind, user: Int, now: Timestamp
    ) -> Timestamp? {
        guard kind == .checkOut, let open = people[user].sessions.last, isAhead(open, of: now)
        else { return nil }
        return max(open.from, people[user].ledger.lastHeard ?? open.from)
    }

    /// The session a statement has opened or closed.
    private func session(of user: Int, after statement: Statement) -> Session? {
        let sessions = people[user].sessions
        switch statement.kind {
        case .checkIn: return sessions.last.flatMap { $0.to == nil ? $0 : nil }
        // They may have been heard again since: then the end is not the newest session's.
        case .checkOut:
            return sessions.last { $0.to == statement.at && $0.outCause == .manual }
        }
    }
}

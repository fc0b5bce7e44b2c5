/// The sessions of every user, derived from their ledgers and compared with what is stored.
public struct Attendance: Sendable {
    private struct Person {
        let id: UserID
        var ledger: Ledger
        /// Sessions within the horizon, oldest first; never a void one.
        var sessions: [Session]
        /// Heard since the last step; after a restart, perhaps.
        var isNews = true
        var isChanged = false

        var isIn: Bool { sessions.last.map { $0.to == nil } ?? false }

        /// What an open session is made of is kept, however long ago it began.
        mutating func forget(before horizon: Timestamp) {
            let start = isIn ? sessions.last?.from : nil
            ledger.forget(before: min(horizon, start ?? horizon))
        }
    }

    private var people: [Person]
    private let timing: Policy.Timing

    /// How quickly attendance is believed and given up.
    var policy: Policy.Timing { timing }

    /// The ledgers and sessions of a plan's users, as stored.
    public init(plan: Plan, saved: Saved) {
        timing = plan.policy.site
        people = plan.users.map { user in
            Person(
                id: user.id,
                ledger: Ledger(heard: saved.ledgers.first { $0.user == user.id }?.heard ?? []),
                sessions: saved.sessions.filter { $0.user == user.id }
                    .sorted { ($0.from, $0.id) < ($1.from, $1.id) })
        }
    }

    /// A node of `room` (`Node.ear`) heard the user at index `user` in a whole second, or they heard
    /// a beacon of the site with their own.
    public mutating func heard(user: Int, second: Timestamp, room: RoomID) {
        heard(user: user, Interval(from: second, to: second + .seconds(1)), room: room)
    }

    /// A node of `room` heard the user at index `user` in an interval of whole seconds.
    public mutating func heard(user: Int, _ interval: Interval, room: RoomID) {
        guard people[user].ledger.add(interval, room: room) else { return }
        people[user].isNews = true
        people[user].isChanged = true
    }

    /// What was listened to in the past has changed, and with it perhaps sessions long closed.
    public mutating func relisten() {
        for index in people.indices where !people[index].ledger.heard.isEmpty {
            people[index].isNews = true
        }
    }

    /// One second passed: opens and closes sessions.
    public mutating func step(
        user: Int, coverage: [RoomTime], at now: Timestamp, next: inout Int64
    ) -> [Fact] {
        guard people[user].isNews || people[user].isIn else { return [] }
        people[user].isNews = false
        let horizon = now - Saved.horizon
        // What is forgotten here must not outlive the coverage that tells its gaps apart.
        people[user].forget(before: horizon)
        let spans = people[user].ledger.sessions(coverage: coverage, timing: timing, now: now)
        return reconcile(user, with: spans, since: horizon, next: &next)
    }

    /// The open session of a user, or the latest closed one within the horizon.
    public func latest(of user: Int) -> Session? { people[user].sessions.last }

    /// The end of the last second the user was heard.
    public func lastHeard(of user: Int) -> Timestamp? { people[user].ledger.lastHeard }

    /// How long the user has been silent while somebody listened, or `nil` if they were not heard
    /// within the horizon: how much was listened since is forgotten.
    public func silence(of user: Int, coverage: [RoomTime], at now: Timestamp) -> Timestamp.Span? {
        guard let last = lastHeard(of: user), now - last < Saved.horizon else { return nil }
        return people[user].ledger.silence(
            in: Interval(from: last, to: max(last, now)), coverage: coverage)
    }

    /// The number of open sessions.
    public var present: Int { people.reduce(0) { $0 + ($1.isIn ? 1 : 0) } }

    /// Whether a ledger changed since the last call of `changes`.
    public var isChanged: Bool { people.contains(where: \.isChanged) }

    /// The ledger rows that changed since the last call.
    public mutating func changes(before horizon: Timestamp) -> [Fact] {
        var facts: [Fact] = []
        for index in people.indices where people[index].isChanged {
            people[index].isChanged = false
            people[index].forget(before: horizon)
            let newest = people[index].sessions.last?.id
            people[index].sessions.removeAll {
                $0.id != newest && ($0.to.map { $0 < horizon } ?? false)
            }
            facts.append(
                .ledger(LedgerRow(user: people[index].id, heard: people[index].ledger.heard)))
        }
        return facts
    }

    /// Brings the stored sessions to the computed ones: void, shrink, grow, open, in this order,
    /// so that the database never sees an overlap; one that moves is first cut to what stays. A
    /// session keeps its id if it overlaps its stored self.
    private mutating func reconcile(
        _ user: Int, with spans: [(from: Timestamp, to: Timestamp?)], since horizon: Timestamp,
        next: inout Int64
    ) -> [Fact] {
        var taken = people[user].sessions.map { _ in false }
        var kept: [Session] = []
        var cut: [Session] = []
        var grown: [Session] = []
        var shrunk: [Session] = []
        var opened: [Session] = []
        var ended: Set<Int64> = []
        for span in spans {
            let old = people[user].sessions.indices.first { index in
                !taken[index] && people[user].sessions[index].overlaps(span.from, span.to)
            }
            guard let old else {
                opened.append(
                    Session(id: 0, user: people[user].id, from: span.from, to: span.to))
                continue
            }
            taken[old] = true
            var session = people[user].sessions[old]
            // The ledger may have forgotten how the oldest session began.
            let isWhole = session.from >= horizon || taken[..<old].contains(true)
            let from = isWhole ? span.from : min(span.from, session.from)
            if session.from == from, session.to == span.to {
                kept.append(session)
                continue
            }
            let grows =
                from < session.from
                || (session.to != nil && (span.to.map { to in to > session.to ?? to } ?? true))
            if session.to == nil, span.to != nil { ended.insert(session.id) }
            if grows, let rest = session.common(with: from, span.to) { cut.append(rest) }
            session.from = from
            session.to = span.to
            if grows { grown.append(session) } else { shrunk.append(session) }
        }
        // A session whose beginning the ledger may have forgotten stands as it is, unless another
        // one has taken its place.
        let oldest = spans.first?.from
        var voided: [Session] = []
        for index in people[user].sessions.indices where !taken[index] {
            let session = people[user].sessions[index]
            if let to = session.to, session.from < horizon, oldest.map({ to <= $0 }) ?? true {
                kept.append(session)
            } else {
                voided.append(session)
            }
        }
        var facts: [Fact] = []
        for var session in voided {
            session.isVoid = true
            session.to = session.to ?? session.from
            facts.append(.session(session))
            facts.append(event(.corrected, session, at: session.from, next: &next))
        }
        facts += cut.map { .session($0) }
        for session in shrunk + grown {
            facts.append(.session(session))
            let kind: Event.Kind = ended.contains(session.id) ? .checkedOut : .corrected
            facts.append(event(kind, session, at: session.to ?? session.from, next: &next))
        }
        for index in opened.indices {
            opened[index].id = next
            next += 1
            facts.append(.session(opened[index]))
            facts.append(event(.checkedIn, opened[index], at: opened[index].from, next: &next))
            if let to = opened[index].to {
                facts.append(event(.checkedOut, opened[index], at: to, next: &next))
            }
        }
        people[user].sessions = (kept + shrunk + grown + opened)
            .sorted { ($0.from, $0.id) < ($1.from, $1.id) }
        return facts
    }

    private func event(
        _ kind: Event.Kind, _ session: Session, at: Timestamp, next: inout Int64
    ) -> Fact {
        defer { next += 1 }
        return .event(
            Event(
                id: next, kind: kind, at: at, user: session.user, place: nil, subject: session.id))
    }
}

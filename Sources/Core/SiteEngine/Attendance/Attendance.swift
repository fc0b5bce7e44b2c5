import SiteModel

/// The sessions of every user: computed from their ledgers, compared with the stored ones.
package struct Attendance: Sendable {
    package struct Person {
        package let id: UserID
        package var ledger: Ledger
        /// Sessions that ended within `Saved.sessionLife`, oldest first; never a void one.
        package var sessions: [Session]
        /// What was put before a person to decide, within the horizon.
        package var disputes: [Dispute]
        /// Approved corrections.
        package var amendments: [Amendment]
        /// Sessions that the next step makes, whatever is forgotten.
        var owed: [Interval] = []
        /// Heard since the last step; after a restart, perhaps.
        package var isNews = true
        /// Whether that was about themselves, not about who listened.
        var isOwnNews = true
        /// Until when frames that are under way may still change what was decided of them.
        var unsettled = Timestamp(milliseconds: .min / 4)
        var isChanged = false

        package init(
            id: UserID, ledger: Ledger, sessions: [Session], disputes: [Dispute],
            amendments: [Amendment], isNews: Bool = true, isOwnNews: Bool = true,
            unsettled: Timestamp = Timestamp(milliseconds: .min / 4), isChanged: Bool = false
        ) {
            self.id = id
            self.ledger = ledger
            self.sessions = sessions
            self.disputes = disputes
            self.amendments = amendments
            self.isNews = isNews
            self.isOwnNews = isOwnNews
            self.unsettled = unsettled
            self.isChanged = isChanged
        }

        var isIn: Bool { sessions.last.map { $0.to == nil } ?? false }

        /// Whether they were heard after a stated end, and are not known to have gone since.
        var isLingering: Bool {
            guard let last = sessions.last, last.outCause == .manual else { return false }
            return (last.lastHeard ?? last.from) < (ledger.lastHeard ?? last.from)
        }

        /// Sessions that ended long ago are left out, except the newest.
        mutating func forgetSessions(at now: Timestamp) {
            let newest = sessions.last?.id
            sessions.removeAll {
                $0.id != newest && ($0.to.map { $0 < now - Saved.sessionLife } ?? false)
            }
        }
    }

    /// A live frame changes nothing that is older: it comes at most 10 s late (`Coverage.latest`), its
    /// second may be placed a second off, and it may fill a hole of 6 s (`Frame.joining`).
    private static let settling = Timestamp.Span.seconds(20)
    /// Evidence is looked at within the second, so that nothing comes any more for what lies this much
    /// before the horizon.
    private static let patience = Timestamp.Span.seconds(60)

    var people: [Person]
    let users: RowIndex<User>
    let timing: Policy.Timing
    let rules: AttendancePolicy
    /// The first moment that is not locked; everything before is.
    let unlocked: Timestamp
    /// The first second in which anybody ever listened at the site.
    private var listeningSince: Timestamp?

    /// How quickly attendance is believed and given up.
    package var policy: Policy.Timing { timing }

    /// The ledgers and sessions of a plan's users and what people decided of them, as stored.
    package init(plan: Plan, saved: Saved) {
        timing = plan.policy.site
        rules = plan.policy.attendance ?? AttendancePolicy()
        unlocked = saved.overrides?.lockedThrough ?? Timestamp(milliseconds: .min / 4)
        listeningSince = saved.site.listeningSince
        let horizon = saved.site.clock - Saved.horizon
        users = RowIndex(plan.users.map(\.id))
        let ledgers = RowIndex(saved.ledgers.map(\.user))
        let sessionsByUser = Dictionary(grouping: saved.sessions, by: \.user)
        let amendments = Dictionary(grouping: saved.overrides?.amendments ?? [], by: \.user)
        people = plan.users.map { user in
            let row = ledgers[user.id].map { saved.ledgers[$0] }
            let sessions = (sessionsByUser[user.id] ?? [])
                .sorted { ($0.from, $0.id) < ($1.from, $1.id) }
            let going = sessions.last { $0.from < horizon }
            return Person(
                id: user.id,
                ledger: Ledger(
                    heard: row?.heard ?? [], statements: row?.statements ?? [],
                    elsewhere: row?.elsewhere ?? [], doubts: row?.doubts ?? [],
                    checkpoint: row?.checkpoint
                        ?? LedgerCheckpoint(
                            at: horizon, continuing: going, heard: row?.heard ?? [])),
                sessions: sessions,
                disputes: row?.disputes ?? [],
                amendments: amendments[user.id] ?? [])
        }
    }

    /// A node of `room` (`Node.ear`) heard the user at index `user` in a whole second, or they heard
    /// a beacon of the site with their own.
    package mutating func heard(user: Int, second: Timestamp, room: RoomID) {
        heard(user: user, Interval(from: second, to: second + .seconds(1)), room: room)
    }

    /// A node of `room` heard the user at index `user` in an interval of whole seconds.
    package mutating func heard(user: Int, _ interval: Interval, room: RoomID) {
        guard people[user].ledger.add(interval, room: room) else { return }
        changed(user)
    }

    /// Another site tells of a session of the user at index `user`.
    package mutating func heardElsewhere(user: Int, _ session: Elsewhere) {
        if people[user].ledger.add(session) { changed(user) }
    }

    /// Something odd showed about the beacon of the user at index `user`.
    package mutating func doubted(user: Int, _ doubt: Doubt) {
        if people[user].ledger.add(doubt) { changed(user) }
    }

    /// Our clock was wrong in a stretch: whoever was heard in it is looked at by a person.
    package mutating func doubtClock(in stretch: Interval) {
        for index in people.indices
        where people[index].ledger.doubtClock(in: stretch, of: people[index].id) { changed(index) }
    }

    /// What was listened to in the past has changed, and with it perhaps sessions long closed.
    package mutating func relisten() {
        for index in people.indices where !people[index].ledger.isEmpty {
            people[index].isNews = true
        }
    }

    /// Anybody first listened at the site at `moment`, as far as it is known by now.
    package mutating func siteListens(since moment: Timestamp?) {
        guard listeningSince != moment else { return }
        listeningSince = moment
        relisten()
    }

    /// One second passed: opens and closes sessions.
    package mutating func step(
        user: Int, coverage: [RoomTime], at now: Timestamp, next: inout Int64
    ) -> [Fact] {
        if people[user].isOwnNews { people[user].unsettled = now + Self.settling }
        guard
            people[user].isNews || people[user].isIn || people[user].isLingering
                || now < people[user].unsettled
        else { return [] }
        people[user].isNews = false
        people[user].isOwnNews = false
        let forgotten = people[user].ledger.checkpoint?.at
        let owed = people[user].owed
        people[user].owed = []
        let spans = people[user].ledger.sessions(
            coverage: coverage, timing: timing, policy: rules,
            amendments: people[user].amendments, listeningSince: listeningSince, now: now
        ).filter { span in
            // A correction outlives what is remembered here of the session it made.
            span.to.map { to in forgotten.map { to > $0 } ?? true } ?? true
                || people[user].sessions.contains { $0.shares(span) }
                || owed.contains { $0.from == span.from && $0.to == span.to }
        }
        let (free, disputes) = unlocked(spans, of: user, now: now)
        let facts = disputes + reconcile(user, with: free, next: &next)
        if !facts.isEmpty { people[user].unsettled = now + Self.settling }
        return facts
    }

    /// The open session of a user, or the latest closed one within the horizon.
    package func latest(of user: Int) -> Session? { people[user].sessions.last }

    /// The end of the last second the user was heard.
    package func lastHeard(of user: Int) -> Timestamp? { people[user].ledger.lastHeard }

    /// How long the user has been silent while somebody listened, or `nil` if they were not heard
    /// within the horizon: how much was listened since is forgotten.
    package func silence(of user: Int, coverage: [RoomTime], at now: Timestamp) -> Timestamp.Span? {
        guard let last = lastHeard(of: user), now - last < Saved.horizon else { return nil }
        return people[user].ledger.silence(
            in: Interval(from: last, to: max(last, now)), coverage: coverage)
    }

    /// The number of open sessions.
    package var present: Int { people.reduce(0) { $0 + ($1.isIn ? 1 : 0) } }

    /// Whether a ledger changed since the last call of `changes`.
    package var isChanged: Bool { people.contains(where: \.isChanged) }

    /// Approved corrections by which `changes` is to forget from now on. Sessions are brought to them
    /// only by starting anew from what is saved.
    package mutating func take(_ amendments: [Amendment]) {
        for index in people.indices {
            people[index].amendments = amendments.filter { $0.user == people[index].id }
        }
    }

    /// Sessions that corrections state and that are not in the books: the next step makes them.
    package mutating func owe(_ missing: [Amendment]) {
        for amendment in missing {
            guard let user = users[amendment.user], let stated = amendment.stated else { continue }
            people[user].owed.append(stated)
        }
    }

    /// Before this moment the machines have forgotten a user, or are about to: a session that a
    /// correction states there is written by who approves it, a later one made here. `checkpoint` is what
    /// is stored of them, `clock` the site's.
    package static func forgotten(
        _ checkpoint: LedgerCheckpoint?, clock: Timestamp
    ) -> Timestamp {
        checkpoint?.at ?? settled(at: clock)
    }

    /// The ledger rows that changed since the last call. Once an hour what can no longer change is
    /// forgotten, if `forgets`, but never before sessions were made of it.
    package mutating func changes(
        coverage: [RoomTime], at now: Timestamp, forgets: Bool = true
    ) -> [Fact] {
        let past = Self.settled(at: now)
        var facts: [Fact] = []
        for index in people.indices {
            let isShorter =
                forgets && !people[index].isNews
                && people[index].ledger.forget(
                    before: past, coverage: coverage, timing: timing, policy: rules,
                    amendments: people[index].amendments, listeningSince: listeningSince)
            guard people[index].isChanged || isShorter else { continue }
            people[index].isChanged = false
            people[index].disputes.removeAll { $0.interval.to < past }
            people[index].forgetSessions(at: now)
            facts.append(.ledger(row(of: index)))
        }
        return facts
    }

    /// From when on it matters what was listened to.
    package func needed(at now: Timestamp) -> Timestamp {
        people.compactMap(\.ledger.needed).reduce(Self.settled(at: now), min) - timing.leave
    }

    /// Before this moment, a whole hour, nothing can change any more.
    private static func settled(at now: Timestamp) -> Timestamp {
        let last = (now - Saved.horizon - patience).second
        return Timestamp(second: last - (last % 3600 + 3600) % 3600)
    }

    package mutating func changed(_ user: Int) {
        people[user].isNews = true
        people[user].isOwnNews = true
        people[user].isChanged = true
    }

    private func row(of user: Int) -> LedgerRow {
        let ledger = people[user].ledger
        return LedgerRow(
            user: people[user].id, heard: ledger.heard, statements: ledger.statements,
            elsewhere: ledger.elsewhere, doubts: ledger.doubts, disputes: people[user].disputes,
            checkpoint: ledger.checkpoint)
    }

    package func event(
        _ kind: Event.Kind, _ session: Session, at: Timestamp, next: inout Int64
    ) -> Fact {
        defer { next += 1 }
        return .event(
            Event(
                id: next, kind: kind, at: at, user: session.user, place: nil, subject: session.id))
    }
}

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
    ) -> ProblemCode? {
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

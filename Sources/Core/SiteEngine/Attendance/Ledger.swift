import SiteModel

/// When one user was heard, what was said of them, and the sessions that follow from it.
///
/// `sessions` is a function of the sets alone: any order, duplication or delay of the same
/// seconds and statements gives the same sessions.
package struct Ledger: Equatable, Sendable {
    /// A beacon unheard for up to this long was there all the same.
    package static let joining = Timestamp.Span.seconds(10)
    /// Rooms whose last heard seconds are less than this apart heard the same packet: the seconds of two
    /// nodes begin at different moments, and are placed to the whole second.
    static let sameTime = Timestamp.Span.seconds(2)

    /// The seconds each room heard the user, sorted by room.
    package private(set) var heard: [RoomTime]
    /// What was said, by time.
    package private(set) var statements: [Statement]
    /// Sessions at other sites, by time.
    package private(set) var elsewhere: [Elsewhere]
    /// What is odd about their beacon, by time.
    package private(set) var doubts: [Doubt]
    /// What is left of the time before; `nil` if nothing was forgotten yet.
    package private(set) var checkpoint: LedgerCheckpoint?

    /// A stored ledger, or an empty one.
    package init(
        heard: [RoomTime] = [], statements: [Statement] = [], elsewhere: [Elsewhere] = [],
        doubts: [Doubt] = [], checkpoint: LedgerCheckpoint? = nil
    ) {
        self.heard = heard
        self.statements = statements
        self.elsewhere = elsewhere
        self.doubts = doubts
        self.checkpoint = checkpoint
    }

    /// Whether no session can follow from it.
    package var isEmpty: Bool {
        heard.isEmpty && statements.isEmpty && checkpoint?.group == nil
            && checkpoint?.overrun == nil
    }

    /// From when on what was listened to must be kept; `nil` if nothing depends on it.
    package var needed: Timestamp? {
        guard !isEmpty else { return nil }
        return checkpoint?.needed ?? heard.compactMap(\.seconds.intervals.first?.from).min()
    }

    /// A node of `room` heard the user in the whole second that starts at `second`.
    /// Returns whether that was news.
    package mutating func add(second: Timestamp, room: RoomID) -> Bool {
        add(Interval(from: second, to: second + .seconds(1)), room: room)
    }

    /// A node of `room` heard the user in all seconds of an interval, but for silences up to
    /// `joining`. Returns whether that was news.
    package mutating func add(_ interval: Interval, room: RoomID) -> Bool {
        heard.add(interval, to: room, joining: Self.joining)
    }

    /// Somebody said something.
    package mutating func add(_ statement: Statement) {
        guard !statements.contains(where: { $0.id == statement.id }) else { return }
        statements.append(statement)
        statements.sort { $0.key < $1.key }
    }

    /// Another site tells of a session. Returns whether that was news.
    package mutating func add(_ session: Elsewhere) -> Bool {
        guard !elsewhere.contains(session) else { return false }
        elsewhere.put(session, by: \.key)
        return true
    }

    /// Something odd showed. Returns whether that was news.
    package mutating func add(_ doubt: Doubt) -> Bool {
        guard !doubts.contains(doubt) else { return false }
        doubts.append(doubt)
        doubts.sort { ($0.at, $0.kind) < ($1.at, $1.kind) }
        return true
    }

    /// The end of the last heard second, or `nil`.
    package var lastHeard: Timestamp? { heard.compactMap { $0.seconds.last?.to }.max() }

    /// Forgets what lies before `moment`, when nothing of that can change any more, but for what later
    /// sessions depend on. Returns whether there was anything to forget.
    package mutating func forget(
        before moment: Timestamp, coverage: [RoomTime], timing: Policy.Timing,
        policy: AttendancePolicy, amendments: [Amendment], listeningSince: Timestamp? = nil
    ) -> Bool {
        guard checkpoint.map({ $0.at < moment }) ?? true else { return false }
        let walls = Walls(amendments)
        guard !walls.splits(at: moment) else { return false }
        let wasEmpty = isEmpty && elsewhere.isEmpty && doubts.isEmpty
        var walk = SessionWalk(
            silence: GapJudge(
                ledger: self, coverage: coverage, timing: timing, listeningSince: listeningSince,
                now: moment),
            timing: timing, policy: policy, now: moment)
        pass(walls, before: moment, by: &walk)
        let told = statements.first { $0.at >= moment && $0.kind == .checkOut }
        let isToldEnd = told.map { out in
            !union.intervals.contains { $0.from < out.at && moment < $0.to }
        }
        var next = walk.checkpoint(at: moment, isToldEnd: isToldEnd ?? false)
        if let session = next.session {
            let span = Interval(from: session.from, to: max(session.from, session.to ?? moment))
            let codes = doubts.filter { span.from <= $0.at && $0.at < span.to }.map(\.kind)
            next.group?.session.review.formUnion(codes)
            next.ended?.review.formUnion(codes)
            next.atTwoSites = atTwoSites(in: span, now: moment)
        }
        checkpoint = next
        for index in heard.indices { heard[index].seconds.forget(before: next.needed) }
        heard.removeAll { $0.seconds.intervals.isEmpty }
        statements.removeAll { $0.at < moment }
        elsewhere.removeAll { $0.to.map { $0 < next.needed } ?? false }
        doubts.removeAll { $0.at < moment }
        return !wasEmpty
    }

    /// The sessions, oldest first; only the last can be open (`to` is `nil`).
    ///
    /// Two heard intervals belong to one session unless the silence between them was *listened to*
    /// for `timing.leave` by a room that had heard the user last; but a user unheard for the whole
    /// horizon was away, even if nobody listened, and so was a user heard elsewhere. A session must
    /// have been heard over at least `timing.enter`, or begun by a statement. What was stated
    /// holds, and evidence against it is a reason for review. Whoever was there when the site began
    /// to listen for the first time, at `listeningSince`, is no such reason: `nil` if that is not
    /// known.
    package func sessions(
        coverage: [RoomTime], timing: Policy.Timing, policy: AttendancePolicy = AttendancePolicy(),
        amendments: [Amendment] = [], listeningSince: Timestamp? = nil, now: Timestamp
    ) -> [Attended] {
        var walk = SessionWalk(
            silence: GapJudge(
                ledger: self, coverage: coverage, timing: timing, listeningSince: listeningSince,
                now: now),
            timing: timing, policy: policy, now: now)
        pass(Walls(amendments), before: nil, by: &walk)
        var sessions = walk.end()
        for amendment in amendments where amendment.isMoved {
            guard let replaced = amendment.replaced, let stated = amendment.stated,
                walk.silence.heard(in: [replaced]) > Session.grace
            else { continue }
            for index in sessions.indices
            where sessions[index].from == stated.from && sessions[index].to == stated.to {
                sessions[index].review.insert(.heardOutside)
            }
        }
        return reviewed(sessions, now: now)
    }

    /// Tells a walk everything from the checkpoint on, in order of time, up to `end`.
    private func pass(_ walls: Walls, before end: Timestamp?, by walk: inout SessionWalk) {
        if let checkpoint { walk.resume(from: checkpoint, walls: walls) }
        let isInside = { (moment: Timestamp) in
            checkpoint.map { $0.at <= moment } ?? true && end.map { moment < $0 } ?? true
        }
        let known = counted(before: end)
        let pieces = walls.isEmpty ? known : known.flatMap(walls.outside)
        let said = statements.filter { isInside($0.at) && !walls.covers($0) }
        let hulls = walls.hulls.filter { isInside($0.from) }
        var next = 0
        var wall = 0
        func passMarks(before moment: Timestamp?) {
            while true {
                let statement = next < said.count ? said[next] : nil
                let hull = wall < hulls.count ? hulls[wall] : nil
                switch (statement, hull) {
                case (nil, nil): return
                case (let statement?, let hull)
                where hull.map({ Self.precedes(statement, $0) }) ?? true:
                    if let moment, statement.at > moment { return }
                    walk.said(statement)
                    next += 1
                case (_, let hull?):
                    if let moment, hull.from > moment { return }
                    walk.wall(hull, walls)
                    wall += 1
                default: return
                }
            }
        }
        for piece in pieces {
            var rest = piece
            passMarks(before: rest.from)
            while next < said.count, said[next].at < rest.to {
                walk.heard(Interval(from: rest.from, to: said[next].at))
                rest.from = said[next].at
                passMarks(before: rest.from)
            }
            walk.heard(rest)
        }
        passMarks(before: nil)
    }

    /// Whether a statement is told before a correction that begins to hold at the same moment: who
    /// leaves then has left a session before it.
    private static func precedes(_ statement: Statement, _ hull: Interval) -> Bool {
        statement.at < hull.from || (statement.at == hull.from && statement.kind == .checkOut)
    }

    /// When anybody heard them, from the checkpoint on.
    private func counted(before end: Timestamp?) -> [Interval] {
        let all = union.intervals
        guard checkpoint != nil || end != nil else { return all }
        return all.compactMap { interval in
            let from = max(interval.from, checkpoint?.at ?? interval.from)
            let to = min(interval.to, end ?? interval.to)
            return from < to ? Interval(from: from, to: to) : nil
        }
    }

    /// Adds what another site and the doubts say of sessions.
    private func reviewed(_ sessions: [Attended], now: Timestamp) -> [Attended] {
        let isAlone = elsewhere.isEmpty && checkpoint?.atTwoSites.milliseconds ?? 0 == 0
        guard !isAlone || !doubts.isEmpty else { return sessions }
        var result = sessions
        for index in result.indices {
            let span = Interval(
                from: result[index].from,
                to: max(
                    result[index].from,
                    result[index].to
                        ?? max(now, result[index].lastHeard ?? now) + .milliseconds(1)))
            for doubt in doubts where span.from <= doubt.at && doubt.at < span.to {
                result[index].review.insert(doubt.kind)
            }
            if atTwoSites(in: span, now: now) >= GapJudge.patience {
                result[index].review.insert(.twoSites)
            }
        }
        return result
    }

    /// How long they were heard here and at another site at once in the time of a session.
    private func atTwoSites(in span: Interval, now: Timestamp) -> Timestamp.Span {
        let isContinued = checkpoint?.session?.from == span.from
        var both = isContinued ? checkpoint?.atTwoSites.milliseconds ?? 0 : 0
        guard !elsewhere.isEmpty else { return .milliseconds(both) }
        for interval in counted(before: nil) {
            guard let here = interval.common(with: span) else { continue }
            for other in elsewhere {
                let there = Interval(from: other.from, to: max(other.from, other.to ?? now))
                both += here.common(with: there)?.length.milliseconds ?? 0
            }
        }
        return .milliseconds(both)
    }

    /// How long the rooms that heard the user just before `gap` listened in it: the best of them.
    package func silence(in gap: Interval, coverage: [RoomTime]) -> Timestamp.Span {
        var longest = Timestamp.Span.milliseconds(0)
        for listened in listeners(before: gap, coverage: coverage) {
            longest = max(longest, listened.covered(in: gap))
        }
        return longest
    }

    /// Through when it is known that a user who is in since `start` is there: the last second that a
    /// room that heard them last was listened to, or any room if none heard them since.
    package func knownThrough(since start: Timestamp, coverage: [RoomTime]) -> Timestamp {
        guard let last = lastHeard, last > start else {
            return max(start, coverage.compactMap { $0.seconds.last?.to }.max() ?? start)
        }
        let listeners = listeners(before: Interval(from: last, to: last), coverage: coverage)
        return max(last, listeners.compactMap { $0.last?.to }.max() ?? last)
    }

    /// When the rooms that heard the user last before `gap` were listened to.
    ///
    /// Only they can tell that the user has gone. A room that heard them a few seconds earlier may
    /// be one they had left already: its silence says nothing about users who went over to a room
    /// whose node died. A user who stays is soon heard again by some room, and then that one is the
    /// last.
    package func listeners(before gap: Interval, coverage: [RoomTime]) -> [IntervalSet] {
        let ends = heard.map { $0.seconds.end(before: gap.from) }
        guard let last = ends.compactMap(\.self).max(), gap.from - last < Self.joining else {
            return []
        }
        return zip(heard, ends).compactMap { room, end in
            guard let end, last - end < Self.sameTime else { return nil }
            return coverage.first { $0.room == room.room }?.seconds
        }
    }

    var union: IntervalSet {
        var all = IntervalSet(joining: Self.joining)
        // Inserted in order of time, so that each insertion is at the end.
        for interval in heard.flatMap(\.seconds.intervals).sorted(by: { $0.from < $1.from }) {
            all.insert(interval)
        }
        return all
    }
}

/// All a user's sessions of the last 36 hours follow from.
package struct LedgerRow: Equatable, Sendable, Codable {
    package var user: UserID
    /// The whole seconds in which a healthy node of each room heard them, gaps up to 10 s filled,
    /// sorted by room. Only rooms that heard them.
    package var heard: [RoomTime]
    /// What was said, by time.
    package var statements: [Statement]
    /// Their sessions at other sites, by time.
    package var elsewhere: [Elsewhere]
    /// What is odd about their beacon, by time.
    package var doubts: [Doubt]
    /// What was put before a person to decide, in the order it was.
    package var disputes: [Dispute]
    /// How things stood at the moment before which nothing is here any more; `nil` in a row of a
    /// version that kept none.
    package var checkpoint: LedgerCheckpoint?

    package init(
        user: UserID, heard: [RoomTime], statements: [Statement] = [],
        elsewhere: [Elsewhere] = [], doubts: [Doubt] = [], disputes: [Dispute] = [],
        checkpoint: LedgerCheckpoint? = nil
    ) {
        self.user = user
        self.heard = heard
        self.statements = statements
        self.elsewhere = elsewhere
        self.doubts = doubts
        self.disputes = disputes
        self.checkpoint = checkpoint
    }
}

/// Sessions computed anew from what is stored of them for good: evidence, statements and
/// corrections. What the machines decided along the way plays no part.
package struct Rebuilding: Sendable {
    private let plan: Plan
    private let amendments: [Amendment]
    private let index: PlanIndex
    private let carriers: BindingIndex
    private var ledgers: [Ledger]
    private var coverage: [RoomTime] = []
    private var listeningSince: Timestamp?

    /// Nothing read yet; the plan says whose beacons they are, and what counts as a session;
    /// `amendments` are all corrections ever approved.
    /// `listeningSince` is when anybody first listened at the site, if evidence of that may be gone.
    package init(
        plan: Plan, amendments: [Amendment] = [], listeningSince: Timestamp? = nil
    ) {
        self.plan = plan
        self.amendments = amendments
        self.listeningSince = listeningSince
        index = PlanIndex(plan: plan)
        carriers = BindingIndex(plan: plan)
        ledgers = plan.users.map { _ in Ledger() }
    }

    /// Takes in what a node heard in a minute, in any order; quickest by time. What had no effect when
    /// it came has none here.
    package mutating func take(_ row: EvidenceRow) {
        guard row.verdict == .taken, let start = row.from,
            let index = index.nodes[row.node]
        else { return }
        let room = plan.nodes[index].ear
        func place(_ seconds: ClosedRange<Int>) -> Interval {
            Interval(
                from: start + .milliseconds(Int64(seconds.lowerBound) * 1000),
                to: start + .milliseconds(Int64(seconds.upperBound + 1) * 1000))
        }
        for seconds in row.evidence.listening {
            let listened = place(seconds)
            listeningSince = min(listeningSince ?? listened.from, listened.from)
            coverage.add(listened, to: room, joining: Frame.joining)
        }
        for run in row.evidence.runs where run.strongest >= plan.policy.siteFloor {
            guard let beacon = carriers.index(of: run.beacon) else { continue }
            let seconds = place(run.first...run.last)
            for (user, interval) in carriers.users(of: beacon, heardBy: index, in: seconds) {
                _ = ledgers[user].add(interval, room: room)
            }
        }
    }

    /// Takes in what somebody said.
    package mutating func take(_ statement: Statement) {
        guard let user = index.users[statement.user] else { return }
        ledgers[user].add(statement)
    }

    /// The sessions of the user at index `user` of the plan, oldest first, as they follow from what was
    /// taken in and the corrections.
    package func sessions(of user: Int, at now: Timestamp) -> [Attended] {
        ledgers[user].sessions(
            coverage: coverage, timing: plan.policy.site,
            policy: plan.policy.attendance ?? AttendancePolicy(),
            amendments: amendments.filter { $0.user == plan.users[user].id },
            listeningSince: listeningSince, now: now)
    }
}

import SiteModel

/// What is stored of training: whole new rows.
package enum TrainingFact: Equatable, Sendable {
    /// A workout, with its pauses.
    case workout(Workout)
    /// A use of a slot of a station.
    case claim(Claim)
    /// A time in which a station is out of order.
    case downtime(Downtime)
    /// A transition, to be told once.
    case event(Event)
}

/// The workouts of every user, the claims on stations that go with them, and which stations can be used.
package struct Training: Sendable {
    /// What comes of a request: the facts are one transaction; a refusal comes without facts.
    package typealias Result = (facts: [TrainingFact], outcome: Answer.Outcome)

    /// By user, by start, then row.
    private var logs: [UserID: [WorkoutLog]] = [:]
    /// The open claims of each station, by slot.
    private var claims: [StationID: [Claim]] = [:]
    /// The stations that are out of order.
    private var downtimes: [StationID: Downtime] = [:]
    private let users: RowIndex<User>
    private let stations: RowIndex<Station>
    private let plan: Plan
    /// The number of open workouts.
    package private(set) var open = 0

    /// What is stored: the workouts that can still change, each user's newest, and open downtimes.
    package init(plan: Plan, logs: [WorkoutLog], downtimes: [Downtime]) {
        self.plan = plan
        users = RowIndex(plan.users.map(\.id))
        stations = RowIndex(plan.stations.map(\.id))
        for log in logs { keep(log) }
        for downtime in downtimes { self.downtimes[downtime.station] = downtime }
    }

    /// Performs a request. `workout`: which is meant; without it the open or newest one.
    package mutating func perform(
        _ verb: Request.Training, of user: UserID, workout: Int64? = nil, at now: Timestamp,
        next: inout Int64
    ) -> Result {
        switch verb {
        case .start(let station): start(user, at: station, now, &next)
        case .pause: change(user, workout, now, &next, Self.pause)
        case .resume: change(user, workout, now, &next, Self.resume)
        case .move(let station): move(user, workout, to: station, now, &next)
        case .complete(let end): complete(user, workout, at: end, now, &next)
        case .cancel:
            change(user, workout, now, &next) {
                .success(Self.end(&$0, at: max($1, $0.lastChange), .cancelled))
            }
        case .reopen: reopen(user, workout, now, &next)
        }
    }

    /// The newest workout of a user.
    package func latest(of user: UserID) -> Workout? { logs[user]?.last?.workout }

    /// Who holds a slot of a station, by slot.
    package func holders(of station: StationID) -> [UserID] {
        claims[station]?.map(\.user) ?? []
    }

    package func isOutOfOrder(_ station: StationID) -> Bool { downtimes[station] != nil }

    private mutating func start(
        _ user: UserID, at station: StationID?, _ now: Timestamp, _ next: inout Int64
    ) -> Result {
        if let station, stations[station] == nil { return ([], .refused(.notFound)) }
        if let index = users[user], !plan.users[index].hasAgreed {
            return ([], .refused(.consentRequired))
        }
        if let old = latest(of: user), old.to == nil { return ([], .refused(.alreadyActive)) }
        let begin = max(now, logs[user]?.compactMap(\.workout.to).max() ?? now)
        var log = WorkoutLog(
            Workout(
                id: next, user: user, station: station, state: .active, from: begin, to: nil,
                pauses: [], pausedSince: nil))
        var facts: [TrainingFact] = [.workout(log.workout)]
        if let station {
            switch slot(of: station) {
            case .failure(let refusal): return ([], .refused(refusal.code, refusal.detail))
            case .success(let slot):
                log.claims = [
                    Claim(
                        id: next + 1, station: station, slot: slot, user: user,
                        workout: log.workout.id, from: begin, to: nil)
                ]
                facts += log.claims.map { .claim($0) }
            }
        }
        next += Int64(facts.count)
        keep(log)
        facts.append(event(.started, log.workout, at: begin, next: &next))
        return (facts, .workout(log.standing))
    }

    private struct Refusal: Error {
        var code: ProblemCode
        var detail: Answer.Detail?
    }

    /// A slot of a station that somebody can have now.
    private func slot(of station: StationID) -> Swift.Result<Int, Refusal> {
        if let downtime = downtimes[station] {
            let since = Answer.Detail(since: downtime.from)
            return .failure(Refusal(code: .outOfOrder, detail: since))
        }
        let taken = claims[station] ?? []
        let slots = stations[station].map { plan.stations[$0].slots } ?? 1
        if let free = (1...max(slots, 1)).first(where: { slot in
            !taken.contains { $0.slot == slot }
        }) {
            return .success(free)
        }
        let since = Answer.Detail(since: taken.map(\.from).max())
        return .failure(Refusal(code: .stationInUse, detail: since))
    }

    private typealias Step = (inout WorkoutLog, Timestamp) -> Swift.Result<Event.Kind?, ProblemCode>

    /// The workout that is meant, or why there is none.
    private func meant(
        _ user: UserID, _ workout: Int64?, _ now: Timestamp
    ) -> Swift.Result<WorkoutLog, ProblemCode> {
        guard let workout else {
            return logs[user]?.last.map { .success($0) } ?? .failure(.badState)
        }
        // How long one that is neither newest nor recent is remembered must not matter.
        return logs[user]?.first {
            $0.workout.id == workout && ($0.isNewest || $0.workout.isRecent(at: now))
        }.map { .success($0) } ?? .failure(.notFound)
    }

    /// Changes the open workout, and tells what became of it.
    private mutating func change(
        _ user: UserID, _ workout: Int64?, _ now: Timestamp, _ next: inout Int64, _ step: Step
    ) -> Result {
        switch meant(user, workout, now) {
        case .failure(let refusal): return ([], .refused(refusal))
        case .success(let log) where log.workout.to != nil: return ([], .refused(.badState))
        case .success(let old):
            var log = old
            // The clock may have been set back: no pause and no workout ends before it began.
            let at = max(
                now, log.workout.pausedSince ?? log.workout.pauses.last?.to ?? log.workout.from)
            switch step(&log, at) {
            case .failure(let refusal): return ([], .refused(refusal))
            case .success(let kind): return save(log, since: old, kind, &next)
            }
        }
    }

    /// Keeps a workout that has changed. `kind`: what is told of it, at the moment of its last change.
    private mutating func save(
        _ new: WorkoutLog, since old: WorkoutLog, _ kind: Event.Kind?, _ next: inout Int64
    ) -> Result {
        guard new != old else { return ([], .workout(new.standing)) }
        var log = new
        log.workout.revision += 1
        keep(log)
        // Last what tells of it: until then its station is not that of its open claim.
        var facts = log.claims.filter { !old.claims.contains($0) }.map { TrainingFact.claim($0) }
        facts.append(.workout(log.workout))
        if let kind {
            facts.append(event(kind, log.workout, at: log.lastChange, next: &next))
        }
        return (facts, .workout(log.standing))
    }

    /// Of a paused workout only the cause changes: whoever pauses it resumes it.
    private static func pause(
        _ log: inout WorkoutLog, _ at: Timestamp
    ) -> Swift.Result<Event.Kind?, ProblemCode> {
        let isNew = log.workout.state == .active
        log.workout.pause(at: at, .manual)
        return .success(isNew ? .paused : nil)
    }

    private static func resume(
        _ log: inout WorkoutLog, _ at: Timestamp
    ) -> Swift.Result<Event.Kind?, ProblemCode> {
        guard log.workout.state == .paused else { return .failure(.badState) }
        log.workout.resume(at: at)
        return .success(.resumed)
    }

    /// Ends a workout, its open pause and its claim.
    private static func end(
        _ log: inout WorkoutLog, at end: Timestamp, _ state: Workout.State
    ) -> Event.Kind {
        log.workout.end(at: end, state)
        for index in log.claims.indices where log.claims[index].to == nil {
            log.claims[index].to = end
        }
        return state == .cancelled ? .cancelled : .completed
    }

    private mutating func complete(
        _ user: UserID, _ workout: Int64?, at stated: Timestamp?, _ now: Timestamp,
        _ next: inout Int64
    ) -> Result {
        if case .success(let log) = meant(user, workout, now), log.workout.state == .completed,
            log.isNewest
        {
            return ([], .refused(.alreadyCompleted))
        }
        return change(user, workout, now, &next) { log, _ in
            let least = max(log.lastChange, log.totals.at ?? log.workout.from)
            guard let stated else {
                return .success(Self.end(&log, at: max(now, least), .completed))
            }
            guard stated >= least, stated <= now else { return .failure(.badTime) }
            return .success(Self.end(&log, at: stated, .completed))
        }
    }

    private mutating func move(
        _ user: UserID, _ workout: Int64?, to station: StationID?, _ now: Timestamp,
        _ next: inout Int64
    ) -> Result {
        if let station, stations[station] == nil { return ([], .refused(.notFound)) }
        let log: WorkoutLog
        switch meant(user, workout, now) {
        case .failure(let refusal): return ([], .refused(refusal))
        case .success(let meant): log = meant
        }
        guard log.workout.to == nil else { return ([], .refused(.badState)) }
        guard log.openClaim?.station != station else { return ([], .workout(log.standing)) }
        var new = log
        let at = max(now, log.claims.compactMap { $0.to ?? $0.from }.max() ?? log.workout.from)
        for index in new.claims.indices where new.claims[index].to == nil {
            new.claims[index].to = at
        }
        if let station {
            switch slot(of: station) {
            case .failure(let refusal): return ([], .refused(refusal.code, refusal.detail))
            case .success(let slot):
                new.claims.append(
                    Claim(
                        id: next, station: station, slot: slot, user: user,
                        workout: log.workout.id, from: at, to: nil))
                next += 1
            }
        }
        new.workout.station = station
        let (facts, outcome) = save(new, since: log, nil, &next)
        return (facts + [event(.moved, new.workout, at: at, next: &next)], outcome)
    }

    private mutating func reopen(
        _ user: UserID, _ workout: Int64?, _ now: Timestamp, _ next: inout Int64
    ) -> Result {
        let old: WorkoutLog
        switch meant(user, workout, now) {
        case .failure(let refusal): return ([], .refused(refusal))
        case .success(let meant): old = meant
        }
        if latest(of: user)?.to == nil { return ([], .refused(.alreadyActive)) }
        guard old.isNewest, let end = old.workout.to,
            [.completed, .abandoned].contains(old.workout.state)
        else { return ([], .refused(.badState)) }
        guard old.workout.isRecent(at: now) else { return ([], .refused(.expired)) }
        var log = old
        log.workout.to = nil
        log.workout.state = .active
        // Its slot may be somebody else's by now.
        log.workout.station = nil
        let at = max(now, end)
        log.workout.pauses.append(Workout.Pause(from: end, to: at, cause: .reopened))
        return save(log, since: old, .reopened, &next)
    }

    /// A station is out of order from now on, or can be used again.
    package mutating func serve(
        _ station: StationID, isOutOfOrder: Bool, note: String?, by client: String,
        at now: Timestamp, next: inout Int64
    ) -> (facts: [TrainingFact], refusal: ProblemCode?) {
        guard stations[station] != nil else { return ([], .notFound) }
        guard isOutOfOrder != self.isOutOfOrder(station) else { return ([], nil) }
        if var downtime = downtimes.removeValue(forKey: station) {
            downtime.to = max(now, downtime.from)
            return ([.downtime(downtime)], nil)
        }
        let downtime = Downtime(
            id: next, station: station, from: now, to: nil, note: note, by: client)
        next += 1
        downtimes[station] = downtime
        return ([.downtime(downtime)], nil)
    }

    /// Puts a workout in the place of what is known of it.
    private mutating func keep(_ log: WorkoutLog) {
        let user = log.workout.user
        var all = logs[user] ?? []
        if let old = all.firstIndex(where: { $0.workout.id == log.workout.id }) {
            if all[old].workout.to == nil { open -= 1 }
            for claim in all[old].claims { claims[claim.station]?.removeAll { $0.id == claim.id } }
            all[old] = log
        } else {
            all.append(log)
        }
        all.sort { $1.workout.isLater(than: $0.workout) }
        for index in all.indices { all[index].isNewest = index == all.count - 1 }
        logs[user] = all
        if log.workout.to == nil { open += 1 }
        if let claim = log.openClaim {
            var taken = claims[claim.station] ?? []
            taken.append(claim)
            claims[claim.station] = taken.sorted { $0.slot < $1.slot }
        }
    }

    /// Forgets what cannot change any more: all but the newest workout of each user, and those that ended not
    /// long ago.
    package mutating func forget(before now: Timestamp) {
        logs = logs.mapValues { logs in
            logs.filter { $0.isNewest || $0.workout.isRecent(at: now) }
        }
    }

    private func event(
        _ kind: Event.Kind, _ workout: Workout, at: Timestamp, next: inout Int64
    ) -> TrainingFact {
        defer { next += 1 }
        return .event(
            Event(
                id: next, kind: kind, at: at, user: workout.user,
                place: workout.station.map { .station($0) }, subject: workout.id))
    }
}

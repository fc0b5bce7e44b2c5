import SiteModel

/// What is stored of training: whole new rows.
package enum TrainingFact: Equatable, Sendable {
    /// A workout, with its pauses.
    case workout(Workout)
    /// A use of a slot of a station.
    case claim(Claim)
    /// A set of a workout.
    case set(WorkoutSet)
    /// A time in which a station is out of order.
    case downtime(Downtime)
    /// A transition, to be told once.
    case event(Event)
}

/// The workouts of every user, the claims on stations that go with them, and which stations can be used.
package struct Training: Sendable {
    /// What comes of a request: the facts are one transaction; a refusal comes without facts.
    package typealias Result = (facts: [TrainingFact], outcome: Answer.Outcome)

    /// The most uses of stations, and the most pauses, of a workout that people ask for.
    package static let mostSteps = 500

    /// By user, by start, then row.
    private var logs: [UserID: [WorkoutLog]] = [:]
    /// The open claims of each station, by slot.
    private var claims: [StationID: [Claim]] = [:]
    /// When each slot of a station was last given back: a workout may end a little ahead.
    private var freed: [StationID: [Int: Timestamp]] = [:]
    /// The stations that are out of order.
    private var downtimes: [StationID: Downtime] = [:]
    private let users: RowIndex<User>
    let stations: RowIndex<Station>
    let plan: Plan
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

    /// Performs a request. `workout`: which is meant; without it the open or newest one. `recalled`: what was
    /// found for `recall(for:of:workout:at:)`.
    package mutating func perform(
        _ verb: Request.Training, of user: UserID, workout: Int64? = nil,
        recalled: Recalled? = nil, at now: Timestamp, next: inout Int64
    ) -> Result {
        // Who was retired is still called something.
        guard users[user] != nil else { return ([], .refused(.notFound)) }
        switch verb {
        case .start(let station): return start(user, at: station, now, &next)
        case .addSet(let given): return add(given, user, workout, recalled, now, &next)
        case .changeSet(let given, let revision):
            return change(set: given, revision: revision, user, workout, recalled, now, &next)
        case .deleteSet(let key): return delete(set: key, user, workout, recalled, now, &next)
        case .move(let station?) where stations[station] == nil: return ([], .refused(.notFound))
        case .pause, .resume, .move, .complete, .cancel, .reopen: break
        }
        let isOpen = latest(of: user).map { $0.to == nil } ?? false
        guard let log = meant(user, workout, now) else {
            // An older one is there, and in no state for anything.
            let isThere = workout == nil || recalled?.hasWorkout == true
            let refusal: ProblemCode =
                !isThere ? .notFound : verb == .reopen && isOpen ? .alreadyActive : .badState
            return ([], .refused(refusal))
        }
        switch verb {
        case .reopen: return isOpen ? ([], .refused(.alreadyActive)) : reopen(log, now, &next)
        case .complete where log.workout.state == .completed && log.isNewest:
            return ([], .refused(.alreadyCompleted))
        case _ where log.workout.to != nil: return ([], .refused(.badState))
        case .pause: return pause(log, now, &next)
        case .resume: return resume(log, now, &next)
        case .move(let station): return move(log, to: station, now, &next)
        case .complete(let end): return complete(log, at: end, now, &next)
        case .cancel: return end(log, at: max(now, log.lastMoment), .cancelled, &next)
        case .start, .addSet, .changeSet, .deleteSet: preconditionFailure("done above")
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
        var begin = max(now, logs[user]?.compactMap(\.workout.to).max() ?? now)
        var slot = 1
        if let station {
            switch free(station, at: begin) {
            case .failure(let refusal): return ([], .refused(refusal.code, refusal.detail))
            case .success(let found): (slot, begin) = found
            }
        }
        var log = WorkoutLog(
            Workout(
                id: next, user: user, station: station, state: .active, from: begin, to: nil,
                pauses: [], pausedSince: nil))
        var facts: [TrainingFact] = [.workout(log.workout)]
        if let station {
            log.claims = [
                Claim(
                    id: next + 1, station: station, slot: slot, user: user,
                    workout: log.workout.id, from: begin, to: nil)
            ]
            facts += log.claims.map { .claim($0) }
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

    /// A slot of a station that somebody can have, and from when on: not before a moment.
    private func free(
        _ station: StationID, at moment: Timestamp
    ) -> Swift.Result<(slot: Int, from: Timestamp), Refusal> {
        if let downtime = downtimes[station] {
            let since = Answer.Detail(since: downtime.from)
            return .failure(Refusal(code: .outOfOrder, detail: since))
        }
        let taken = claims[station] ?? []
        let slots = max(stations[station].map { plan.stations[$0].slots } ?? 1, 1)
        // Who held one of more slots than there are now keeps it, and counts.
        if taken.count < slots {
            let free = (1...slots).filter { slot in !taken.contains { $0.slot == slot } }
            let since = free.map { slot in
                (slot: slot, from: max(moment, freed[station]?[slot] ?? moment))
            }
            if let first = since.min(by: { $0.from < $1.from }) { return .success(first) }
        }
        let since = Answer.Detail(since: taken.map(\.from).max())
        return .failure(Refusal(code: .stationInUse, detail: since))
    }

    /// The workout that is meant, if it is held.
    private func meant(_ user: UserID, _ workout: Int64?, _ now: Timestamp) -> WorkoutLog? {
        guard let workout else { return logs[user]?.last }
        return known(of: user, at: now).first { $0.workout.id == workout }
    }

    /// The workouts of somebody that are held, by start. How long one that is neither newest nor recent is held
    /// must not matter.
    func known(of user: UserID, at now: Timestamp) -> [WorkoutLog] {
        logs[user]?.filter { $0.isNewest || $0.workout.isRecent(at: now) } ?? []
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

    /// When a pause may begin or end: the clock may have been set back.
    private func moment(in workout: Workout, _ now: Timestamp) -> Timestamp {
        max(now, workout.pausedSince ?? workout.pauses.last?.to ?? workout.from)
    }

    /// Of a paused workout only the cause changes: whoever pauses it resumes it.
    private mutating func pause(
        _ old: WorkoutLog, _ now: Timestamp, _ next: inout Int64
    ) -> Result {
        guard old.workout.pauses.count < Self.mostSteps else {
            return ([], .refused(.rateLimited))
        }
        var log = old
        log.workout.pause(at: moment(in: old.workout, now), .manual)
        return save(log, since: old, old.workout.state == .active ? .paused : nil, &next)
    }

    private mutating func resume(
        _ old: WorkoutLog, _ now: Timestamp, _ next: inout Int64
    ) -> Result {
        guard old.workout.state == .paused else { return ([], .refused(.badState)) }
        var log = old
        log.workout.resume(at: moment(in: old.workout, now))
        return save(log, since: old, .resumed, &next)
    }

    /// Ends a workout, its open pause and its claim.
    private mutating func end(
        _ old: WorkoutLog, at end: Timestamp, _ state: Workout.State, _ next: inout Int64
    ) -> Result {
        var log = old
        log.workout.end(at: end, state)
        log.endClaims(at: end)
        return save(log, since: old, state == .cancelled ? .cancelled : .completed, &next)
    }

    private mutating func complete(
        _ log: WorkoutLog, at stated: Timestamp?, _ now: Timestamp, _ next: inout Int64
    ) -> Result {
        if let stated, stated < log.lastMoment || stated > now {
            return ([], .refused(.badTime))
        }
        return end(log, at: stated ?? max(now, log.lastMoment), .completed, &next)
    }

    private mutating func move(
        _ log: WorkoutLog, to station: StationID?, _ now: Timestamp, _ next: inout Int64
    ) -> Result {
        guard log.openClaim?.station != station else { return ([], .workout(log.standing)) }
        guard station == nil || log.claims.count < Self.mostSteps else {
            return ([], .refused(.rateLimited))
        }
        var new = log
        var at = max(now, log.claims.compactMap { $0.to ?? $0.from }.max() ?? log.workout.from)
        var slot = 1
        if let station {
            switch free(station, at: at) {
            case .failure(let refusal): return ([], .refused(refusal.code, refusal.detail))
            case .success(let found): (slot, at) = found
            }
        }
        new.endClaims(at: at)
        if let station {
            new.claims.append(
                Claim(
                    id: next, station: station, slot: slot, user: log.workout.user,
                    workout: log.workout.id, from: at, to: nil))
            next += 1
        }
        new.workout.station = station
        let (facts, outcome) = save(new, since: log, nil, &next)
        return (facts + [event(.moved, new.workout, at: at, next: &next)], outcome)
    }

    private mutating func reopen(
        _ old: WorkoutLog, _ now: Timestamp, _ next: inout Int64
    ) -> Result {
        guard old.isNewest, let end = old.workout.to,
            [.completed, .abandoned].contains(old.workout.state)
        else { return ([], .refused(.badState)) }
        guard old.workout.pauses.count < Self.mostSteps else {
            return ([], .refused(.rateLimited))
        }
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
    mutating func keep(_ log: WorkoutLog) {
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
        for claim in log.claims {
            guard let end = claim.to else { continue }
            let known = freed[claim.station]?[claim.slot] ?? end
            freed[claim.station, default: [:]][claim.slot] = max(known, end)
        }
        if let claim = log.openClaim {
            var taken = claims[claim.station] ?? []
            taken.append(claim)
            claims[claim.station] = taken.sorted { $0.slot < $1.slot }
        }
    }

    /// Forgets what cannot change any more, as what is stored does (`settle`).
    package mutating func forget(before now: Timestamp) {
        logs = logs.mapValues { logs in
            var logs = logs
            logs.settle(at: now)
            return logs
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

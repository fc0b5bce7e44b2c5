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
    /// A wait for a slot of a station.
    case wait(Wait)
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
    private(set) var logs: [UserID: [WorkoutLog]] = [:]
    /// Who holds or waits for which station.
    package var book: StationBook
    let users: RowIndex<User>
    let plan: Plan
    /// The number of open workouts.
    package private(set) var open = 0

    /// What is stored: the workouts that can still change, each user's newest, open downtimes, and waits.
    package init(plan: Plan, logs: [WorkoutLog], downtimes: [Downtime], waits: [Wait] = []) {
        self.plan = plan
        users = RowIndex(plan.users.map(\.id))
        book = StationBook(plan: plan, downtimes: downtimes, waits: waits)
        for log in logs { keep(log) }
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
        case .past(let past): return log(past, user, recalled, now, &next)
        case .move(let station?) where book[station] == nil: return ([], .refused(.notFound))
        case .pause, .resume, .move, .complete, .cancel, .reopen: break
        }
        let isOpen = latest(of: user).map { $0.to == nil } ?? false
        let older = verb == .cancel ? recalled?.stated : nil
        guard let log = meant(user, workout, now) ?? older else {
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
        case .cancel where workout != nil && log.workout.canBeTakenBack: return takeBack(log, &next)
        case _ where log.workout.to != nil: return ([], .refused(.badState))
        case .pause: return pause(log, now, &next)
        case .resume: return resume(log, now, &next)
        case .move(let station): return move(log, to: station, now, &next)
        case .complete(let end): return complete(log, at: end, now, &next)
        case .cancel: return end(log, at: max(now, log.lastMoment), .cancelled, now, &next)
        case .start, .addSet, .changeSet, .deleteSet, .past: preconditionFailure("done above")
        }
    }

    /// The newest workout of a user.
    package func latest(of user: UserID) -> Workout? { logs[user]?.last?.workout }

    private mutating func start(
        _ user: UserID, at station: StationID?, _ now: Timestamp, _ next: inout Int64
    ) -> Result {
        if let station, book[station] == nil { return ([], .refused(.notFound)) }
        if let index = users[user], !plan.users[index].hasAgreed {
            return ([], .refused(.consentRequired))
        }
        if let old = latest(of: user), old.to == nil { return ([], .refused(.alreadyActive)) }
        let begin = max(now, logs[user]?.compactMap(\.workout.to).max() ?? now)
        guard let station else { return begins(user, at: nil, from: begin, .request, &next) }
        switch book.free(station, at: begin, for: user) {
        case .failure(let refusal): return ([], .refused(refusal.code, refusal.detail))
        case .success(let slot):
            return begins(user, at: (station, slot.slot), from: slot.from, .request, &next)
        }
    }

    /// Begins a workout, at a free slot or nowhere in particular.
    mutating func begins(
        _ user: UserID, at place: (station: StationID, slot: Int)?, from begin: Timestamp,
        _ cause: Workout.Cause, _ next: inout Int64
    ) -> Result {
        var log = WorkoutLog(
            Workout(
                id: next, user: user, station: place?.station, state: .active, cause: cause,
                from: begin, to: nil, pauses: [], pausedSince: nil))
        next += 1
        if let place { log.claim(place.station, slot: place.slot, from: begin, &next) }
        keep(log)
        let facts = [.workout(log.workout)] + log.claims.map { TrainingFact.claim($0) }
        return (
            facts + [.told(.started, log.workout, at: begin, &next)], .workout(log.standing)
        )
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
    mutating func save(
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
            facts.append(.told(kind, log.workout, at: log.lastChange, &next))
        }
        return (facts, .workout(log.standing))
    }

    /// Of a paused workout only the cause changes: whoever pauses it resumes it.
    private mutating func pause(
        _ old: WorkoutLog, _ now: Timestamp, _ next: inout Int64
    ) -> Result {
        guard old.workout.pauses.count < Self.mostSteps else {
            return ([], .refused(.rateLimited))
        }
        var log = old
        log.workout.pause(at: old.workout.step(at: now), .manual)
        return save(log, since: old, old.workout.state == .active ? .paused : nil, &next)
    }

    private mutating func resume(
        _ old: WorkoutLog, _ now: Timestamp, _ next: inout Int64
    ) -> Result {
        guard old.workout.state == .paused else { return ([], .refused(.badState)) }
        var log = old
        log.workout.resume(at: old.workout.step(at: now))
        return save(log, since: old, .resumed, &next)
    }

    /// Ends a workout, its open pause and its claim, and with it the wait of its user, also one that began after the
    /// end that is stated.
    private mutating func end(
        _ old: WorkoutLog, at end: Timestamp, _ state: Workout.State, _ now: Timestamp,
        _ next: inout Int64
    ) -> Result {
        var log = old
        log.workout.end(at: end, state)
        log.endClaims(at: end)
        let (saved, outcome) = save(
            log, since: old, state == .cancelled ? .cancelled : .completed, &next)
        var facts = saved
        if let wait = book.wait(of: log.workout.user) {
            facts.append(book.end(wait, .ended, at: now))
        }
        return (facts, outcome)
    }

    private mutating func complete(
        _ log: WorkoutLog, at stated: Timestamp?, _ now: Timestamp, _ next: inout Int64
    ) -> Result {
        if let stated, stated < log.lastMoment || stated > now {
            return ([], .refused(.badTime))
        }
        return end(log, at: stated ?? max(now, log.lastMoment), .completed, now, &next)
    }

    private mutating func move(
        _ log: WorkoutLog, to station: StationID?, _ now: Timestamp, _ next: inout Int64
    ) -> Result {
        guard log.openClaim?.station != station else { return ([], .workout(log.standing)) }
        guard station == nil || log.claims.count < Self.mostSteps else {
            return ([], .refused(.rateLimited))
        }
        let at = max(now, log.lastClaim.map { $0.to ?? $0.from } ?? log.workout.from)
        guard let station else { return moves(log, to: nil, at: at, &next) }
        switch book.free(station, at: at, for: log.workout.user) {
        case .failure(let refusal): return ([], .refused(refusal.code, refusal.detail))
        case .success(let slot):
            return moves(log, to: (station, slot.slot), at: slot.from, &next)
        }
    }

    /// Gives the present slot back, and takes a free one or none.
    mutating func moves(
        _ log: WorkoutLog, to place: (station: StationID, slot: Int)?, at moment: Timestamp,
        _ next: inout Int64
    ) -> Result {
        var new = log
        new.endClaims(at: moment)
        if let place { new.claim(place.station, slot: place.slot, from: moment, &next) }
        new.workout.station = place?.station
        let (facts, outcome) = save(new, since: log, nil, &next)
        return (facts + [.told(.moved, new.workout, at: moment, &next)], outcome)
    }

    private mutating func reopen(
        _ old: WorkoutLog, _ now: Timestamp, _ next: inout Int64
    ) -> Result {
        guard old.isNewest, old.workout.cause != .stated, let end = old.workout.to,
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

    /// Puts a workout in the place of what is known of it.
    mutating func keep(_ log: WorkoutLog) {
        let known = logs[log.workout.user, default: []].keep(log)
        book.replace(known?.claims ?? [], with: log)
        if known.map({ $0.workout.to == nil }) ?? false { open -= 1 }
        if log.workout.to == nil { open += 1 }
    }

    /// Forgets what cannot change any more, as what is stored does (`settle`).
    package mutating func forget(before now: Timestamp) {
        logs = logs.mapValues { logs in
            var logs = logs
            logs.settle(at: now)
            return logs
        }
    }
}

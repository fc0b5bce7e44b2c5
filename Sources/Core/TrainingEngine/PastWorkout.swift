import SiteModel

/// A workout that is logged when it is over: a row like others that takes no slot. Nobody is told of it, for nothing
/// happens now.
struct PastWorkout {
    /// How long it may have been.
    private static let longest = Timestamp.Span.seconds(24 * 3600)

    let past: Request.Past
    let user: User
    let plan: Plan
    /// What is held of the user's workouts.
    let held: [WorkoutLog]
    let recalled: Recalled?
    let now: Timestamp

    /// Why it is refused; `nil`: it is not. `isStation`: whether a set may have been there.
    func refusal(isStation: (StationID?) -> Bool) -> Answer.Outcome? {
        let sets = past.sets
        let keys = Set(sets.map(\.key))
        if past.station != nil { return .refused(.schema, .init(member: "station")) }
        if past.from == nil { return .refused(.schema, .init(member: "started_ms")) }
        if past.to == nil { return .refused(.schema, .init(member: "ended_ms")) }
        if keys.count < sets.count { return .refused(.schema, .init(member: "sets")) }
        for given in sets {
            if let fault = exercise(of: given).flatMap({ given.fault(of: $0) }) { return fault }
        }
        if recalled?.knowsSets == true || held.contains(where: { $0.has(anyOf: keys) }) {
            return .refused(.idempotencyMismatch)
        }
        guard sets.allSatisfy({ exercise(of: $0) != nil && isStation($0.station) }) else {
            return .refused(.notFound)
        }
        guard user.hasAgreed else { return .refused(.consentRequired) }
        guard let span = past.span, span.to <= now, span.length <= Self.longest,
            sets.allSatisfy({ $0.at.map { span.from <= $0 && $0 <= span.to } ?? true })
        else { return .refused(.badTime) }
        guard recalled?.isTaken != true, !held.contains(where: { $0.workout.meets(span) }) else {
            return .refused(.overlap)
        }
        return nil
    }

    /// It as rows from `next` on; `nil` if it takes no time, which `refusal` says.
    func log(next: inout Int64) -> WorkoutLog? {
        guard let span = past.span else { return nil }
        var log = WorkoutLog(
            Workout(
                id: next, user: user.id, station: nil, state: .completed, cause: .stated,
                from: span.from, to: span.to, pauses: [], pausedSince: nil))
        next += 1
        for given in past.sets {
            guard let exercise = exercise(of: given), let measure = given.measure else { continue }
            log.take(
                WorkoutSet(
                    id: next, workout: log.workout.id, user: user.id, key: given.key,
                    number: log.sets.count + 1, exercise: exercise.slug,
                    kind: given.kind ?? .working, measure: measure, weight: given.weight,
                    rir: given.rir, station: given.station, at: given.at ?? span.to,
                    note: given.note, target: given.target, digest: given.digest))
            next += 1
        }
        return log
    }

    private func exercise(of given: GivenSet) -> Exercise? {
        plan.exercises.first { $0.slug == given.exercise }
    }
}

extension Training {
    mutating func log(
        _ past: Request.Past, _ user: UserID, _ recalled: Recalled?, _ now: Timestamp,
        _ next: inout Int64
    ) -> Result {
        guard let index = users[user] else { return ([], .refused(.notFound)) }
        let stated = PastWorkout(
            past: past, user: plan.users[index], plan: plan, held: logs[user] ?? [],
            recalled: recalled, now: now)
        if let refusal = stated.refusal(isStation: isKnown) { return ([], refusal) }
        guard let log = stated.log(next: &next) else { return ([], .refused(.badTime)) }
        keep(log)
        // A set refers to its workout, and the topic is told anew when all of them are there.
        let workout = TrainingFact.workout(log.workout)
        let facts = [workout] + log.sets.map { .set($0) } + (log.sets.isEmpty ? [] : [workout])
        return (facts, .workout(log.standing))
    }

    /// One that was logged by mistake counts nowhere, however long ago. Nobody is told, as nobody was of its log.
    mutating func takeBack(_ old: WorkoutLog, _ next: inout Int64) -> Result {
        var log = old
        log.workout.state = .cancelled
        return save(log, since: old, nil, &next)
    }
}

extension WorkoutLog {
    fileprivate func has(anyOf keys: Set<String>) -> Bool {
        sets.contains { keys.contains($0.key) }
    }
}

extension Workout {
    /// Whether it was logged when it was over, and not taken back yet.
    var canBeTakenBack: Bool { cause == .stated && state == .completed }

    /// Whether it counts, and takes a part of a time.
    fileprivate func meets(_ span: Interval) -> Bool {
        state != .cancelled && from < span.to && (to.map { $0 > span.from } ?? true)
    }
}

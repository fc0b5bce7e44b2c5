import SiteModel

/// Sets: who logs what, when, and what records it is.
extension Training {
    /// The most sets of a workout, deleted ones included.
    package static let mostSets = 500
    /// So far ahead the clock of whoever logs a set may be.
    package static let longestLead = Timestamp.Span.seconds(2)

    /// What must be looked up before a request can be performed; `nil`: nothing.
    package func recall(
        for verb: Request.Training, of user: UserID, workout: Int64?, at now: Timestamp
    ) -> Recall? {
        Recall(for: verb, of: user, workout: workout, known: known(of: user, at: now), at: now)
    }

    /// The workouts of somebody whose sets can still change, by start.
    private func recent(of user: UserID, at now: Timestamp) -> [WorkoutLog] {
        known(of: user, at: now).filter { $0.workout.isRecent(at: now) }
    }

    mutating func add(
        _ given: GivenSet, _ user: UserID, _ workout: Int64?, _ recalled: Recalled?,
        _ now: Timestamp, _ next: inout Int64
    ) -> Result {
        let recent = recent(of: user, at: now)
        let exercise = plan.exercises.first { $0.slug == given.exercise }
        let fault = exercise.flatMap { given.fault(of: $0) }
        if let old = recent.set(given.key) ?? recalled?.set {
            if old.digest == given.digest {
                return ([], .set(old.first(given), records: old.told))
            }
            return ([], fault ?? .refused(.idempotencyMismatch))
        }
        if let fault { return ([], fault) }
        guard let exercise, let measure = given.measure, isKnown(given.station),
            isTheirs(workout, of: user, recalled, at: now)
        else { return ([], .refused(.notFound)) }
        // A workout may begin a little ahead, where the one before ended so.
        let at = given.at ?? max(now, recent.last { $0.workout.to == nil }?.workout.from ?? now)
        let meant = recent.filter { workout ?? $0.workout.id == $0.workout.id }
        switch meant.place(at, now) {
        case .failure(let refusal):
            let isFull = (meant.last?.sets.count ?? 0) >= Self.mostSets
            return ([], .refused(isFull ? .rateLimited : refusal))
        case .success(let log):
            guard log.sets.count < Self.mostSets else { return ([], .refused(.rateLimited)) }
            guard log.workout.state != .cancelled else { return ([], .refused(.badState)) }
            var set = WorkoutSet(
                id: next, workout: log.workout.id, user: user, key: given.key,
                number: (log.sets.map(\.number).max() ?? 0) + 1, exercise: exercise.slug,
                kind: given.kind ?? .working, measure: measure, weight: given.weight,
                rir: given.rir, station: given.station ?? log.station(at: at), at: at,
                note: given.note, target: given.target, digest: given.digest,
                rest: log.workout.to == nil ? exercise.rest : nil)
            next += 1
            set.told = recent.records(of: set, recalled)
            return save(set, in: log, records: set.told, isNew: !set.told.isEmpty, &next)
        }
    }

    mutating func change(
        set given: GivenSet, revision: Int64, _ user: UserID, _ workout: Int64?,
        _ recalled: Recalled?, _ now: Timestamp, _ next: inout Int64
    ) -> Result {
        let recent = recent(of: user, at: now)
        guard let old = recent.set(given.key) ?? recalled?.set, !old.isDeleted,
            workout ?? old.workout == old.workout
        else { return ([], .refused(.notFound)) }
        let slug = given.exercise ?? old.exercise
        // One that was retired since is what the set says of it.
        let retired = slug == old.exercise ? old.shownExercise : nil
        guard let exercise = plan.exercises.first(where: { $0.slug == slug }) ?? retired
        else { return ([], .refused(.notFound)) }
        let whole = old.changed(by: given, to: exercise)
        if let fault = whole.fault(of: exercise) { return ([], fault) }
        guard isKnown(given.station) else { return ([], .refused(.notFound)) }
        guard revision == old.revision else { return ([], .refused(.revisionConflict)) }
        guard let log = recent.first(where: { $0.workout.id == old.workout }),
            log.workout.state != .cancelled
        else { return ([], .refused(.badState)) }
        if let at = given.at, !log.covers(at, now) { return ([], .refused(.badTime)) }
        var new = old
        new.exercise = exercise.slug
        new.kind = whole.kind ?? old.kind
        new.measure = whole.measure ?? old.measure
        (new.weight, new.rir, new.station) = (whole.weight, whole.rir, whole.station)
        (new.at, new.note, new.target) = (whole.at ?? old.at, whole.note, whole.target)
        let records = recent.records(of: new, recalled)
        guard new != old else { return ([], .set(new.told(in: log), records: records)) }
        let before = new.exercise == old.exercise ? recent.records(of: old, recalled) : []
        new.revision += 1
        return save(
            new, in: log, records: records, isNew: !Set(records).isSubset(of: before), &next)
    }

    mutating func delete(
        set key: String, _ user: UserID, _ workout: Int64?, _ recalled: Recalled?,
        _ now: Timestamp, _ next: inout Int64
    ) -> Result {
        let recent = recent(of: user, at: now)
        guard let old = recent.set(key) ?? recalled?.set,
            workout ?? old.workout == old.workout
        else { return ([], .refused(.notFound)) }
        let log = recent.first { $0.workout.id == old.workout }
        if old.isDeleted { return ([], .set(old.told(in: log), records: [])) }
        guard let log, log.workout.state != .cancelled else { return ([], .refused(.badState)) }
        var new = old
        new.isDeleted = true
        new.revision += 1
        return save(new, in: log, records: [], isNew: false, &next)
    }

    func isKnown(_ station: StationID?) -> Bool {
        station.map { book[$0] != nil } ?? true
    }

    private func isTheirs(
        _ workout: Int64?, of user: UserID, _ recalled: Recalled?, at now: Timestamp
    ) -> Bool {
        guard let workout else { return true }
        return known(of: user, at: now).contains { $0.workout.id == workout }
            || recalled?.hasWorkout == true
    }

    private mutating func save(
        _ set: WorkoutSet, in old: WorkoutLog, records: [WorkoutSet.Record], isNew: Bool,
        _ next: inout Int64
    ) -> Result {
        var log = old
        log.take(set)
        log.workout.revision += 1
        keep(log)
        var facts: [TrainingFact] = [.set(set), .workout(log.workout)]
        for kind in [Event.Kind.set] + (isNew ? [.recordBroken] : []) {
            facts.append(.told(kind, set, &next))
        }
        return (facts, .set(set.told(in: log), records: records))
    }
}

extension WorkoutLog {
    /// Whether a set of a moment belongs to it.
    fileprivate func covers(_ moment: Timestamp, _ now: Timestamp) -> Bool {
        workout.from <= moment && moment <= (workout.to ?? now + Training.longestLead)
    }

    /// The station that was held at a moment.
    fileprivate func station(at moment: Timestamp) -> StationID? {
        claims.last { $0.from <= moment && $0.to.map { moment <= $0 } ?? true }?.station
    }
}

extension WorkoutSet {
    /// It as it was taken first: from what was sent then, and is sent again.
    fileprivate func first(_ given: GivenSet) -> WorkoutSet {
        WorkoutSet(
            id: id, workout: workout, user: user, key: key, number: number,
            exercise: given.exercise ?? exercise, kind: given.kind ?? .working,
            measure: given.measure ?? measure, weight: given.weight, rir: given.rir,
            station: firstStation, at: firstAt, note: given.note,
            target: given.target, digest: digest, rest: rest, told: told)
    }

    /// Its exercise, as far as it shows that: whether a weight was needed it does not.
    fileprivate var shownExercise: Exercise {
        let counted: Exercise.Measure =
            switch measure {
            case .reps: .reps
            case .duration: .time
            case .distance: .distance
            }
        return Exercise(slug: exercise, measure: counted, load: .bodyweight)
    }

    /// All of it as it would be sent, with a change.
    fileprivate func changed(by given: GivenSet, to exercise: Exercise) -> GivenSet {
        func rest<Value>(_ new: Value?, _ old: Value?, _ member: GivenSet.Member) -> Value? {
            new ?? (given.cleared.contains(member) ? nil : old)
        }
        var whole = given
        whole.kind = given.kind ?? kind
        if (given.reps, given.duration, given.distance) == (nil, nil, nil) {
            switch measure {
            case .reps(let count): whole.reps = count
            case .duration(let seconds): whole.duration = seconds
            case .distance(let metres): whole.distance = metres
            }
        }
        whole.weight = rest(given.weight, weight, .weight)
        whole.rir = rest(given.rir, rir, .rir)
        whole.station = rest(given.station, station, .station)
        whole.note = rest(given.note, note, .note)
        whole.target = rest(given.target, target, .target)
        whole.at = given.at ?? at
        return whole
    }
}

extension GivenSet {
    /// The refusal of a set that is none of an exercise: it measures something else, or has no weight.
    func fault(of exercise: Exercise) -> Answer.Outcome? {
        let given: [(name: String, measure: Exercise.Measure, isThere: Bool)] = [
            ("reps", .reps, reps != nil), ("duration_s", .time, duration != nil),
            ("distance_m", .distance, distance != nil),
        ]
        let wrong = given.first { ($0.measure == exercise.measure) != $0.isThere }?.name
        let weight =
            switch exercise.load {
            case .weight: self.weight == nil
            case .bodyweight: false
            case .none: self.weight != nil
            }
        return (wrong ?? (weight ? "weight_kg" : nil)).map { .refused(.schema, .init(member: $0)) }
    }
}

extension [WorkoutLog] {
    func set(_ key: String) -> WorkoutSet? {
        for log in self {
            if let set = log.sets.first(where: { $0.key == key }) { return set }
        }
        return nil
    }

    /// What a set is against all others that count.
    fileprivate func records(
        of set: WorkoutSet, _ recalled: Recalled?
    ) -> [WorkoutSet.Record] {
        var bests = recalled?.bests ?? ExerciseBests()
        var before: Int64 = 0
        guard let own = first(where: { $0.workout.id == set.workout })?.workout else {
            return []
        }
        for log in self where log.workout.state != .cancelled {
            let others = log.sets.filter { $0.exercise == set.exercise && $0.id != set.id }
            let volume = others.reduce(0) { $0 + $1.volume }
            for other in others { bests.take(other) }
            if log.workout.id == own.id {
                before = volume
            } else if own.isLater(than: log.workout) {
                bests.take(volume: volume)
            }
        }
        return bests.records(of: set, before: before)
    }

    /// The workout that a moment belongs to: where two touch, the later one.
    fileprivate func place(
        _ moment: Timestamp, _ now: Timestamp
    ) -> Result<WorkoutLog, ProblemCode> {
        if let log = last(where: { $0.covers(moment, now) }) { return .success(log) }
        return .failure(contains { $0.workout.to == nil } ? .badTime : .badState)
    }
}

extension WorkoutSet {
    /// It as an answer tells it: there is no rest after the end, nor after what was none.
    fileprivate func told(in log: WorkoutLog?) -> WorkoutSet {
        var told = self
        if log?.workout.to != nil || isDeleted { told.rest = nil }
        return told
    }
}

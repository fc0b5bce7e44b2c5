import SiteModel

/// What the machines have forgotten, and is to be looked up before they can decide on a request.
package struct Recall: Equatable, Sendable, Codable {
    /// Whose it is.
    package var user: UserID
    /// A workout: whether it is theirs.
    package var workout: Int64?
    /// The key of a set.
    package var set: String?
    /// The slug of an exercise: what they reached in it.
    package var exercise: String?
    /// Workouts whose sets the machines know, and which are left out.
    package var except: [Int64]
    /// Keys of sets: whether any is used.
    package var sets: [String]?
    /// A time: whether another workout takes a part of it.
    package var span: Interval?

    package init(
        user: UserID, workout: Int64? = nil, set: String? = nil, exercise: String? = nil,
        except: [Int64] = []
    ) {
        self.user = user
        self.workout = workout
        self.set = set
        self.exercise = exercise
        self.except = except
    }

    /// What must be looked up before a request can be performed; `nil`: nothing. `known`: the user's workouts that
    /// are held.
    init?(
        for verb: Request.Training, of user: UserID, workout: Int64?, known: [WorkoutLog],
        at now: Timestamp
    ) {
        let recent = known.filter { $0.workout.isRecent(at: now) }
        self.init(user: user, except: recent.map(\.workout.id))
        if let workout, !known.contains(where: { $0.workout.id == workout }) {
            self.workout = workout
        }
        switch verb {
        case .addSet(let given):
            if recent.set(given.key) == nil {
                set = given.key
                exercise = given.exercise
            }
        case .changeSet(let given, _):
            if let old = recent.set(given.key) {
                exercise = given.exercise ?? old.exercise
            } else {
                set = given.key
            }
        case .deleteSet(let key):
            if recent.set(key) == nil { set = key }
        case .past(let past):
            sets = past.sets.isEmpty ? nil : past.sets.map(\.key)
            span = past.span
        case .start, .pause, .resume, .move, .complete, .cancel, .reopen: break
        }
        if isEmpty { return nil }
    }

    /// Whether there is nothing to look up.
    package var isEmpty: Bool {
        workout == nil && set == nil && exercise == nil && sets == nil && span == nil
    }

    /// Whether what was found for another question answers this one.
    package func isCovered(by other: Recall) -> Bool {
        user == other.user && (workout == nil || workout == other.workout)
            && (set == nil || set == other.set)
            && (exercise == nil || exercise == other.exercise)
            && (sets == nil || sets == other.sets) && (span == nil || span == other.span)
    }
}

/// What was found for a `Recall`.
package struct Recalled: Equatable, Sendable, Codable {
    /// Whether the workout is theirs.
    package var hasWorkout: Bool
    package var set: WorkoutSet?
    /// What they reached in the exercise in workouts that count, but for those left out.
    package var bests: ExerciseBests
    /// Whether any of the keys is used.
    package var knowsSets: Bool?
    /// Whether another workout that counts takes a part of the time.
    package var isTaken: Bool?
    /// The workout, if it was logged when it was over, and not taken back yet.
    package var stated: WorkoutLog?

    package init(
        hasWorkout: Bool = false, set: WorkoutSet? = nil, bests: ExerciseBests = ExerciseBests(),
        knowsSets: Bool? = nil, isTaken: Bool? = nil, stated: WorkoutLog? = nil
    ) {
        self.hasWorkout = hasWorkout
        self.set = set
        self.bests = bests
        self.knowsSets = knowsSets
        self.isTaken = isTaken
        self.stated = stated
    }
}

/// The best that sets of one exercise reached.
package struct ExerciseBests: Equatable, Sendable, Codable {
    /// The most repetitions at a weight; without one it is 0.
    package struct Reps: Equatable, Sendable, Codable {
        /// In grams.
        package var weight: Int64
        package var reps: Int

        package init(weight: Int64, reps: Int) {
            self.weight = weight
            self.reps = reps
        }
    }

    /// The heaviest, in grams.
    package var weight: Int64?
    /// The greatest sound estimate of a one-repetition maximum, in grams.
    package var oneRepMax: Double?
    /// By weight.
    package var reps: [Reps]
    /// In seconds.
    package var duration: Int?
    /// In metres.
    package var distance: Int?
    /// The greatest volume of one workout, in grams.
    package var volume: Int64?

    package init(
        weight: Int64? = nil, oneRepMax: Double? = nil, reps: [Reps] = [], duration: Int? = nil,
        distance: Int? = nil, volume: Int64? = nil
    ) {
        self.weight = weight
        self.oneRepMax = oneRepMax
        self.reps = reps
        self.duration = duration
        self.distance = distance
        self.volume = volume
    }

    /// Takes in a set that counts; its volume is that of its workout.
    package mutating func take(_ set: WorkoutSet) {
        guard set.counts else { return }
        if let weight = set.weight { self.weight = max(self.weight ?? weight, weight) }
        if let estimate = set.oneRepMax, set.isEstimateSound {
            oneRepMax = max(oneRepMax ?? estimate, estimate)
        }
        switch set.measure {
        case .reps(let count):
            let known = reps.first(set.weight ?? 0, by: \.weight)?.reps ?? 0
            reps.put(Reps(weight: set.weight ?? 0, reps: max(known, count)), by: \.weight)
        case .duration(let seconds): duration = max(duration ?? seconds, seconds)
        case .distance(let metres): distance = max(distance ?? metres, metres)
        }
    }

    /// Takes in the volume of a workout.
    package mutating func take(volume new: Int64) {
        guard new > 0 else { return }
        volume = max(volume ?? new, new)
    }

    /// The records that a set is against these. `before`: the volume of its exercise in its workout without it.
    package func records(of set: WorkoutSet, before: Int64) -> [WorkoutSet.Record] {
        guard set.counts else { return [] }
        var records: [WorkoutSet.Record] = []
        if let weight = set.weight, let known = self.weight, weight > known {
            records.append(.weight)
        }
        if case .reps(let count) = set.measure,
            let known = reps.first(set.weight ?? 0, by: \.weight)?.reps, count > known
        {
            records.append(.reps)
        }
        if let estimate = set.oneRepMax, set.isEstimateSound, let known = oneRepMax,
            estimate > known
        {
            records.append(.oneRepMax)
        }
        if let known = volume, before <= known, before + set.volume > known {
            records.append(.volume)
        }
        if case .duration(let seconds) = set.measure, let known = duration, seconds > known {
            records.append(.duration)
        }
        if case .distance(let metres) = set.measure, let known = distance, metres > known {
            records.append(.distance)
        }
        return records
    }
}

import SiteModel

/// The workouts that a site holds, by row: the sum of what was decided of them.
extension [WorkoutLog] {
    package mutating func put(_ workout: Workout, at clock: Timestamp) {
        if let place = place(of: workout.id, by: \.workout.id) {
            self[place].workout = workout
        } else {
            put(WorkoutLog(workout), by: \.workout.id)
        }
        let own = indices.filter { self[$0].workout.user == workout.user }
        let newest = own.max { self[$1].workout.isLater(than: self[$0].workout) }
        for place in own { self[place].isNewest = place == newest }
        // Sets of the newest may still come, from a database.
        removeAll { log in
            log.workout.user == workout.user && !log.isNewest
                && !log.workout.isRecent(at: clock)
        }
    }

    /// Nothing comes of a claim of a workout that is not held, or not held any more.
    package mutating func put(_ claim: Claim) {
        guard let place = place(of: claim.workout, by: \.workout.id) else { return }
        self[place].claims.put(claim, by: \.id)
    }

    /// The same of a set.
    package mutating func put(_ set: WorkoutSet) {
        guard let place = place(of: set.workout, by: \.workout.id) else { return }
        self[place].take(set)
    }

    /// Forgets workouts that cannot change any more, and of each user's newest its sets.
    package mutating func settle(at clock: Timestamp) {
        for place in indices.reversed() where !self[place].workout.isRecent(at: clock) {
            if self[place].isNewest {
                self[place].settle()
            } else {
                remove(at: place)
            }
        }
    }
}

extension WorkoutLog {
    /// Takes a slot of a station.
    mutating func claim(
        _ station: StationID, slot: Int, from: Timestamp, _ next: inout Int64
    ) {
        claims.append(
            Claim(
                id: next, station: station, slot: slot, user: workout.user, workout: workout.id,
                from: from, to: nil))
        next += 1
    }

    /// The station that its user is away from when nobody hears them at any: the one they hold a slot of, or gave back
    /// by being away.
    var watched: StationID? {
        guard let claim = lastClaim else { return nil }
        let isLeft = workout.pauses.last.map { $0.cause == .left && $0.from == claim.to } ?? false
        return claim.to == nil || isLeft ? claim.station : nil
    }
}

extension Request.Verb {
    /// Whether it says of a user's workout where they are, or that it goes on.
    package var saysWhere: Bool {
        if case .queue(_, .accept, _) = self { return true }
        guard case .training(_, let verb, _) = self else { return false }
        switch verb {
        case .start, .resume, .move, .reopen: return true
        case .pause, .complete, .cancel, .addSet, .changeSet, .deleteSet, .past: return false
        }
    }
}

extension KeyedDecodingContainer {
    /// A state that was recorded before workouts had their claims with them has these apart.
    package func decode(_ type: [WorkoutLog].Type, forKey key: Key) throws -> [WorkoutLog] {
        var logs = try decodeIfPresent(type, forKey: key) ?? []
        if let key = Key(stringValue: "claims"),
            let claims = try decodeIfPresent([Claim].self, forKey: key)
        {
            for claim in claims { logs.put(claim) }
        }
        return logs
    }

    /// Nor had it stations that were out of order.
    package func decode(_ type: [Downtime].Type, forKey key: Key) throws -> [Downtime] {
        try decodeIfPresent(type, forKey: key) ?? []
    }
}

extension TrainingFact {
    /// What is told of a set.
    static func told(_ kind: Event.Kind, _ set: WorkoutSet, _ next: inout Int64) -> TrainingFact {
        defer { next += 1 }
        return .event(
            Event(
                id: next, kind: kind, at: set.at, user: set.user,
                place: set.station.map { .station($0) }, subject: set.workout))
    }

    /// What is told of a workout, as of a moment.
    static func told(
        _ kind: Event.Kind, _ workout: Workout, at moment: Timestamp, _ next: inout Int64
    ) -> TrainingFact {
        defer { next += 1 }
        return .event(
            Event(
                id: next, kind: kind, at: moment, user: workout.user,
                place: workout.station.map { .station($0) }, subject: workout.id))
    }
}

extension Workout {
    /// When a pause may begin or end: the clock may have been set back.
    func step(at now: Timestamp) -> Timestamp {
        max(now, pausedSince ?? pauses.last?.to ?? from)
    }
}

extension [WorkoutLog] {
    /// Puts one of a user's in the place of what is known of it, by start, then row. Returns that.
    mutating func keep(_ log: WorkoutLog) -> WorkoutLog? {
        let place = firstIndex { $0.workout.id == log.workout.id }
        let known = place.map { self[$0] }
        if let place { self[place] = log } else { append(log) }
        sort { $1.workout.isLater(than: $0.workout) }
        for index in indices { self[index].isNewest = index == count - 1 }
        return known
    }
}

import SiteModel

/// What is stored of training: whole new rows.
package enum TrainingFact: Equatable, Sendable {
    /// A workout, with its pauses.
    case workout(Workout)
    /// A use of a slot of a station.
    case claim(Claim)
    /// A transition, to be told once.
    case event(Event)
}

/// The workouts of every user and the claims on stations that go with them.
package struct Training: Sendable {
    private var workouts: [Workout]
    private var claims: [Claim]
    private let stations: [Station]

    /// What is stored: each user's newest workout, and the open claims.
    package init(plan: Plan, workouts: [Workout], claims: [Claim]) {
        self.workouts = workouts
        self.claims = claims
        stations = plan.stations
    }

    /// Performs a request. The facts are one transaction; a refusal comes without facts.
    package mutating func perform(
        _ verb: Request.Training, of user: UserID, at now: Timestamp, next: inout Int64
    ) -> (facts: [TrainingFact], outcome: Answer.Outcome) {
        switch verb {
        case .start(let station): start(user, at: station, now, &next)
        case .pause: change(user, now, &next, pause)
        case .resume: change(user, now, &next, resume)
        case .complete where latest(of: user)?.state == .completed:
            ([], .refused(.alreadyCompleted))
        case .complete: change(user, now, &next) { Self.end(&$0, $1, .completed, .completed) }
        case .cancel: change(user, now, &next) { Self.end(&$0, $1, .cancelled, .cancelled) }
        }
    }

    /// The newest workout of a user.
    package func latest(of user: UserID) -> Workout? { workouts.first { $0.user == user } }

    /// The number of open workouts.
    package var open: Int { workouts.reduce(0) { $0 + ($1.to == nil ? 1 : 0) } }

    /// Who holds a slot of a station, by slot.
    package func holders(of station: StationID) -> [UserID] {
        claims.filter { $0.station == station }.sorted { $0.slot < $1.slot }.map(\.user)
    }

    private mutating func start(
        _ user: UserID, at station: StationID?, _ now: Timestamp, _ next: inout Int64
    ) -> (facts: [TrainingFact], outcome: Answer.Outcome) {
        if let old = latest(of: user), old.to == nil { return ([], .refused(.alreadyActive)) }
        var facts: [TrainingFact] = []
        let workout = Workout(
            id: next, user: user, station: station, state: .active, from: now, to: nil, pauses: [],
            pausedSince: nil)
        if let station {
            guard let place = stations.first(where: { $0.id == station }) else {
                return ([], .refused(.notFound))
            }
            let used = claims.filter { $0.station == station }.map(\.slot)
            guard let slot = (1...max(place.slots, 1)).first(where: { !used.contains($0) }) else {
                return ([], .refused(.stationInUse))
            }
            let claim = Claim(
                id: next + 1, station: station, slot: slot, user: user, workout: workout.id,
                from: now, to: nil)
            claims.put(claim, by: \.id)
            facts = [.workout(workout), .claim(claim)]
            next += 2
        } else {
            facts = [.workout(workout)]
            next += 1
        }
        keep(workout)
        facts.append(event(.started, workout, at: now, next: &next))
        return (facts, .workout(workout))
    }

    private typealias Step = (inout Workout, Timestamp) -> Result<Event.Kind?, ProblemCode>

    private mutating func change(
        _ user: UserID, _ now: Timestamp, _ next: inout Int64, _ step: Step
    ) -> (facts: [TrainingFact], outcome: Answer.Outcome) {
        guard var workout = latest(of: user), workout.to == nil else {
            return ([], .refused(.badState))
        }
        // The clock may have been set back: no pause and no workout ends before it began.
        let at = max(now, workout.pausedSince ?? workout.pauses.last?.to ?? workout.from)
        switch step(&workout, at) {
        case .failure(let refusal): return ([], .refused(refusal))
        case .success(nil): return ([], .workout(workout))
        case .success(let kind?):
            keep(workout)
            var facts: [TrainingFact] = [.workout(workout)]
            if workout.to != nil {
                for var claim in claims where claim.workout == workout.id {
                    claim.to = max(at, claim.from)
                    facts.append(.claim(claim))
                }
                claims.removeAll { $0.workout == workout.id }
            }
            facts.append(event(kind, workout, at: at, next: &next))
            return (facts, .workout(workout))
        }
    }

    /// Pausing a paused workout changes nothing and is no error.
    private func pause(_ workout: inout Workout, _ at: Timestamp)
        -> Result<Event.Kind?, ProblemCode>
    {
        guard workout.state == .active else { return .success(nil) }
        workout.state = .paused
        workout.pausedSince = at
        return .success(.paused)
    }

    private func resume(_ workout: inout Workout, _ at: Timestamp)
        -> Result<Event.Kind?, ProblemCode>
    {
        guard workout.state == .paused, let since = workout.pausedSince else {
            return .failure(.badState)
        }
        workout.state = .active
        workout.pauses.append(Interval(from: since, to: at))
        workout.pausedSince = nil
        return .success(.resumed)
    }

    private static func end(
        _ workout: inout Workout, _ at: Timestamp, _ state: Workout.State, _ kind: Event.Kind
    ) -> Result<Event.Kind?, ProblemCode> {
        if let since = workout.pausedSince {
            workout.pauses.append(Interval(from: since, to: at))
            workout.pausedSince = nil
        }
        workout.state = state
        workout.to = at
        return .success(kind)
    }

    private mutating func keep(_ workout: Workout) {
        workouts.removeAll { $0.user == workout.user }
        workouts.put(workout, by: \.id)
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

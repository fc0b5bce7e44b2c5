@testable import SiteEngine
@testable import SiteModel
@testable import TrainingEngine

/// What the database would hold, and what it would refuse, fact by fact.
struct MeshRows {
    private(set) var sessions: [Int64: Session] = [:]
    private(set) var stays: [Int64: Stay] = [:]
    private(set) var workouts: [Int64: Workout] = [:]
    private(set) var claims: [Int64: Claim] = [:]
    private(set) var sets: [Int64: WorkoutSet] = [:]
    private(set) var waits: [Int64: Wait] = [:]
    /// Whether a station is out of order.
    private(set) var downtimes: [StationID: Bool] = [:]
    private(set) var events: [Int64: Event] = [:]
    /// Why facts were refused; empty if all is well.
    private(set) var faults: [String] = []

    mutating func apply(_ facts: [Fact]) {
        for fact in facts { apply(fact) }
    }

    /// The sessions of a user that are not void, oldest first.
    func sessions(of user: UserID) -> [Session] {
        sessions.values.filter { $0.user == user && !$0.isVoid }
            .sorted { ($0.from, $0.id) < ($1.from, $1.id) }
    }

    /// The stays of a user at one level, in the order they were opened.
    func stays(of user: UserID, inRooms isRoom: Bool) -> [Stay] {
        stays.values.filter { $0.user == user && $0.isRoom == isRoom }.sorted { $0.id < $1.id }
    }

    private mutating func apply(_ fact: Fact) {
        switch fact {
        case .site, .ledger, .presence, .answer, .evidence, .nodeEvent, .cursor,
            .reasons, .offset, .statement, .dispute, .overrides, .notification:
            break
        case .session(let session):
            expect(session.to.map { $0 >= session.from } ?? true, "\(session) ends too early")
            sessions[session.id] = session
            let all = sessions(of: session.user)
            for (first, second) in zip(all, all.dropFirst()) {
                expect(first.to.map { $0 <= second.from } ?? false, "\(first) overlaps \(second)")
            }
        case .stay(let stay):
            expect(stay.to.map { $0 >= stay.from } ?? true, "\(stay) ends too early")
            stays[stay.id] = stay
            let open = stays.values.filter {
                $0.user == stay.user && $0.isRoom == stay.isRoom && $0.to == nil
            }
            expect(open.count <= 1, "two open stays of \(stay.user)")
        case .workout(let workout): apply(workout)
        case .claim(let claim):
            expect(claim.to.map { $0 >= claim.from } ?? true, "\(claim) ends too early")
            claims[claim.id] = claim
            let same = claims.values.filter {
                $0.to == nil && $0.station == claim.station && $0.slot == claim.slot
            }
            expect(same.count <= 1, "two claims of a slot: \(same)")
        case .set(let set):
            sets[set.id] = set
            let workout = sets.values.filter { $0.workout == set.workout }
            expect(workout.count <= 500, "too many sets")
            expect(Set(workout.map(\.number)).count == workout.count, "two of one number")
            let own = sets.values.filter { $0.user == set.user }
            expect(Set(own.map(\.key)).count == own.count, "two sets of one key")
            expect(workouts[set.workout]?.user == set.user, "a set of somebody else's workout")
        case .downtime(let downtime): downtimes[downtime.station] = downtime.to == nil
        case .wait(let wait):
            expect(wait.ended.map { $0 >= wait.joined } ?? true, "\(wait) ends too early")
            expect((wait.ended == nil) == (wait.outcome == nil), "\(wait) ended how?")
            waits[wait.id] = wait
            let open = waits.values.filter { $0.user == wait.user && $0.ended == nil }
            expect(open.count <= 1, "two open waits of \(wait.user)")
        case .event(let event):
            expect(events[event.id] == nil, "event \(event.id) told twice")
            events[event.id] = event
        }
    }

    private mutating func apply(_ workout: Workout) {
        workouts[workout.id] = workout
        let open = workouts.values.filter { $0.user == workout.user && $0.to == nil }
        expect(open.count <= 1, "two open workouts of \(workout.user)")
        expect((workout.state == .paused) == (workout.pausedSince != nil), "paused since when?")
        let isEnded = [.completed, .cancelled, .abandoned].contains(workout.state)
        expect(isEnded == (workout.to != nil), "an open end: \(workout)")
        if let to = workout.to {
            let duration = (to - workout.from).milliseconds - workout.paused.milliseconds
            expect(duration >= 0, "\(workout) lasted \(duration) ms")
        }
    }

    private mutating func expect(_ holds: Bool, _ fault: @autoclosure () -> String) {
        if !holds { faults.append(fault()) }
    }
}

extension Saved {
    /// Those that are open, by row.
    var claims: [Claim] {
        workouts.flatMap(\.claims).filter { $0.to == nil }.sorted { $0.id < $1.id }
    }
}

import SiteEngine
import SiteModel
import Wire

/// A retained topic of each person: of which facts it speaks, and what it says. One more is one line here.
struct PersonRendering: Sendable {
    let kind: PayloadKind
    /// Whose topic a fact changes; `nil`: nobody's.
    let user: @Sendable (Fact) -> UserID?
    /// What it says; `nil`: nothing yet.
    let payload: @Sendable (PersonRows, Names) -> (any Payload)?

    static let all = [
        PersonRendering(
            kind: .attendance,
            user: { if case .session(let session) = $0 { session.user } else { nil } },
            payload: { rows, _ in AttendancePayload(rows.session) }),
        PersonRendering(
            kind: .workout,
            user: { if case .workout(let workout) = $0 { workout.user } else { nil } },
            payload: { WorkoutPayload($0.workout, names: $1) }),
        PersonRendering(
            kind: .why,
            user: { if case .reasons(let reasons) = $0 { reasons.user } else { nil } },
            payload: { rows, names in rows.reasons.map { WhyPayload($0, names: names) } }),
    ]
}

/// The newest that is stored of a person.
struct PersonRows: Sendable {
    private(set) var session: Session?
    private(set) var workout: Workout?
    private(set) var reasons: Reasons?

    init() {}

    /// Those of one person.
    init(of user: UserID, in told: Saved) {
        for session in told.sessions where session.user == user { take(session) }
        workout = told.workouts.first { $0.user == user }
        reasons = told.reasons.first { $0.user == user }
    }

    /// Those of everybody of whom there are any.
    static func all(_ told: Saved) -> [UserID: PersonRows] {
        var all: [UserID: PersonRows] = [:]
        for session in told.sessions { all[session.user, default: PersonRows()].take(session) }
        for workout in told.workouts where all[workout.user]?.workout == nil {
            all[workout.user, default: PersonRows()].workout = workout
        }
        for reasons in told.reasons where all[reasons.user]?.reasons == nil {
            all[reasons.user, default: PersonRows()].reasons = reasons
        }
        return all
    }

    private mutating func take(_ other: Session) {
        if let session, (session.from, session.id) > (other.from, other.id) { return }
        session = other
    }
}

extension AttendancePayload {
    /// Whether somebody is in, by their latest session.
    init(_ latest: Session?) {
        self.init(
            tMs: (latest?.to ?? latest?.from)?.milliseconds ?? 0,
            state: latest.map { $0.to == nil } ?? false ? .checkedIn : .checkedOut,
            session: latest?.id,
            checkInMs: latest?.from.milliseconds, checkOutMs: latest?.to?.milliseconds,
            review: latest?.review ?? [])
    }
}

extension WorkoutPayload {
    /// The open or latest workout of somebody.
    init(_ workout: Workout?, names: Names) {
        guard let workout else {
            self.init(
                tMs: 0, state: nil, id: nil, station: nil, startedMs: nil, endedMs: nil,
                pausedS: 0, pausedSinceMs: nil)
            return
        }
        let moment = workout.to ?? workout.pausedSince ?? workout.pauses.last?.to ?? workout.from
        self.init(
            tMs: moment.milliseconds, state: workout.state, id: workout.id,
            station: workout.station.map(names.stations.slug),
            startedMs: workout.from.milliseconds, endedMs: workout.to?.milliseconds,
            pausedS: workout.paused.seconds, pausedSinceMs: workout.pausedSince?.milliseconds)
    }
}

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
            user: {
                switch $0 {
                case .workout(let workout): workout.user
                case .claim(let claim): claim.user
                default: nil
                }
            },
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
    private(set) var workout: WorkoutLog?
    private(set) var reasons: Reasons?

    init() {}

    /// Those of one person.
    init(of user: UserID, in told: Saved) {
        for session in told.sessions where session.user == user { take(session) }
        workout = told.workouts.first { $0.isNewest && $0.workout.user == user }
        reasons = told.reasons.first { $0.user == user }
    }

    /// Those of everybody of whom there are any.
    static func all(_ told: Saved) -> [UserID: PersonRows] {
        var all: [UserID: PersonRows] = [:]
        for session in told.sessions { all[session.user, default: PersonRows()].take(session) }
        for log in told.workouts where log.isNewest {
            all[log.workout.user, default: PersonRows()].workout = log
        }
        for reasons in told.reasons where all[reasons.user]?.reasons == nil {
            all[reasons.user, default: PersonRows()].reasons = reasons
        }
        return all
    }

    /// Whether all facts of a change of the workout are there: the claims and the workout come one by one.
    var isWhole: Bool {
        guard let log = workout, log.workout.to == nil else { return true }
        return log.workout.station == log.openClaim?.station
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
    init(_ log: WorkoutLog?, names: Names) {
        guard let log else {
            self.init(tMs: 0, state: nil)
            return
        }
        let (workout, totals) = (log.workout, log.totals)
        self.init(
            tMs: log.lastMoment.milliseconds,
            state: workout.state, id: workout.id,
            station: workout.station.map(names.stations.slug),
            startedMs: workout.from.milliseconds, endedMs: workout.to?.milliseconds,
            pausedS: workout.paused.seconds, pausedSinceMs: workout.pausedSince?.milliseconds,
            cause: workout.cause, rev: workout.revision,
            stations: log.claims.suffix(WorkoutLog.mostTold).map {
                StationUsed(
                    station: names.stations.slug($0.station), fromMs: $0.from.milliseconds,
                    toMs: $0.to?.milliseconds)
            }, sets: totals.sets, volumeG: totals.volume, exercise: totals.exercise,
            restUntilMs: workout.to == nil ? totals.restUntil?.milliseconds : nil)
    }
}

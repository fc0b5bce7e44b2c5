import SiteEngine
import SiteModel
import TrainingEngine
import Wire

/// A retained topic of each person: of which facts it speaks, and what it says. One more is one line here.
struct PersonRendering: Sendable {
    let kind: PayloadKind
    /// Whose topics a fact that was taken in changes.
    let users: @Sendable (Fact, Saved) -> [UserID]
    /// Whether all facts of a change are there: some come one by one.
    var isWhole: @Sendable (PersonRows) -> Bool = { _ in true }
    /// What it says; `nil`: nothing, and the broker holds none.
    let payload: @Sendable (PersonRows, Names) -> (any Payload)?

    static let all = [
        PersonRendering(
            kind: .attendance,
            users: { fact, _ in if case .session(let session) = fact { [session.user] } else { [] }
            },
            payload: { rows, _ in AttendancePayload(rows.session) }),
        PersonRendering(
            kind: .workout,
            users: { fact, _ in
                switch fact {
                case .workout(let workout): [workout.user]
                case .claim(let claim): [claim.user]
                default: []
                }
            }, isWhole: \.hasWholeWorkout, payload: { WorkoutPayload($0.workout, names: $1) }),
        PersonRendering(
            kind: .wait,
            // Who waits behind them is nearer to their turn.
            users: { fact, told in
                guard case .wait(let wait) = fact else { return [] }
                let others = told.waits.filter { $0.isOpen && $0.station == wait.station }
                return [wait.user] + others.map(\.user).filter { $0 != wait.user }
            }, payload: { rows, names in rows.wait.map { WaitPayload($0, rows.ahead, names) } }),
        PersonRendering(
            kind: .why,
            users: { fact, _ in if case .reasons(let why) = fact { [why.user] } else { [] } },
            payload: { rows, names in rows.reasons.map { WhyPayload($0, names: names) } }),
    ]
}

/// The newest that is stored of a person.
struct PersonRows: Sendable {
    private(set) var session: Session?
    private(set) var workout: WorkoutLog?
    private(set) var reasons: Reasons?
    private(set) var wait: Wait?
    /// How many wait there who joined earlier.
    private(set) var ahead = 0

    init() {}

    /// Those of one person.
    init(of user: UserID, in told: Saved) {
        for session in told.sessions where session.user == user { take(session) }
        workout = told.workouts.first { $0.isNewest && $0.workout.user == user }
        reasons = told.reasons.first { $0.user == user }
        if let wait = told.waits.first(where: { $0.isOpen && $0.user == user }) {
            take(wait, of: told.waits)
        }
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
        for wait in told.waits where wait.isOpen {
            all[wait.user, default: PersonRows()].take(wait, of: told.waits)
        }
        return all
    }

    /// Whether all facts of a change of the workout are there: the claims and the workout come one by one.
    var hasWholeWorkout: Bool {
        guard let log = workout, log.workout.to == nil else { return true }
        return log.workout.station == log.openClaim?.station
    }

    private mutating func take(_ wait: Wait, of all: [Wait]) {
        self.wait = wait
        ahead = all.count { other in
            other.isOpen && other.station == wait.station
                && (other.joined, other.id) < (wait.joined, wait.id)
        }
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

extension WaitPayload {
    init(_ wait: Wait, _ ahead: Int, _ names: Names) {
        self.init(
            station: names.stations.slug(wait.station), joinedMs: wait.joined.milliseconds,
            offeredUntilMs: wait.offeredUntil?.milliseconds, ahead: ahead)
    }
}

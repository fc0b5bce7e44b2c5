import SiteModel

/// Ends what a new plan leaves nobody to end: of people who were retired, everything; of rooms and
/// stations that were, the stays there and the claims on them.
struct Retirement {
    private let now: Timestamp
    private let users: (old: RowIndex<User>, new: RowIndex<User>)
    private let rooms: RowIndex<Room>
    private let stations: RowIndex<Station>

    init(old: Plan, new: Plan, now: Timestamp) {
        self.now = now
        users = (RowIndex(old.users.map(\.id)), RowIndex(new.users.map(\.id)))
        (rooms, stations) = (RowIndex(new.rooms.map(\.id)), RowIndex(new.stations.map(\.id)))
    }

    /// The facts that end it, given what is stored and when each user was last heard. `next` is the
    /// next unused row.
    func facts(
        saved: Saved, next: inout Int64, lastHeard: (UserID) -> Timestamp?
    ) -> [Fact] {
        var facts: [Fact] = []
        func tell(
            _ kind: Event.Kind, _ user: UserID, _ end: Timestamp, _ place: Stay.Place?,
            _ subject: Int64
        ) {
            facts.append(
                .event(
                    Event(
                        id: next, kind: kind, at: end, user: user, place: place, subject: subject)))
            next += 1
        }
        for var stay in saved.stays where isGone(stay.user) || isGone(stay.place) {
            let end = max(lastHeard(stay.user) ?? stay.from, stay.from)
            stay.to = end
            facts.append(.stay(stay))
            tell(.left, stay.user, end, stay.place, stay.id)
        }
        for var session in saved.sessions where session.to == nil && isGone(session.user) {
            let end = max(lastHeard(session.user) ?? session.from, session.from)
            session.to = end
            session.outCause = .lastHeard
            session.lastHeard = lastHeard(session.user)
            session.revision += 1
            facts.append(.session(session))
            tell(.checkedOut, session.user, end, nil, session.id)
        }
        for log in saved.workouts where log.workout.to == nil {
            facts += end(log, tell)
        }
        for var downtime in saved.downtimes where isGone(.station(downtime.station)) {
            downtime.to = max(now, downtime.from)
            facts.append(.downtime(downtime))
        }
        for var wait in saved.waits
        where wait.ended == nil && (isGone(wait.user) || isGone(.station(wait.station))) {
            (wait.ended, wait.outcome) = (max(now, wait.joined), .ended)
            facts.append(.wait(wait))
        }
        for row in saved.presences where !isGone(row.user) {
            let settled = PresenceRow(
                user: row.user, room: row.room.leaving { isGone(.room($0)) },
                station: row.station.leaving { isGone(.station($0)) }, watch: row.watch)
            if settled != row { facts.append(.presence(settled)) }
        }
        return facts
    }

    /// The facts that end an open workout of somebody who is gone, or its use of a station that is.
    private func end(
        _ log: WorkoutLog,
        _ tell: (Event.Kind, UserID, Timestamp, Stay.Place?, Int64) -> Void
    ) -> [Fact] {
        var workout = log.workout
        let isOver = isGone(workout.user)
        guard isOver || log.openClaim.map({ isGone(.station($0.station)) }) == true else {
            return []
        }
        let end = max(now, log.lastChange)
        var facts: [Fact] = []
        if isOver { workout.end(at: end, .completed) } else { workout.station = nil }
        workout.revision += 1
        for var claim in log.claims where claim.to == nil {
            claim.to = end
            facts.append(.claim(claim))
        }
        facts.append(.workout(workout))
        if isOver {
            tell(.completed, workout.user, end, workout.station.map { .station($0) }, workout.id)
        }
        return facts
    }

    private func isGone(_ user: UserID) -> Bool {
        users.new[user] == nil && users.old[user] != nil
    }

    private func isGone(_ place: Stay.Place) -> Bool {
        switch place {
        case .room(let room): rooms[room] == nil
        case .station(let station): stations[station] == nil
        }
    }
}

extension LevelState {
    /// The state once places are gone: nobody is at one of them.
    fileprivate func leaving(_ isGone: (Place) -> Bool) -> LevelState {
        switch self {
        case .unknown, .notPresent: self
        case .entering(let place, _, _, _), .leaving(let place, _, _, _):
            isGone(place) ? .notPresent : self
        case .present(let place, let since, let heard, let quiet, let rival):
            if isGone(place) {
                .notPresent
            } else if let rival, isGone(rival.place) {
                .present(place, since: since, heard: heard, quiet: quiet, rival: nil)
            } else {
                self
            }
        }
    }
}

/// Ends what a new plan leaves nobody to end: of people who were retired, everything; of rooms and
/// stations that were, the stays there and the claims on them.
struct Retirement {
    let old: Plan
    let new: Plan
    let now: Timestamp

    /// The facts that end it, given what is stored and when each user was last heard.
    func facts(saved: Saved, lastHeard: (UserID) -> Timestamp?) -> [Fact] {
        var facts: [Fact] = []
        for var stay in saved.stays where isGone(stay.user) || isGone(stay.place) {
            stay.to = max(lastHeard(stay.user) ?? stay.from, stay.from)
            facts.append(.stay(stay))
        }
        for var session in saved.sessions where session.to == nil && isGone(session.user) {
            session.to = max(lastHeard(session.user) ?? session.from, session.from)
            facts.append(.session(session))
        }
        var ended: Set<Int64> = []
        for var workout in saved.workouts where workout.to == nil && isGone(workout.user) {
            let end = max(now, workout.pausedSince ?? workout.pauses.last?.to ?? workout.from)
            if let since = workout.pausedSince {
                workout.pauses.append(Interval(from: since, to: end))
                workout.pausedSince = nil
            }
            workout.state = .completed
            workout.to = end
            ended.insert(workout.id)
            facts.append(.workout(workout))
        }
        for var claim in saved.claims
        where ended.contains(claim.workout) || isGone(.station(claim.station)) {
            claim.to = max(now, claim.from)
            facts.append(.claim(claim))
        }
        for row in saved.presences where !isGone(row.user) {
            let settled = PresenceRow(
                user: row.user, room: row.room.leaving { isGone(.room($0)) },
                station: row.station.leaving { isGone(.station($0)) })
            if settled != row { facts.append(.presence(settled)) }
        }
        return facts
    }

    private func isGone(_ user: UserID) -> Bool {
        !new.users.contains { $0.id == user } && old.users.contains { $0.id == user }
    }

    private func isGone(_ place: Stay.Place) -> Bool {
        switch place {
        case .room(let room): !new.rooms.contains { $0.id == room }
        case .station(let station): !new.stations.contains { $0.id == station }
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

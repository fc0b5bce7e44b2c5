import SiteModel

/// Who waits for which station, and for whom a slot is kept. Offers go in the order of joining, each for
/// `Station.Timing.claimGrace`; who lets one pass leaves the queue.
extension StationBook {
    /// Somebody waits from now on.
    mutating func join(
        _ user: UserID, _ station: StationID, at now: Timestamp, next: inout Int64
    ) -> Result<[TrainingFact], ProblemCode> {
        guard wait(of: user) == nil else { return .failure(.alreadyExists) }
        guard !holders(of: station).contains(user) else { return .failure(.badState) }
        guard !isOutOfOrder(station) else { return .failure(.outOfOrder) }
        let last = waits.last { $0.station == station }?.joined ?? now
        let new = Wait(id: next, station: station, user: user, joined: max(now, last))
        next += 1
        keep(new)
        return .success([.wait(new), told(.queued, new, at: new.joined, &next)])
    }

    /// Ends the waits of those who got a slot, and those that are `over`, by row; lets offers pass whose time is over, and
    /// offers what is free.
    mutating func settle(
        over: [Int64], at now: Timestamp, next: inout Int64
    ) -> [TrainingFact] {
        var facts: [TrainingFact] = []
        var offers: [StationID: Int] = [:]
        for wait in waits {
            if holders(of: wait.station).contains(wait.user) {
                facts.append(end(wait, .accepted, at: now))
            } else if over.contains(wait.id) {
                facts.append(end(wait, .ended, at: now))
            } else if let until = wait.offeredUntil {
                guard until > now else {
                    // One that ended while nobody decided ends now: the next has the whole time.
                    let end = now - until <= .seconds(2) ? until : now
                    let lapsed = wait.ending(.lapsed, at: end)
                    keep(lapsed)
                    facts += [.wait(lapsed), told(.lapsed, lapsed, at: end, &next)]
                    continue
                }
                // Out of order, or with fewer slots than there were, it is taken back.
                let taken = holders(of: wait.station).count + offers[wait.station, default: 0]
                if isOutOfOrder(wait.station) || taken >= slots(of: wait.station) {
                    var kept = wait
                    kept.offeredUntil = nil
                    keep(kept)
                    facts.append(.wait(kept))
                } else {
                    offers[wait.station, default: 0] += 1
                }
            }
        }
        for var wait in waits where wait.offeredUntil == nil {
            guard case .success = free(wait.station, at: now, for: nil),
                let station = self[wait.station]
            else { continue }
            wait.offeredUntil = max(now, wait.joined) + .seconds(Double(station.timing.claimGrace))
            keep(wait)
            facts += [.wait(wait), told(.offered, wait, at: max(now, wait.joined), &next)]
        }
        return facts
    }

    mutating func end(
        _ wait: Wait, _ outcome: Wait.Outcome, at now: Timestamp
    ) -> TrainingFact {
        // Who took a slot that nobody had offered them had it as good as offered.
        var wait = wait
        if outcome == .accepted { wait.offeredUntil = wait.offeredUntil ?? max(now, wait.joined) }
        let ended = wait.ending(outcome, at: now)
        keep(ended)
        return .wait(ended)
    }

    private func told(
        _ kind: Event.Kind, _ wait: Wait, at moment: Timestamp, _ next: inout Int64
    ) -> TrainingFact {
        defer { next += 1 }
        return .event(
            Event(
                id: next, kind: kind, at: moment, user: wait.user, place: .station(wait.station),
                subject: wait.id))
    }

    /// How many wait for a station, and for whom of them a slot is kept until when.
    package func queue(at station: StationID) -> (length: Int, offers: [StationState.Offer]) {
        let waits = waits.filter { $0.station == station }
        let offers = waits.compactMap { wait in
            wait.offeredUntil.map { StationState.Offer(user: wait.user, until: $0) }
        }
        return (waits.count, offers)
    }

    /// When a slot of a station will be free, by how long its uses last; `nil`: nobody can say, or one is.
    package func estimate(of station: StationID, by paces: [StationPace]) -> Timestamp? {
        guard let pace = paces.first(station, by: \.station)?.median,
            case .failure(let refusal) = free(station, at: Timestamp(milliseconds: 0), for: nil),
            refusal.code == .stationInUse
        else { return nil }
        return claims(at: station).map(\.from).min().map { $0 + pace }
    }
}

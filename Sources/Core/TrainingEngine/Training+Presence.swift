import SiteModel

/// What presence says of somebody in the second that ended.
package struct StationSight: Sendable {
    package var user: UserID
    package var watch: StationWatch
    /// The station at which they were heard just now, without a doubt.
    package var confirmed: StationID?
    /// When they were last heard at the site.
    package var heard: Timestamp?

    package init(
        user: UserID, watch: StationWatch, confirmed: StationID?, heard: Timestamp?
    ) {
        self.user = user
        self.watch = watch
        self.confirmed = confirmed
        self.heard = heard
    }
}

/// Workouts that begin, move, pause, go on and end by themselves. The rules in words: docs/training.md.
extension Training {
    /// Without evidence for so long a workout is abandoned. So long nobody trains at one station: what is heard there
    /// longer is a tag that lies there, and no evidence.
    package static let longestSilence = Timestamp.Span.seconds(4 * 3600)
    /// So long after its end no other begins by itself.
    package static let breather = Timestamp.Span.seconds(120)

    /// One second passed. `isSettled`: whether who is not heard is silent, and not only heard by nobody yet because
    /// the site has just begun to listen.
    package mutating func step(
        _ sights: [StationSight], isSettled: Bool, at now: Timestamp, next: inout Int64
    ) -> [TrainingFact] {
        var facts: [TrainingFact] = []
        for sight in sights { facts += follow(sight, isSettled, now, &next) }
        // Who was there first is served first.
        let coming = sights.filter { wants($0, at: now) }.sorted {
            ($0.watch.run?.since ?? now, $0.user) < ($1.watch.run?.since ?? now, $1.user)
        }
        for sight in coming {
            guard let run = sight.watch.run else { continue }
            // Who of them trains nobody can say.
            let here = sights.reduce(0) { $0 + ($1.watch.run?.station == run.station ? 1 : 0) }
            guard here <= book.slots(of: run.station) else { continue }
            facts += come(sight.user, run, &next)
        }
        return facts
    }

    /// The station of whose user it matters how long they are away; `nil`: of nobody's.
    package func watched(of user: UserID) -> StationID? { open(of: user)?.watched }

    package func isOpen(of user: UserID) -> Bool { open(of: user) != nil }

    private func open(of user: UserID) -> WorkoutLog? {
        logs[user]?.last.flatMap { $0.workout.to == nil ? $0 : nil }
    }

    /// Pauses, resumes or ends the open workout of somebody.
    private mutating func follow(
        _ sight: StationSight, _ isSettled: Bool, _ now: Timestamp, _ next: inout Int64
    ) -> [TrainingFact] {
        guard let old = open(of: sight.user) else { return [] }
        var log = old
        let evidence = sight.evidence(of: log)
        if isSettled, now - evidence >= Self.longestSilence {
            // A pause that began with the last sign is none.
            if log.workout.pausedSince == evidence { log.workout.pausedSince = nil }
            log.workout.end(at: evidence, .abandoned)
            log.endClaims(at: evidence)
            return save(log, since: old, .abandoned, &next).facts
        }
        let watch = sight.watch
        switch log.workout.state {
        case .active:
            guard let limit = log.watched.flatMap({ book[$0]?.timing.autoPause }),
                watch.away >= limit, log.workout.pauses.count < Self.mostSteps
            else { return [] }
            let at = max(watch.heard ?? log.lastChange, log.lastChange)
            log.workout.pause(at: at, .left)
            log.endClaims(at: at)
            log.workout.station = nil
            return save(log, since: old, nil, &next).facts + [
                .told(.paused, old.workout, at: at, &next)
            ]
        case .paused:
            guard log.workout.pausedCause == .left, let run = watch.run,
                let since = log.workout.pausedSince, run.heard > since
            else { return [] }
            let at = run.since > since ? run.since : run.heard
            log.workout.resume(at: at)
            // Back where they were, they have their slot again, if nobody else has it.
            if log.lastClaim?.station == run.station, log.claims.count < Self.mostSteps,
                case .success(let slot) = book.free(run.station, at: at, for: sight.user)
            {
                log.claim(run.station, slot: slot.slot, from: slot.from, &next)
                log.workout.station = run.station
            }
            let facts = save(log, since: old, nil, &next).facts
            return facts + [.told(.resumed, log.workout, at: at, &next)]
        case .completed, .cancelled, .abandoned: return []
        }
    }

    /// Whether somebody has been at a station for so long that their workout is there, and is not yet.
    private func wants(_ sight: StationSight, at now: Timestamp) -> Bool {
        guard let run = sight.watch.run, sight.confirmed == run.station,
            let limit = book[run.station]?.timing.autoStart,
            run.length >= .seconds(Double(limit))
        else { return false }
        if let log = open(of: sight.user) {
            guard log.workout.state == .active, log.openClaim?.station != run.station,
                log.claims.count < Self.mostSteps
            else { return false }
            // Whoever said since that they are elsewhere, or at no station, knows better.
            return log.lastClaim.map { run.since > $0.to ?? $0.from } ?? true
        }
        guard run.length < Self.longestSilence,
            let index = users[sight.user], plan.users[index].hasAgreed
        else { return false }
        // Who ended one may stay as long as they like: only a later stay begins another.
        guard let last = logs[sight.user]?.last, let end = last.workout.to else { return true }
        return run.since > end
            && (run.station == last.lastClaim?.station || now - end > Self.breather)
    }

    /// Begins a workout where somebody is, or moves theirs there, if a slot is free.
    private mutating func come(
        _ user: UserID, _ run: StationWatch.Run, _ next: inout Int64
    ) -> [TrainingFact] {
        let log = open(of: user)
        let earliest =
            log.map { max($0.workout.from, $0.workout.pauses.last?.to ?? $0.workout.from) }
            ?? latest(of: user)?.to ?? run.since
        guard
            case .success(let slot) = book.free(
                run.station, at: max(run.since, earliest), for: user)
        else { return [] }
        let place = (station: run.station, slot: slot.slot)
        guard let log else {
            return begins(user, at: place, from: slot.from, .presence, &next).facts
        }
        return moves(log, to: place, at: slot.from, &next).facts
    }
}

extension StationSight {
    /// The last sign that a workout goes on.
    fileprivate func evidence(of log: WorkoutLog) -> Timestamp {
        let lying = watch.run.map { $0.since + Training.longestSilence }
        let signs = [heard.map { min($0, lying ?? $0) }, watch.asked].compactMap(\.self)
        return signs.reduce(log.lastMoment, max)
    }
}

extension StationWatch {
    /// Takes in where the machine of the stations stands after a second. `lost`: how long a silence ends a run;
    /// `isAway`: whether it counts if nobody heard them at a station.
    package mutating func follow(
        _ state: LevelState<StationID>, lost: Timestamp.Span, isAway: Bool
    ) {
        guard case .present(let place, let since, let last, let quiet, _) = state,
            .seconds(Double(quiet)) < lost
        else {
            run = nil
            away += isAway ? 1 : 0
            return
        }
        if run?.station == place {
            run?.heard = last
        } else {
            // One that comes back after a break begins anew.
            let isBack = heard.map { since <= $0 } ?? false
            run = Run(station: place, since: isBack ? last : since, heard: last)
        }
        if heard.map({ last > $0 }) ?? true {
            (heard, away) = (last, 0)
        } else {
            away += isAway ? 1 : 0
        }
    }
}

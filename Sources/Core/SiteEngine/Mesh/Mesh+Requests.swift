import Scheduling
import SiteModel
import TrainingEngine

// What people ask for, and what follows for their workouts from where they are.
extension Mesh {
    /// Whether something was asked with a client's id within the last 24 hours.
    package func knows(_ key: Answer.Key) -> Bool {
        saved.answers.first(key, by: \.key) != nil || saved.usedIDs.first(key, by: \.key) != nil
    }

    /// What must be looked up before a request can be decided on; `nil`: nothing.
    package func recall(for request: Request, at now: Timestamp) -> Recall? {
        guard !knows(request.key), case .training(let user, let verb, let workout) = request.verb
        else { return nil }
        return training.recall(for: verb, of: user, workout: workout, at: now)
    }

    mutating func perform(
        _ request: Request, _ recalled: Recalled?, at now: Timestamp, _ facts: inout [Fact],
        _ decisions: inout [Decision]
    ) {
        if knows(request.key) {
            var answer = Answer(request: request, at: now, outcome: .refused(.idempotencyMismatch))
            if let old = saved.answers.first(request.key, by: \.key), old.request == request {
                answer = old
            }
            decisions.append(.live(.answer(answer)))
            return
        }
        if let user = request.verb.user, paused.contains(user) {
            let answer = Answer(request: request, at: now, outcome: .refused(.unavailable))
            decisions.append(.live(.answer(answer)))
            return
        }
        let outcome: Answer.Outcome
        switch request.verb {
        case .attendance(let user, let verb):
            let said = verb.statement
            let (done, answer) = attendance.say(
                said.kind, user: user, at: said.at, reason: said.reason, by: request.client,
                coverage: coverage.rooms, now: now, next: &next)
            facts += done
            outcome = answer
        case .training(let user, let verb, let workout):
            let (done, answer) = training.perform(
                verb, of: user, workout: workout, recalled: recalled, at: now, next: &next)
            facts += done.map { Fact($0) }
            outcome = answer
        case .service(let station, let isOutOfOrder, let note):
            let (done, refusal) = training.book.serve(
                station, isOutOfOrder: isOutOfOrder, note: note, by: request.client, at: now,
                next: &next)
            facts += done.map { Fact($0) }
            outcome = self.state(of: station, at: now) ?? .refused(refusal ?? .notFound)
        case .queue(let user, let verb, let station):
            // Of a day that has just begun nobody takes the slot of an offer of yesterday.
            facts += settleQueues(after: [], at: now)
            let (done, refusal) = training.perform(
                verb, at: station, of: user, at: now, next: &next)
            facts += done.map { Fact($0) }
            // Who else is there is not theirs to know.
            outcome = refusal ?? self.state(of: station, for: user, at: now) ?? .refused(.notFound)
        case .unknown: outcome = .refused(.notFound)
        }
        if !outcome.isRefusal, let user = request.verb.user.flatMap({ index.users[$0] }) {
            presence.asked(user: user, isPlace: request.verb.saysWhere, at: now)
        }
        facts.append(.answer(Answer(request: request, at: now, outcome: outcome)))
    }

    /// A station as it is from now on. It is told when the second is over. `user`: whom of the people it names.
    private func state(
        of station: StationID, for user: UserID? = nil, at now: Timestamp
    ) -> Answer.Outcome? {
        guard let place = index.stations[station] else { return nil }
        let here = live.presences.filter { $0.station == station }.map(\.user)
        var state = live.station(
            place, plan: plan, here: here, training: training, paces: saved.paces,
            coverage: coverage, at: now
        ).0
        if let user {
            state.users.removeAll { $0 != user }
            state.here.removeAll { $0 != user }
            state.offers.removeAll { $0.user != user }
        }
        return .station(state)
    }

    /// Waits end with what has just happened, and slots that are free are offered.
    mutating func settleQueues(after facts: [Fact], at now: Timestamp) -> [Fact] {
        guard training.book.isAnybodyWaiting else { return [] }
        let left = facts.compactMap { fact -> UserID? in
            guard case .event(let event) = fact, event.kind == .checkedOut else { return nil }
            return event.user
        }
        let calendar = notifications.calendar
        return training.settle(
            at: now, left: left, day: { calendar.businessDay(of: $0).day }, next: &next
        ).map { Fact($0) }
    }

    /// Workouts that begin, move, pause, go on and end by themselves.
    mutating func train(isSettled: Bool, at now: Timestamp) -> [Fact] {
        var sights: [StationSight] = []
        for user in plan.users.indices {
            let id = plan.users[user].id
            guard presence.isAtStation(user) || training.isOpen(of: id), !paused.contains(id)
            else { continue }
            sights.append(presence.sight(of: user, heard: attendance.lastHeard(of: user)))
        }
        guard !sights.isEmpty else { return [] }
        return training.step(sights, isSettled: isSettled, at: now, next: &next).map { Fact($0) }
    }
}

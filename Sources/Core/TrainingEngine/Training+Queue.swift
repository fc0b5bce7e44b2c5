import SiteModel

// Who waits for which station.
extension Training {
    /// Performs a request about a queue.
    package mutating func perform(
        _ verb: Request.Queue, at station: StationID, of user: UserID, at now: Timestamp,
        next: inout Int64
    ) -> (facts: [TrainingFact], refusal: Answer.Outcome?) {
        guard let index = users[user], book[station] != nil else {
            return ([], .refused(.notFound))
        }
        // What is over by now is over, whoever asks first.
        var facts = settle(at: now, next: &next)
        let wait = book.wait(of: user)
        var refusal: Answer.Outcome?
        switch verb {
        case .join where !plan.users[index].hasAgreed: refusal = .refused(.consentRequired)
        case .join:
            switch book.join(user, station, at: now, next: &next) {
            case .success(let done): facts += done
            case .failure(let code): refusal = .refused(code)
            }
        case .leave where wait?.station == station:
            if let wait { facts.append(book.end(wait, .left, at: now)) }
        case .leave: refusal = .refused(.badState)
        case .accept where wait?.station == station && wait?.offeredUntil != nil:
            let verb: Request.Training = isOpen(of: user) ? .move(station) : .start(station)
            let (done, outcome) = perform(verb, of: user, at: now, next: &next)
            facts += done
            if outcome.isRefusal { refusal = outcome }
        case .accept:
            let isLate = wait?.station != station && book.hasLetPass(station, user)
            refusal = .refused(isLate ? .expired : .badState)
        }
        facts += settle(at: now, next: &next)
        return (facts, refusal)
    }

    /// Ends waits that are over, of those, too, who `left` the site, and offers slots that are free. `day`: the business
    /// day of a moment.
    package mutating func settle(
        at now: Timestamp, left: [UserID] = [], day: (Timestamp) -> Int64 = { _ in 0 },
        next: inout Int64
    ) -> [TrainingFact] {
        guard book.isAnybodyWaiting else { return [] }
        let over = book.waits.filter { wait in
            guard let index = users[wait.user], plan.users[index].hasAgreed,
                !left.contains(wait.user), day(wait.joined) == day(now)
            else { return true }
            // What somebody logs afterwards ends no wait.
            guard let last = latest(of: wait.user), last.cause != .stated else { return false }
            return last.to.map { $0 >= wait.joined } ?? false
        }
        return book.settle(over: over.map(\.id), at: now, next: &next)
    }
}

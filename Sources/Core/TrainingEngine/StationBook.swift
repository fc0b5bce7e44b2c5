import SiteModel

/// Which slots of each station are taken or kept for somebody, and which stations are out of order.
package struct StationBook: Sendable {
    /// Why nobody can have a slot.
    struct Refusal: Error {
        var code: ProblemCode
        var detail: Answer.Detail?
    }

    /// The open claims of each station, by slot.
    private var claims: [StationID: [Claim]] = [:]
    /// When each slot of a station was last given back: a workout may end a little ahead.
    private var freed: [StationID: [Int: Timestamp]] = [:]
    /// The stations that are out of order.
    private var downtimes: [StationID: Downtime] = [:]
    /// Who waits, in the order of joining.
    private(set) var waits: [Wait] = []
    /// Who let an offer pass lately.
    private var passed: [Wait] = []
    private let index: RowIndex<Station>
    private let stations: [Station]
    /// Who lets others see where they are.
    private let sharing: Set<UserID>

    init(plan: Plan, downtimes: [Downtime], waits: [Wait]) {
        stations = plan.stations
        index = RowIndex(plan.stations.map(\.id))
        sharing = Set(plan.users.filter(\.shares).map(\.id))
        for downtime in downtimes { self.downtimes[downtime.station] = downtime }
        for wait in waits { keep(wait) }
    }

    /// A station of the plan.
    subscript(_ station: StationID) -> Station? { index[station].map { stations[$0] } }

    /// Who holds a slot of a station, by slot.
    package func holders(of station: StationID) -> [UserID] { claims[station]?.map(\.user) ?? [] }

    /// The rows of the claims on a station, by slot.
    package func rows(of station: StationID) -> [Int64] { claims[station]?.map(\.id) ?? [] }

    package func isOutOfOrder(_ station: StationID) -> Bool { downtimes[station] != nil }

    func claims(at station: StationID) -> [Claim] { claims[station] ?? [] }

    package var isAnybodyWaiting: Bool { !waits.isEmpty }

    func wait(of user: UserID) -> Wait? { waits.first { $0.user == user } }

    func hasLetPass(_ station: StationID, _ user: UserID) -> Bool {
        passed.contains { $0.station == station && $0.user == user }
    }

    mutating func keep(_ wait: Wait) {
        waits.removeAll { $0.id == wait.id }
        guard let end = wait.ended else {
            let later = waits.firstIndex { ($0.joined, $0.id) > (wait.joined, wait.id) }
            waits.insert(wait, at: later ?? waits.endIndex)
            return
        }
        passed.removeAll { end - ($0.ended ?? end) > Wait.life }
        if wait.outcome == .lapsed { passed.append(wait) }
    }

    /// A slot of a station that somebody can have, and from when on: not before a moment. One that is kept for
    /// somebody else they cannot have.
    func free(
        _ station: StationID, at moment: Timestamp, for user: UserID?
    ) -> Result<(slot: Int, from: Timestamp), Refusal> {
        if let downtime = downtimes[station] {
            let since = Answer.Detail(since: downtime.from)
            return .failure(Refusal(code: .outOfOrder, detail: since))
        }
        let taken = claims[station] ?? []
        // Who held one of more slots than there are now keeps it, and counts.
        let kept = waits.filter {
            $0.station == station && $0.user != user && $0.offeredUntil != nil
        }
        if taken.count + kept.count < slots(of: station) {
            let free = (1...slots(of: station)).filter { slot in
                !taken.contains { $0.slot == slot }
            }
            let since = free.map { slot in
                (slot: slot, from: max(moment, freed[station]?[slot] ?? moment))
            }
            if let first = since.min(by: { $0.from < $1.from }) { return .success(first) }
        }
        let detail = Answer.Detail(
            since: taken.map(\.from).max(),
            holders: taken.map(\.user).filter { sharing.contains($0) })
        return .failure(Refusal(code: .stationInUse, detail: detail))
    }

    func slots(of station: StationID) -> Int { max(self[station]?.slots ?? 1, 1) }

    /// Takes in the claims of a workout in the place of those that were known of it.
    mutating func replace(_ old: [Claim], with new: WorkoutLog) {
        for claim in old { claims[claim.station]?.removeAll { $0.id == claim.id } }
        for claim in new.claims {
            guard let end = claim.to else { continue }
            let known = freed[claim.station]?[claim.slot] ?? end
            freed[claim.station, default: [:]][claim.slot] = max(known, end)
        }
        if let claim = new.openClaim {
            var taken = claims[claim.station] ?? []
            taken.append(claim)
            claims[claim.station] = taken.sorted { $0.slot < $1.slot }
        }
    }

    /// A station is out of order from now on, or can be used again.
    package mutating func serve(
        _ station: StationID, isOutOfOrder: Bool, note: String?, by client: String,
        at now: Timestamp, next: inout Int64
    ) -> (facts: [TrainingFact], refusal: ProblemCode?) {
        guard self[station] != nil else { return ([], .notFound) }
        guard isOutOfOrder != self.isOutOfOrder(station) else { return ([], nil) }
        if var downtime = downtimes.removeValue(forKey: station) {
            downtime.to = max(now, downtime.from)
            return ([.downtime(downtime)], nil)
        }
        let downtime = Downtime(
            id: next, station: station, from: now, to: nil, note: note, by: client)
        next += 1
        downtimes[station] = downtime
        return ([.downtime(downtime)], nil)
    }
}

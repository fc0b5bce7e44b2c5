import SiteModel

/// Sessions computed anew from what is stored of them for good: evidence, statements and
/// corrections. What the machines decided along the way plays no part.
package struct Rebuilding: Sendable {
    private let plan: Plan
    private let amendments: [Amendment]
    private let index: PlanIndex
    private let carriers: Carriers
    private var ledgers: [Ledger]
    private var coverage: [RoomTime] = []
    private var listeningSince: Timestamp?

    /// Nothing read yet; the plan says whose beacons they are, and what counts as a session;
    /// `amendments` are all corrections ever approved.
    /// `listeningSince` is when anybody first listened at the site, if evidence of that may be gone.
    package init(
        plan: Plan, amendments: [Amendment] = [], listeningSince: Timestamp? = nil
    ) {
        self.plan = plan
        self.amendments = amendments
        self.listeningSince = listeningSince
        index = PlanIndex(plan: plan)
        carriers = Carriers(plan: plan)
        ledgers = plan.users.map { _ in Ledger() }
    }

    /// Takes in what a node heard in a minute, in any order; quickest by time. What had no effect when
    /// it came has none here.
    package mutating func take(_ row: EvidenceRow) {
        guard row.verdict == .taken, let start = row.from,
            let index = index.nodes[row.node]
        else { return }
        let room = plan.nodes[index].ear
        func place(_ seconds: ClosedRange<Int>) -> Interval {
            Interval(
                from: start + .milliseconds(Int64(seconds.lowerBound) * 1000),
                to: start + .milliseconds(Int64(seconds.upperBound + 1) * 1000))
        }
        for seconds in row.evidence.listening {
            let listened = place(seconds)
            listeningSince = min(listeningSince ?? listened.from, listened.from)
            coverage.add(listened, to: room, joining: Coverage.joining)
        }
        for run in row.evidence.runs where run.strongest >= plan.policy.siteFloor {
            guard let beacon = carriers.index(of: run.beacon) else { continue }
            let seconds = place(run.first...run.last)
            for (user, interval) in carriers.users(of: beacon, heardBy: index, in: seconds) {
                _ = ledgers[user].add(interval, room: room)
            }
        }
    }

    /// Takes in what somebody said.
    package mutating func take(_ statement: Statement) {
        guard let user = index.users[statement.user] else { return }
        ledgers[user].add(statement)
    }

    /// The sessions of the user at index `user` of the plan, oldest first, as they follow from what was
    /// taken in and the corrections.
    package func sessions(of user: Int, at now: Timestamp) -> [Attended] {
        ledgers[user].sessions(
            coverage: coverage, timing: plan.policy.site,
            policy: plan.policy.attendance ?? AttendancePolicy(),
            amendments: amendments.filter { $0.user == plan.users[user].id },
            listeningSince: listeningSince, now: now)
    }
}

import SiteModel

/// Looks for anomalies in everything that is received: cloned and relayed beacons, tags lent and
/// swapped.
///
/// It decides nothing and drops nothing. A doubt is told once a user, kind and half an hour. Six
/// rules, each in a file of its own: `JointLevels` (two places), `SpeedGate`, `SendingRate`, `Arrivals`
/// (teleport), the node's `Fingerprints`, `Inactivity`. Who carries whose tag along is no single
/// moment's doubt but a report over days.
///
/// What is usual is learnt while it runs and is not stored: after a restart some minutes to days pass
/// before the rules that learn doubt again. A restart can so lose a doubt, and never makes one.
package struct Doubts: Sendable {
    /// How long after a doubt the place of the user counts as less certain.
    package static let memory = Timestamp.Span.seconds(60)
    /// What it may doubt.
    package static let kinds: [Review] = [
        .twoPlaces, .speed, .rate, .teleport, .fingerprint, .inactive,
    ]
    /// The shortest time between two reports of the same doubt of a user.
    package static let pause = Timestamp.Span.seconds(1800)
    /// A mean level over five seconds that means a place, not the far side of a wall.
    package static let strong = -75.0
    /// The seconds over which levels are averaged, and the packets that takes at least.
    package static let window: Int64 = 5
    /// See `window`.
    package static let packets = 3
    /// The seconds after which a user who walked away from a node is not near it any more, whatever
    /// the mean.
    package static let freshness: Int64 = 2
    /// The delay, in seconds, with which a second is judged, because frames are still under way.
    static let lag: Int64 = 3
    /// The seconds at two places at once that raise a doubt; each second at one place takes back
    /// half of one.
    package static let doubled = 15.0
    private static let recovery = 0.5

    /// What a user's place and session are, for `step`.
    package struct Standing: Sendable {
        /// The session, if one is open.
        package var session: Session?
        /// The room they are decided to be in.
        package var room: RoomID?
        /// The station they are decided to be at.
        package var station: StationID?

        package init(session: Session?, room: RoomID?, station: StationID?) {
            self.session = session
            self.room = room
            self.station = station
        }
    }

    private struct Loud: Sendable {
        let node: Int
        let level: Double
        /// Whether it hears it now, and not only a moment ago.
        let isFresh: Bool
    }

    private let plan: Plan
    private let off: [Bool]
    private let limit: Timestamp.Span
    /// By node: the index of its room, `nil` for one that is carried about.
    private let roomOfNode: [Int?]
    private let roomIndex: RowIndex<Room>
    /// The nodes at stations, by room.
    private let stationNodes: [[Int]]

    private var trails: [Trail]
    private var active: [Int] = []
    private var levels: JointLevels
    private var rates: [NodeRates]
    private var arrivals: Arrivals
    private var idle: [Inactivity]
    /// By node: since when it has listened without a break, and until when, in seconds.
    private var listening: [(since: Int64, newest: Int64)]
    /// By user and kind: when a doubt was last told.
    private var told: [Timestamp?]
    /// When the newest doubt of anybody was told.
    private var newest: Timestamp?
    private var pending: [Doubt] = []
    /// Of one beacon in one second: the nodes that hear it well, and how loudly.
    private var loud: [Loud] = []
    private var began: Timestamp?

    /// Nothing heard yet; `stored` are the doubts of late, which are not told again.
    package init(plan: Plan, stored: [Doubt]) {
        self.plan = plan
        let policy = plan.policy.doubts ?? DoubtPolicy()
        off = Self.kinds.map { policy.off.contains($0) }
        limit = policy.inactiveAfter ?? DoubtPolicy.usualInactive
        let index = RowIndex(plan.rooms.map(\.id))
        roomIndex = index
        let rooms = plan.nodes.map { node in node.isMobile ? nil : index[node.room] }
        roomOfNode = rooms
        stationNodes = plan.rooms.indices.map { room in
            plan.nodes.indices.filter { rooms[$0] == room && plan.nodes[$0].station != nil }
        }
        trails = Array(repeating: Trail(), count: plan.beacons.count)
        levels = JointLevels(nodes: plan.nodes.count)
        rates = Array(repeating: NodeRates(), count: plan.nodes.count)
        arrivals = Arrivals(rooms: plan.rooms.count)
        idle = Array(repeating: Inactivity(), count: plan.users.count)
        listening = Array(repeating: (0, 0), count: plan.nodes.count)
        told = Array(repeating: nil, count: plan.users.count * Self.kinds.count)
        let users = RowIndex(plan.users.map(\.id))
        for doubt in stored {
            guard let user = users[doubt.user] else { continue }
            guard let place = Self.place(of: doubt.kind, user) else { continue }
            told[place] = max(told[place] ?? doubt.at, doubt.at)
            newest = max(newest ?? doubt.at, doubt.at)
        }
    }

    /// The same under another plan. What was learnt is kept where places, people and beacons are the
    /// same; else it is learnt anew.
    package init(plan: Plan, stored: [Doubt], keeping old: Doubts) {
        self.init(plan: plan, stored: stored)
        guard plan.nodes == old.plan.nodes, plan.rooms == old.plan.rooms,
            plan.users == old.plan.users, plan.beacons.map(\.id) == old.plan.beacons.map(\.id)
        else { return }
        (trails, active, levels, rates) = (old.trails, old.active, old.levels, old.rates)
        (arrivals, idle, listening) = (old.arrivals, old.idle, old.listening)
        (pending, began) = (old.pending, old.began)
    }

    /// The node at index `node` listened for a second.
    package mutating func listened(node: Int, in second: Timestamp) {
        let second = second.second
        let isBroken = second - listening[node].newest > Frame.joining.milliseconds / 1000
        if isBroken { listening[node].since = second }
        listening[node].newest = max(listening[node].newest, second)
    }

    /// The node at index `node` heard the beacon at index `beacon`, which the user at index `user`
    /// carries, in a second. `level` is the median, corrected for node and beacon if that is known.
    package mutating func heard(
        beacon: Int, user: Int, node: Int, level: RSSI, count: Int, in second: Timestamp
    ) {
        guard roomOfNode[node] != nil else { return }
        let second = second.second
        if trails[beacon].ears.isEmpty {
            trails[beacon].ears = Array(repeating: Trail.Ear(), count: plan.nodes.count)
        }
        guard trails[beacon].ears[node].seconds.heard(level, count: count, in: second) else {
            return
        }
        if trails[beacon].user != user { trails[beacon].pass(to: user) }
        if second - trails[beacon].newest >= Arrivals.absence { trails[beacon].arrival = second }
        trails[beacon].newest = max(trails[beacon].newest, second)
        if !trails[beacon].isActive {
            trails[beacon].isActive = true
            active.append(beacon)
        }
        let verdict = trails[beacon].ears[node].rate.heard(level, count: count, in: second)
        if let verdict { weigh(verdict, of: beacon, at: node, second) }
    }

    /// A node says that the beacon of the user at index `user` is of another make than it was.
    /// Returns the doubt if it is a new one.
    package mutating func fingerprintChanged(
        of user: Int, at node: Int, _ moment: Timestamp
    ) -> Doubt? {
        doubt(.fingerprint, user, at: Timestamp(second: moment.second), [node])
    }

    /// Whether something about the user at index `user` did not fit within the last minute: what is
    /// decided about where they are is less sure then.
    package func isDoubted(_ user: Int, at now: Timestamp) -> Bool {
        guard newest.map({ now - $0 <= Self.memory }) ?? false else { return false }
        return (0..<Self.kinds.count).contains { kind in
            told[user * Self.kinds.count + kind].map { now - $0 <= Self.memory } ?? false
        }
    }

    /// One second passed. Returns the new doubts, by user, kind and time.
    ///
    /// - Parameter standing: what is decided about the user at an index.
    package mutating func step(at now: Timestamp, standing: (Int) -> Standing) -> [Doubt] {
        let began = began ?? now
        self.began = began
        look(at: now.second - 1 - Self.lag)
        if !plan.stations.isEmpty {
            for user in plan.users.indices { lookForActivity(of: user, standing(user), began, now) }
        }
        guard !pending.isEmpty else { return [] }
        defer { pending = [] }
        return pending.sorted { ($0.user, $0.kind, $0.at) < ($1.user, $1.kind, $1.at) }
    }
}

extension Doubts {
    /// Judges one second of every beacon heard of late.
    private mutating func look(at second: Int64) {
        var place = 0
        while place < active.count {
            let beacon = active[place]
            guard second - trails[beacon].newest <= Self.window else {
                trails[beacon].isActive = false
                trails[beacon].doubled = 0
                active.remove(at: place)
                continue
            }
            look(at: second, of: beacon)
            place += 1
        }
    }

    private mutating func look(at second: Int64, of beacon: Int) {
        let user = trails[beacon].user
        loud.removeAll(keepingCapacity: true)
        for node in trails[beacon].ears.indices {
            let sum = trails[beacon].ears[node].seconds.sum(
                of: Self.window, endingWith: second)
            guard let sum, sum.count >= Self.packets, sum.level >= Self.strong else { continue }
            let now = trails[beacon].ears[node].seconds.sum(
                of: Self.freshness, endingWith: second)
            loud.append(Loud(node: node, level: sum.level, isFresh: now != nil))
            levels.heard(user, at: node)
        }
        lookForTwoPlaces(of: beacon, user, second)
        lookForSpeed(of: beacon, user, second)
        if let arrival = trails[beacon].arrival, second >= arrival + Arrivals.seconds - 1 {
            trails[beacon].arrival = nil
            judge(arrival, of: beacon, user)
        }
    }

    private mutating func lookForTwoPlaces(of beacon: Int, _ user: Int, _ second: Int64) {
        var apart: (Int, Int)?
        for (place, one) in loud.enumerated() where one.isFresh {
            for other in loud[(place + 1)...] where other.isFresh {
                let pair = (one.node, other.node)
                let isLouder = levels.heard(user, at: pair, level: min(one.level, other.level))
                let isFar = distance(one.node, other.node).map { $0 >= JointLevels.apart } ?? false
                if isFar || isLouder && roomOfNode[one.node] != roomOfNode[other.node] {
                    apart = apart ?? pair
                }
            }
        }
        guard let apart else {
            trails[beacon].doubled = max(0, trails[beacon].doubled - Self.recovery)
            return
        }
        trails[beacon].doubled += 1
        guard trails[beacon].doubled >= Self.doubled else { return }
        trails[beacon].doubled = 0
        note(.twoPlaces, user, at: Timestamp(second: second), [apart.0, apart.1])
    }

    private mutating func lookForSpeed(of beacon: Int, _ user: Int, _ second: Int64) {
        var loudest: Loud?
        for ear in loud
        where ear.isFresh && ear.level >= SpeedGate.near && ear.level > loudest?.level ?? -.infinity
        {
            loudest = ear
        }
        guard let loudest else { return }
        let nodes = plan.nodes
        let from = trails[beacon].gate.near(loudest.node, in: second) { a, b in
            Self.distance(nodes[a], nodes[b])
        }
        if let from { note(.speed, user, at: Timestamp(second: second), [from, loudest.node]) }
    }

    private mutating func judge(_ arrival: Int64, of beacon: Int, _ user: Int) {
        // Somebody who came while a node was down may have passed it.
        let isCovered = roomOfNode.indices.allSatisfy { node in
            roomOfNode[node] == nil
                || listening[node].since <= arrival - Arrivals.absence
                    && listening[node].newest >= arrival
        }
        guard isCovered else { return }
        var loudest: (node: Int, sum: HeardSeconds.Sum)?
        for node in trails[beacon].ears.indices {
            let sum = trails[beacon].ears[node].seconds.sum(
                of: Arrivals.seconds, endingWith: arrival + Arrivals.seconds - 1)
            if let sum, sum.level > loudest?.sum.level ?? -.infinity { loudest = (node, sum) }
        }
        guard let loudest, let room = roomOfNode[loudest.node] else { return }
        let isNew = arrivals.add(user, in: room)
        let isNear = loudest.sum.level >= SpeedGate.near && loudest.sum.count >= Self.packets
        guard isNew, isNear else { return }
        note(.teleport, user, at: Timestamp(second: arrival), [loudest.node])
    }

    private mutating func weigh(
        _ verdict: SendingRate.Verdict, of beacon: Int, at node: Int, _ second: Int64
    ) {
        defer { rates[node].add(verdict.ratio, of: beacon, at: second) }
        guard verdict.isExcess else { return }
        if rates[node].haveRisen(without: beacon, at: second) {
            trails[beacon].ears[node].rate.accept(verdict.ratio)
        } else {
            note(.rate, trails[beacon].user, at: Timestamp(second: second), [node])
        }
    }

    private mutating func lookForActivity(
        of user: Int, _ standing: Standing, _ began: Timestamp, _ now: Timestamp
    ) {
        guard let session = standing.session, session.to == nil else { return }
        let room = standing.room.flatMap { roomIndex[$0] }
        let nodes = room.map { stationNodes[$0] } ?? []
        let isSeen =
            !nodes.isEmpty
            && nodes.allSatisfy { now.second - listening[$0].newest <= 2 * Self.window }
        let isIdle = idle[user].step(
            session, isAtStation: standing.station != nil, isSeen: isSeen, after: limit,
            since: began)
        if isIdle { note(.inactive, user, at: now, []) }
    }

    private mutating func note(
        _ kind: Review, _ user: Int, at moment: Timestamp, _ nodes: [Int]
    ) {
        if let doubt = doubt(kind, user, at: moment, nodes) { pending.append(doubt) }
    }

    private mutating func doubt(
        _ kind: Review, _ user: Int, at moment: Timestamp, _ nodes: [Int]
    ) -> Doubt? {
        guard let place = Self.place(of: kind, user), !off[place % Self.kinds.count] else {
            return nil
        }
        if let last = told[place], abs((moment - last).milliseconds) < Self.pause.milliseconds {
            return nil
        }
        told[place] = max(told[place] ?? moment, moment)
        newest = max(newest ?? moment, moment)
        return Doubt(
            user: plan.users[user].id, at: moment, kind: kind,
            nodes: nodes.map { plan.nodes[$0].id }.sorted())
    }

    private static func place(of kind: Review, _ user: Int) -> Int? {
        kinds.firstIndex(of: kind).map { user * kinds.count + $0 }
    }

    private func distance(_ a: Int, _ b: Int) -> Double? {
        Self.distance(plan.nodes[a], plan.nodes[b])
    }

    /// How far apart two nodes hang, in metres, if that was measured.
    private static func distance(_ a: Node, _ b: Node) -> Double? {
        guard let a = a.position, let b = b.position else { return nil }
        let (dx, dy) = (a.x - b.x, a.y - b.y)
        return (dx * dx + dy * dy).squareRoot()
    }
}

import SiteModel

/// Turns what nodes hear into where people are: one forward filter for each user over the places of a site.
///
/// Every second a place is as likely as it was, but for the chance that somebody moved, times how
/// likely the levels of that second are there. Where nobody stood to teach a place, that is how loud
/// the ears of a place are (`ZoneLevels`), mixed with path loss where coordinates are known
/// (`Geometry`). Where somebody did, it is how well the levels match the spots that were learned
/// (`SpotTable`), blended with the former by how well they match at all, for a model learned with one
/// way of carrying a tag fails for another. The place changes when another is more probable by a
/// margin. Formulas, constants and what they were chosen by: `DESIGN.md`, “Locating”.
///
/// A reading links an *ear*, whose place is known, and a *device*, whose user is: a beacon heard by
/// fixed nodes, or fixed beacons heard by a mobile node. Readings may come up to ten seconds late
/// and in any order: belief then goes back and comes forward again. Published moves are not
/// rewritten.
///
/// A node of another network reports a beacon every few seconds only. Its silence says nothing,
/// and its levels hold for two of its own usual intervals, if that is more than 3 s.
package struct Locating: Sendable {
    /// Of the plain mean of each node's levels that rules of smoothing are compared with, in seconds.
    package static let timeConstant = 1.5
    /// How many intervals of a node that reports seldom may pass before it counts as silent.
    package static let patience = 2.0
    /// From which level on a beacon is near where nothing else is said, in dBm.
    static let usualThreshold = -60.0
    /// The silence after which a user is nowhere. Until then the last decided place stands, with a
    /// falling probability.
    package static let silence = Timestamp.Span.seconds(60)
    /// The chance that somebody moves, in a second.
    package static let moving = 1 / 20.0

    /// One node's readings of one beacon, for people to look at, and for nodes that report seldom.
    package struct Hearing {
        package var mean: Double
        package var at: Timestamp
        /// When it begins to sink.
        var sinksAfter: Timestamp.Span

        package init(mean: Double, at: Timestamp, sinksAfter: Timestamp.Span) {
            self.mean = mean
            self.at = at
            self.sinksAfter = sinksAfter
        }

        var droppedAfter: Timestamp.Span {
            sinksAfter + .seconds(Double(ZoneLevels.droppedAfter - ZoneLevels.sinksAfter))
        }
    }

    /// What is known of one user.
    package struct Whereabouts {
        var beliefs: BeliefLog
        /// The decided zone.
        package var zone: Int?
        /// The probabilities of the latest fix, all zero when unheard.
        package var probabilities: [Double]
        /// What its latest second alone said, and how much spots counted.
        package var now: [Double]
        package var spotWeight = 0.0

        package init(
            beliefs: BeliefLog, zone: Int? = nil, probabilities: [Double], now: [Double],
            spotWeight: Double = 0.0
        ) {
            self.beliefs = beliefs
            self.zone = zone
            self.probabilities = probabilities
            self.now = now
            self.spotWeight = spotWeight
        }
    }

    package let nodes: [Node]
    package let zones: [Place]
    /// Fixed nodes in the order of the plan, then beacons that are fixed somewhere.
    package let ears: [Ear]
    let zoneOfEar: [Int]
    /// `nil` for a fixed beacon.
    let nodeOfEar: [Int?]
    /// The zones that have an ear, and those that were taught.
    let isEared: [Bool]
    package let isTaught: [Bool]
    package let policy: LocatingPolicy
    package let spots: SpotTable?
    package let geometry: Geometry?
    let steady: ZoneLevels
    package let thresholds: [Double]
    package let users: [UserID]
    package let beacons: [BeaconID]
    private let earOfNode: [Int?]
    private let earOfBeacon: [Int?]
    /// The mobile nodes of each user.
    private let ownNodes: [[Int]]

    /// By device: beacons in the order of the plan, then nodes; `nil` while nothing was heard.
    package var logs: [EarLog?]
    /// By beacon, then node, in the order of the plan.
    package var hearings: [[Hearing?]?]
    package var listening: ListenLog
    /// Nodes that do not report every second.
    var isSparse: [Bool]
    package var whereabouts: [Whereabouts]
    var scratch: Scratch

    /// A locator for the nodes, beacons and users of a plan. It has heard nothing, but prefers for
    /// each user the place where they were, given by user as `places`. Another time constant than
    /// the usual ones, for rising and falling levels alike, is for comparisons; 0 takes each level
    /// as it is.
    package init(
        plan: Plan, places: [(room: RoomID?, station: StationID?)], timeConstant: Double? = nil
    ) {
        precondition(places.count == plan.users.count, "a place for each user")
        nodes = plan.nodes
        users = plan.users.map(\.id)
        beacons = plan.beacons.map(\.id)
        thresholds = plan.beacons.map { $0.threshold?.dBm ?? Self.usualThreshold }
        policy = plan.policy.locating ?? LocatingPolicy()
        let table = ZoneTable(plan: plan, model: policy.usesSpots ? plan.model : nil)
        zones = table.zones
        ears = table.ears
        zoneOfEar = table.zoneOfEar
        nodeOfEar = table.nodeOfEar
        earOfNode = table.earOfNode
        earOfBeacon = table.earOfBeacon
        isEared = table.isEared
        let spots =
            policy.usesSpots
            ? plan.model.map { SpotTable($0, zones: table.zones, ears: table.ears) } : nil
        self.spots = (spots?.zones.isEmpty ?? true) ? nil : spots
        isTaught = table.zones.indices.map { spots?.count[$0] ?? 0 > 0 }
        geometry = table.geometry(of: plan)
        steady = timeConstant.map { ZoneLevels(rise: $0, fall: $0) } ?? ZoneLevels()
        let carriers = Carriers(plan: plan)
        ownNodes = plan.users.indices.map { carriers.nodes(of: $0) }
        logs = Array(repeating: nil, count: plan.beacons.count + plan.nodes.count)
        hearings = Array(repeating: nil, count: plan.beacons.count)
        listening = ListenLog(width: plan.nodes.count)
        isSparse = plan.nodes.map { _ in false }
        let count = table.zones.count
        whereabouts = places.map { place in
            Whereabouts(
                beliefs: BeliefLog(zones: count),
                zone: table.zones.firstIndex {
                    $0.room == place.room && $0.station == place.station
                }, probabilities: Array(repeating: 0, count: count),
                now: Array(repeating: 0, count: count))
        }
        scratch = Scratch(zones: count, ears: table.ears.count)
    }

    /// A node at an index of the plan listened throughout the second that ended at `at`, so that
    /// what it did not hear was silent.
    package mutating func listened(node: Int, at: Timestamp) {
        listening.put(node: node, second: at.decisionSecond)
    }

    /// A node heard a beacon; both are indices into the plan's lists.
    ///
    /// A level no radio reports (above +20 or below −120 dBm) is ignored. `cadence` is the usual
    /// interval of such reports where that is not a second.
    package mutating func heard(
        beacon: Int, node: Int, level: RSSI, at: Timestamp, cadence: Timestamp.Span? = nil
    ) {
        guard level.dBm <= 20, level.dBm >= -120 else { return }
        let sinksAfter = max(
            Timestamp.Span.seconds(Double(ZoneLevels.sinksAfter)),
            Timestamp.Span.seconds(Self.patience * min(cadence?.seconds ?? 0, 60)))
        if cadence != nil { isSparse[node] = true }
        note(beacon: beacon, node: node, level: level.dBm, at: at, sinksAfter: sinksAfter)
        let isMobile = nodes[node].isMobile
        guard let ear = isMobile ? earOfBeacon[beacon] : earOfNode[node] else { return }
        let device = isMobile ? beacons.count + node : beacon
        var log = logs[device] ?? EarLog(width: ears.count)
        logs[device] = nil
        log.put(level.dBm, ear: ear, second: at.decisionSecond)
        logs[device] = log
    }

    /// Decides where a user is, whose beacons are given by index, or `nil` if nobody hears them.
    ///
    /// `isListening` leaves out the nodes that could not hear. To be called at each whole second,
    /// after what was heard until then.
    package mutating func fix(
        user: Int, beacons: [Int], at now: Timestamp, isListening: (Int) -> Bool
    ) -> Fix? {
        let second = now.second
        var devices = beacons.filter { logs[$0] != nil }
        for node in ownNodes[user]
        where isListening(node) && logs[self.beacons.count + node] != nil {
            devices.append(self.beacons.count + node)
        }
        for ear in ears.indices { scratch.isUsable[ear] = isUsable(ear, isListening) }
        guard let heard = lastHeard(devices, at: now) else {
            return forget(user, wasHeard: !devices.isEmpty || hasHeard(user), at: now)
        }
        let prior = advance(user, devices, to: second)
        return decide(user, devices, heard: heard, prior: prior, at: now)
    }

    /// What is believed of a user, by place; all zero when unheard. Not yet drawn in by the curve
    /// of `Confidence`.
    package func posterior(user: Int) -> [(place: Place, probability: Double)] {
        zones.indices.map { (zones[$0], whereabouts[user].probabilities[$0]) }
    }

    /// The probability the latest fix of a user gave to a place, whether or not it chose it:
    /// of the station if one is given, else of the room, 0 ... 0.98.
    package func probability(user: Int, room: RoomID?, station: StationID?) -> Double {
        guard let room else { return 0 }
        guard let station else { return roomProbability(user: user, room: room) }
        let zone = zones.firstIndex { $0.room == room && $0.station == station }
        return zone.map { zone in told(user) { $0 == zone } } ?? 0
    }

    package func roomProbability(user: Int, room: RoomID) -> Double {
        told(user) { zones[$0].room == room }
    }

    /// What is told of the probability that a user is in one of some zones.
    package func told(_ user: Int, of isMeant: (Int) -> Bool) -> Double {
        var probability = 0.0
        var now = 0.0
        for zone in zones.indices where isMeant(zone) {
            probability += whereabouts[user].probabilities[zone]
            now += whereabouts[user].now[zone]
        }
        return spots == nil
            ? Confidence.untaught(probability, now: now)
            : Confidence.taught(probability, spotWeight: whereabouts[user].spotWeight)
    }

    /// The bytes that are kept for a user with one beacon who is heard.
    package var memoryPerUser: Int {
        var log = BeliefLog(zones: zones.count)
        log.put(log.even, at: 0)
        return log.bytes + zones.count * 8 + EarLog(width: ears.count).bytes
            + nodes.count * MemoryLayout<Hearing?>.stride
    }

    private func isUsable(_ ear: Int, _ isListening: (Int) -> Bool) -> Bool {
        // Whether the mobile node that hears a fixed beacon listens is asked of that node.
        nodeOfEar[ear].map(isListening) ?? true
    }

    /// Whether a mobile node of the user has heard any fixed beacon so far.
    private func hasHeard(_ user: Int) -> Bool {
        ownNodes[user].contains { logs[beacons.count + $0] != nil }
    }

    /// Nobody hears the user. Before anything was heard, the place of before a restart still stands.
    private mutating func forget(_ user: Int, wasHeard: Bool, at now: Timestamp) -> Fix? {
        for zone in zones.indices { whereabouts[user].probabilities[zone] = 0 }
        if wasHeard {
            whereabouts[user].zone = nil
            whereabouts[user].beliefs.clear()
        }
        return nil
    }
}

extension Timestamp {
    /// The whole second for whose decision what was heard until now counts: the first not before.
    var decisionSecond: Int64 {
        let second = second
        return Timestamp(second: second) == self ? second : second + 1
    }
}

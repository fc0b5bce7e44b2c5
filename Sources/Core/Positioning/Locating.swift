import SiteModel

/// Locates people by the levels that nodes receive: one forward filter for each user over the
/// places of a site.
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
    /// How many intervals of a node that reports seldom may pass before it counts as silent.
    package static let patience = 2.0
    /// From which level on a beacon is near where nothing else is said, in dBm.
    static let usualThreshold = -60.0
    /// The silence after which a user is nowhere. Until then the last decided place stands, with a
    /// falling probability.
    package static let silence = Timestamp.Span.seconds(60)
    /// The chance that somebody moves, in a second.
    package static let moving = 1 / 20.0

    /// What is known of one user.
    struct Whereabouts {
        var beliefs: BeliefLog
        /// The decided zone.
        var zone: Int?
        /// The probabilities of the latest fix, all zero when unheard.
        var probabilities: [Double]
        /// What its latest second alone said, and how much spots counted.
        var now: [Double]
        var spotWeight = 0.0
        /// How little the spots fitted, and how much what was heard counted for how they moved.
        var strangeness = 0.0
        /// The zone that levels named in the latest second.
        var named: Int?
        var calm = 1.0
        var restlessness = Restlessness()
        /// How much louder the user is received than was taught.
        var bias = SurveyBias(memory: 16)
        var visit = SurveyBias.Visit()

        init(
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

    let nodes: [Node]
    let policy: LocatingPolicy
    let thresholds: [Double]
    let users: [UserID]
    private let earOfNode: [Int?]
    private let earOfBeacon: [Int?]
    /// The mobile nodes of each user.
    private let ownNodes: [[Int]]

    var received: Reception
    var weighing: Weighing
    var whereabouts: [Whereabouts]
    /// How much louder receivers hear everybody than was taught.
    private var siteBias = SurveyBias(memory: 64)

    /// A locator for the nodes, beacons and users of a plan. It has heard nothing, but prefers for
    /// each user the place where they were, given by user as `places`.
    package init(plan: Plan, places: [(room: RoomID?, station: StationID?)]) {
        precondition(places.count == plan.users.count, "a place for each user")
        nodes = plan.nodes
        users = plan.users.map(\.id)
        thresholds = plan.beacons.map { $0.threshold?.dBm ?? Self.usualThreshold }
        policy = plan.policy.locating ?? LocatingPolicy()
        let table = ZoneTable(plan: plan, model: policy.usesSpots ? plan.model : nil)
        earOfNode = table.earOfNode
        earOfBeacon = table.earOfBeacon
        weighing = Weighing(plan: plan, table: table, policy: policy)
        let carriers = BindingIndex(plan: plan)
        ownNodes = plan.users.indices.map { carriers.nodes(of: $0) }
        received = Reception(plan: plan)
        let count = table.zones.count
        whereabouts = places.map { place in
            Whereabouts(
                beliefs: BeliefLog(zones: count),
                zone: table.zones.firstIndex {
                    $0.room == place.room && $0.station == place.station
                }, probabilities: Array(repeating: 0, count: count),
                now: Array(repeating: 0, count: count))
        }
    }

    /// Goes on with what was known of everybody under a plan that locates alike.
    package mutating func keep(_ carried: Carryover, of old: Locating) {
        received.keep(carried, of: old.received)
        for (index, place) in carried.carriers.enumerated() {
            if let place { whereabouts[index] = old.whereabouts[place] }
        }
        siteBias = old.siteBias
    }

    /// A node at an index of the plan listened throughout the second that ended at `at`, so that
    /// what it did not hear was silent.
    package mutating func listened(node: Int, at: Timestamp) {
        received.listening.put(node: node, second: at.decisionSecond)
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
        if cadence != nil { received.isSparse[node] = true }
        received.note(
            beacon: beacon, node: node, level: level.dBm, at: at, sinksAfter: sinksAfter,
            steadiedBy: weighing.steady)
        let isMobile = nodes[node].isMobile
        guard let ear = isMobile ? earOfBeacon[beacon] : earOfNode[node] else { return }
        let device = isMobile ? received.beacons.count + node : beacon
        var log = received.logs[device] ?? EarLog(width: weighing.ears.count)
        received.logs[device] = nil
        log.put(level.dBm, ear: ear, second: at.decisionSecond)
        received.logs[device] = log
    }

    /// Decides where a user is, whose beacons are given by index, or `nil` if nobody hears them.
    ///
    /// `isListening` leaves out the nodes that could not hear. To be called at each whole second,
    /// after what was heard until then.
    package mutating func fix(
        user: Int, beacons: [Int], at now: Timestamp, isListening: (Int) -> Bool
    ) -> Fix? {
        let second = now.second
        var devices = beacons.filter { received.logs[$0] != nil }
        for node in ownNodes[user]
        where isListening(node) && received.logs[received.beacons.count + node] != nil {
            devices.append(received.beacons.count + node)
        }
        for ear in weighing.ears.indices {
            weighing.scratch.isUsable[ear] = isUsable(ear, isListening)
        }
        guard let heard = weighing.lastHeard(devices, received, at: now) else {
            return forget(user, wasHeard: !devices.isEmpty || hasHeard(user), at: now)
        }
        let prior = advance(user, devices, to: second)
        return decide(user, devices, heard: heard, prior: prior, at: now)
    }

    /// Believes what was heard until the end of `second`, again from where something came late.
    /// Returns what was believed a second before.
    private mutating func advance(
        _ user: Int, _ devices: [Int], to second: Int64
    ) -> BeliefLog.Belief {
        var log = whereabouts[user].beliefs
        whereabouts[user].beliefs = BeliefLog(zones: 0)
        if let newest = log.newest, second - newest > ZoneLevels.droppedAfter { log.clear() }
        var from = log.newest.map { $0 + 1 } ?? second
        for device in devices {
            from = min(from, received.logs[device]?.changedFrom ?? from)
            received.logs[device]?.settle()
        }
        from = max(from, second - Int64(BeliefLog.length) + 2)
        if log.newest != nil { from = log.earliest(from: from) }
        var belief = log.belief(at: from - 1) ?? log.even
        var prior = belief
        var isWeighed = false
        weighing.calm = whereabouts[user].restlessness.calm(at: second)
        whereabouts[user].calm = weighing.calm
        weighing.take(biases: siteBias, whereabouts[user].bias)
        let isNew = log.newest.map { $0 < second } ?? true
        var isLatestWeighed = false
        if from <= second {
            for moment in from...second {
                prior = belief
                isLatestWeighed = weighing.weigh(devices, at: moment, received, &belief)
                if isLatestWeighed { isWeighed = true }
                log.put(belief, at: moment)
            }
        }
        if isNew, isLatestWeighed,
            let visit = weighing.note(belief, in: &whereabouts[user].visit)
        {
            whereabouts[user].bias.add(visit, beyond: siteBias)
            siteBias.add(visit)
        }
        whereabouts[user].probabilities = belief.probabilities
        whereabouts[user].spotWeight = belief.spotWeight
        whereabouts[user].strangeness = belief.strangeness
        if isWeighed {
            whereabouts[user].now = weighing.scratch.now
            whereabouts[user].named = weighing.named
        }
        whereabouts[user].beliefs = log
        return prior
    }

    /// The nodes that hear a beacon at `now`, strongest first.
    package func hearings(beacon: Int, at now: Timestamp) -> [BeaconState.Hearing] {
        received.hearings(beacon: beacon, at: now)
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

    func roomProbability(user: Int, room: RoomID) -> Double {
        told(user) { zones[$0].room == room }
    }

    /// What is told of the probability that a user is in one of some zones.
    func told(_ user: Int, of isMeant: (Int) -> Bool) -> Double {
        var probability = 0.0
        var now = 0.0
        // Levels cannot name a place without a receiver.
        var isDisputed = false
        for zone in zones.indices where isMeant(zone) {
            probability += whereabouts[user].probabilities[zone]
            now += whereabouts[user].now[zone]
            if weighing.isEared[zone] { isDisputed = true }
        }
        if whereabouts[user].named.map(isMeant) ?? true { isDisputed = false }
        let calm = whereabouts[user].calm
        return weighing.spots == nil
            ? Confidence.untaught(probability, now: now, calm: calm)
            : Confidence.taught(
                probability, now: now, strangeness: whereabouts[user].strangeness,
                isDisputed: isDisputed, calm: calm)
    }

    /// How much louder each ear hears everybody than was taught, in dB: what is believed of that. Empty
    /// where no place was taught.
    package var surveyBias: [(ear: Ear, decibels: Double)] {
        guard weighing.spots != nil else { return [] }
        var offsets = weighing.ears.map { _ in 0.0 }
        siteBias.add(to: &offsets)
        return zip(weighing.ears, offsets).map { ($0, $1) }
    }

    /// The places there are.
    var zones: [Place] { weighing.zones }

    /// The bytes that are kept for a user with one beacon who is heard.
    package var memoryPerUser: Int {
        var log = BeliefLog(zones: zones.count)
        log.put(log.even, at: 0)
        return log.bytes + zones.count * 8 + EarLog(width: weighing.ears.count).bytes
            + nodes.count * MemoryLayout<Reception.Hearing?>.stride
            + (weighing.spots == nil ? 0 : weighing.ears.count * SurveyBias.bytesPerEar)
    }

    private func isUsable(_ ear: Int, _ isListening: (Int) -> Bool) -> Bool {
        // Whether the mobile node that hears a fixed beacon listens is asked of that node.
        weighing.nodeOfEar[ear].map(isListening) ?? true
    }

    /// Whether a mobile node of the user has heard any fixed beacon so far.
    private func hasHeard(_ user: Int) -> Bool {
        ownNodes[user].contains { received.logs[received.beacons.count + $0] != nil }
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

extension Weighing {
    /// Room for the numbers of one weighing, kept so that none is allocated for each second.
    struct Scratch: Sendable {
        /// By ear: whether it works at all now, and whether it listened in the second weighed.
        var isUsable: [Bool]
        var isListening: [Bool]
        /// By ear: what it heard in the second, and the steadied level.
        var heard: [Double?]
        var steady: [Double?]
        /// By zone: the loudest steadied level, and what speaks for it.
        var levels: [Double]
        var zoneTerms: [Double]
        var spotTerms: [Double]
        /// By zone: the spots together, relative to the likeliest, and the place as a whole.
        var spotSums: [Double]
        var wholes: [Double]
        /// By zone: what the latest second alone says, and whether any of its ears works.
        var now: [Double]
        var isEared: [Bool]
        /// By ear: how much louder it hears the user than was taught.
        var offsets: [Double]
        /// By zone, the likeliest of its spots for the device weighed last, and what speaks for that.
        var bestSpots: [Int]
        var bestTerms: [Double]
        var second = SpotTable.Second()
        /// How many devices were heard in the second weighed last.
        var devices = 0

        init(zones: Int, ears: Int) {
            isUsable = Array(repeating: true, count: ears)
            isListening = Array(repeating: false, count: ears)
            heard = Array(repeating: nil, count: ears)
            steady = Array(repeating: nil, count: ears)
            levels = Array(repeating: -.infinity, count: zones)
            zoneTerms = Array(repeating: 0, count: zones)
            spotTerms = Array(repeating: 0, count: zones)
            spotSums = Array(repeating: 0, count: zones)
            wholes = Array(repeating: 0, count: zones)
            now = Array(repeating: 0, count: zones)
            isEared = Array(repeating: false, count: zones)
            offsets = Array(repeating: 0, count: ears)
            bestSpots = Array(repeating: 0, count: zones)
            bestTerms = Array(repeating: 0, count: zones)
        }
    }
}

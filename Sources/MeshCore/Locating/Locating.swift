/// The decided place of a user with its probability.
public struct Fix: Equatable, Sendable {
    /// The decided room.
    public var room: RoomID
    /// The decided station, or `nil` if the user is elsewhere in the room.
    public var station: StationID?
    /// The probability of the room, 0 ... 0.98.
    public var roomProbability: Double
    /// The probability of the station or of the rest of the room, 0 ... 0.98.
    public var probability: Double
    /// The level of the place's best node.
    public var level: RSSI
    /// When that node last heard the user.
    public var heard: Timestamp

    /// From this probability on, machines may act on a place.
    public static let confirmed = 0.9
    /// What was heard longer ago than this says where somebody was, not where they are.
    public static let life = Timestamp.Span.seconds(3)
    /// The same for this fix: longer where that node reports seldom.
    public var life = Self.life
    /// Why the place is another one than a second ago, or `nil` if it is the same.
    public var change: Reasons?

    /// Where.
    public var place: Place { Place(room: room, station: station) }

    /// The fix if it is evidence at `now`.
    func fresh(at now: Timestamp) -> Fix? { now - heard <= life ? self : nil }
}

/// Turns frames into fixes: *zone level*, the rule for places nobody has calibrated.
///
/// A node is heard as an exponential mean with time constant 1.5 s by elapsed time; after 3 s of
/// silence it sinks 1 dB a second and is dropped at 15 s. A zone is as loud as its best node. The
/// place changes when another zone leads by 1.5 dB at every decision for 1 s. The probability is
/// a softmax of zone levels over 2 dB, drawn in as p' = 0.5 + 0.9 (p − 0.5), never above 0.98.
/// Constants and their comparison on recordings: `DESIGN.md`, “Locating”.
///
/// A node of another network reports a beacon every few seconds only. It counts as silent after two
/// of its own usual intervals, if that is more than 3 s, and is dropped 12 s later as ours are.
///
/// What a mobile node hears of a fixed beacon counts as if a node at the beacon's place had heard
/// the node's user.
public struct Locating: Sendable {
    /// Of the mean of each node's levels, in seconds.
    public static let timeConstant = 1.5
    static let sinksAfter = Timestamp.Span.seconds(3)
    /// From the first decibel it sinks.
    static let droppedAfterSinking = Timestamp.Span.seconds(12)
    /// So many intervals of a node that reports seldom are no silence yet.
    static let patience = 2.0
    static let margin = 1.5
    static let hold = Timestamp.Span.seconds(1)
    static let softness = 2.0

    struct Zone: Equatable {
        var room: RoomID
        var station: StationID?
    }

    struct Hearing {
        var mean: Double
        var at: Timestamp
        /// When it begins to sink.
        var sinksAfter = Locating.sinksAfter

        var droppedAfter: Timestamp.Span { sinksAfter + Locating.droppedAfterSinking }
    }

    struct Track {
        /// By node, in the order of the plan.
        var hearings: [Hearing?]
        var isHeard = false
    }

    struct Choice {
        var zone: Int
        /// A zone that leads, and since when.
        var leader: (zone: Int, since: Timestamp)?
    }

    private let timeConstant: Double
    private let nodes: [Node]
    private let zones: [Zone]
    /// `nil` for mobile nodes.
    private let zoneOfNode: [Int?]
    /// The beacons that are fixed somewhere, and where.
    private let anchors: [(beacon: Int, zone: Int)]
    /// The mobile nodes of each user.
    private let ownNodes: [[Int]]
    private var tracks: [Track]
    private var choices: [Choice?]
    private var levels: [Double]
    /// By user, then zone: the probabilities of the latest fix, all zero when unheard.
    private var probabilities: [[Double]]

    /// A locator for the nodes, beacons and users of a plan. It has heard nothing, but prefers for
    /// each user the place where they were, given by user as `places`. Another time constant than
    /// the usual one is for comparisons; 0 takes each level as it is.
    public init(
        plan: Plan, places: [(room: RoomID?, station: StationID?)],
        timeConstant: Double = Self.timeConstant
    ) {
        precondition(places.count == plan.users.count, "a place for each user")
        self.timeConstant = timeConstant
        nodes = plan.nodes
        var zones: [Zone] = []
        func index(of zone: Zone) -> Int {
            if let index = zones.firstIndex(of: zone) { return index }
            zones.append(zone)
            return zones.count - 1
        }
        zoneOfNode = plan.nodes.map { node in
            node.isMobile ? nil : index(of: Zone(room: node.room, station: node.station))
        }
        anchors = plan.beacons.indices.compactMap { beacon in
            plan.beacons[beacon].anchor.map {
                (beacon, index(of: Zone(room: $0.room, station: $0.station)))
            }
        }
        let carriers = Carriers(plan: plan)
        ownNodes = plan.users.indices.map { carriers.nodes(of: $0) }
        self.zones = zones
        tracks = plan.beacons.map { _ in Track(hearings: plan.nodes.map { _ in nil }) }
        choices = places.map { place in
            zones.firstIndex { $0.room == place.room && $0.station == place.station }
                .map { Choice(zone: $0, leader: nil) }
        }
        levels = zones.map { _ in -.infinity }
        probabilities = plan.users.map { _ in zones.map { _ in 0 } }
    }

    /// A node heard a beacon; both are indices into the plan's lists.
    ///
    /// A level no radio reports (above +20 or below −120 dBm) is ignored. `cadence` is the usual
    /// interval of such reports where that is not a second.
    public mutating func heard(
        beacon: Int, node: Int, level: RSSI, at: Timestamp, cadence: Timestamp.Span? = nil
    ) {
        guard level.dBm <= 20, level.dBm >= -120 else { return }
        tracks[beacon].isHeard = true
        let sinksAfter = max(
            Self.sinksAfter, .seconds(Self.patience * min(cadence?.seconds ?? 0, 60)))
        guard let old = tracks[beacon].hearings[node], at - old.at <= old.droppedAfter else {
            tracks[beacon].hearings[node] = Hearing(
                mean: level.dBm, at: at, sinksAfter: sinksAfter)
            return
        }
        // A frame that comes late or twice must not count as elapsed time.
        let elapsed = max((at - old.at).seconds, 0)
        let weight = timeConstant > 0 ? 1 - Exponential.exp(-elapsed / timeConstant) : 1
        tracks[beacon].hearings[node] = Hearing(
            mean: old.mean + weight * (level.dBm - old.mean), at: max(at, old.at),
            sinksAfter: sinksAfter)
    }

    /// A node at an index of the plan listened throughout the second that ended at `at`, so that
    /// what it did not hear was silent.
    public mutating func listened(node: Int, at: Timestamp) {}

    /// Decides where a user is, whose beacons are given by index, or `nil` if nobody hears them.
    ///
    /// `isListening` leaves out the nodes that could not hear. To be called once a second.
    public mutating func fix(
        user: Int, beacons: [Int], at now: Timestamp, isListening: (Int) -> Bool
    ) -> Fix? {
        var best: (zone: Int, level: Double)?
        for zone in levels.indices { levels[zone] = -.infinity }
        var heard: [Heard?] = zones.map { _ in nil }
        for beacon in beacons where tracks[beacon].isHeard {
            for node in nodes.indices where isListening(node) {
                guard let zone = zoneOfNode[node] else { continue }
                weigh(beacon: beacon, node: node, for: zone, at: now, &heard)
            }
        }
        for node in ownNodes[user] where isListening(node) {
            for anchor in anchors {
                weigh(beacon: anchor.beacon, node: node, for: anchor.zone, at: now, &heard)
            }
        }
        for zone in levels.indices where levels[zone] > (best?.level ?? -.infinity) {
            best = (zone, levels[zone])
        }
        guard let best else {
            for zone in zones.indices { probabilities[user][zone] = 0 }
            // Before anything was heard, the place of before a restart still stands.
            if beacons.contains(where: { tracks[$0].isHeard }) || hasHeard(user) {
                choices[user] = nil
            }
            return nil
        }
        let zone = choose(user: user, best: best.zone, at: now)
        guard let heardAt = heard[zone] else { return nil }
        weigh(user: user, best: best.level)
        return Fix(
            room: zones[zone].room, station: zones[zone].station,
            roomProbability: roomProbability(user: user, room: zones[zone].room),
            probability: Self.calibrated(probabilities[user][zone]),
            level: RSSI(dBm: levels[zone]), heard: heardAt.at,
            life: max(Fix.life, heardAt.sinksAfter))
    }

    /// When a zone was last heard, and how long that holds.
    private struct Heard {
        var at: Timestamp
        var sinksAfter: Timestamp.Span
    }

    /// Raises the level of a zone to what one node hears of one beacon.
    private mutating func weigh(
        beacon: Int, node: Int, for zone: Int, at now: Timestamp, _ heard: inout [Heard?]
    ) {
        guard let hearing = tracks[beacon].hearings[node],
            let level = Self.level(of: hearing, at: now)
        else { return }
        if level > levels[zone] { levels[zone] = level }
        if let old = heard[zone], old.at >= hearing.at { return }
        heard[zone] = Heard(at: hearing.at, sinksAfter: hearing.sinksAfter)
    }

    /// Whether a mobile node of the user has heard any fixed beacon so far.
    private func hasHeard(_ user: Int) -> Bool {
        ownNodes[user].contains { node in
            anchors.contains { tracks[$0.beacon].hearings[node] != nil }
        }
    }

    /// The probability the latest fix of a user gave to a place, whether or not it chose it:
    /// of the station if one is given, else of the room, 0 ... 0.98.
    public func probability(user: Int, room: RoomID?, station: StationID?) -> Double {
        guard let room else { return 0 }
        guard let station else { return roomProbability(user: user, room: room) }
        let zone = zones.firstIndex { $0.room == room && $0.station == station }
        return zone.map { Self.calibrated(probabilities[user][$0]) } ?? 0
    }

    /// The nodes that hear a beacon at `now`, strongest first.
    public func hearings(beacon: Int, at now: Timestamp) -> [BeaconState.Hearing] {
        guard tracks[beacon].isHeard else { return [] }
        var list: [BeaconState.Hearing] = []
        for node in nodes.indices {
            guard let hearing = tracks[beacon].hearings[node],
                now - hearing.at < hearing.droppedAfter
            else { continue }
            let tenths = (hearing.mean * 10).rounded() / 10
            list.append(
                BeaconState.Hearing(
                    node: nodes[node].id, level: RSSI(dBm: tenths),
                    age: max(now - hearing.at, .milliseconds(0))))
        }
        return list.sorted { ($1.level, $0.node) < ($0.level, $1.node) }
    }

    /// What a hearing counts for at `now`, or `nil` when it is too old.
    static func level(of hearing: Hearing, at now: Timestamp) -> Double? {
        let silence = now - hearing.at
        guard silence < hearing.droppedAfter else { return nil }
        return hearing.mean - max((silence.seconds - hearing.sinksAfter.seconds), 0)
    }

    /// Keeps the chosen zone until another has led by the margin for the hold.
    private mutating func choose(user: Int, best: Int, at now: Timestamp) -> Int {
        guard var choice = choices[user], levels[choice.zone] > -.infinity else {
            choices[user] = Choice(zone: best, leader: nil)
            return best
        }
        if best == choice.zone || levels[best] - levels[choice.zone] < Self.margin {
            choice.leader = nil
        } else if let leader = choice.leader, leader.zone == best {
            if now - leader.since >= Self.hold { choice = Choice(zone: best, leader: nil) }
        } else {
            choice.leader = (best, now)
        }
        choices[user] = choice
        return choice.zone
    }

    private mutating func weigh(user: Int, best: Double) {
        var total = 0.0
        for zone in zones.indices {
            let level = levels[zone]
            let weight =
                level > -.infinity ? Exponential.exp((level - best) / Self.softness) : 0
            probabilities[user][zone] = weight
            total += weight
        }
        for zone in zones.indices { probabilities[user][zone] /= total }
    }

    private func roomProbability(user: Int, room: RoomID) -> Double {
        var sum = 0.0
        for zone in zones.indices where zones[zone].room == room {
            sum += probabilities[user][zone]
        }
        return Self.calibrated(sum)
    }

    /// The softmax overclaims; this brings it to what recordings show.
    static func calibrated(_ p: Double) -> Double {
        p <= 0.5 ? p : min(0.5 + 0.9 * (p - 0.5), 0.98)
    }
}

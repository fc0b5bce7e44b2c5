import SiteModel

/// What was received lately: the levels of each second by device and ear, one number for each beacon
/// and node, and which nodes listened.
struct Reception: Sendable {
    /// One node's readings of one beacon, for people to look at, and for nodes that report seldom.
    struct Hearing {
        var mean: Double
        var at: Timestamp
        /// When it begins to sink.
        var sinksAfter: Timestamp.Span

        init(mean: Double, at: Timestamp, sinksAfter: Timestamp.Span) {
            self.mean = mean
            self.at = at
            self.sinksAfter = sinksAfter
        }

        var droppedAfter: Timestamp.Span {
            sinksAfter + .seconds(Double(ZoneLevels.droppedAfter - ZoneLevels.sinksAfter))
        }
    }

    /// When a user was last heard.
    struct LastHeard {
        var at: Timestamp
        /// For how long that is evidence.
        var life: Timestamp.Span
    }

    private let nodes: [NodeID]
    let beacons: [BeaconID]
    /// By device: beacons in the order of the plan, then nodes; `nil` while nothing was heard.
    var logs: [EarLog?]
    /// By beacon, then node, in the order of the plan.
    private var hearings: [[Hearing?]?]
    var listening: ListenLog
    /// Nodes that do not report every second.
    var isSparse: [Bool]

    /// Of the nodes and beacons of a plan nothing was received.
    init(plan: Plan) {
        nodes = plan.nodes.map(\.id)
        beacons = plan.beacons.map(\.id)
        logs = Array(repeating: nil, count: plan.beacons.count + plan.nodes.count)
        hearings = Array(repeating: nil, count: plan.beacons.count)
        listening = ListenLog(width: plan.nodes.count)
        isSparse = plan.nodes.map { _ in false }
    }

    /// Keeps what a node hears of a beacon as one number.
    mutating func note(
        beacon: Int, node: Int, level: Double, at: Timestamp, sinksAfter: Timestamp.Span,
        steadiedBy steady: ZoneLevels
    ) {
        var row = hearings[beacon] ?? nodes.map { _ in nil }
        hearings[beacon] = nil
        defer { hearings[beacon] = row }
        guard let old = row[node], at - old.at <= old.droppedAfter else {
            row[node] = Hearing(mean: level, at: at, sinksAfter: sinksAfter)
            return
        }
        // A frame that comes late or twice must not count as elapsed time.
        let seconds = Int64(max((at - old.at).seconds.rounded(), 0))
        let weight = steady.weight(rising: level > old.mean, after: seconds)
        row[node] = Hearing(
            mean: old.mean + weight * (level - old.mean), at: max(at, old.at),
            sinksAfter: sinksAfter)
    }

    /// The nodes that hear a beacon at `now`, strongest first.
    func hearings(beacon: Int, at now: Timestamp) -> [BeaconState.Hearing] {
        guard let row = hearings[beacon] else { return [] }
        var list: [BeaconState.Hearing] = []
        for node in nodes.indices {
            guard let hearing = row[node], now - hearing.at < hearing.droppedAfter else { continue }
            let tenths = (hearing.mean * 10).rounded() / 10
            list.append(
                BeaconState.Hearing(
                    node: nodes[node], level: RSSI(dBm: tenths),
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

    /// What an ear hears of a device; `node` is the ear, if that is a node.
    func hearing(of device: Int, by ear: Ear, node: Int?) -> Hearing? {
        if device < beacons.count {
            return node.flatMap { hearings[device]?[$0] }
        }
        guard case .beacon(let id) = ear, let beacon = beacons.firstIndex(of: id) else {
            return nil
        }
        return hearings[beacon]?[device - beacons.count]
    }
}

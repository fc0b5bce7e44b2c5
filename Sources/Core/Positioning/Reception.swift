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

    /// Goes on with what was received under a plan with the same nodes and fixed beacons.
    mutating func keep(_ carried: Carryover, of old: Reception) {
        for (index, place) in carried.beacons.enumerated() {
            guard let place else { continue }
            logs[index] = old.logs[place]
            hearings[index] = old.hearings[place]
        }
        logs.replaceSubrange(beacons.count..., with: old.logs[old.beacons.count...])
        (listening, isSparse) = (old.listening, old.isSparse)
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

/// What the ears heard of one device in the last seconds: a beacon by fixed nodes, or fixed beacons by
/// a mobile node. Readings may come late and in any order.
package struct EarLog: Sendable {
    /// How many seconds are kept: those that may come late, and the window of a mean before them.
    static let length = 32
    private static let unheard = Int16.min

    private let width: Int
    /// Levels in hundredths of a dB: two bytes each, for there are many.
    private var levels: [Int16]
    /// Which second each slot holds.
    private var seconds: [Int64]
    /// The newest second in which anything was heard.
    private(set) var newest = Int64.min
    /// The earliest second that changed since it was last asked for.
    private(set) var changedFrom = Int64.max

    /// A log of `width` ears in which nothing was heard.
    init(width: Int) {
        self.width = width
        levels = Array(repeating: Self.unheard, count: width * Self.length)
        seconds = Array(repeating: .min, count: Self.length)
    }

    /// An ear heard `level` dBm, within ±300, in a second. What is older than the log is ignored.
    mutating func put(_ level: Double, ear: Int, second: Int64) {
        let slot = Self.slot(of: second)
        guard seconds[slot] <= second else { return }
        if seconds[slot] < second {
            seconds[slot] = second
            for index in slot * width..<(slot + 1) * width { levels[index] = Self.unheard }
        }
        levels[slot * width + ear] = Int16((level * 100).rounded())
        newest = max(newest, second)
        changedFrom = min(changedFrom, second)
    }

    /// What an ear heard in a second, in dBm.
    func level(ear: Int, second: Int64) -> Double? {
        let slot = Self.slot(of: second)
        guard seconds[slot] == second else { return nil }
        let level = levels[slot * width + ear]
        return level == Self.unheard ? nil : Double(level) / 100
    }

    /// In which of the last seconds any ear heard anything: bit k for the one k before `second`.
    func heardSeconds(until second: Int64, count: Int64) -> UInt32 {
        var seconds: UInt32 = 0
        for age in 0..<count where isHeard(in: second - age) { seconds |= 1 << UInt32(age) }
        return seconds
    }

    /// Whether any ear heard anything in a second.
    func isHeard(in second: Int64) -> Bool { seconds[Self.slot(of: second)] == second }

    /// From now on only what comes after this counts as changed.
    mutating func settle() { changedFrom = .max }

    /// The bytes it takes.
    var bytes: Int { levels.count * 2 + seconds.count * 8 }

    private static func slot(of second: Int64) -> Int {
        Int(((second % Int64(length)) + Int64(length)) % Int64(length))
    }
}

/// Which nodes listened throughout each of the last seconds.
package struct ListenLog: Sendable {
    private let width: Int
    private var isListening: [Bool]
    private var seconds: [Int64]

    /// A log of `width` nodes that have not listened.
    init(width: Int) {
        self.width = width
        isListening = Array(repeating: false, count: width * EarLog.length)
        seconds = Array(repeating: .min, count: EarLog.length)
    }

    /// A node listened throughout a second.
    mutating func put(node: Int, second: Int64) {
        let slot = Self.slot(of: second)
        guard seconds[slot] <= second else { return }
        if seconds[slot] < second {
            seconds[slot] = second
            for index in slot * width..<(slot + 1) * width { isListening[index] = false }
        }
        isListening[slot * width + node] = true
    }

    /// Throughout which of the last seconds a node listened: bit k for the one k before `second`.
    func seconds(node: Int, until second: Int64, count: Int64) -> UInt32 {
        var seconds: UInt32 = 0
        for age in 0..<count where listened(node: node, second: second - age) {
            seconds |= 1 << UInt32(age)
        }
        return seconds
    }

    /// Whether a node listened throughout a second.
    func listened(node: Int, second: Int64) -> Bool {
        let slot = Self.slot(of: second)
        return seconds[slot] == second && isListening[slot * width + node]
    }

    private static func slot(of second: Int64) -> Int {
        let length = Int64(EarLog.length)
        return Int(((second % length) + length) % length)
    }
}

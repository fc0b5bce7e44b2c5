@testable import SiteEngine
@testable import SiteModel

/// Thirty hours of two people at a site of three rooms, told by four nodes that only replay what they
/// kept: in order, in blocks after a cut line, or shuffled. In every third history the power is off for
/// a weekend.
struct SessionHistory {
    static let users = (1...2).map { UserID($0) }
    /// The room of each node.
    static let rooms = [1, 1, 2, 3].map { RoomID($0) }

    let plan: Plan
    /// When something is told, in seconds after the start, and what, oldest first.
    private(set) var steps: [(at: Int, inputs: [Input])] = []
    /// When everything was told.
    let end: Int

    init(seed: UInt64) {
        var dice = Dice(seed: seed)
        var policy = Policy()
        policy.attendance = AttendancePolicy(
            mergeGap: .seconds(Bool.random(using: &dice) ? 300 : 0),
            longestBreak: .seconds([0, 1200, 7200].randomElement(using: &dice) ?? 0))
        plan = Self.plan(policy)
        var end = 30 * 3600
        var dark: Range<Int>?
        if seed % 3 == 0 {
            let from = Int.random(in: 4 * 3600...26 * 3600, using: &dice)
            let length = Int.random(in: 20 * 3600...64 * 3600, using: &dice)
            dark = from..<from + length
            end += length
        }
        var told: [(at: Int, input: Input)] = []
        let pieces = Self.users.map { _ in Self.visits(until: end, &dice) }
        let isShuffled = Bool.random(using: &dice)
        for node in Self.rooms.indices {
            let on = Self.spells(until: end, without: dark, &dice)
            let minutes = Self.evidence(node, on, pieces, until: end, &dice)
            let delays = Delays(shuffled: isShuffled && Bool.random(using: &dice), end, &dice)
            for minute in minutes {
                let at = delays.arrival(of: minute.minute * 60 + 60, &dice)
                // Without power nothing is told.
                let back = dark.flatMap { $0.contains(at) ? $0.upperBound + 900 : nil }
                told.append((at: back ?? at, input: minute.input))
            }
        }
        self.end = end + 1800
        for number in 0..<Int.random(in: 0...6, using: &dice) {
            let at = Int.random(in: 3600..<end, using: &dice)
            told.append((at: at, input: Self.request(number, at, &dice)))
        }
        var byTime: [Int: [Input]] = [:]
        for (at, input) in told { byTime[at, default: []].append(input) }
        for (at, inputs) in byTime.sorted(by: { $0.key < $1.key }) {
            steps.append((at, isShuffled ? inputs.shuffled(using: &dice) : inputs))
        }
    }

    private static func plan(_ policy: Policy) -> Plan {
        Plan(
            revision: 1, site: SiteID(1), rooms: (1...3).map { Room(id: RoomID($0)) }, stations: [],
            nodes: rooms.enumerated().map {
                Node(id: NodeID(Int64($0.offset + 1)), room: $0.element, station: nil)
            },
            users: users.map { User(id: $0) },
            beacons: (1...2).map { Beacon(id: BeaconID($0), identity: .address(UInt64($0))) },
            bindings: users.map {
                Binding(
                    beacon: BeaconID($0.row), user: $0, from: Timestamp(milliseconds: 0), to: nil)
            },
            policy: policy)
    }

    /// A person near a node's room: heard every `period` seconds.
    private struct Piece {
        var room: RoomID
        var seconds: Range<Int>
        var period: Int
    }

    /// A few visits, in each of which they change rooms and fall silent for a while.
    private static func visits(until end: Int, _ dice: inout Dice) -> [Piece] {
        var pieces: [Piece] = []
        var second = Int.random(in: 0...7200, using: &dice)
        while second < end {
            let leaving = second + Int.random(in: 60...40_000, using: &dice)
            while second < min(leaving, end) {
                let room = RoomID(.random(in: 1...3, using: &dice))
                let length = Int.random(in: 1...2500, using: &dice)
                let piece = Piece(
                    room: room, seconds: second..<second + length,
                    period: .random(in: 1...8, using: &dice))
                pieces.append(piece)
                if Int.random(in: 0...2, using: &dice) == 0 {
                    // A second room hears them for part of it.
                    let from = second + Int.random(in: 0..<length, using: &dice)
                    let other = RoomID(room.row % 3 + 1)
                    pieces.append(Piece(room: other, seconds: from..<second + length, period: 5))
                }
                let pauses = [0...12, 60...130, 250...700, 1000...5000]
                let pause = pauses.randomElement(using: &dice) ?? 0...0
                second += length + Int.random(in: pause, using: &dice)
            }
            let away = Bool.random(using: &dice) ? 200...3000 : 3000...50_000
            second += Int.random(in: away, using: &dice)
        }
        return pieces
    }

    /// When a node listens.
    private static func spells(
        until end: Int, without dark: Range<Int>?, _ dice: inout Dice
    ) -> [Range<Int>] {
        var spells: [Range<Int>] = []
        var second = Int.random(in: 0...4000, using: &dice)
        while second < end {
            let length = Int.random(in: 200...20_000, using: &dice)
            let to = min(end, second + length)
            if let dark, second < dark.upperBound, dark.lowerBound < to {
                if second < dark.lowerBound { spells.append(second..<dark.lowerBound) }
                second = max(dark.upperBound, to)
            } else {
                spells.append(second..<to)
                second = to
            }
            let pauses = [1...9, 20...200, 500...20_000]
            second += Int.random(in: pauses.randomElement(using: &dice) ?? 1...9, using: &dice)
        }
        return spells
    }

    /// The minutes of a node, oldest first.
    private static func evidence(
        _ node: Int, _ spells: [Range<Int>], _ pieces: [[Piece]], until end: Int, _ dice: inout Dice
    ) -> [(minute: Int, input: Input)] {
        var gaps: [Int: [ClosedRange<Int>]] = [:]
        var before = 0
        for spell in spells + [end..<end] {
            var second = before
            while second < spell.lowerBound {
                let stop = min(spell.lowerBound, (second / 60 + 1) * 60)
                gaps[second / 60, default: []].append(second % 60...(stop - 1) % 60)
                second = stop
            }
            before = spell.upperBound
        }
        var runs: [Int: [Evidence.Run]] = [:]
        for (user, pieces) in pieces.enumerated() {
            for piece in pieces where piece.room == rooms[node] {
                for spell in spells {
                    let heard = piece.seconds.clamped(to: spell)
                    guard !heard.isEmpty else { continue }
                    for (minute, run) in Self.runs(heard, period: piece.period) {
                        runs[minute, default: []].append(
                            .init(
                                beacon: BeaconID(Int64(user + 1)), first: run.lowerBound,
                                last: run.upperBound, count: 1, strongest: RSSI(dBm: -60),
                                mean: RSSI(dBm: -60)))
                    }
                }
            }
        }
        var minutes: [(minute: Int, input: Input)] = []
        for minute in 0..<end / 60 where gaps[minute]?.first != 0...59 {
            let evidence = Evidence(
                record: Record(log: UInt64(node * 100_000 + minute), sequence: 1, after: 0),
                boot: 1, from: moment(Double(minute * 60)), to: moment(Double(minute * 60 + 60)),
                listened: .seconds(60), floor: RSSI(dBm: -95), isSynced: true,
                gaps: gaps[minute] ?? [], runs: runs[minute] ?? [])
            minutes.append((minute, .evidence(evidence, from: NodeID(Int64(node + 1)))))
        }
        return minutes
    }

    /// By minute, from which second to which they are heard in it.
    private static func runs(
        _ heard: Range<Int>, period: Int
    ) -> [(minute: Int, run: ClosedRange<Int>)] {
        var result: [(minute: Int, run: ClosedRange<Int>)] = []
        for minute in heard.lowerBound / 60...(heard.upperBound - 1) / 60 {
            let steps = max(0, minute * 60 - heard.lowerBound + period - 1) / period
            let first = heard.lowerBound + steps * period
            let stop = min(heard.upperBound, minute * 60 + 60)
            guard first < stop else { continue }
            let last = first + (stop - 1 - first) / period * period
            result.append((minute, first - minute * 60...last - minute * 60))
        }
        return result
    }

    private static func request(_ number: Int, _ at: Int, _ dice: inout Dice) -> Input {
        let user = users[Int.random(in: 0...1, using: &dice)]
        let ago = Bool.random(using: &dice) ? 0 : Int.random(in: 1...7200, using: &dice)
        let moment = moment(Double(max(0, at - ago)))
        return .request(
            Request(
                client: "kiosk", id: "\(number)",
                name: "asked",
                verb: Bool.random(using: &dice)
                    ? .attendance(user, .checkIn(at: moment, reason: nil))
                    : .attendance(user, .checkOut(at: moment, reason: nil))))
    }
}

/// When the minutes of one node arrive.
private struct Delays {
    private var cuts: [Range<Int>] = []
    private let isShuffled: Bool

    init(shuffled: Bool, _ end: Int, _ dice: inout Dice) {
        isShuffled = shuffled
        var second = 0
        while second < end {
            second += Int.random(in: 1...40_000, using: &dice)
            let to = second + Int.random(in: 600...90_000, using: &dice)
            if Bool.random(using: &dice) { cuts.append(second..<to) }
            second = to
        }
    }

    /// Once an hour, or when the line is back.
    func arrival(of second: Int, _ dice: inout Dice) -> Int {
        if isShuffled {
            let late = second + Int.random(in: 0...100_000, using: &dice)
            return (late / 3600 + 1) * 3600
        }
        let back = cuts.first { $0.contains(second) }?.upperBound ?? second
        return (back / 3600 + 1) * 3600
    }
}

import Testing

@testable import Positioning
@testable import SiteModel

/// A node that told a frame and heard nothing of a tag speaks against its place, by how often it
/// heard that tag; where it seldom did, it says nothing.
struct SilenceTests {
    /// Forty rooms with a node each.
    private static let count = 40
    private static let rooms = (1...count).map { RoomID(Int64($0)) }
    /// How many nodes hear a tag anywhere.
    private static let earshot = 8

    private static func plan() -> Plan {
        Plan(
            revision: 1, site: SiteID(1), rooms: rooms.map { Room(id: $0) }, stations: [],
            nodes: rooms.map { Node(id: NodeID($0.row), room: $0, station: nil) },
            users: [User(id: UserID(1))],
            beacons: [Beacon(id: BeaconID(1), identity: .address(1))], bindings: [],
            policy: Policy())
    }

    /// What nodes hear of a tag in a room: its own best, seven more weaker by 4 dB each.
    private static func level(_ node: Int, in room: Int) -> Double? {
        let group = room / earshot
        guard node / earshot == group else { return nil }
        return -55 - 4 * Double((node - room + earshot) % earshot)
    }

    /// A tag, and how its packets come.
    private struct Air {
        /// A packet each so many seconds.
        var interval = 1
        /// The share of seconds a node misses.
        var loss = 0.1
        /// How far levels scatter, in dB.
        var noise = 3.0
        /// Nodes that tell their reports only every so many seconds.
        var cadence: Timestamp.Span?
    }

    /// The room said at each second, of somebody who goes from one room to another after `stay`.
    private static func said(
        from: Int, to: Int, stay: Int = 40, seconds: Int = 80, _ air: Air = Air(), seed: UInt64
    ) -> [Int?] {
        var locating = Locating(plan: plan(), places: [(room: nil, station: nil)])
        var dice = Dice(seed: seed)
        return (0..<seconds).map { second in
            let now = moment(Double(second))
            for node in 0..<count where air.cadence == nil {
                locating.listened(node: node, at: now)
            }
            for node in 0..<count {
                let noise = (0..<4).reduce(0.0) { sum, _ in
                    sum + .random(in: -1...1, using: &dice)
                }
                let isLost = Double.random(in: 0..<1, using: &dice) < air.loss
                guard second % air.interval == 0, !isLost,
                    let level = level(node, in: second < stay ? from : to)
                else { continue }
                locating.heard(
                    beacon: 0, node: node, level: RSSI(dBm: level + noise * air.noise / 1.15),
                    at: now, cadence: air.cadence)
            }
            return locating.fix(user: 0, beacons: [0], at: now) { _ in true }
                .map { Int($0.room.row) - 1 }
        }
    }

    /// After how many seconds the new room is said, in the median over forty runs.
    private static func latency(to: Int, _ air: Air = Air()) -> Int {
        let latencies = (UInt64(1)...40).map { seed in
            let said = said(from: 2, to: to, air, seed: seed)
            return (said[40...].firstIndex(of: to) ?? said.endIndex) - 40
        }.sorted()
        return latencies[latencies.count / 2]
    }

    // Without silence as evidence it was nine seconds and more.
    @Test func `out of earshot is noticed within twice the time of a move within`() {
        let (within, out) = (Self.latency(to: 6), Self.latency(to: 26))
        print("within earshot \(within) s, out of earshot \(out) s")
        #expect(out <= 2 * within)
    }

    @Test func `a lossy link out of earshot is noticed within twice the time`() {
        let air = Air(loss: 0.5)
        let (within, out) = (Self.latency(to: 6, air), Self.latency(to: 26, air))
        print("lossy: within earshot \(within) s, out of earshot \(out) s")
        #expect(out <= 2 * within)
    }

    @Test(arguments: [1, 5]) func `who stays is calm, however seldom the tag sends`(interval: Int) {
        var changes = 0
        for seed in UInt64(1)...10 {
            let said = Self.said(
                from: 2, to: 2, seconds: 600, Air(interval: interval, noise: 2), seed: seed)
            changes += zip(said.dropFirst(20), said.dropFirst(21)).count { $0 != $1 }
        }
        #expect(changes <= 4)
    }

    @Test func `who stays is calm where half of all packets are lost`() {
        var changes = 0
        for seed in UInt64(1)...10 {
            let said = Self.said(
                from: 2, to: 2, seconds: 600, Air(loss: 0.5, noise: 2), seed: seed)
            changes += zip(said.dropFirst(20), said.dropFirst(21)).count { $0 != $1 }
        }
        print("lossy: \(changes) changes in 6000 s")
        #expect(changes <= 15)
    }

    @Test func `nodes that tell every five seconds are never silent`() {
        let air = Air(interval: 5, noise: 2, cadence: .seconds(5))
        var changes = 0
        for seed in UInt64(1)...10 {
            let said = Self.said(from: 2, to: 2, seconds: 600, air, seed: seed)
            changes += zip(said.dropFirst(20), said.dropFirst(21)).count { $0 != $1 }
        }
        #expect(changes <= 2)
    }

    // Seconds as bits, the newest the lowest: heard, asked.
    @Test(
        arguments: [
            (0b1111_0000, 0b1111_1111, 4, 5.0 / 6), (0b1111_0000, 0b1111_0000, 0, 5.0 / 6),
            (0b1010_1000, 0b1111_1001, 1, 4.0 / 7), (0b1000_0000, 0b1000_0100, 1, 2.0 / 3),
            (0b1, 0b1111, 0, 2.0 / 6), (0, 0b1111, 0, 1.0 / 2),
        ] as [(UInt32, UInt32, Int, Double)])
    func `only seconds asked are missed, and the rate is of those before`(
        heard: UInt32, asked: UInt32, missed: Int, rate: Double
    ) {
        let silence = Silence(heard: heard, asked: asked)
        #expect(silence.missed == missed)
        #expect(abs(silence.rate - rate) < 1e-12)
        #expect(silence.evidence >= 0)
    }
}

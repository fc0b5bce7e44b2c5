import Basics
import Testing

@testable import Positioning
@testable import SiteEngine
@testable import SiteModel

/// Nine nodes in a hall, 5 m apart, each with a station; tags stand about for a while and go on.
struct OffsetHall {
    static let nodes = 9
    static let tags = 6

    var dice: Dice
    var offsets: [Double]
    var strengths = [Double](repeating: 0, count: tags)
    private var points = [(x: Double, y: Double)](repeating: (0, 0), count: tags)
    private(set) var second: Int64 = 1_700_000_100

    static func plan(
        anchors: [Int: Int] = [:], hung: [Int: Int64] = [:], model: PlaceModel? = nil
    ) -> Plan {
        Plan(
            revision: 1, site: SiteID(1), rooms: [Room(id: RoomID(1))],
            stations: (1...Int64(nodes)).map {
                Station(id: StationID($0), room: RoomID(1), slots: 1)
            },
            nodes: (0..<nodes).map {
                Node(
                    id: NodeID(Int64($0 + 1)), room: RoomID(1),
                    station: StationID(hung[$0] ?? Int64($0 + 1)))
            }, users: [],
            beacons: (0..<tags + anchors.count).map { index in
                Beacon(
                    id: BeaconID(Int64(index + 1)), identity: .address(UInt64(index + 1)),
                    anchor: anchors[index].map {
                        Place(room: RoomID(1), station: StationID(Int64($0 + 1)))
                    })
            },
            bindings: [], policy: Policy(), model: model)
    }

    init(seed: UInt64, deviation: Double) {
        dice = Dice(seed: seed)
        offsets = []
        for _ in 0..<Self.nodes { offsets.append(dice.normal() * deviation) }
        let middle = offsets.sorted()[Self.nodes / 2]
        for node in 0..<Self.nodes { offsets[node] -= middle }
    }

    /// The level of something at a point, by node, but for what changes.
    func level(_ x: Double, _ y: Double, _ node: Int) -> Double {
        let (dx, dy) = (x - Double(node % 3) * 5, y - Double(node / 3) * 5)
        let distance = (dx * dx + dy * dy + 1).squareRoot()
        return -55 - 25 * Exponential.log10(distance) + offsets[node]
    }

    /// Lets people stand about for so many seconds. Returns what was told.
    mutating func run(_ learner: inout Offsets, seconds: Int64) -> [OffsetRow] {
        var rows: [OffsetRow] = []
        for _ in 0..<seconds {
            second += 1
            let at = Timestamp(second: second)
            for tag in 0..<Self.tags {
                if Int.random(in: 0..<90, using: &dice) == 0 {
                    let x = Double.random(in: -2.5..<12.5, using: &dice)
                    points[tag] = (x, Double.random(in: -2.5..<12.5, using: &dice))
                }
                for node in 0..<Self.nodes where Int.random(in: 0..<10, using: &dice) < 7 {
                    let level =
                        level(points[tag].x, points[tag].y, node) + strengths[tag]
                        + dice.normal() * 4
                    learner.heard(beacon: tag, node: node, level: RSSI(dBm: level), at: at)
                }
            }
            rows += learner.step(at: at)
        }
        return rows
    }

    /// By how much the corrections miss the offsets: the root of the mean square, in dB.
    func error(_ learner: Offsets) -> Double {
        let misses = offsets.indices.map { offsets[$0] + learner.correction(node: $0) }
        let mean = misses.reduce(0, +) / Double(Self.nodes)
        let square = misses.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (square / Double(Self.nodes)).squareRoot()
    }
}

extension Dice {
    /// About normal, with a deviation of 1.
    fileprivate mutating func normal() -> Double {
        1.732 * (0..<4).reduce(-2) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
    }
}

/// Receive and transmit offsets learned from people going about.
struct OffsetTests {
    var learner = Offsets(plan: OffsetHall.plan())

    @Test(arguments: UInt64(1)...3)
    mutating func `offsets are found without coordinates`(seed: UInt64) {
        var hall = OffsetHall(seed: seed, deviation: 6)
        let before = hall.error(learner)
        _ = hall.run(&learner, seconds: 3000)
        let after = hall.error(learner)
        #expect(after < 2.5 && after < 0.6 * before, "seed \(seed): \(before) → \(after) dB")
    }

    @Test(arguments: UInt64(1)...3)
    mutating func `receivers that hear alike are left alone`(seed: UInt64) {
        var hall = OffsetHall(seed: seed, deviation: 0)
        _ = hall.run(&learner, seconds: 3000)
        #expect(hall.error(learner) < 0.7, "seed \(seed)")
    }

    @Test mutating func `nothing is applied before twenty minutes have proven it`() {
        var hall = OffsetHall(seed: 1, deviation: 6)
        let early = hall.run(&learner, seconds: 900)
        #expect(early == [])
        let rows = hall.run(&learner, seconds: 1200)
        #expect(rows.contains { $0.isProven && $0.applied != 0 })
        // At most one row a device in ten minutes.
        let stretches = rows.map { [$0.device: $0.at.second / 600] }
        #expect(Set(stretches).count == rows.count)
    }

    @Test mutating func `no correction goes beyond 12 dB`() {
        var hall = OffsetHall(seed: 2, deviation: 1)
        hall.offsets[4] = -30
        _ = hall.run(&learner, seconds: 2400)
        for node in 0..<OffsetHall.nodes { #expect(abs(learner.correction(node: node)) <= 12) }
    }

    @Test mutating func `a level is corrected within what radios report`() {
        var hall = OffsetHall(seed: 1, deviation: 6)
        _ = hall.run(&learner, seconds: 2400)
        for node in 0..<OffsetHall.nodes {
            let corrected = { [learner] (level: Double) in
                learner.corrected(RSSI(dBm: level), beacon: 0, node: node).dBm
            }
            #expect(corrected(-60) == -60 + learner.correction(node: node))
            #expect((-120...20).contains(corrected(-120)) && (-120...20).contains(corrected(20)))
            #expect(corrected(42) == 42 && corrected(.nan).isNaN)
        }
    }

    @Test mutating func `a node that suddenly hears less is told and learned anew`() {
        var hall = OffsetHall(seed: 3, deviation: 3)
        _ = hall.run(&learner, seconds: 3000)
        hall.offsets[2] -= 14
        let rows = hall.run(&learner, seconds: 4800)
        let alarm = rows.first { $0.drift != nil }
        #expect(alarm?.device == .node(NodeID(3)))
        #expect(alarm?.drift ?? 0 < -6)
        #expect(rows.filter { $0.drift != nil }.allSatisfy { $0.device == .node(NodeID(3)) })
        #expect(hall.error(learner) < 3)
    }

    @Test mutating func `a fixed beacon shows at once that a node hears less`() {
        learner = Offsets(plan: OffsetHall.plan(anchors: [6: 0, 7: 8]))
        var hall = OffsetHall(seed: 4, deviation: 0)
        var rows: [OffsetRow] = []
        for second in 0..<Int64(6000) {
            if second == 3000 { hall.offsets[4] -= 12 }
            if second == 4800 {
                #expect(rows.map(\.device) == [.node(NodeID(5))])
                rows = []
            }
            let at = Timestamp(second: 1_700_000_100 + second)
            for node in 0..<OffsetHall.nodes {
                // From 4,200 s on the second beacon's battery is low.
                let weak: Double = second >= 4200 ? 10 : 0
                for (beacon, level) in [
                    (6, hall.level(0, 0, node)), (7, hall.level(10, 10, node) - weak),
                ] {
                    learner.heard(beacon: beacon, node: node, level: RSSI(dBm: level), at: at)
                }
            }
            rows += learner.step(at: at)
        }
        #expect(rows.map(\.device) == [.beacon(BeaconID(8))])
        #expect((-10 ... -9).contains(rows.first?.drift ?? 0))
    }

    @Test mutating func `rows restore the corrections, unless the node hangs elsewhere`() {
        var hall = OffsetHall(seed: 5, deviation: 6)
        var saved = Saved()
        for row in hall.run(&learner, seconds: 3000) { saved.apply(.offset(row)) }
        let same = Offsets(plan: OffsetHall.plan(), restoring: saved.offsets)
        let moved = Offsets(plan: OffsetHall.plan(hung: [2: 1]), restoring: saved.offsets)
        for node in 0..<OffsetHall.nodes {
            #expect(same.correction(node: node) == learner.correction(node: node))
            let kept = node == 2 ? 0 : learner.correction(node: node)
            #expect(moved.correction(node: node) == kept)
        }
        #expect(learner.correction(node: 2) != 0)
        for tag in 0..<OffsetHall.tags {
            #expect(same.correction(beacon: tag) == learner.correction(beacon: tag))
        }
    }

    @Test mutating func `with a learned model corrections stay as they were`() {
        let model = PlaceModel(revision: 1, spots: [], fit: .init(usual: 1, strange: 2))
        var frozen = Offsets(plan: OffsetHall.plan(model: model))
        var hall = OffsetHall(seed: 5, deviation: 6)
        let rows = hall.run(&frozen, seconds: 3000)
        #expect(rows.contains { abs($0.offset) > 3 })
        #expect(rows.allSatisfy { $0.applied == 0 })
    }

    @Test mutating func `a tag that sends louder than the others is found`() {
        var hall = OffsetHall(seed: 6, deviation: 0)
        hall.strengths[3] = 10
        _ = hall.run(&learner, seconds: 4800)
        #expect((-12 ... -3).contains(learner.correction(beacon: 3)))
        for tag in 0..<OffsetHall.tags where tag != 3 {
            #expect(abs(learner.correction(beacon: tag)) < 2)
        }
    }

    @Test mutating func `nonsense and late readings change nothing`() {
        var (clean, dirty) = (learner, learner)
        var halls = (OffsetHall(seed: 7, deviation: 6), OffsetHall(seed: 7, deviation: 6))
        var rows: (clean: [OffsetRow], dirty: [OffsetRow]) = ([], [])
        for _ in 0..<240 {
            rows.clean += halls.0.run(&clean, seconds: 10)
            rows.dirty += halls.1.run(&dirty, seconds: 10)
            let now = Timestamp(second: halls.1.second)
            for level in [42, -121, .nan, .infinity, -.infinity] as [Double] {
                dirty.heard(beacon: 1, node: 0, level: RSSI(dBm: level), at: now)
            }
            for node in 0..<OffsetHall.nodes {
                let late = now - .seconds(60)
                dirty.heard(beacon: 2, node: node, level: RSSI(dBm: -40), at: late)
            }
            rows.dirty += dirty.step(at: now - .seconds(3600)).map { _ in
                Issue.record("time ran backwards")
            }.compactMap { nil }
        }
        #expect(rows.clean == rows.dirty)
        #expect(!rows.clean.isEmpty)
    }

    @Test func `a site locates by corrected levels`() {
        var saved = Saved()
        let row = OffsetRow(
            device: .node(NodeID(2)), place: Place(room: MeshSite.hall, station: MeshSite.bench),
            position: nil, offset: 12, applied: 12, weight: 400, since: moment(0), at: moment(0),
            isProven: true)
        var runs = (plain: SiteRun(), corrected: SiteRun())
        saved.apply(.offset(row))
        runs.corrected = SiteRun(saved: saved)
        for second in 1...20 {
            let heard: [Int64: [(beacon: Int64, level: Double)]] = [2: [(1, -55)], 3: [(1, -61)]]
            runs.plain.second(Double(second), heard)
            runs.corrected.second(Double(second), heard)
        }
        #expect(runs.plain.mesh.live.presences[0].station == MeshSite.bench)
        #expect(runs.corrected.mesh.live.presences[0].station == MeshSite.rack)
        #expect(runs.corrected.mesh.saved.offsets == [row])
    }
}

import Basics
import Testing

@testable import Positioning
@testable import SiteModel

/// Where a user is by how loud the nodes of each place are, while nobody taught the places.
struct LocatingTests {
    var locating = Locating(
        plan: MeshSite.plan(), places: MeshSite.users.map { _ in (room: nil, station: nil) })
    // Indices into the plan.
    let hall = 0
    let bench = 1
    let rack = 2
    let yard = 3
    let otherYard = 4

    private mutating func hear(_ node: Int, _ level: Double, _ at: Double, beacon: Int = 0) {
        locating.heard(beacon: beacon, node: node, level: RSSI(dBm: level), at: moment(at))
    }

    private mutating func fix(
        _ at: Double, beacons: [Int] = [0], dead: Set<Int> = []
    ) -> Fix? {
        locating.fix(user: 0, beacons: beacons, at: moment(at)) { !dead.contains($0) }
    }

    /// The station, or 0 for the rest of the hall, or −1 for the yard; `nil` for nowhere.
    private mutating func place(_ at: Double, dead: Set<Int> = []) -> Int64? {
        fix(at, dead: dead).map { $0.room == MeshSite.yard ? -1 : $0.station?.row ?? 0 }
    }

    @Test mutating func `the loudest place wins`() {
        hear(hall, -70, 0)
        hear(bench, -60, 0)
        hear(yard, -65, 0)
        let fix = fix(1)
        #expect(fix?.room == MeshSite.hall && fix?.station == MeshSite.bench)
        #expect(fix?.level.dBm == -60 && fix?.heard == moment(0))
    }

    @Test mutating func `nobody heard is no place`() {
        #expect(fix(0) == nil)
        hear(bench, -60, 0, beacon: 1)
        #expect(fix(1) == nil)
    }

    @Test mutating func `a place that leads by little takes nobody away`() {
        for second in 0...3 {
            hear(bench, -60, Double(second))
            if second > 0 { hear(rack, -59.5, Double(second)) }
            #expect(place(Double(second)) == 1)
        }
    }

    @Test mutating func `a place that leads clearly wins within four seconds, and says why`() {
        for second in 0...9 { hear(bench, -60, Double(second)) }
        #expect(fix(9)?.change?.rule == .first)
        var changes: [Reasons] = []
        for second in 10...14 {
            hear(bench, -75, Double(second))
            hear(rack, -55, Double(second))
            if let change = fix(Double(second))?.change { changes.append(change) }
        }
        #expect(changes.count == 1)
        let change = changes.first
        #expect(change?.rule == .margin && change?.to?.station == MeshSite.rack)
        #expect(change?.from?.station == MeshSite.bench && change?.runnerUp == change?.from)
        #expect(change.map { $0.probability > $0.runnerUpProbability } == true)
        #expect(change.map { $0.prior < $0.probability } == true)
        let loudest = change?.readings.first { $0.level?.dBm == -55 }
        #expect(loudest?.ear == .node(NodeID(3)) && loudest?.age == .seconds(0))
    }

    @Test mutating func `a silent node sinks by a decibel a second, and after a minute is nowhere`()
    {
        hear(bench, -60, 0)
        #expect(fix(3)?.level.dBm == -60)
        #expect(fix(5)?.level.dBm == -62)
        #expect(fix(14)?.level.dBm == -71)
        var last = 1.0
        for second in 15...59 {
            let probability = fix(Double(second))?.probability ?? 2
            #expect(probability <= last)
            last = probability
        }
        #expect(last < 0.6)
        #expect(fix(60) == nil)
    }

    @Test mutating func `a dead node leaves its place in doubt, and makes no other place sure`() {
        for second in 0...5 {
            hear(bench, -50, Double(second))
            hear(yard, -80, Double(second))
            #expect(place(Double(second)) == 1)
        }
        hear(yard, -80, 6)
        let fix = fix(6, dead: [bench])
        #expect(fix?.station == MeshSite.bench)
        for second in 7...9 {
            hear(yard, -80, Double(second))
            #expect(self.fix(Double(second), dead: [bench]).map { $0.probability < 0.9 } == true)
        }
        #expect(self.fix(10, dead: [bench, yard]) == nil)
    }

    @Test(arguments: [42, 20.1, -120.1, .nan, .infinity, -.infinity] as [Double])
    mutating func `a level no radio reports is ignored`(level: Double) {
        hear(bench, level, 0)
        #expect(fix(0) == nil)
        hear(bench, -60, 1)
        hear(bench, level, 2)
        #expect(fix(2)?.level.dBm == -60)
    }

    @Test(arguments: [20.0, -120]) mutating func `levels at the limits count`(level: Double) {
        hear(bench, level, 0)
        #expect(fix(0)?.level.dBm == level)
    }

    @Test mutating func `of several beacons of a user the louder one counts`() {
        hear(bench, -70, 0)
        hear(rack, -60, 0, beacon: 3)
        #expect(fix(0, beacons: [0, 3])?.station == MeshSite.rack)
        for second in 1...4 { hear(bench, -70, Double(second)) }
        #expect(fix(4, beacons: [0])?.station == MeshSite.bench)
    }

    @Test mutating func `two nodes of a place are as loud as the louder one`() {
        hear(yard, -62, 2)
        hear(otherYard, -60, 2)
        hear(bench, -59, 2)
        let fix = fix(2)
        #expect(fix?.station == MeshSite.bench, "two do not outvote one")
        #expect(fix?.level.dBm == -59 && fix?.heard == moment(2))
    }

    @Test(arguments: [(-80.0, -60.0, 0.5), (-60, -80, 2.5)])
    mutating func `a level rises quickly and falls slowly`(
        from: Double, to: Double, timeConstant: Double
    ) {
        hear(bench, from, 0)
        hear(bench, to, 2)
        let expected = to + (from - to) * Exponential.exp(-2 / timeConstant)
        #expect(abs((fix(2)?.level.dBm ?? 0) - expected) < 1e-9)
    }

    @Test(arguments: UInt64(1)...50)
    func `what comes late is believed as if it had come in time`(seed: UInt64) {
        var dice = Dice(seed: seed)
        var (prompt, late) = (LocatingTests(), LocatingTests())
        let held = 4 + Int.random(in: 0...5, using: &dice)
        var kept: [(node: Int, level: Double)] = []
        for second in 0...12 {
            for node in 0..<5 {
                let level = Double.random(in: -90 ... -50, using: &dice).rounded()
                prompt.hear(node, level, Double(second))
                if second == held {
                    kept.append((node, level))
                } else {
                    late.hear(node, level, Double(second))
                }
            }
            _ = prompt.fix(Double(second))
            if second == 12 {
                for (node, level) in kept { late.hear(node, level, Double(held)) }
            }
            _ = late.fix(Double(second))
        }
        let pair = zip(prompt.locating.posterior(user: 0), late.locating.posterior(user: 0))
        #expect(pair.allSatisfy { abs($0.probability - $1.probability) < 1e-4 })
    }

    @Test mutating func `after fifteen silent seconds the level starts over`() {
        hear(bench, -60, 0)
        hear(bench, -90, 16)
        #expect(fix(16)?.level.dBm == -90)
    }

    @Test(arguments: UInt64(1)...200)
    func `probabilities share out one, and claim at most 0.985`(seed: UInt64) {
        var dice = Dice(seed: seed)
        var test = LocatingTests()
        for node in 0..<5 where Bool.random(using: &dice) {
            test.hear(node, .random(in: -100 ... -30, using: &dice), 0)
        }
        let fix = test.fix(1)
        let zones: [(RoomID, StationID?)] = [
            (MeshSite.hall, MeshSite.bench), (MeshSite.hall, MeshSite.rack),
        ]
        let stations = zones.map {
            test.locating.probability(user: 0, room: $0.0, station: $0.1)
        }
        let rooms = [MeshSite.hall, MeshSite.yard].map {
            test.locating.probability(user: 0, room: $0, station: nil)
        }
        guard let fix else {
            #expect((stations + rooms).allSatisfy { $0 == 0 })
            return
        }
        #expect((stations + rooms + [fix.probability]).allSatisfy { (0...0.985).contains($0) })
        let whole = test.locating.posterior(user: 0).reduce(0) { $0 + $1.probability }
        #expect(abs(whole - 1) < 1e-5)
        #expect(fix.roomProbability >= fix.probability - 1e-9)
        #expect(fix.roomProbability == rooms[fix.room == MeshSite.hall ? 0 : 1])
    }

    @Test mutating func `two places alike are even chances, a sole one is not certain`() {
        hear(bench, -60, 0)
        hear(rack, -60, 0)
        #expect(abs((fix(0)?.probability ?? 0) - 0.5) < 0.01)
        #expect((0.9...0.985).contains(fix(0)?.roomProbability ?? 0))
        #expect(locating.probability(user: 0, room: nil, station: nil) == 0)
        #expect(locating.probability(user: 0, room: MeshSite.hall, station: StationID(9)) == 0)
    }

    @Test func `after a restart the saved place needs a lead to be given up`() {
        var places: [(room: RoomID?, station: StationID?)] = MeshSite.users.map { _ in (nil, nil) }
        places[0] = (MeshSite.hall, MeshSite.bench)
        var test = self
        test.locating = Locating(plan: MeshSite.plan(), places: places)
        #expect(test.fix(0) == nil, "nothing was heard yet, and nothing is forgotten by it")
        test.hear(bench, -60, 1)
        test.hear(rack, -59, 1)
        #expect([1.0, 2, 3].map { test.place($0) } == [1, 1, 1])
        #expect(test.place(62) == nil)
        test.hear(bench, -60, 63)
        test.hear(rack, -59, 63)
        #expect(test.place(63) == 2, "whoever was away has no place to prefer")
    }

    @Test func `noise of 3 dB for an hour moves nobody`() {
        var dice = Dice(seed: 18)
        var test = LocatingTests()
        var places: Set<Int64?> = []
        for second in 0..<3600 {
            test.hear(bench, -60 + .random(in: -3...3, using: &dice), Double(second))
            test.hear(rack, -66 + .random(in: -3...3, using: &dice), Double(second))
            places.insert(test.place(Double(second)))
        }
        #expect(places == [1])
    }

    @Test mutating func `a step of 25 dB is one transition within six seconds`() {
        var places: [Int64?] = []
        for second in 0..<60 {
            hear(bench, second < 30 ? -50 : -75, Double(second))
            hear(rack, second < 30 ? -75 : -50, Double(second))
            places.append(place(Double(second)))
        }
        #expect(zip(places, places.dropFirst()).count { $0 != $1 } == 1)
        #expect(places[29] == 1 && places[36] == 2)
    }

    @Test mutating func `hearings are sorted, strongest first, then by node`() {
        hear(rack, -70.04, 0)
        hear(bench, -70, 1)
        hear(yard, -50, 2)
        let hearings = locating.hearings(beacon: 0, at: moment(3))
        #expect(hearings.map(\.node.row) == [4, 2, 3])
        #expect(hearings.map(\.level.dBm) == [-50, -70, -70])
        #expect(hearings.map(\.age) == [.seconds(1), .seconds(2), .seconds(3)])
        #expect(locating.hearings(beacon: 0, at: moment(15.5)).map(\.node.row) == [4, 2])
        #expect(locating.hearings(beacon: 1, at: moment(3)).isEmpty)
    }
}

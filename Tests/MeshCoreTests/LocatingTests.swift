import MeshCore
import Testing

/// Zone level: where a user is by the loudest node of each place.
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

    @Test mutating func `another place must lead by the margin`() {
        hear(bench, -60, 0)
        #expect(place(0) == 1)
        hear(rack, -58.6, 0)
        #expect([1.0, 2, 3].map { place($0) } == [1, 1, 1])
    }

    @Test mutating func `another place must lead for a second`() {
        hear(bench, -60, 0)
        #expect(place(0) == 1)
        hear(rack, -58.5, 0)
        #expect(place(1) == 1)
        #expect(place(1.9) == 1)
        #expect(place(2) == 2)
    }

    @Test mutating func `a lead that breaks off begins anew`() {
        hear(bench, -60, 0)
        _ = place(0)
        hear(rack, -58, 0)
        _ = place(1)
        hear(yard, -50, 1)
        #expect(place(2) == 1, "the yard leads now, but not for long")
        #expect(place(2.5, dead: [yard]) == 1, "and now the rack again")
        #expect(place(3.5, dead: [yard]) == 2)
    }

    @Test mutating func `a silent node sinks by a decibel a second and is dropped at fifteen`() {
        hear(bench, -60, 0)
        #expect(fix(3)?.level.dBm == -60)
        #expect(fix(5)?.level.dBm == -62)
        #expect(abs((fix(14.9)?.level.dBm ?? 0) - -71.9) < 1e-9)
        #expect(fix(15) == nil)
    }

    @Test mutating func `a dead node is left out at once`() {
        hear(bench, -50, 0)
        hear(yard, -80, 0)
        #expect(place(0) == 1)
        #expect(place(1, dead: [bench]) == -1)
        #expect(fix(1, dead: [bench, yard]) == nil)
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
        #expect(fix(1, beacons: [0])?.station == MeshSite.bench)
    }

    @Test mutating func `two nodes of a place are as loud as the louder one`() {
        hear(yard, -62, 0)
        hear(otherYard, -60, 2)
        hear(bench, -59, 2)
        let fix = fix(2)
        #expect(fix?.station == MeshSite.bench, "two do not outvote one")
        hear(bench, -60, 2)
        #expect(self.fix(2, dead: [bench])?.level.dBm == -60)
        #expect(self.fix(2, dead: [bench])?.heard == moment(2))
    }

    @Test mutating func `the mean follows a step by its time constant`() {
        hear(bench, -80, 0)
        hear(bench, -60, 1.5)
        let expected = -80 + 20 * (1 - 1 / 2.718_281_828_459_045)
        #expect(abs((fix(1.5)?.level.dBm ?? 0) - expected) < 1e-9)
    }

    @Test mutating func `a frame told twice or late is no elapsed time`() {
        hear(bench, -60, 5)
        hear(bench, -90, 5)
        hear(bench, -90, 3)
        #expect(fix(5)?.level.dBm == -60 && fix(5)?.heard == moment(5))
    }

    @Test mutating func `after fifteen silent seconds the mean starts over`() {
        hear(bench, -60, 0)
        hear(bench, -90, 15.001)
        #expect(fix(15.001)?.level.dBm == -90)
    }

    @Test(arguments: UInt64(1)...200)
    func `probabilities share out one, and claim at most 0.98`(seed: UInt64) {
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
        #expect((stations + rooms + [fix.probability]).allSatisfy { (0...0.98).contains($0) })
        #expect((0.95 - 1e-9...1 + 1e-9).contains(rooms.reduce(0, +)))
        #expect(fix.roomProbability >= fix.probability - 1e-9)
        #expect(fix.roomProbability == rooms[fix.room == MeshSite.hall ? 0 : 1])
    }

    @Test mutating func `two places alike are even chances, a sole one is not certain`() {
        hear(bench, -60, 0)
        hear(rack, -60, 0)
        #expect(abs((fix(0)?.probability ?? 0) - 0.5) < 1e-12)
        #expect(abs((fix(0)?.roomProbability ?? 0) - 0.95) < 1e-12)
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
        #expect(test.place(20) == nil)
        test.hear(bench, -60, 21)
        test.hear(rack, -59, 21)
        #expect(test.place(21) == 2, "whoever was away has no place to prefer")
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

import Testing

@testable import Positioning
@testable import SiteModel

/// The simple rules a site may choose instead of the filter, and the order of who hears a beacon.
struct LocatingMethodTests {
    let bench = 1
    let rack = 2

    private func locating(_ method: LocatingPolicy.Method) -> Locating {
        var plan = MeshSite.plan()
        plan.policy.locating = LocatingPolicy(method: method)
        return Locating(
            plan: plan, places: MeshSite.users.map { _ in (room: nil, station: nil) })
    }

    private func run(
        _ locating: inout Locating, _ levels: [(node: Int, level: Double)], _ seconds: Range<Int>
    ) -> StationID? {
        var station: StationID?
        for second in seconds {
            for (node, level) in levels {
                locating.heard(
                    beacon: 0, node: node, level: RSSI(dBm: level), at: moment(Double(second)))
            }
            station =
                locating.fix(user: 0, beacons: [0], at: moment(Double(second))) { _ in true }?
                .station
        }
        return station
    }

    @Test func `by threshold somebody is near from -60 dBm on, and stays down to 5 dB less`() {
        var locating = locating(.threshold)
        #expect(run(&locating, [(bench, -62)], 0..<10) == nil)
        #expect(run(&locating, [(bench, -58)], 10..<20) == MeshSite.bench)
        #expect(run(&locating, [(bench, -64), (rack, -59)], 20..<40) == MeshSite.bench)
        #expect(run(&locating, [(bench, -67), (rack, -59)], 40..<60) == MeshSite.rack)
    }

    @Test(arguments: UInt64(1)...20)
    func `noise of 3 dB about the threshold is no coming and going`(seed: UInt64) {
        var dice = Dice(seed: seed)
        var locating = locating(.threshold)
        var said: [StationID?] = []
        for second in 0..<1200 {
            let level = -60 + Double.random(in: -3...3, using: &dice)
            said.append(run(&locating, [(bench, level)], second..<second + 1))
        }
        #expect(zip(said, said.dropFirst()).count { $0 != $1 } <= 1)
    }

    @Test func `the nearest is whoever heard the strongest level last`() {
        var locating = locating(.nearest)
        #expect(run(&locating, [(bench, -60), (rack, -61)], 0..<3) == MeshSite.bench)
        #expect(run(&locating, [(bench, -60), (rack, -59)], 3..<4) == MeshSite.rack)
    }

    @Test func `noise does not shuffle who hears a beacon`() {
        func hearings(_ levels: [(Int64, Double)]) -> [BeaconState.Hearing] {
            levels.map {
                BeaconState.Hearing(
                    node: NodeID($0.0), level: RSSI(dBm: $0.1), age: .milliseconds(0))
            }
        }
        func order(_ new: [(Int64, Double)], after old: [(Int64, Double)]) -> [Int64] {
            BeaconState.ordered(hearings(new), after: hearings(old)).map(\.node.row)
        }
        let before: [(Int64, Double)] = [(2, -60), (1, -61), (3, -70)]
        #expect(order([(1, -59), (2, -61.9), (3, -70)], after: before) == [2, 1, 3])
        #expect(order([(1, -58), (2, -61), (3, -70)], after: before) == [1, 2, 3])
        #expect(order([(4, -65), (2, -60), (3, -70)], after: before) == [2, 4, 3])
        #expect(order([(3, -50), (2, -60), (1, -61)], after: before) == [3, 2, 1])
    }
}

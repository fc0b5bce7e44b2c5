import Basics
import Testing

@testable import Positioning
@testable import SiteModel

/// People who carry a node past beacons that are fixed at stations. Node 1 is user 1's, node 2 hangs
/// in the hall; beacon 1 is at the bench, 2 at the rack, 3 in the yard; user 1 may have tag 4, user
/// 2 has tag 5.
struct MobileNodeTests {
    private let user = UserID(1)

    private func plan(isTagged: Bool = false, hasCarrier: Bool = true) -> Plan {
        let anchors = [
            Place(room: MeshSite.hall, station: MeshSite.bench),
            Place(room: MeshSite.hall, station: MeshSite.rack),
            Place(room: MeshSite.yard, station: nil), nil, nil,
        ]
        let carried: [(beacon: Int64, user: Int64)] = isTagged ? [(4, 1), (5, 2)] : [(5, 2)]
        return Plan(
            revision: 1, site: SiteID(1),
            rooms: [Room(id: MeshSite.hall), Room(id: MeshSite.yard)],
            stations: [
                Station(id: MeshSite.bench, room: MeshSite.hall, slots: 1),
                Station(id: MeshSite.rack, room: MeshSite.hall, slots: 2),
            ],
            nodes: [
                Node(
                    id: NodeID(1), room: MeshSite.yard, station: nil,
                    carrier: hasCarrier ? user : UserID(9)),
                Node(id: NodeID(2), room: MeshSite.hall, station: nil),
            ],
            users: [User(id: user), User(id: UserID(2))],
            beacons: anchors.enumerated().map {
                Beacon(
                    id: BeaconID(Int64($0.offset + 1)), identity: .address(UInt64($0.offset)),
                    anchor: $0.element)
            },
            bindings: carried.map {
                Binding(
                    beacon: BeaconID($0.beacon), user: UserID($0.user),
                    from: Timestamp(milliseconds: 0), to: nil)
            }, policy: Policy())
    }

    /// Lets seconds pass in which each node tells what it heard; a node that is not named is silent.
    private func pass(
        _ run: inout SiteRun, _ seconds: ClosedRange<Int>,
        _ heard: [Int64: [(beacon: Int64, level: Double)]]
    ) {
        for second in seconds {
            for node in heard.keys.sorted() {
                run.tell(
                    .frame(
                        MeshSite.frame(moment(Double(second)), heard[node] ?? []),
                        from: NodeID(node)), Double(second))
            }
            run.tell(.tick, Double(second))
        }
    }

    private func presence(_ run: SiteRun, _ index: Int = 0) -> PresenceState {
        run.mesh.live.presences[index]
    }

    @Test func `whoever hears the beacon of a station is at it, and in`() {
        var run = SiteRun(plan: plan())
        pass(&run, 1...20, [1: [(1, -60), (2, -75)], 2: []])
        #expect(presence(run).station == MeshSite.bench && presence(run).room == MeshSite.hall)
        #expect(presence(run).state == .present && presence(run).confidence >= 0.9)
        #expect(run.mesh.saved.sessions.map(\.user) == [user])
        #expect(run.mesh.saved.sessions.map(\.from) == [moment(0)])
        // Nobody else is anywhere.
        #expect(presence(run, 1).room == nil)
    }

    /// A straight hall: stations at 2, 8 and 14 m, a minute at each in turn;
    /// path loss exponent 2.5, noise of 4 dB in each of three packets a second.
    @Test(arguments: UInt64(1)...20) func `walking past three stations is followed`(seed: UInt64) {
        var state = seed
        func noise() -> Double {
            var sum = 0.0
            for _ in 0..<12 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                sum += Double(state >> 40) / Double(1 << 24)
            }
            return 4 * (sum - 6)
        }
        let stations = [MeshSite.bench, MeshSite.rack, nil]
        let rooms = [MeshSite.hall, MeshSite.hall, MeshSite.yard]
        let positions = [2.0, 8, 14]
        var run = SiteRun(plan: plan())
        var (asked, right) = (0, 0)
        for second in 1...540 {
            let leg = (second / 60) % 3
            let away = positions.map { max(1, abs($0 - positions[leg])) }
            let heard = away.indices.map { index in
                let levels = (0..<3).map { _ in
                    -59 - 25 * log10(away[index]) + noise()
                }.sorted()
                return (beacon: Int64(index + 1), level: levels[1])
            }
            pass(&run, second...second, [1: heard, 2: []])
            guard second % 60 >= 20 else { continue }
            asked += 1
            let said = presence(run)
            if said.room == rooms[leg], said.station == stations[leg] { right += 1 }
        }
        #expect(asked == 360)
        #expect(Double(right) >= 0.9 * Double(asked), "seed \(seed): \(right) of \(asked)")
    }

    private func log10(_ value: Double) -> Double {
        // Good to a hundredth between 1 and 20, which is all that is asked.
        var (low, high) = (0.0, 2.0)
        for _ in 0..<30 {
            let middle = (low + high) / 2
            if Exponential.exp(middle * 2.302585092994046) < value {
                low = middle
            } else {
                high = middle
            }
        }
        return low
    }

    @Test func `a phone that hears no beacon of the site has left it`() {
        var run = SiteRun(plan: plan())
        pass(&run, 1...60, [1: [(3, -60)], 2: []])
        pass(&run, 61...160, [1: [], 2: []])
        #expect(run.mesh.saved.sessions.map(\.to) == [moment(60)])
        #expect(presence(run).state == .notPresent)
        #expect(run.mesh.saved.stays == [])
    }

    @Test func `a phone that is silent checks nobody out`() {
        var run = SiteRun(plan: plan())
        pass(&run, 1...60, [1: [(1, -60)], 2: []])
        pass(&run, 61...3000, [2: []])
        #expect(run.mesh.saved.sessions.map(\.to) == [nil])
        #expect(presence(run).state == .unknown)
        #expect(run.mesh.saved.stays.count == 2)
        // Back again, and nothing was split.
        pass(&run, 3001...3030, [1: [(1, -60)], 2: []])
        #expect(run.mesh.saved.sessions.map(\.from) == [moment(0)])
        #expect(presence(run).state == .present)
    }

    @Test func `a silent phone does not hide that a tag left`() {
        var run = SiteRun(plan: plan(isTagged: true))
        pass(&run, 1...60, [1: [(1, -60)], 2: [(4, -60)]])
        pass(&run, 61...200, [2: []])
        #expect(run.mesh.saved.sessions.map(\.to) == [moment(60)])
        #expect(presence(run).state == .notPresent)
    }

    @Test func `a phone in earshot keeps a session that a lost tag would end`() {
        var run = SiteRun(plan: plan(isTagged: true))
        pass(&run, 1...60, [1: [(1, -60)], 2: [(4, -60)]])
        pass(&run, 61...300, [1: [(1, -60)], 2: []])
        #expect(run.mesh.saved.sessions.map(\.to) == [nil])
        #expect(presence(run).station == MeshSite.bench)
    }

    @Test func `tags of others say nothing to a mobile node`() {
        var run = SiteRun(plan: plan())
        pass(&run, 1...60, [1: [(5, -50)]])
        #expect(run.mesh.saved.sessions == [])
        #expect(presence(run).room == nil && presence(run, 1).room == nil)
        #expect(presence(run).state == .notPresent)
    }

    @Test func `fixed beacons heard by fixed nodes are nobody`() {
        var run = SiteRun(plan: plan())
        pass(&run, 1...60, [2: [(1, -50), (2, -50), (3, -50)]])
        #expect(run.mesh.saved.sessions == [])
        #expect(run.mesh.live.presences.map(\.room) == [nil, nil])
    }

    @Test func `a node whose user is gone tells nothing`() {
        var run = SiteRun(plan: plan(hasCarrier: false))
        pass(&run, 1...60, [1: [(1, -50)], 2: []])
        #expect(run.mesh.saved.sessions == [])
        #expect(run.mesh.live.presences.map(\.room) == [nil, nil])
    }

    @Test func `rooms count people while somebody could tell`() {
        var run = SiteRun(plan: plan())
        pass(&run, 1...30, [1: [(3, -50)]])
        #expect(run.mesh.live.rooms.map(\.count) == [0, 1])
        #expect(run.mesh.live.stations.map(\.state) == [.free, .free])
        pass(&run, 31...60, [2: []])
        #expect(run.mesh.live.rooms.map(\.count) == [0, nil])
    }

    @Test func `where they were is known after a restart`() {
        var run = SiteRun(plan: plan())
        pass(&run, 1...60, [1: [(1, -60)], 2: []])
        var again = SiteRun(plan: plan(), saved: run.mesh.saved)
        pass(&again, 61...64, [1: [(1, -60)], 2: []])
        #expect(presence(again).station == MeshSite.bench)
        pass(&run, 61...400, [1: [], 2: []])
        pass(&again, 65...65, [1: [(1, -60)], 2: []])
        pass(&again, 66...400, [1: [], 2: []])
        #expect(again.mesh.saved.sessions.map(\.to) == [moment(65)])
        #expect(run.mesh.saved.sessions.map(\.to) == [moment(60)])
    }

    /// Reports of other networks come seldom; between them the level holds.
    @Test func `a level holds for two intervals of those who report seldom`() {
        var locating = Locating(
            plan: plan(isTagged: true), places: [(nil, nil), (nil, nil)])
        let hear = { (locating: inout Locating, at: Double, cadence: Double?) in
            locating.heard(
                beacon: 3, node: 1, level: RSSI(dBm: -60), at: moment(at),
                cadence: cadence.map { .seconds($0) })
        }
        var next = 0
        // A coordinator decides each second, so all up to `at` are.
        func fix(_ locating: inout Locating, _ at: Double) -> Fix? {
            var fix: Fix?
            while next <= Int(at) {
                fix = locating.fix(user: 0, beacons: [3], at: moment(Double(next))) { _ in true }
                next += 1
            }
            return fix
        }
        hear(&locating, 0, 10)
        let heldFix = fix(&locating, 20)
        #expect(heldFix?.level.dBm == -60)
        #expect(heldFix?.fresh(at: moment(20)) != nil)
        #expect(fix(&locating, 21)?.fresh(at: moment(21)) == nil)
        #expect(fix(&locating, 25)?.level.dBm == -65)
        #expect(fix(&locating, 59) != nil)
        #expect(fix(&locating, 60) == nil)
        hear(&locating, 100, nil)
        #expect(fix(&locating, 103)?.level.dBm == -60)
        #expect(fix(&locating, 104)?.level.dBm == -61)
        #expect(fix(&locating, 160) == nil)
        // However seldom somebody claims to report.
        hear(&locating, 200, 1e12)
        #expect(fix(&locating, 330)?.fresh(at: moment(330)) == nil)
        #expect(fix(&locating, 332) == nil)
    }
}

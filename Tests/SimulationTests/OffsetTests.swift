import Testing

@testable import Positioning
@testable import Simulation
@testable import SiteModel

/// What self-calibration wins back where receivers differ, by the very frames the simulator gives.
@Suite struct OffsetScenarioTests {
    /// Seconds at which somebody who had stood still for a while was asked after, and of these, how
    /// often the place was right.
    struct Score: CustomStringConvertible {
        var asked = 0
        var right = 0

        var accuracy: Double { Double(right) / Double(max(asked, 1)) }
        var description: String { "\((accuracy * 1000).rounded() / 10) % of \(asked) s" }

        mutating func count(_ fix: Fix?, at station: Int) {
            asked += 1
            if fix?.station?.row == Int64(station + 1) { right += 1 }
        }

        static func += (a: inout Score, b: Score) {
            a = Score(asked: a.asked + b.asked, right: a.right + b.right)
        }
    }

    private static let start = Timestamp(milliseconds: 1_790_000_000_000)
    private static let people = 8
    private static let learning = 2400
    private static let scoring = 1200

    /// A hall of twelve stations 5 m apart; the node of each hangs two metres beside it.
    private static let hall = Layout(
        slug: "hall", name: "Hall", timeZone: "Europe/Berlin", ahead: .seconds(3600),
        entrance: .init(10, 0.5),
        rooms: [
            .init(
                slug: "hall", name: "Hall", low: .init(0, 0), high: .init(20, 15),
                door: .init(10, 1), rest: .init(10, 5))
        ],
        stations: (0..<12).map {
            .init(slug: "s-\($0)", name: "S \($0)", room: 0, position: point($0), slots: 2)
        },
        nodes: (0..<12).map { index in
            let aside = index.isMultiple(of: 2) ? 1.4 : -1.4
            let point = point(index)
            return .init(
                slug: "n-\(index)", name: "N \(index)", room: 0, station: index,
                position: .init(point.x + aside, point.y + (index < 6 ? 1.4 : -1.4)))
        })

    private static func point(_ station: Int) -> Layout.Point {
        Layout.Point(2.5 + 5 * Double(station % 4), 2.5 + 5 * Double(station / 4))
    }

    private static let plan = Plan(
        revision: 1, site: SiteID(1), rooms: [Room(id: RoomID(1))],
        stations: hall.stations.indices.map {
            Station(id: StationID(Int64($0 + 1)), room: RoomID(1), slots: 2)
        },
        nodes: hall.nodes.indices.map {
            Node(id: NodeID(Int64($0 + 1)), room: RoomID(1), station: StationID(Int64($0 + 1)))
        },
        users: (1...Int64(people)).map { User(id: UserID($0)) },
        beacons: (1...Int64(people)).map {
            Beacon(id: BeaconID($0), identity: .address(UInt64($0)))
        },
        bindings: (1...Int64(people)).map {
            Binding(
                beacon: BeaconID($0), user: UserID($0), from: Timestamp(milliseconds: 0), to: nil)
        },
        policy: Policy())

    /// Lets people train for an hour; scores the last third without and with corrections.
    private func run(deviation: Double, seed: UInt64) -> (raw: Score, corrected: Score) {
        let plan = Self.plan
        var world = World(
            Self.hall, people: Layout.people(count: Self.people, seed: seed), pace: .live,
            seed: seed, from: Self.start, interval: .milliseconds(1000), nodeDeviation: deviation)
        let nowhere = plan.users.map { _ in (room: RoomID?.none, station: StationID?.none) }
        var raw = Locating(plan: plan, places: nowhere)
        var corrected = raw
        var offsets = Offsets(plan: plan)
        var scores = (raw: Score(), corrected: Score())
        var still = Array(repeating: 0, count: Self.people)
        for second in 0..<Self.learning + Self.scoring {
            let at = Timestamp(second: Self.start.second + Int64(second) + 1)
            let isScored = second >= Self.learning - 60
            for (node, frame) in world.frames(second: at.second - 1).enumerated() {
                if isScored {
                    raw.listened(node: node, at: at)
                    corrected.listened(node: node, at: at)
                }
                for heard in frame {
                    let level = offsets.corrected(heard.median, beacon: heard.person, node: node)
                    offsets.heard(beacon: heard.person, node: node, level: heard.median, at: at)
                    guard isScored else { continue }
                    raw.heard(beacon: heard.person, node: node, level: heard.median, at: at)
                    corrected.heard(beacon: heard.person, node: node, level: level, at: at)
                }
            }
            _ = offsets.step(at: at)
            for person in 0..<Self.people {
                let station = world.truth(person)?.station
                still[person] = station == nil ? 0 : still[person] + 1
                guard isScored else { continue }
                let said = (
                    raw.fix(user: person, beacons: [person], at: at) { _ in true },
                    corrected.fix(user: person, beacons: [person], at: at) { _ in true }
                )
                guard second >= Self.learning, still[person] >= 10, let station else { continue }
                scores.raw.count(said.0, at: station)
                scores.corrected.count(said.1, at: station)
            }
        }
        return scores
    }

    @Test func `corrected, offsets of 6 dB cost less than half, and none are made up`() {
        var (alike, apart) = (
            (raw: Score(), corrected: Score()), (raw: Score(), corrected: Score())
        )
        for seed in UInt64(1)...2 {
            let (even, odd) = (run(deviation: 0, seed: seed), run(deviation: 6, seed: seed))
            alike.raw += even.raw
            alike.corrected += even.corrected
            apart.raw += odd.raw
            apart.corrected += odd.corrected
        }
        print(
            "receivers alike: \(alike.raw), corrected \(alike.corrected);",
            "6 dB apart: \(apart.raw), corrected \(apart.corrected)")
        #expect(alike.raw.asked > 2000)
        #expect(alike.corrected.accuracy >= alike.raw.accuracy - 0.01)
        #expect(apart.raw.accuracy < alike.raw.accuracy - 0.1, "6 dB do harm")
        #expect(apart.corrected.accuracy > (alike.raw.accuracy + apart.raw.accuracy) / 2)
    }
}

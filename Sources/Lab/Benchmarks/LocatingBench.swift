import Basics
import Positioning
import SiteModel
import Platform

/// `locate-taught`, `locate-crowded`, `locate-untaught`: one decision of the locator for one user, at
/// twelve stations with a node each: with two spots a station, with eight, and with coordinates only.
/// `locate-memory`: the bytes kept for a user who is heard.
enum LocatingBench {
    static let figures = ["locate-taught", "locate-crowded", "locate-untaught", "locate-memory"]
    /// In µs.
    private static let bar = Figure.Bar.atMost(20)
    private static let stations = 12

    static func run(_ context: BenchContext) throws -> [Figure] {
        let seconds = context.amount(quick: 5_000, full: 50_000)
        var figures: [Figure] = []
        for (name, spots) in [("locate-taught", 2), ("locate-crowded", 8), ("locate-untaught", 0)] {
            let plan = plan(spots: spots)
            let samples = try context.limited(to: context.left / 3).samples { _ in
                try decision(of: plan, seconds: seconds, seed: context.seed)
            }
            figures.append(Figure(name, unit: "µs", samples, bar: bar))
        }
        let locating = Locating(plan: plan(spots: 2), places: [(nil, nil)])
        let bytes = try context.samples { _ in Double(locating.memoryPerUser) }
        return figures + [Figure("locate-memory", unit: "B", bytes)]
    }

    /// The µs of a decision, telling the levels included.
    private static func decision(
        of plan: Plan, seconds: Int, seed: UInt64
    ) throws(BenchFailure) -> Double {
        var random = SeededRandom(seed: seed, stream: 90)
        var locating = Locating(plan: plan, places: [(nil, nil)])
        // A minute at each station after the other; told apart from what is measured.
        let levels = (0..<seconds).map { second in
            (0..<stations).map { node in
                level(node, at: second / 60 % stations) + random.normal() * 4
            }
        }
        var right = 0
        let watch = Stopwatch()
        for second in 0..<seconds {
            let now = BenchContext.start + .milliseconds(Int64(second) * 1000)
            for node in 0..<stations {
                locating.listened(node: node, at: now)
                locating.heard(
                    beacon: 0, node: node, level: RSSI(dBm: levels[second][node]), at: now)
            }
            let fix = locating.fix(user: 0, beacons: [0], at: now) { _ in true }
            if fix?.station == StationID(Int64(second / 60 % stations) + 1) { right += 1 }
        }
        let taken = watch.seconds
        guard right * 2 > seconds else { throw .failed("most decisions were wrong") }
        return taken / Double(seconds) * 1e6
    }

    private static func level(_ node: Int, at station: Int) -> Double {
        let (x, y) = (node % 4 - station % 4, node / 4 - station / 4)
        let distance = max(5 * Double(x * x + y * y).squareRoot(), 1)
        return -55 - 22 * Exponential.log10(distance)
    }

    private static func levels(at station: Int, spot: Int) -> [PlaceModel.Level] {
        (0..<stations).map { node in
            let median = level(node, at: station) + Double(spot % 3 - 1)
            let ear = Ear.node(NodeID(Int64(node) + 1))
            return PlaceModel.Level(ear: ear, median: median, scale: 4, chance: 0.95)
        }
    }

    private static func plan(spots: Int) -> Plan {
        let room = RoomID(1)
        let places = (0..<stations).map { Place(room: room, station: StationID(Int64($0) + 1)) }
        func position(_ index: Int) -> Position {
            Position(x: 5 * Double(index % 4), y: 5 * Double(index / 4))
        }
        var taught: [PlaceModel.Spot] = []
        for station in places.indices {
            for spot in 0...spots {
                taught.append(
                    PlaceModel.Spot(
                        place: places[station], levels: levels(at: station, spot: spot),
                        seconds: 60, isWhole: spot == spots))
            }
        }
        let model = PlaceModel(
            revision: 1, spots: taught, fit: PlaceModel.Fit(usual: 0.8, strange: 1.6))
        return Plan(
            revision: 1, site: SiteID(1), rooms: [Room(id: room)],
            stations: places.indices.map {
                Station(
                    id: StationID(Int64($0) + 1), room: room, slots: 1, position: position($0))
            },
            nodes: places.indices.map {
                Node(
                    id: NodeID(Int64($0) + 1), room: room, station: StationID(Int64($0) + 1),
                    position: position($0))
            },
            users: [User(id: UserID(1))],
            beacons: [Beacon(id: BeaconID(1), identity: .address(1))], bindings: [],
            policy: Policy(), model: spots > 0 ? model : nil)
    }
}

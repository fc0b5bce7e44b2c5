@testable import AnomalyDetection
@testable import Basics
@testable import Simulation
@testable import SiteEngine
@testable import SiteModel

/// Simulated people who do nothing wrong, as the doubts see them, and what a cheat adds to it.
struct HonestGym {
    /// A second transmitter of somebody's beacon, at a place.
    struct Clone {
        var person: Int
        var at: Layout.Point
        var perSecond: Int
        /// Whether the person's own tag is silent: a relay, or a tag somebody else carries in.
        var replaces = false
    }

    private(set) var doubts: Doubts
    /// Everything that was doubted.
    private(set) var told: [Doubt] = []
    private(set) var checkIns = 0
    private(set) var second: Int64
    let layout: Layout
    let plan: Plan
    var clone: Clone?
    /// Who is at no station, whatever they do.
    var idler: Int?

    private var world: World
    private var dice: SeededRandom
    private var visits: [(from: Int64, isIn: Bool)]
    private var outages: [(node: Int, until: Int64)] = []
    private let interval: Timestamp.Span

    /// Visits of 10 to 30 minutes with 12 to 25 between them, a packet every `interval`.
    static let pace = Pace(
        training: 60...240, resting: 20...90, outside: 15...45, visit: 600...1800,
        comesBack: .after(seconds: 720...1500))

    static let start = Timestamp(milliseconds: 1_790_000_000_000)

    init(
        _ layout: Layout, people count: Int, seed: UInt64, interval: Timestamp.Span,
        isMeasured: Bool
    ) {
        self.layout = layout
        self.interval = interval
        let people = Layout.people(count: count, seed: seed)
        let rooms = layout.rooms.indices.map { RoomID(Int64($0 + 1)) }
        plan = Plan(
            revision: 1, site: SiteID(1), rooms: rooms.map { Room(id: $0) },
            stations: layout.stations.indices.map {
                Station(
                    id: StationID(Int64($0 + 1)), room: rooms[layout.stations[$0].room],
                    slots: layout.stations[$0].slots)
            },
            nodes: layout.nodes.indices.map { index in
                let node = layout.nodes[index]
                return Node(
                    id: NodeID(Int64(index + 1)), room: rooms[node.room],
                    station: node.station.map { StationID(Int64($0 + 1)) },
                    position: isMeasured
                        ? Position(x: node.position.x, y: node.position.y) : nil)
            },
            users: people.indices.map { User(id: UserID(Int64($0 + 1))) },
            beacons: people.indices.map {
                Beacon(id: BeaconID(Int64($0 + 1)), identity: people[$0].identity)
            }, bindings: [], policy: Policy())
        doubts = Doubts(plan: plan, stored: [])
        second = Self.start.second
        world = World(
            layout, people: people, pace: Self.pace, seed: seed, from: Self.start,
            interval: interval, nodeDeviation: 3)
        dice = SeededRandom(seed: seed, stream: 77)
        visits = people.map { _ in (0, false) }
    }

    func truth(_ person: Int) -> World.Whereabouts? { world.truth(person) }

    /// Seconds pass. One frame of fifty is lost, and once an hour a node dies for a while.
    mutating func run(seconds: Int) {
        for _ in 0..<seconds { step() }
    }

    private mutating func step() {
        if dice.chance(1 / 3600) {
            let node = dice.index(below: layout.nodes.count)
            outages.append((node, second + Int64(dice.number(in: 30...900))))
        }
        outages.removeAll { $0.until <= second }
        var frames = world.frames(second: second)
        if let clone { add(clone, to: &frames) }
        let moment = Timestamp(second: second)
        for node in frames.indices {
            let isDead = outages.contains { $0.node == node }
            guard !dice.chance(0.02), !isDead else { continue }
            doubts.listened(node: node, in: moment)
            for heard in frames[node] {
                doubts.heard(
                    beacon: heard.person, user: heard.person, node: node, level: heard.median,
                    count: heard.count, in: moment)
            }
        }
        second += 1
        for person in visits.indices {
            let isIn = world.truth(person) != nil
            // Who steps out for less than a minute and a half does not check in again.
            if isIn, !visits[person].isIn, second - visits[person].from > 90 {
                checkIns += 1
                visits[person].from = second
            } else if !isIn, visits[person].isIn {
                visits[person].from = second
            }
            visits[person].isIn = isIn
        }
        let (world, visits, idler) = (world, visits, idler)
        told += doubts.step(at: Timestamp(second: second)) { user in
            let place = world.truth(user)
            let isAtStation = user != idler && place?.station != nil
            return Doubts.Standing(
                session: visits[user].isIn || user == idler
                    ? Session(
                        id: user == idler ? 1 : visits[user].from, user: plan.users[user].id,
                        from: Timestamp(second: visits[user].from), to: nil) : nil,
                room: user == idler ? RoomID(1) : place.map { RoomID(Int64($0.room + 1)) },
                station: isAtStation ? StationID(1) : nil)
        }
    }

    /// What the nodes hear of both transmitters together.
    private mutating func add(_ clone: Clone, to frames: inout [[World.Heard]]) {
        for node in frames.indices {
            let place = frames[node].firstIndex { $0.person == clone.person }
            if clone.replaces, let place { frames[node].remove(at: place) }
            let position = layout.nodes[node].position
            let walls = layout.boundaries(from: clone.at, to: position)
            let distance = max(clone.at.distance(to: position), 0.3)
            let level =
                -59 - 22 * Exponential.log10(distance) - 5 * Double(walls) + 2 * dice.normal()
            guard level > -95 else { continue }
            let heard = World.Heard(
                person: clone.person, median: RSSI(dBm: level.rounded()), count: clone.perSecond,
                strongest: RSSI(dBm: level.rounded()))
            guard let place, !clone.replaces else {
                frames[node].append(heard)
                continue
            }
            let own = frames[node][place]
            let count = own.count + heard.count
            frames[node][place].median = RSSI(
                dBm: (own.median.dBm * Double(own.count) + level * Double(heard.count))
                    / Double(count))
            frames[node][place].count = count
        }
    }
}

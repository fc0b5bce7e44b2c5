/// A site to make recordings at: rooms, the zones to tell apart, walls and receivers, in metres.
///
/// References between the lists are indices. People walk straight within a room, and from room to
/// room through passages.
package struct FloorPlan: Equatable, Sendable {
    package typealias Point = Layout.Point

    /// A rectangle of floor.
    package struct Room: Equatable, Sendable {
        /// The lower left corner.
        package var low: Point
        /// The upper right corner.
        package var high: Point

        package init(_ low: Point, _ high: Point) {
            self.low = low
            self.high = high
        }

        package func contains(_ point: Point) -> Bool {
            low.x <= point.x && point.x < high.x && low.y <= point.y && point.y < high.y
        }
    }

    /// A place to tell from the others.
    package struct Zone: Equatable, Sendable {
        /// What labels call it.
        package var id: String
        /// The room, an index into `rooms`.
        package var room: Int
        /// Whether everybody in the room is in the zone, or only who stays at its spots.
        package var coversRoom: Bool
        /// Where people stay, at least one.
        package var spots: [Point]

        /// A station: who stays at `spot` is there, who passes by is not.
        package init(station id: String, room: Int, spot: Point) {
            self.init(id: id, room: room, coversRoom: false, spots: [spot])
        }

        /// A whole room, with the spots where people stay in it.
        package init(room id: String, _ room: Int, spots: [Point]) {
            self.init(id: id, room: room, coversRoom: true, spots: spots)
        }

        private init(id: String, room: Int, coversRoom: Bool, spots: [Point]) {
            precondition(!spots.isEmpty, "people stay somewhere in \(id)")
            self.id = id
            self.room = room
            self.coversRoom = coversRoom
            self.spots = spots
        }
    }

    /// A receiver and the zone it stands for.
    package struct Receiver: Equatable, Sendable {
        /// What readings call it.
        package var id: String
        /// The zone, an index into `zones`, or `nil` if it stands for none.
        package var zone: Int?
        /// Where it hangs.
        package var position: Point

        package init(_ id: String, zone: Int?, _ position: Point) {
            self.id = id
            self.zone = zone
            self.position = position
        }
    }

    /// A straight wall.
    package struct Wall: Equatable, Sendable {
        /// One end.
        package var start: Point
        package var end: Point
        /// What it takes of a level that goes through, in dB.
        package var loss: Double

        package init(_ start: Point, _ end: Point, loss: Double) {
            self.start = start
            self.end = end
            self.loss = loss
        }
    }

    /// An opening between two rooms.
    package struct Passage: Equatable, Sendable {
        /// One room.
        package var from: Int
        /// The other room.
        package var to: Int
        /// The point everybody passes.
        package var at: Point

        package init(_ from: Int, _ to: Int, _ at: Point) {
            self.from = from
            self.to = to
            self.at = at
        }
    }

    /// What the site is called, as in file names.
    package var name: String
    /// What it is, in a sentence.
    package var title: String
    package var rooms: [Room]
    package var zones: [Zone]
    package var receivers: [Receiver]
    package var walls: [Wall]
    /// The openings.
    package var passages: [Passage]

    /// How high receivers hang above tags, in metres.
    package static let height = 1.0

    /// A site. Every index must exist and every room must be reachable from every other.
    package init(
        name: String, title: String, rooms: [Room], zones: [Zone], receivers: [Receiver],
        walls: [Wall] = [], passages: [Passage] = []
    ) {
        precondition(!zones.isEmpty && !receivers.isEmpty, "nothing to tell, or nobody to hear")
        precondition(zones.allSatisfy { rooms.indices.contains($0.room) }, "unknown room")
        precondition(
            receivers.allSatisfy { $0.zone.map(zones.indices.contains) ?? true }, "unknown zone")
        self.name = name
        self.title = title
        self.rooms = rooms
        self.zones = zones
        self.receivers = receivers
        self.walls = walls
        self.passages = passages
    }

    /// The zone that covers a point, if one covers its room.
    package func zone(covering point: Point) -> Int? {
        zones.firstIndex { $0.coversRoom && rooms[$0.room].contains(point) }
    }

    /// The points one passes from one room to another, on the way with the fewest openings.
    package func way(from start: Int, to end: Int) -> [Point] {
        var reached: [Int: [Point]] = [start: []]
        var border = [start]
        while reached[end] == nil, !border.isEmpty {
            var next: [Int] = []
            for room in border {
                for passage in passages {
                    guard passage.from == room || passage.to == room else { continue }
                    let other = passage.from == room ? passage.to : passage.from
                    guard reached[other] == nil else { continue }
                    reached[other] = (reached[room] ?? []) + [passage.at]
                    next.append(other)
                }
            }
            border = next
        }
        guard let way = reached[end] else {
            preconditionFailure("no way from room \(start) to room \(end) of \(name)")
        }
        return way
    }

    /// What the walls on the straight line between two points take, in dB.
    package func loss(from start: Point, to end: Point) -> Double {
        var sum = 0.0
        for wall in walls where Self.cross(start, end, wall.start, wall.end) { sum += wall.loss }
        return sum
    }

    private static func cross(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
        // On which side of the line from `p` to `q` a point lies.
        func side(_ p: Point, _ q: Point, _ r: Point) -> Double {
            (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
        }
        return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
    }
}

extension FloorPlan {
    /// The sites that come with the simulator, by name.
    package static let all: [FloorPlan] = [gym, hall, row, flat, office]

    /// The demonstration gym: eight stations and the free floor of three rooms, a receiver each.
    package static let gym: FloorPlan = {
        let layout = Layout.gym
        let stations = layout.stations.map {
            Zone(station: $0.slug, room: $0.room, spot: $0.position)
        }
        let floors = layout.rooms.enumerated().map { index, room in
            Zone(station: room.slug, room: index, spot: room.rest)
        }
        return FloorPlan(
            name: "gym", title: "Three rooms in a row, eight stations, a receiver a place",
            rooms: layout.rooms.map { Room($0.low, $0.high) }, zones: stations + floors,
            receivers: layout.nodes.map { node in
                Receiver(
                    node.slug, zone: node.station ?? stations.count + node.room, node.position)
            },
            walls: [
                Wall(Point(12, 0), Point(12, 12), loss: 6),
                Wall(Point(24, 0), Point(24, 12), loss: 6),
            ],
            passages: [Passage(0, 1, Point(12, 3)), Passage(1, 2, Point(24, 3))])
    }()

    /// An open hall: twelve stations 5 m apart, a receiver near each.
    package static let hall: FloorPlan = {
        var zones: [Zone] = []
        var receivers: [Receiver] = []
        for number in 0..<12 {
            let spot = Point(2.5 + 5 * Double(number % 4), 2.5 + 5 * Double(number / 4))
            zones.append(Zone(station: "s\(number + 1)", room: 0, spot: spot))
            // Not above the spot: on pillars and walls to one side or the other.
            let aside = number.isMultiple(of: 2) ? 1.2 : -0.9
            receivers.append(
                Receiver("n\(number + 1)", zone: number, Point(spot.x + aside, spot.y - 0.8)))
        }
        return FloorPlan(
            name: "hall", title: "Open hall of 20 by 15 m, twelve stations 5 m apart",
            rooms: [Room(Point(0, 0), Point(20, 15))], zones: zones, receivers: receivers)
    }()

    /// Stations beside each other: eight of them 2.5 m apart along a wall.
    package static let row: FloorPlan = {
        var zones: [Zone] = []
        var receivers: [Receiver] = []
        for number in 0..<8 {
            let spot = Point(1.5 + 2.5 * Double(number), 1.5)
            zones.append(Zone(station: "t\(number + 1)", room: 0, spot: spot))
            receivers.append(Receiver("n\(number + 1)", zone: number, Point(spot.x + 0.3, 0.2)))
        }
        return FloorPlan(
            name: "row", title: "A row of eight stations 2.5 m apart",
            rooms: [Room(Point(0, 0), Point(20.5, 6))], zones: zones, receivers: receivers)
    }()

    /// A flat: five rooms about a hall, thin walls, a receiver in each room but the study.
    package static let flat = FloorPlan(
        name: "flat", title: "A flat of six rooms with thin walls; the study has no receiver",
        rooms: [
            Room(Point(0, 0), Point(10, 1.6)), Room(Point(0, 1.6), Point(3.2, 6)),
            Room(Point(3.2, 1.6), Point(6.8, 6)), Room(Point(6.8, 1.6), Point(10, 6)),
            Room(Point(0, -3), Point(4, 0)), Room(Point(4, -3), Point(10, 0)),
        ],
        zones: [
            Zone(room: "hall", 0, spots: [Point(5, 0.8)]),
            Zone(room: "bedroom", 1, spots: [Point(1, 4.5), Point(2.4, 2.8)]),
            Zone(room: "living", 2, spots: [Point(4.2, 4.8), Point(5.9, 3)]),
            Zone(room: "study", 3, spots: [Point(8.6, 4.6)]),
            Zone(room: "bath", 4, spots: [Point(1.5, -1.5)]),
            Zone(room: "kitchen", 5, spots: [Point(5.2, -1.4), Point(8.6, -1.8)]),
        ],
        receivers: [
            Receiver("a-hall", zone: 0, Point(3, 0.2)),
            Receiver("a-bedroom", zone: 1, Point(0.2, 5.6)),
            Receiver("a-living", zone: 2, Point(6.5, 5.7)),
            Receiver("a-bath", zone: 4, Point(0.3, -2.7)),
            Receiver("a-kitchen", zone: 5, Point(9.7, -0.3)),
        ],
        walls: [
            Wall(Point(0, 1.6), Point(10, 1.6), loss: 4),
            Wall(Point(3.2, 1.6), Point(3.2, 6), loss: 4),
            Wall(Point(6.8, 1.6), Point(6.8, 6), loss: 4),
            Wall(Point(0, 0), Point(10, 0), loss: 4), Wall(Point(4, -3), Point(4, 0), loss: 4),
        ],
        passages: [
            Passage(0, 1, Point(1.5, 1.6)), Passage(0, 2, Point(5, 1.6)),
            Passage(0, 3, Point(8, 1.6)), Passage(0, 4, Point(2, 0)), Passage(0, 5, Point(7, 0)),
        ])

    /// Offices along a corridor, between walls that take 12 dB.
    package static let office: FloorPlan = {
        var rooms = [Room(Point(0, 4), Point(16, 6))]
        var zones = [Zone(room: "corridor", 0, spots: [Point(4, 5), Point(12, 5)])]
        var receivers = [Receiver("n-corridor", zone: 0, Point(8, 5.8))]
        var walls = [
            Wall(Point(0, 4), Point(16, 4), loss: 12), Wall(Point(0, 6), Point(16, 6), loss: 12),
        ]
        var passages: [Passage] = []
        for number in 0..<8 {
            let left = 4 * Double(number % 4)
            let (low, door) = number < 4 ? (0.0, 4.0) : (6.0, 6.0)
            rooms.append(Room(Point(left, low), Point(left + 4, low + 4)))
            zones.append(
                Zone(
                    room: "r\(number + 1)", number + 1,
                    spots: [Point(left + 1, low + 1.2), Point(left + 2.8, low + 2.6)]))
            receivers.append(
                Receiver("n\(number + 1)", zone: number + 1, Point(left + 3.6, low + 0.5)))
            passages.append(Passage(0, number + 1, Point(left + 2, door)))
            if number % 4 > 0 {
                walls.append(Wall(Point(left, low), Point(left, low + 4), loss: 12))
            }
        }
        return FloorPlan(
            name: "office", title: "Eight offices of 4 by 4 m along a corridor, walls of 12 dB",
            rooms: rooms, zones: zones, receivers: receivers, walls: walls, passages: passages)
    }()
}

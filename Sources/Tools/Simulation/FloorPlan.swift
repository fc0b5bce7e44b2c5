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

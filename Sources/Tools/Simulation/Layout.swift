import Positioning
import SiteModel

/// A site as the simulator sees it: where rooms, stations and nodes are, in metres.
///
/// References between the lists are indices. Rooms share no area; people move between them
/// through their doors.
package struct Layout: Equatable, Sendable {
    /// A point on the floor.
    package struct Point: Equatable, Sendable {
        /// Metres to the right of the site's origin.
        package var x: Double
        /// Metres up from the site's origin.
        package var y: Double

        /// A point, in metres from the site's origin.
        package init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }

        /// The distance to another point in metres.
        package func distance(to other: Point) -> Double {
            let (dx, dy) = (x - other.x, y - other.y)
            return (dx * dx + dy * dy).squareRoot()
        }
    }

    /// A rectangular room.
    package struct Room: Equatable, Sendable {
        /// The slug, as on topics.
        package var slug: String
        /// What people call it.
        package var name: String
        /// The lower left corner.
        package var low: Point
        /// The upper right corner.
        package var high: Point
        /// The point everybody passes on the way in or out.
        package var door: Point
        /// About where people stand who do not train; away from the stations.
        package var rest: Point

        package init(
            slug: String, name: String, low: Point, high: Point, door: Point, rest: Point
        ) {
            self.slug = slug
            self.name = name
            self.low = low
            self.high = high
            self.door = door
            self.rest = rest
        }
    }

    /// A place to train at.
    package struct Station: Equatable, Sendable {
        /// The slug, as on topics.
        package var slug: String
        /// What people call it.
        package var name: String
        /// The room, an index into `rooms`.
        package var room: Int
        /// Where it stands.
        package var position: Point
        /// People who can use it at once, from 1.
        package var slots: Int

        package init(slug: String, name: String, room: Int, position: Point, slots: Int = 1) {
            self.slug = slug
            self.name = name
            self.room = room
            self.position = position
            self.slots = slots
        }
    }

    /// A scanner.
    package struct Node: Equatable, Sendable {
        /// The slug, as on topics.
        package var slug: String
        /// What people call it.
        package var name: String
        /// The room, an index into `rooms`.
        package var room: Int
        /// The station it hangs at, an index into `stations`; `nil` when it stands for the room.
        package var station: Int?
        /// Where it hangs.
        package var position: Point

        package init(slug: String, name: String, room: Int, station: Int?, position: Point) {
            self.slug = slug
            self.name = name
            self.room = room
            self.station = station
            self.position = position
        }
    }

    /// The site's slug.
    package var slug: String
    /// What people call the site.
    package var name: String
    /// IANA time zone.
    package var timeZone: String
    /// What local time is ahead of UTC in winter. People keep to it all year: opening hours
    /// that shift by an hour in summer do not matter here, a table of rules would.
    package var ahead: Timestamp.Span
    /// Where people come in and go out; lies in a room.
    package var entrance: Point
    package var rooms: [Room]
    package var stations: [Station]
    /// The scanners.
    package var nodes: [Node]

    /// A site. Every index must exist; there must be a room.
    package init(
        slug: String, name: String, timeZone: String, ahead: Timestamp.Span, entrance: Point,
        rooms: [Room], stations: [Station], nodes: [Node]
    ) {
        precondition(!rooms.isEmpty, "a site has a room")
        precondition(stations.allSatisfy { rooms.indices.contains($0.room) }, "unknown room")
        precondition(nodes.allSatisfy { rooms.indices.contains($0.room) }, "unknown room")
        precondition(
            nodes.allSatisfy { $0.station.map(stations.indices.contains) ?? true },
            "unknown station")
        self.slug = slug
        self.name = name
        self.timeZone = timeZone
        self.ahead = ahead
        self.entrance = entrance
        self.rooms = rooms
        self.stations = stations
        self.nodes = nodes
    }

    /// The index of the room a point lies in; of the nearest one if it lies in none.
    package func room(at point: Point) -> Int {
        var best = (room: 0, distance: Double.infinity)
        for (index, room) in rooms.enumerated() {
            let nearest = Point(
                min(max(point.x, room.low.x), room.high.x),
                min(max(point.y, room.low.y), room.high.y))
            let distance = point.distance(to: nearest)
            if distance < best.distance { best = (index, distance) }
        }
        return best.room
    }

    /// How many room boundaries lie on the straight line between two points.
    func boundaries(from start: Point, to end: Point) -> Int {
        var crossed = 0
        for room in rooms where room.contains(partOf: start, end) { crossed += 1 }
        return max(crossed - 1, 0)
    }
}

extension Layout.Room {
    /// Whether a stretch of the line from `start` to `end` lies inside, by Liang and Barsky.
    package func contains(partOf start: Layout.Point, _ end: Layout.Point) -> Bool {
        var (enter, leave) = (0.0, 1.0)
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let edges = (
            (-dx, start.x - low.x), (dx, high.x - start.x),
            (-dy, start.y - low.y), (dy, high.y - start.y)
        )
        func clip(_ edge: (slope: Double, room: Double)) -> Bool {
            if edge.slope == 0 { return edge.room >= 0 }
            let at = edge.room / edge.slope
            if edge.slope < 0 { enter = max(enter, at) } else { leave = min(leave, at) }
            return enter < leave
        }
        return clip(edges.0) && clip(edges.1) && clip(edges.2) && clip(edges.3)
    }
}

extension Layout {
    /// The demonstration gym: three rooms in a row, eight stations at least four metres apart, a
    /// node at each of them and one in each room.
    package static let gym = Layout(
        slug: "demo-gym", name: "Demo Gym", timeZone: "Europe/Berlin", ahead: .seconds(3600),
        entrance: Point(18, 0.5),
        rooms: [
            Room(
                slug: "cardio", name: "Cardio", low: Point(0, 0), high: Point(12, 12),
                door: Point(11.8, 3), rest: Point(9, 2.5)),
            Room(
                slug: "free-weights", name: "Free Weights", low: Point(12, 0), high: Point(24, 12),
                door: Point(18, 2), rest: Point(18, 3)),
            Room(
                slug: "studio", name: "Studio", low: Point(24, 0), high: Point(36, 12),
                door: Point(24.2, 3), rest: Point(27.5, 2.5)),
        ],
        stations: [
            Station(slug: "treadmill", name: "Treadmill", room: 0, position: Point(2, 4)),
            Station(slug: "rower", name: "Rowing Machine", room: 0, position: Point(3, 10)),
            Station(slug: "bike", name: "Exercise Bike", room: 0, position: Point(9.5, 9.5)),
            Station(slug: "bench-press", name: "Bench Press", room: 1, position: Point(14, 8)),
            Station(slug: "squat-rack", name: "Squat Rack", room: 1, position: Point(18, 10.5)),
            Station(
                slug: "dumbbells", name: "Dumbbells", room: 1, position: Point(22, 8), slots: 2),
            Station(slug: "mats", name: "Mats", room: 2, position: Point(28, 9.5), slots: 2),
            Station(slug: "cable-tower", name: "Cable Tower", room: 2, position: Point(33.5, 6)),
        ],
        nodes: [
            .at("treadmill", 0, in: 0, Point(2, 4)), .at("rower", 1, in: 0, Point(3, 10)),
            .at("bike", 2, in: 0, Point(9.5, 9.5)), .at("bench-press", 3, in: 1, Point(14, 8)),
            .at("squat-rack", 4, in: 1, Point(18, 10.5)),
            .at("dumbbells", 5, in: 1, Point(22, 8)), .at("mats", 6, in: 2, Point(28, 9.5)),
            .at("cable-tower", 7, in: 2, Point(33.5, 6)),
            Node(
                slug: "n-cardio", name: "Node Cardio", room: 0, station: nil,
                position: Point(9, 1.5)),
            Node(
                slug: "n-entrance", name: "Node Entrance", room: 1, station: nil,
                position: Point(18, 2)),
            Node(
                slug: "n-studio", name: "Node Studio", room: 2, station: nil,
                position: Point(27.5, 1.5)),
        ])

    /// The least site that has everything: two rooms, a station in each, a node at each station
    /// and in each room.
    package static let small = Layout(
        slug: "small", name: "Small Site", timeZone: "Europe/Berlin", ahead: .seconds(3600),
        entrance: Point(8, 0.5),
        rooms: [
            Room(
                slug: "hall", name: "Hall", low: Point(0, 0), high: Point(9, 9),
                door: Point(8.8, 2), rest: Point(7, 2.5)),
            Room(
                slug: "annex", name: "Annex", low: Point(9, 0), high: Point(18, 9),
                door: Point(9.2, 2), rest: Point(11, 2.5)),
        ],
        stations: [
            Station(slug: "press", name: "Press", room: 0, position: Point(2, 7)),
            Station(slug: "row", name: "Row", room: 1, position: Point(16, 7), slots: 2),
        ],
        nodes: [
            .at("press", 0, in: 0, Point(2, 7)), .at("row", 1, in: 1, Point(16, 7)),
            Node(
                slug: "n-hall", name: "Node Hall", room: 0, station: nil, position: Point(7, 1.5)),
            Node(
                slug: "n-annex", name: "Node Annex", room: 1, station: nil,
                position: Point(11, 1.5)),
        ])
}

extension Layout.Node {
    /// The node of a station, hung half a metre beside it.
    fileprivate static func at(
        _ slug: String, _ station: Int, in room: Int, _ position: Layout.Point
    ) -> Self {
        Self(
            slug: "n-\(slug)", name: "Node \(slug)", room: room, station: station,
            position: Layout.Point(position.x + 0.5, position.y))
    }
}

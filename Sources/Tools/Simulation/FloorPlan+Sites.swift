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

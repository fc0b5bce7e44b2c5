import Positioning
import SiteModel

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

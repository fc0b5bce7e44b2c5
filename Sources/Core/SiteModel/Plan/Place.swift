/// Where somebody or something can be: at a station, or in a room but at none of its stations.
public struct Place: Hashable, Comparable, Sendable, Codable {
    /// The room.
    public var room: RoomID
    /// The station, or `nil` for the rest of the room.
    public var station: StationID?

    /// A place.
    public init(room: RoomID, station: StationID?) {
        self.room = room
        self.station = station
    }

    /// By room, the rest of the room before its stations.
    public static func < (a: Place, b: Place) -> Bool {
        (a.room.row, a.station?.row ?? 0) < (b.room.row, b.station?.row ?? 0)
    }
}

/// A point in metres from the site's origin.
public struct Position: Hashable, Sendable, Codable {
    /// To the right.
    public var x: Double
    /// Up on the floor plan.
    public var y: Double

    /// A point on the floor.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A rectangle of floor.
public struct Area: Hashable, Sendable, Codable {
    /// The corner nearest to the site's origin.
    public var low: Position
    /// The opposite corner.
    public var high: Position

    /// The floor between two corners.
    public init(low: Position, high: Position) {
        self.low = low
        self.high = high
    }
}

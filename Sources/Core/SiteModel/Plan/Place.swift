/// Where somebody or something can be: at a station, or in a room but at none of its stations.
package struct Place: Hashable, Comparable, Sendable, Codable {
    package var room: RoomID
    /// The station, or `nil` for the rest of the room.
    package var station: StationID?

    package init(room: RoomID, station: StationID?) {
        self.room = room
        self.station = station
    }

    /// By room, the rest of the room before its stations.
    package static func < (a: Place, b: Place) -> Bool {
        (a.room.row, a.station?.row ?? 0) < (b.room.row, b.station?.row ?? 0)
    }
}

/// A point in metres from the site's origin.
package struct Position: Hashable, Sendable, Codable {
    /// To the right.
    package var x: Double
    /// Up on the floor plan.
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A rectangle of floor.
package struct Area: Hashable, Sendable, Codable {
    /// The corner nearest to the site's origin.
    package var low: Position
    /// The opposite corner.
    package var high: Position

    package init(low: Position, high: Position) {
        self.low = low
        self.high = high
    }
}

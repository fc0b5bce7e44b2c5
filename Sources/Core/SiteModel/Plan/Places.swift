/// A room of a site.
package struct Room: Hashable, Sendable, Codable {
    package var id: RoomID
    /// The floor it covers, if that was measured.
    package var area: Area?

    package init(id: RoomID, area: Area? = nil) {
        self.id = id
        self.area = area
    }
}

/// A place in a room where one or more people train.
package struct Station: Hashable, Sendable, Codable {
    package var id: StationID
    /// The room it stands in.
    package var room: RoomID
    /// How many people can use it at once, from 1.
    package var slots: Int
    /// Where it stands, if that was measured.
    package var position: Position?

    package init(id: StationID, room: RoomID, slots: Int, position: Position? = nil) {
        self.id = id
        self.room = room
        self.slots = slots
        self.position = position
    }
}

/// A scanner. A fixed one stands for a place and hears who comes by; a mobile one is carried by a
/// user and hears the beacons that are fixed at places.
package struct Node: Hashable, Sendable, Codable {
    package var id: NodeID
    /// The room it hangs in. Of a mobile node the room it is kept in, which decides nothing.
    package var room: RoomID
    /// The station it hangs at, or `nil` if it stands for the rest of the room.
    package var station: StationID?
    /// Who carries it, or `nil` for a fixed node.
    package var carrier: UserID?
    /// Where it hangs, if that was measured.
    package var position: Position?

    /// A node; with a carrier a mobile one.
    package init(
        id: NodeID, room: RoomID, station: StationID?, carrier: UserID? = nil,
        position: Position? = nil
    ) {
        self.id = id
        self.room = room
        self.station = station
        self.carrier = carrier
        self.position = position
    }

    /// The place it stands for.
    package var place: Place { Place(room: room, station: station) }

    /// Whether somebody carries it.
    package var isMobile: Bool { carrier != nil }

    /// Under which number its listening and what it hears are kept in coverage and ledgers: its
    /// room. A mobile node has a number of its own, below zero, wherever it is: only the listening
    /// of that very node tells whether its user was silent, so that a phone with an empty battery
    /// checks nobody out, and one that hears no beacon of the site any more does.
    package var ear: RoomID { isMobile ? RoomID(-id.row) : room }
}

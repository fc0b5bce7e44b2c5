/// A room of a site.
public struct Room: Hashable, Sendable, Codable {
    /// Its row.
    public var id: RoomID

    /// A room.
    public init(id: RoomID) { self.id = id }
}

/// A place in a room where one or more people train.
public struct Station: Hashable, Sendable, Codable {
    /// Its row.
    public var id: StationID
    /// The room it stands in.
    public var room: RoomID
    /// How many people can use it at once, from 1.
    public var slots: Int

    /// A station.
    public init(id: StationID, room: RoomID, slots: Int) {
        self.id = id
        self.room = room
        self.slots = slots
    }
}

/// A scanner and the place whose level it stands for.
public struct Node: Hashable, Sendable, Codable {
    /// Its row.
    public var id: NodeID
    /// The room it hangs in.
    public var room: RoomID
    /// The station it hangs at, or `nil` if it stands for the rest of the room.
    public var station: StationID?

    /// A node.
    public init(id: NodeID, room: RoomID, station: StationID?) {
        self.id = id
        self.room = room
        self.station = station
    }
}

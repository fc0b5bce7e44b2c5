/// An interval a user was at a room or station. `to` is `nil` while it is open.
public struct Stay: Equatable, Sendable, Codable {
    /// Where.
    public enum Place: Hashable, Sendable, Codable {
        /// In a room.
        case room(RoomID)
        /// At a station.
        case station(StationID)
    }

    /// Its row.
    public var id: Int64
    /// Whose.
    public var user: UserID
    /// Where.
    public var place: Place
    /// First heard there.
    public var from: Timestamp
    /// Last heard there, or `nil` while open.
    public var to: Timestamp?

    /// A stay.
    public init(id: Int64, user: UserID, place: Place, from: Timestamp, to: Timestamp?) {
        self.id = id
        self.user = user
        self.place = place
        self.from = from
        self.to = to
    }
}

extension Stay {
    /// Whether it is a stay in a room, not at a station.
    public var isRoom: Bool {
        switch place {
        case .room: true
        case .station: false
        }
    }
}

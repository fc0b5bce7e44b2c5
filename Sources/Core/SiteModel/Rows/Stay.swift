/// An interval a user was at a room or station. `to` is `nil` while it is open.
package struct Stay: Equatable, Sendable, Codable {
    package enum Place: Hashable, Sendable, Codable {
        case room(RoomID)
        case station(StationID)
    }

    /// Its row.
    package var id: Int64
    package var user: UserID
    package var place: Place
    /// First heard there.
    package var from: Timestamp
    /// Last heard there, or `nil` while open.
    package var to: Timestamp?

    package init(id: Int64, user: UserID, place: Place, from: Timestamp, to: Timestamp?) {
        self.id = id
        self.user = user
        self.place = place
        self.from = from
        self.to = to
    }
}

extension Stay {
    /// Whether it is a stay in a room, not at a station.
    package var isRoom: Bool {
        switch place {
        case .room: true
        case .station: false
        }
    }
}

/// Whether a station can be used.
package struct StationState: Equatable, Sendable, Codable {
    /// What a station can be.
    package enum State: String, Sendable, Codable {
        case free
        case occupied
        /// More people dwell there than it has slots.
        case conflict
        /// No node could hear.
        case unknown
    }

    package var station: StationID
    package var state: State
    /// Who dwells there or has claimed a slot, sorted.
    package var users: [UserID]
    package var since: Timestamp

    package init(station: StationID, state: State, users: [UserID], since: Timestamp) {
        self.station = station
        self.state = state
        self.users = users
        self.since = since
    }
}

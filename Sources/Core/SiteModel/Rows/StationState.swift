/// Whether a station can be used.
public struct StationState: Equatable, Sendable, Codable {
    /// What a station can be.
    public enum State: String, Sendable, Codable {
        case free
        case occupied
        /// More people dwell there than it has slots.
        case conflict
        /// No node could hear.
        case unknown
    }

    /// Which.
    public var station: StationID
    /// Its state.
    public var state: State
    /// Who dwells there or has claimed a slot, sorted.
    public var users: [UserID]
    /// Since when.
    public var since: Timestamp

    /// A station's state.
    public init(station: StationID, state: State, users: [UserID], since: Timestamp) {
        self.station = station
        self.state = state
        self.users = users
        self.since = since
    }
}

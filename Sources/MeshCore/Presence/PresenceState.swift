/// Where a user is, at three levels.
public struct PresenceState: Equatable, Sendable, Codable {
    /// The site level, and with it the whole answer.
    public enum State: String, Sendable, Codable {
        case unknown
        case notPresent = "not_present"
        case entering
        case present
        case leaving
    }

    /// Who.
    public var user: UserID
    /// At the site or not.
    public var state: State
    /// The room, if one is decided.
    public var room: RoomID?
    /// The station, if one is decided.
    public var station: StationID?
    /// The probability of the place named, 0 ... 1.
    public var confidence: Double
    /// Since when this state and place hold.
    public var since: Timestamp
    /// When the user was last heard, or `nil` if never.
    public var heard: Timestamp?

    /// A user's whereabouts.
    public init(
        user: UserID, state: State, room: RoomID?, station: StationID?, confidence: Double,
        since: Timestamp, heard: Timestamp?
    ) {
        self.user = user
        self.state = state
        self.room = room
        self.station = station
        self.confidence = confidence
        self.since = since
        self.heard = heard
    }
}

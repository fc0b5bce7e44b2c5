/// Where a user is, at three levels.
package struct PresenceState: Equatable, Sendable, Codable {
    /// The site level, and with it the whole answer.
    package enum State: String, Sendable, Codable {
        case unknown
        case notPresent = "not_present"
        case entering
        case present
        case leaving
    }

    package var user: UserID
    /// At the site or not.
    package var state: State
    /// The room, if one is decided.
    package var room: RoomID?
    /// The station, if one is decided.
    package var station: StationID?
    /// The probability of the place named, 0 ... 1.
    package var confidence: Double
    /// Since when this state and place hold.
    package var since: Timestamp
    /// When the user was last heard, or `nil` if never.
    package var heard: Timestamp?
    /// The place the locator decided for, before any machine believes it; `nil` if nobody hears the
    /// user. Doubt lowers the probability and does not take the place away.
    package var place: Place?
    /// The probability of that place, 0 ... 1.
    package var probability: Double
    /// Whether machines act on it: it was heard just now, and with at least `Fix.confirmed`.
    package var isConfirmed: Bool

    package init(
        user: UserID, state: State, room: RoomID?, station: StationID?, confidence: Double,
        since: Timestamp, heard: Timestamp?, place: Place? = nil, probability: Double = 0,
        isConfirmed: Bool = false
    ) {
        self.user = user
        self.state = state
        self.room = room
        self.station = station
        self.confidence = confidence
        self.since = since
        self.heard = heard
        self.place = place
        self.probability = probability
        self.isConfirmed = isConfirmed
    }

    /// Takes over what the locator decided in the second that ended at `now`.
    package mutating func take(_ fix: Fix?, at now: Timestamp) {
        place = fix?.place
        isConfirmed = fix?.fresh(at: now).map { $0.probability >= Fix.confirmed } ?? false
        let rounded = ((fix?.probability ?? 0) * 100).rounded() / 100
        // Nobody is to read 0.90 beside “not confirmed” where it was 0.896.
        let isRaised = rounded >= Fix.confirmed && (fix?.probability ?? 0) < Fix.confirmed
        probability = isRaised ? 0.89 : rounded
    }
}

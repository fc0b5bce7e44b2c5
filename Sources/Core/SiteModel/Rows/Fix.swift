/// The decided place of a user with its probability.
package struct Fix: Equatable, Sendable {
    /// Where: the last place that won the margin.
    package var place: Place
    /// The probability of its room, 0 ... 0.98.
    package var roomProbability: Double
    /// The probability of the station or of the rest of the room, 0 ... 0.98.
    package var probability: Double
    /// The level of the place's loudest ear, or of the loudest of all where it has none.
    package var level: RSSI
    /// When the user was last heard.
    package var heard: Timestamp
    /// Whether somebody stood at the place to teach it, so that its level need not be judged.
    package var isTaught = false
    /// For how long after `heard` this is evidence: longer where nodes report seldom.
    package var life = Self.life
    /// Why the place is another one than a second ago, or `nil` if it is the same.
    package var change: Reasons?

    package init(
        place: Place, roomProbability: Double, probability: Double, level: RSSI, heard: Timestamp,
        isTaught: Bool = false, life: Timestamp.Span = Self.life, change: Reasons? = nil
    ) {
        self.place = place
        self.roomProbability = roomProbability
        self.probability = probability
        self.level = level
        self.heard = heard
        self.isTaught = isTaught
        self.life = life
        self.change = change
    }

    /// The decided room.
    package var room: RoomID { place.room }
    /// The decided station, or `nil` if the user is elsewhere in the room.
    package var station: StationID? { place.station }

    /// From this probability on, machines may act on a place.
    package static let confirmed = 0.9
    /// What was heard longer ago than this says where somebody was, not where they are.
    package static let life = Timestamp.Span.seconds(3)

    /// The fix if it is evidence at `now`.
    package func fresh(at now: Timestamp) -> Fix? { now - heard <= life ? self : nil }
}

/// The decided place of a user with its probability.
public struct Fix: Equatable, Sendable {
    /// Where: the last place that won the margin.
    public var place: Place
    /// The probability of its room, 0 ... 0.98.
    public var roomProbability: Double
    /// The probability of the station or of the rest of the room, 0 ... 0.98.
    public var probability: Double
    /// The level of the place's loudest ear, or of the loudest of all where it has none.
    public var level: RSSI
    /// When the user was last heard.
    public var heard: Timestamp
    /// Whether somebody stood at the place to teach it, so that its level need not be judged.
    public var isTaught = false
    /// For how long after `heard` this is evidence: longer where nodes report seldom.
    public var life = Self.life
    /// Why the place is another one than a second ago, or `nil` if it is the same.
    public var change: Reasons?

    /// The decided room.
    public var room: RoomID { place.room }
    /// The decided station, or `nil` if the user is elsewhere in the room.
    public var station: StationID? { place.station }

    /// From this probability on, machines may act on a place.
    public static let confirmed = 0.9
    /// What was heard longer ago than this says where somebody was, not where they are.
    public static let life = Timestamp.Span.seconds(3)

    /// The fix if it is evidence at `now`.
    func fresh(at now: Timestamp) -> Fix? { now - heard <= life ? self : nil }
}

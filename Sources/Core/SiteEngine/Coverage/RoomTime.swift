/// Seconds that belong to a room: listened to there, or heard there.
public struct RoomTime: Equatable, Sendable, Codable {
    /// The room.
    public var room: RoomID
    /// The whole seconds.
    public var seconds: IntervalSet

    /// A room's seconds.
    public init(room: RoomID, seconds: IntervalSet) {
        self.room = room
        self.seconds = seconds
    }
}

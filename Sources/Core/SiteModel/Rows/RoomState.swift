/// How many people are in a room.
public struct RoomState: Equatable, Sendable, Codable {
    /// Which.
    public var room: RoomID
    /// People there now, or `nil` when no node of the room listens.
    public var count: Int?
    /// Since when.
    public var since: Timestamp

    /// A room's state.
    public init(room: RoomID, count: Int?, since: Timestamp) {
        self.room = room
        self.count = count
        self.since = since
    }
}

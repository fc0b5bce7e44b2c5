/// How many people are in a room.
package struct RoomState: Equatable, Sendable, Codable {
    package var room: RoomID
    /// People there now, or `nil` when no node of the room listens.
    package var count: Int?
    package var since: Timestamp

    package init(room: RoomID, count: Int?, since: Timestamp) {
        self.room = room
        self.count = count
        self.since = since
    }
}

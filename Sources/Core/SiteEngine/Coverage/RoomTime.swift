import SiteModel

/// Seconds that belong to a room: listened to there, or heard there.
package struct RoomTime: Equatable, Sendable, Codable {
    package var room: RoomID
    /// The whole seconds.
    package var seconds: IntervalSet

    package init(room: RoomID, seconds: IntervalSet) {
        self.room = room
        self.seconds = seconds
    }
}

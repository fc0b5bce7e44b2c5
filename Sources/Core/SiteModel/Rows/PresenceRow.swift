/// The presence machines of one user.
package struct PresenceRow: Equatable, Sendable, Codable {
    package var user: UserID
    /// The room machine.
    package var room: LevelState<RoomID>
    /// The station machine.
    package var station: LevelState<StationID>

    package init(user: UserID, room: LevelState<RoomID>, station: LevelState<StationID>) {
        self.user = user
        self.room = room
        self.station = station
    }
}

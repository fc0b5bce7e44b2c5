/// The presence machines of one user.
public struct PresenceRow: Equatable, Sendable, Codable {
    /// Whose.
    public var user: UserID
    /// The room machine.
    public var room: LevelState<RoomID>
    /// The station machine.
    public var station: LevelState<StationID>

    /// A user's machines.
    public init(user: UserID, room: LevelState<RoomID>, station: LevelState<StationID>) {
        self.user = user
        self.room = room
        self.station = station
    }
}

/// One user's use of one slot of a station. `to` is `nil` while it is open.
public struct Claim: Equatable, Sendable, Codable {
    /// Its row.
    public var id: Int64
    /// The station.
    public var station: StationID
    /// The slot, from 1.
    public var slot: Int
    /// Who uses it.
    public var user: UserID
    /// The workout it belongs to.
    public var workout: Int64
    /// Since when.
    public var from: Timestamp
    /// Until when, or `nil` while open.
    public var to: Timestamp?

    /// A claim.
    public init(
        id: Int64, station: StationID, slot: Int, user: UserID, workout: Int64, from: Timestamp,
        to: Timestamp?
    ) {
        self.id = id
        self.station = station
        self.slot = slot
        self.user = user
        self.workout = workout
        self.from = from
        self.to = to
    }
}

/// One user's use of one slot of a station. `to` is `nil` while it is open.
package struct Claim: Equatable, Sendable, Codable {
    /// Its row.
    package var id: Int64
    package var station: StationID
    /// The slot, from 1.
    package var slot: Int
    /// Who uses it.
    package var user: UserID
    /// The workout it belongs to.
    package var workout: Int64
    /// Since when.
    package var from: Timestamp
    /// Until when, or `nil` while open.
    package var to: Timestamp?

    package init(
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

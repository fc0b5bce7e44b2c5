/// A training of one user, with its pauses. Duration = end − start − pauses.
package struct Workout: Equatable, Sendable, Codable {
    /// Where a workout stands.
    package enum State: String, Sendable, Codable {
        /// Under way.
        case active
        /// Interrupted; the last pause is open.
        case paused
        /// Ended by its user.
        case completed
    }

    /// Its row.
    package var id: Int64
    package var user: UserID
    /// The station it was started at, if any.
    package var station: StationID?
    /// Where it stands.
    package var state: State
    /// When it started.
    package var from: Timestamp
    /// When it ended, or `nil` while open.
    package var to: Timestamp?
    /// Closed pauses, oldest first.
    package var pauses: [Interval]
    /// Since when it is paused; only in state `paused`.
    package var pausedSince: Timestamp?

    package init(
        id: Int64, user: UserID, station: StationID?, state: State, from: Timestamp,
        to: Timestamp?, pauses: [Interval], pausedSince: Timestamp?
    ) {
        self.id = id
        self.user = user
        self.station = station
        self.state = state
        self.from = from
        self.to = to
        self.pauses = pauses
        self.pausedSince = pausedSince
    }

    /// The sum of all closed pauses.
    package var paused: Timestamp.Span {
        .milliseconds(pauses.reduce(0) { $0 + $1.length.milliseconds })
    }
}

/// A training of one user, with its pauses. Duration = end − start − pauses.
public struct Workout: Equatable, Sendable, Codable {
    /// Where a workout stands.
    public enum State: String, Sendable, Codable {
        /// Under way.
        case active
        /// Interrupted; the last pause is open.
        case paused
        /// Ended by its user.
        case completed
    }

    /// Its row.
    public var id: Int64
    /// Whose.
    public var user: UserID
    /// The station it was started at, if any.
    public var station: StationID?
    /// Where it stands.
    public var state: State
    /// When it started.
    public var from: Timestamp
    /// When it ended, or `nil` while open.
    public var to: Timestamp?
    /// Closed pauses, oldest first.
    public var pauses: [Interval]
    /// Since when it is paused; only in state `paused`.
    public var pausedSince: Timestamp?

    /// A workout.
    public init(
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
    public var paused: Timestamp.Span {
        .milliseconds(pauses.reduce(0) { $0 + $1.length.milliseconds })
    }
}

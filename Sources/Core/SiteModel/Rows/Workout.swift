/// A training of one user, with its pauses. Duration = end − start − pauses.
package struct Workout: Equatable, Sendable, Codable {
    /// Where a workout stands.
    package enum State: String, Sendable, Codable, CaseIterable {
        /// Under way.
        case active
        /// Interrupted; the last pause is open.
        case paused
        /// Ended by its user.
        case completed
        /// Ended by its user as one that was none: it is kept, and counts nowhere.
        case cancelled
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

/// An interval a user was at a room or station. `to` is `nil` while it is open.
package struct Stay: Equatable, Sendable, Codable {
    package enum Place: Hashable, Sendable, Codable {
        case room(RoomID)
        case station(StationID)
    }

    /// Its row.
    package var id: Int64
    package var user: UserID
    package var place: Place
    /// First heard there.
    package var from: Timestamp
    /// Last heard there, or `nil` while open.
    package var to: Timestamp?

    package init(id: Int64, user: UserID, place: Place, from: Timestamp, to: Timestamp?) {
        self.id = id
        self.user = user
        self.place = place
        self.from = from
        self.to = to
    }
}

extension Stay {
    /// Whether it is a stay in a room, not at a station.
    package var isRoom: Bool {
        switch place {
        case .room: true
        case .station: false
        }
    }
}

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
        /// Forgotten by its user, and ended at the last evidence of it.
        case abandoned
    }

    /// What began it.
    package enum Cause: String, Sendable, Codable, CaseIterable {
        /// Somebody asked for it.
        case request
        /// The user was at a station.
        case presence
        /// Its user logged it when it was over.
        case stated
    }

    /// An interruption that is over.
    package struct Pause: Equatable, Sendable, Codable {
        /// What it rests on.
        package enum Cause: String, Sendable, Codable, CaseIterable {
            /// Somebody asked for it.
            case manual
            /// The user was away from every station.
            case left
            /// The workout had ended, and went on later.
            case reopened
        }

        package var from: Timestamp
        package var to: Timestamp
        package var cause: Cause

        package init(from: Timestamp, to: Timestamp, cause: Cause = .manual) {
            self.from = from
            self.to = to
            self.cause = cause
        }

        /// Also one that was stored before pauses had a cause.
        package init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            from = try values.decode(Timestamp.self, forKey: .from)
            to = try values.decode(Timestamp.self, forKey: .to)
            cause = try values.decodeIfPresent(Cause.self, forKey: .cause) ?? .manual
        }

        package var length: Timestamp.Span { to - from }
    }

    /// Its row.
    package var id: Int64
    package var user: UserID
    /// The station it was started at, if any.
    package var station: StationID?
    /// Where it stands.
    package var state: State
    package var cause: Cause
    /// When it started.
    package var from: Timestamp
    /// When it ended, or `nil` while open.
    package var to: Timestamp?
    /// Closed pauses, oldest first.
    package var pauses: [Pause]
    /// Since when it is paused; only in state `paused`.
    package var pausedSince: Timestamp?
    /// What the open pause rests on; only in state `paused`.
    package var pausedCause: Pause.Cause?
    /// From 1, one more with each change of it, of its sets and of its stations.
    package var revision: Int64

    package init(
        id: Int64, user: UserID, station: StationID?, state: State, cause: Cause = .request,
        from: Timestamp, to: Timestamp?, pauses: [Pause], pausedSince: Timestamp?,
        pausedCause: Pause.Cause? = nil, revision: Int64 = 1
    ) {
        self.id = id
        self.user = user
        self.station = station
        self.state = state
        self.cause = cause
        self.from = from
        self.to = to
        self.pauses = pauses
        self.pausedSince = pausedSince
        self.pausedCause = pausedSince == nil ? nil : pausedCause ?? .manual
        self.revision = revision
    }

    /// Also one that was stored before causes and revisions were part of it.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.decode(Int64.self, forKey: .id),
            user: try values.decode(UserID.self, forKey: .user),
            station: try values.decodeIfPresent(StationID.self, forKey: .station),
            state: try values.decode(State.self, forKey: .state),
            cause: try values.decodeIfPresent(Cause.self, forKey: .cause) ?? .request,
            from: try values.decode(Timestamp.self, forKey: .from),
            to: try values.decodeIfPresent(Timestamp.self, forKey: .to),
            pauses: try values.decode([Pause].self, forKey: .pauses),
            pausedSince: try values.decodeIfPresent(Timestamp.self, forKey: .pausedSince),
            pausedCause: try values.decodeIfPresent(Pause.Cause.self, forKey: .pausedCause),
            revision: try values.decodeIfPresent(Int64.self, forKey: .revision) ?? 1)
    }

    /// The sum of all closed pauses.
    package var paused: Timestamp.Span {
        .milliseconds(pauses.reduce(0) { $0 + $1.length.milliseconds })
    }

    /// So long after its end its sets may be changed, and it may go on.
    package static let grace = Timestamp.Span.seconds(24 * 3600)

    /// Whether it is open, or ended at most `grace` before a moment.
    package func isRecent(at now: Timestamp) -> Bool { to.map { now - $0 <= Self.grace } ?? true }

    /// Rows of workouts, and of sets, that were imported begin after this one, as those of sessions that
    /// corrections state: the machines decided none of them, and hold none.
    package static let firstImported = Session.firstAdded

    /// Whether it is a later one than another of the same user.
    package func isLater(than other: Workout) -> Bool { (from, id) > (other.from, other.id) }
}

extension Workout {
    /// Pauses it; of a paused one only the cause changes.
    package mutating func pause(at now: Timestamp, _ cause: Pause.Cause) {
        state = .paused
        pausedSince = pausedSince ?? now
        pausedCause = cause
    }

    /// Closes the open pause, if there is one, and goes on.
    package mutating func resume(at now: Timestamp) {
        if let since = pausedSince, let cause = pausedCause {
            pauses.append(Pause(from: since, to: now, cause: cause))
        }
        (pausedSince, pausedCause, state) = (nil, nil, .active)
    }

    /// Ends it, and an open pause with it.
    package mutating func end(at now: Timestamp, _ state: State) {
        resume(at: now)
        self.state = state
        to = now
    }
}

/// A time in which nobody new may use a station. `to` is `nil` while it lasts.
package struct Downtime: Equatable, Sendable, Codable {
    /// Its row.
    package var id: Int64
    package var station: StationID
    package var from: Timestamp
    package var to: Timestamp?
    /// Why, in a person's words.
    package var note: String?
    /// Who said so.
    package var by: String

    package init(
        id: Int64, station: StationID, from: Timestamp, to: Timestamp?, note: String?, by: String
    ) {
        self.id = id
        self.station = station
        self.from = from
        self.to = to
        self.note = note
        self.by = by
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

/// Where a user is, at three levels.
package struct PresenceState: Equatable, Sendable, Codable {
    /// The site level, and with it the whole answer.
    package enum State: String, Sendable, Codable {
        case unknown
        case notPresent = "not_present"
        case entering
        case present
        /// Here, and on the way: the held place is not the likeliest any more, or none is held.
        case moving
        case leaving
    }

    package var user: UserID
    /// At the site or not.
    package var state: State
    /// The room: where somebody is present or arriving, where they are moving to, or where they were
    /// before they fell silent.
    package var room: RoomID?
    /// The station, only of who is present, and in `room`.
    package var station: StationID?
    /// The probability of the place named, 0 ... 1; 0 where none is told: without a room, and of who
    /// is leaving.
    package var confidence: Double
    /// Since when this state and place hold.
    package var since: Timestamp
    /// When the user was last heard, or `nil` if never.
    package var heard: Timestamp?
    /// The place the locator decided for, before any machine believes it; `nil` if nobody hears the
    /// user. Doubt lowers the probability and does not take the place away.
    package var place: Place?
    /// The probability of that place, 0 ... 1.
    package var probability: Double
    /// Whether machines act on it: it was heard just now, and with at least `Fix.confirmed`.
    package var isConfirmed: Bool

    package init(
        user: UserID, state: State, room: RoomID?, station: StationID?, confidence: Double,
        since: Timestamp, heard: Timestamp?, place: Place? = nil, probability: Double = 0,
        isConfirmed: Bool = false
    ) {
        self.user = user
        self.state = state
        self.room = room
        self.station = station
        self.confidence = confidence
        self.since = since
        self.heard = heard
        self.place = place
        self.probability = probability
        self.isConfirmed = isConfirmed
    }

    /// Takes over what the locator decided in the second that ended at `now`.
    package mutating func take(_ fix: Fix?, at now: Timestamp) {
        place = fix?.place
        isConfirmed = fix?.fresh(at: now).map { $0.probability >= Fix.confirmed } ?? false
        let rounded = ((fix?.probability ?? 0) * 100).rounded() / 100
        // Nobody is to read 0.90 beside “not confirmed” where it was 0.896.
        let isRaised = rounded >= Fix.confirmed && (fix?.probability ?? 0) < Fix.confirmed
        probability = isRaised ? 0.89 : rounded
    }
}

/// The presence machines of one user.
package struct PresenceRow: Equatable, Sendable, Codable {
    package var user: UserID
    /// The room machine.
    package var room: LevelState<RoomID>
    /// The station machine.
    package var station: LevelState<StationID>
    /// What workouts rest on; `nil` before anybody was at a station, or asked for anything.
    package var watch: StationWatch?

    package init(
        user: UserID, room: LevelState<RoomID>, station: LevelState<StationID>,
        watch: StationWatch? = nil
    ) {
        self.user = user
        self.room = room
        self.station = station
        self.watch = watch
    }
}

/// How long somebody has been at a station without a break, and away from all of them since.
package struct StationWatch: Hashable, Sendable, Codable {
    /// Presence at a station that no listened silence of `Policy.Timing.lost` interrupts.
    package struct Run: Hashable, Sendable, Codable {
        package var station: StationID
        /// First heard there.
        package var since: Timestamp
        /// Last heard there.
        package var heard: Timestamp

        package init(station: StationID, since: Timestamp, heard: Timestamp) {
            self.station = station
            self.since = since
            self.heard = heard
        }

        package var length: Timestamp.Span { heard - since }
    }

    /// The one that goes on.
    package var run: Run?
    /// When they were last heard at any station; `nil` if never.
    package var heard: Timestamp?
    /// Listened seconds since then, or since they last said where they are.
    package var away: Int = 0
    /// When a request for them was last accepted; `nil` if never.
    package var asked: Timestamp?
    /// How far apart the latest receptions of them were, in seconds, where their tag sends so
    /// seldom that it is waited for; `nil` of all others.
    package var gaps: [Int]?

    package init() {}
}

/// Where one presence machine stands. Each case carries only what is true in it.
package enum LevelState<Place: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    /// Nothing is known yet.
    case unknown
    /// Not at any place of this level.
    case notPresent
    /// Evidence for a place, not yet long enough.
    case entering(Place, since: Timestamp, heard: Timestamp, quiet: Int)
    /// At a place. `quiet` is the listened silence since it was last heard there, in seconds;
    /// `rival` is another place that has begun to win.
    case present(Place, since: Timestamp, heard: Timestamp, quiet: Int, rival: Rival<Place>?)
    /// At a place, but silent.
    case leaving(Place, since: Timestamp, heard: Timestamp, quiet: Int)

    /// As the compiler would write it; written out because what it derives is not specialised in other
    /// targets, and every user's two machines are compared each second.
    @inlinable package static func == (a: LevelState, b: LevelState) -> Bool {
        switch a {
        case .unknown:
            if case .unknown = b { true } else { false }
        case .notPresent:
            if case .notPresent = b { true } else { false }
        case .entering(let place, let since, let heard, let quiet):
            if case .entering(place, since, heard, quiet) = b { true } else { false }
        case .present(let place, let since, let heard, let quiet, let rival):
            if case .present(place, since, heard, quiet, rival) = b { true } else { false }
        case .leaving(let place, let since, let heard, let quiet):
            if case .leaving(place, since, heard, quiet) = b { true } else { false }
        }
    }
}

/// A place that has begun to win over the present one.
package struct Rival<Place: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    package var place: Place
    /// The first evidence for it.
    package var since: Timestamp

    package init(place: Place, since: Timestamp) {
        self.place = place
        self.since = since
    }

    @inlinable package static func == (a: Rival, b: Rival) -> Bool {
        a.place == b.place && a.since == b.since
    }
}

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

/// Counts of the whole site.
package struct SiteState: Equatable, Sendable, Codable {
    /// People in open sessions.
    package var present: Int
    package var nodesListening: Int
    /// Open workouts.
    package var workouts: Int
    /// Since when these counts hold.
    package var since: Timestamp
    /// The first second in which anybody ever listened at the site; `nil` before.
    package var listeningSince: Timestamp?

    package init(
        present: Int, nodesListening: Int, workouts: Int, since: Timestamp,
        listeningSince: Timestamp? = nil
    ) {
        self.present = present
        self.nodesListening = nodesListening
        self.workouts = workouts
        self.since = since
        self.listeningSince = listeningSince
    }
}

/// Something decided that is stored before it is told. Always a whole new row, never a change to
/// one: writing it twice does no harm.
public enum Fact: Equatable, Sendable, Codable {
    /// The site's own row: clock, counters, coverage.
    case site(SiteRow)
    /// When a user was heard at the site.
    case ledger(LedgerRow)
    /// Where the presence machines of a user stand.
    case presence(PresenceRow)
    /// An attendance session opened, changed or closed.
    case session(Session)
    /// A stay at a room or station opened or closed.
    case stay(Stay)
    /// A workout, with its pauses.
    case workout(Workout)
    /// A use of a slot of a station.
    case claim(Claim)
    /// A transition, to be told once.
    case event(Event)
    /// What a request was answered.
    case answer(Answer)
}

/// The state of a site that belongs to nobody in particular.
public struct SiteRow: Equatable, Sendable, Codable {
    /// The moment of the newest input whose facts are stored.
    public var clock: Timestamp
    /// The next unused row number of sessions, stays, workouts, claims and events.
    public var next: Int64
    /// When each room was listened to, sorted by room.
    public var coverage: [RoomTime]
    /// How far the clock of each node's process is off, sorted by node.
    public var clocks: [NodeClock]

    /// A site's row.
    public init(clock: Timestamp, next: Int64, coverage: [RoomTime], clocks: [NodeClock]) {
        self.clock = clock
        self.next = next
        self.coverage = coverage
        self.clocks = clocks
    }
}

/// Seconds that belong to a room: listened to there, or heard there.
public struct RoomTime: Equatable, Sendable, Codable {
    /// The room.
    public var room: RoomID
    /// The whole seconds.
    public var seconds: IntervalSet

    /// A room's seconds.
    public init(room: RoomID, seconds: IntervalSet) {
        self.room = room
        self.seconds = seconds
    }
}

/// The estimated offset of one process of a node.
public struct NodeClock: Equatable, Sendable, Codable {
    /// The node.
    public var node: NodeID
    /// Its process.
    public var boot: UInt64
    /// What to add to its times: the smallest difference of arrival and time stamp seen lately.
    public var offset: Timestamp.Span

    /// A node's clock.
    public init(node: NodeID, boot: UInt64, offset: Timestamp.Span) {
        self.node = node
        self.boot = boot
        self.offset = offset
    }
}

/// When a user was heard at the site, within the horizon of 36 hours.
public struct LedgerRow: Equatable, Sendable, Codable {
    /// Whose.
    public var user: UserID
    /// The whole seconds in which a healthy node of each room heard them, gaps up to 10 s filled,
    /// sorted by room. Only rooms that heard them.
    public var heard: [RoomTime]

    /// A user's ledger.
    public init(user: UserID, heard: [RoomTime]) {
        self.user = user
        self.heard = heard
    }
}

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

/// Where one presence machine stands. Each case carries only what is true in it.
public enum LevelState<Place: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
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
}

/// A place that has begun to win over the present one.
public struct Rival<Place: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    /// The place.
    public var place: Place
    /// The first evidence for it.
    public var since: Timestamp

    /// A rival place.
    public init(place: Place, since: Timestamp) {
        self.place = place
        self.since = since
    }
}

/// An interval a user counted as attending the site. `to` is `nil` while it is open.
public struct Session: Equatable, Sendable, Codable {
    /// Its row.
    public var id: Int64
    /// Whose.
    public var user: UserID
    /// The first heard second.
    public var from: Timestamp
    /// The end of the last heard second, or `nil` while open.
    public var to: Timestamp?
    /// Withdrawn: later evidence showed that there was no such session.
    public var isVoid: Bool

    /// A session.
    public init(id: Int64, user: UserID, from: Timestamp, to: Timestamp?, isVoid: Bool = false) {
        self.id = id
        self.user = user
        self.from = from
        self.to = to
        self.isVoid = isVoid
    }
}

/// An interval a user was at a room or station. `to` is `nil` while it is open.
public struct Stay: Equatable, Sendable, Codable {
    /// Where.
    public enum Place: Hashable, Sendable, Codable {
        /// In a room.
        case room(RoomID)
        /// At a station.
        case station(StationID)
    }

    /// Its row.
    public var id: Int64
    /// Whose.
    public var user: UserID
    /// Where.
    public var place: Place
    /// First heard there.
    public var from: Timestamp
    /// Last heard there, or `nil` while open.
    public var to: Timestamp?

    /// A stay.
    public init(id: Int64, user: UserID, place: Place, from: Timestamp, to: Timestamp?) {
        self.id = id
        self.user = user
        self.place = place
        self.from = from
        self.to = to
    }
}

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

/// A transition, told once after it is stored.
public struct Event: Equatable, Sendable, Codable {
    /// What happened.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        case checkedIn = "attendance.checked-in"
        case checkedOut = "attendance.checked-out"
        case corrected = "attendance.corrected"
        case entered = "presence.entered"
        case left = "presence.left"
        case started = "workout.started"
        case paused = "workout.paused"
        case resumed = "workout.resumed"
        case completed = "workout.completed"
    }

    /// Its row; with the site it makes the event's id.
    public var id: Int64
    /// What happened.
    public var kind: Kind
    /// When it happened, which is not when it was noticed.
    public var at: Timestamp
    /// To whom.
    public var user: UserID
    /// Where, if at a place.
    public var place: Stay.Place?
    /// The session, stay or workout it is about.
    public var subject: Int64

    /// A transition.
    public init(
        id: Int64, kind: Kind, at: Timestamp, user: UserID, place: Stay.Place?, subject: Int64
    ) {
        self.id = id
        self.kind = kind
        self.at = at
        self.user = user
        self.place = place
        self.subject = subject
    }
}

/// Something somebody asks of the machines. Asked again with the same id, it is answered alike.
public struct Request: Equatable, Sendable, Codable {
    /// What is asked.
    public enum Verb: Equatable, Sendable, Codable {
        /// Start a workout, at a station or nowhere in particular.
        case startWorkout(UserID, StationID?)
        /// Interrupt the user's open workout.
        case pauseWorkout(UserID)
        /// Go on with it.
        case resumeWorkout(UserID)
        /// End it.
        case completeWorkout(UserID)
    }

    /// Who asks: the client of the topic.
    public var client: String
    /// The client's own number for this request.
    public var id: String
    /// What is asked.
    public var verb: Verb

    /// A request.
    public init(client: String, id: String, verb: Verb) {
        self.client = client
        self.id = id
        self.verb = verb
    }
}

/// What a request was answered. Kept 24 hours.
public struct Answer: Equatable, Sendable, Codable {
    /// How it went.
    public enum Outcome: Equatable, Sendable, Codable {
        /// Done; the workout as it then stood.
        case workout(Workout)
        /// Refused.
        case refused(Refusal)
    }

    /// Why a request was refused.
    public enum Refusal: String, Error, Sendable, Codable, CaseIterable {
        /// The same id was used before for something else.
        case badRequest = "bad_request"
        /// There is no such open workout.
        case notFound = "not_found"
        /// The workout is not in a state that allows it.
        case badState = "bad_state"
        /// The user has an open workout already.
        case alreadyActive = "already_active"
        /// Every slot of the station is taken.
        case stationInUse = "station_in_use"
        /// The database cannot take more just now.
        case unavailable
    }

    /// The request.
    public var request: Request
    /// When it was answered.
    public var at: Timestamp
    /// How it went.
    public var outcome: Outcome

    /// An answer.
    public init(request: Request, at: Timestamp, outcome: Outcome) {
        self.request = request
        self.at = at
        self.outcome = outcome
    }
}

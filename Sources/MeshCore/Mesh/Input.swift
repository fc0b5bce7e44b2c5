/// What a site's machines are told, always together with the moment it was told.
public enum Input: Equatable, Sendable, Codable {
    /// One second of one node's listening.
    case frame(Frame, from: NodeID)
    /// A node's process came up, or went away.
    case node(NodeID, isOnline: Bool)
    /// Somebody asks for something.
    case request(Request)
    /// A new plan is in force.
    case plan(Plan)
    /// Time passed.
    case tick
}

/// Everything a node heard in one second, also when that is nothing.
public struct Frame: Equatable, Sendable, Codable {
    /// What was heard of one beacon.
    public struct Entry: Equatable, Sendable, Codable {
        /// The registered beacon.
        public var beacon: BeaconID
        /// The median level of the second.
        public var median: RSSI
        /// The number of advertisements.
        public var count: Int
        /// The strongest level of the second.
        public var strongest: RSSI

        /// What was heard of a beacon.
        public init(beacon: BeaconID, median: RSSI, count: Int, strongest: RSSI) {
            self.beacon = beacon
            self.median = median
            self.count = count
            self.strongest = strongest
        }
    }

    /// The node's process, a random number drawn at its start.
    public var boot: UInt64
    /// Counts frames of a boot, from 1.
    public var sequence: Int64
    /// The end of the second, by the node's clock.
    public var at: Timestamp
    /// Registered beacons heard, sorted by beacon.
    public var entries: [Entry]

    /// A frame.
    public init(boot: UInt64, sequence: Int64, at: Timestamp, entries: [Entry]) {
        self.boot = boot
        self.sequence = sequence
        self.at = at
        self.entries = entries
    }
}

/// What the machines decided.
public enum Decision: Equatable, Sendable, Codable {
    /// To be stored, then told.
    case fact(Fact)
    /// To be told at once, and never stored.
    case live(Live)
}

/// The present state of something, told at once. Whole states, never changes.
public enum Live: Equatable, Sendable, Codable {
    /// Where a user is.
    case presence(PresenceState)
    /// How many people are in a room.
    case room(RoomState)
    /// Whether a station can be used.
    case station(StationState)
    /// Whether a node listens.
    case node(NodeState)
    /// Who hears a beacon.
    case beacon(BeaconState)
    /// Counts of the whole site.
    case site(SiteState)
    /// An answer that changes nothing: a request told again, or refused before it was looked at.
    case answer(Answer)
}

/// Where a user is, at three levels.
public struct PresenceState: Equatable, Sendable, Codable {
    /// The site level, and with it the whole answer.
    public enum State: String, Sendable, Codable {
        case unknown
        case notPresent = "not_present"
        case entering
        case present
        case leaving
    }

    /// Who.
    public var user: UserID
    /// At the site or not.
    public var state: State
    /// The room, if one is decided.
    public var room: RoomID?
    /// The station, if one is decided.
    public var station: StationID?
    /// The probability of the place named, 0 ... 1.
    public var confidence: Double
    /// Since when this state and place hold.
    public var since: Timestamp
    /// When the user was last heard, or `nil` if never.
    public var heard: Timestamp?

    /// A user's whereabouts.
    public init(
        user: UserID, state: State, room: RoomID?, station: StationID?, confidence: Double,
        since: Timestamp, heard: Timestamp?
    ) {
        self.user = user
        self.state = state
        self.room = room
        self.station = station
        self.confidence = confidence
        self.since = since
        self.heard = heard
    }
}

/// How many people are in a room.
public struct RoomState: Equatable, Sendable, Codable {
    /// Which.
    public var room: RoomID
    /// People there now, or `nil` when no node of the room listens.
    public var count: Int?
    /// Since when.
    public var since: Timestamp

    /// A room's state.
    public init(room: RoomID, count: Int?, since: Timestamp) {
        self.room = room
        self.count = count
        self.since = since
    }
}

/// Whether a station can be used.
public struct StationState: Equatable, Sendable, Codable {
    /// What a station can be.
    public enum State: String, Sendable, Codable {
        case free
        case occupied
        /// More people dwell there than it has slots.
        case conflict
        /// No node could hear.
        case unknown
    }

    /// Which.
    public var station: StationID
    /// Its state.
    public var state: State
    /// Who dwells there or has claimed a slot, sorted.
    public var users: [UserID]
    /// Since when.
    public var since: Timestamp

    /// A station's state.
    public init(station: StationID, state: State, users: [UserID], since: Timestamp) {
        self.station = station
        self.state = state
        self.users = users
        self.since = since
    }
}

/// Whether a node listens.
public struct NodeState: Equatable, Sendable, Codable {
    /// Which.
    public var node: NodeID
    /// Whether frames arrive.
    public var isListening: Bool
    /// Since when.
    public var since: Timestamp

    /// A node's state.
    public init(node: NodeID, isListening: Bool, since: Timestamp) {
        self.node = node
        self.isListening = isListening
        self.since = since
    }
}

/// Who hears a beacon, strongest first.
public struct BeaconState: Equatable, Sendable, Codable {
    /// What one node hears.
    public struct Hearing: Equatable, Sendable, Codable {
        /// The node.
        public var node: NodeID
        /// The smoothed level.
        public var level: RSSI
        /// How long ago the last advertisement was, at the state's moment.
        public var age: Timestamp.Span

        /// What one node hears.
        public init(node: NodeID, level: RSSI, age: Timestamp.Span) {
            self.node = node
            self.level = level
            self.age = age
        }
    }

    /// Which.
    public var beacon: BeaconID
    /// The moment this was so.
    public var at: Timestamp
    /// The nodes that hear it, strongest first.
    public var hearings: [Hearing]

    /// A beacon's state.
    public init(beacon: BeaconID, at: Timestamp, hearings: [Hearing]) {
        self.beacon = beacon
        self.at = at
        self.hearings = hearings
    }
}

/// Counts of the whole site.
public struct SiteState: Equatable, Sendable, Codable {
    /// People in open sessions.
    public var present: Int
    /// Nodes that listen.
    public var nodesListening: Int
    /// Open workouts.
    public var workouts: Int
    /// Since when these counts hold.
    public var since: Timestamp

    /// A site's counts.
    public init(present: Int, nodesListening: Int, workouts: Int, since: Timestamp) {
        self.present = present
        self.nodesListening = nodesListening
        self.workouts = workouts
        self.since = since
    }
}

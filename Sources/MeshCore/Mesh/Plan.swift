/// The configuration of a site at one revision. It never changes; a new one replaces it.
///
/// Lists are sorted by row, so that going through them is the same in every run.
public struct Plan: Equatable, Sendable, Codable {
    /// Grows by one with each applied change.
    public var revision: Int64
    /// The site.
    public var site: SiteID
    /// The rooms of the site.
    public var rooms: [Room]
    /// The stations, each in one room.
    public var stations: [Station]
    /// The scanner nodes, each at a station or in a room.
    public var nodes: [Node]
    /// The people.
    public var users: [User]
    /// The registered beacons.
    public var beacons: [Beacon]
    /// What the beacons stand for, and when.
    public var bindings: [Binding]
    /// How the machines decide.
    public var policy: Policy

    /// A plan; the lists are sorted here.
    public init(
        revision: Int64, site: SiteID, rooms: [Room], stations: [Station], nodes: [Node],
        users: [User], beacons: [Beacon], bindings: [Binding], policy: Policy
    ) {
        self.revision = revision
        self.site = site
        self.rooms = rooms.sorted { $0.id < $1.id }
        self.stations = stations.sorted { $0.id < $1.id }
        self.nodes = nodes.sorted { $0.id < $1.id }
        self.users = users.sorted { $0.id < $1.id }
        self.beacons = beacons.sorted { $0.id < $1.id }
        self.bindings = bindings.sorted { ($0.beacon, $0.from) < ($1.beacon, $1.from) }
        self.policy = policy
    }
}

/// A room of a site.
public struct Room: Hashable, Sendable, Codable {
    /// Its row.
    public var id: RoomID

    /// A room.
    public init(id: RoomID) { self.id = id }
}

/// A place in a room where one or more people train.
public struct Station: Hashable, Sendable, Codable {
    /// Its row.
    public var id: StationID
    /// The room it stands in.
    public var room: RoomID
    /// How many people can use it at once, from 1.
    public var slots: Int

    /// A station.
    public init(id: StationID, room: RoomID, slots: Int) {
        self.id = id
        self.room = room
        self.slots = slots
    }
}

/// A scanner and the place whose level it stands for.
public struct Node: Hashable, Sendable, Codable {
    /// Its row.
    public var id: NodeID
    /// The room it hangs in.
    public var room: RoomID
    /// The station it hangs at, or `nil` if it stands for the rest of the room.
    public var station: StationID?

    /// A node.
    public init(id: NodeID, room: RoomID, station: StationID?) {
        self.id = id
        self.room = room
        self.station = station
    }
}

/// A person. The core knows no names.
public struct User: Hashable, Sendable, Codable {
    /// Their row.
    public var id: UserID

    /// A person.
    public init(id: UserID) { self.id = id }
}

/// A registered transmitter.
public struct Beacon: Hashable, Sendable, Codable {
    /// Its row.
    public var id: BeaconID
    /// What it is recognised by.
    public var identity: Identity

    /// A beacon.
    public init(id: BeaconID, identity: Identity) {
        self.id = id
        self.identity = identity
    }
}

/// Says that a beacon stood for a user from one moment until another.
public struct Binding: Hashable, Sendable, Codable {
    /// The beacon.
    public var beacon: BeaconID
    /// Who carried it.
    public var user: UserID
    /// Since when.
    public var from: Timestamp
    /// Until when, or `nil` while it holds.
    public var to: Timestamp?

    /// A binding.
    public init(beacon: BeaconID, user: UserID, from: Timestamp, to: Timestamp?) {
        self.beacon = beacon
        self.user = user
        self.from = from
        self.to = to
    }

    /// Whether it holds at `moment`.
    public func holds(at moment: Timestamp) -> Bool {
        from <= moment && (to.map { moment < $0 } ?? true)
    }
}

/// How the machines of a site decide. Defaults: `reference` timings of the design.
public struct Policy: Hashable, Sendable, Codable {
    /// How quickly presence at one level is believed and given up.
    public struct Timing: Hashable, Sendable, Codable {
        /// Evidence must last this long before an entry is believed.
        public var enter: Timestamp.Span
        /// After so much silence the state reads `leaving`.
        public var lost: Timestamp.Span
        /// After so much silence in all, the place is left, at the last heard moment.
        public var leave: Timestamp.Span

        /// Three spans, each at least 0.5 s.
        public init(enter: Timestamp.Span, lost: Timestamp.Span, leave: Timestamp.Span) {
            self.enter = enter
            self.lost = lost
            self.leave = leave
        }
    }

    /// Site presence, and with it attendance.
    public var site: Timing
    /// Room presence.
    public var room: Timing
    /// Station presence.
    public var station: Timing
    /// A station is believed only from this smoothed level on.
    public var stationFloor: RSSI
    /// Seconds below this level do not count as being at the site.
    public var siteFloor: RSSI
    /// Whether nodes publish what is not registered: fixed addresses and decoded beacons.
    public var publishesUnregistered: Bool

    /// A policy. The defaults: site 10/30/90 s, room 5/15/30 s, station 5/10/20 s.
    public init(
        site: Timing = Timing(enter: .seconds(10), lost: .seconds(30), leave: .seconds(90)),
        room: Timing = Timing(enter: .seconds(5), lost: .seconds(15), leave: .seconds(30)),
        station: Timing = Timing(enter: .seconds(5), lost: .seconds(10), leave: .seconds(20)),
        stationFloor: RSSI = RSSI(dBm: -75), siteFloor: RSSI = RSSI(dBm: -95),
        publishesUnregistered: Bool = false
    ) {
        self.site = site
        self.room = room
        self.station = station
        self.stationFloor = stationFloor
        self.siteFloor = siteFloor
        self.publishesUnregistered = publishesUnregistered
    }
}

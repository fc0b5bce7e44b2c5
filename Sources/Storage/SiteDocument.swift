import MeshCore

/// What a site consists of, by slug, as `beaconmesh import` reads it. It holds everything of the
/// site: what is not in it is retired by the import.
public struct SiteDocument: Equatable, Sendable {
    /// A room.
    public struct Room: Equatable, Sendable {
        public var slug: String
        public var name: String

        public init(slug: String, name: String) {
            self.slug = slug
            self.name = name
        }
    }

    /// A station, in the room of slug `room`.
    public struct Station: Equatable, Sendable {
        public var slug: String
        public var name: String
        public var room: String
        /// People who can use it at once, from 1.
        public var slots: Int
        /// Metres from the site's origin, if known.
        public var x: Double?
        public var y: Double?

        public init(
            slug: String, name: String, room: String, slots: Int, x: Double? = nil, y: Double? = nil
        ) {
            self.slug = slug
            self.name = name
            self.room = room
            self.slots = slots
            self.x = x
            self.y = y
        }
    }

    /// A scanner node, in a room and perhaps at a station.
    public struct Node: Equatable, Sendable {
        public var slug: String
        public var name: String
        public var room: String
        public var station: String?
        /// Metres from the site's origin, if known.
        public var x: Double?
        public var y: Double?

        public init(
            slug: String, name: String, room: String, station: String? = nil, x: Double? = nil,
            y: Double? = nil
        ) {
            self.slug = slug
            self.name = name
            self.room = room
            self.station = station
            self.x = x
            self.y = y
        }
    }

    /// A person. The slug is a pseudonym (`u-…`).
    public struct User: Equatable, Sendable {
        public var slug: String
        public var name: String

        public init(slug: String, name: String) {
            self.slug = slug
            self.name = name
        }
    }

    /// A beacon, carried by the user of slug `user`, if by anybody.
    public struct Beacon: Equatable, Sendable {
        public var slug: String
        public var title: String
        public var identity: Identity
        public var user: String?

        public init(slug: String, title: String, identity: Identity, user: String?) {
            self.slug = slug
            self.title = title
            self.identity = identity
            self.user = user
        }
    }

    public var slug: String
    public var name: String
    /// IANA name, for example `Europe/Berlin`.
    public var timeZone: String
    /// Everything at this site is simulated.
    public var isDemo: Bool
    public var rooms: [Room]
    public var stations: [Station]
    public var nodes: [Node]
    public var users: [User]
    public var beacons: [Beacon]
    public var policy: Policy

    /// A document. Slugs and references are checked by `Store.importDocument`.
    public init(
        slug: String, name: String, timeZone: String, isDemo: Bool = false, rooms: [Room],
        stations: [Station], nodes: [Node], users: [User], beacons: [Beacon],
        policy: Policy = Policy()
    ) {
        self.slug = slug
        self.name = name
        self.timeZone = timeZone
        self.isDemo = isDemo
        self.rooms = rooms
        self.stations = stations
        self.nodes = nodes
        self.users = users
        self.beacons = beacons
        self.policy = policy
    }
}

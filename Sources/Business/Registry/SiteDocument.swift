import Basics
import SiteModel
import SiteStore

/// What a site consists of, by slug, as `beaconmesh import` reads it. It holds everything of the
/// site: what is not in it is retired by the import.
package struct SiteDocument: Equatable, Sendable, Codable {
    /// A room.
    package struct Room: Equatable, Sendable, Codable {
        /// Its id on topics.
        package var slug: String
        /// What people call it. Hostile text, like all names.
        package var name: String
        /// The floor it covers, if known.
        package var area: Area?
        /// Which storey it is on: 0 is that of the entrance, 1 the one above it.
        package var storey: Int

        package init(slug: String, name: String, area: Area? = nil, storey: Int = 0) {
            self.slug = slug
            self.name = name
            self.area = area
            self.storey = storey
        }
    }

    /// A station, in the room of slug `room`.
    package struct Station: Equatable, Sendable, Codable {
        /// Its id on topics.
        package var slug: String
        /// What people call it.
        package var name: String
        /// The slug of the room it stands in.
        package var room: String
        /// People who can use it at once, from 1.
        package var slots: Int
        /// Metres from the site's origin, if known.
        package var x: Double?
        /// Metres from the site's origin at a right angle to `x`, if known.
        package var y: Double?
        /// What it is for, and how it behaves.
        package var use = Use()

        /// What a station is for, and how workouts begin and pause there by themselves.
        package struct Use: Equatable, Sendable, Codable {
            package var kind = StationKind.other
            package var equipment: String?
            package var location: String?
            /// The slugs of exercises, in order.
            package var exercises: [String] = []
            /// Seconds there until a workout begins; `nil`: none does.
            package var autoStart: Int?
            /// Seconds away until it pauses; `nil`: it does not.
            package var autoPause: Int? = Self.usualPause
            /// Seconds for which an offered slot is kept.
            package var claimGrace = Self.usualGrace

            package static let usualPause = 120
            package static let usualGrace = 120

            package init() {}
        }

        package init(
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

    /// A scanner node: fixed in a room and perhaps at a station, or carried by somebody.
    package struct Node: Equatable, Sendable, Codable {
        /// Its id on topics.
        package var slug: String
        /// What people call it.
        package var name: String
        /// The slug of the room it hangs in; of a mobile node the one it is kept in.
        package var room: String
        /// The slug of the station it hangs at; `nil` if it stands for the rest of the room.
        package var station: String?
        /// Metres from the site's origin, if known.
        package var x: Double?
        /// Metres from the site's origin at a right angle to `x`, if known.
        package var y: Double?
        /// The slug of the user who carries it: a mobile node. `nil` for a fixed one.
        package var carrier: String?
        /// How much it tells; `nil`: as much as others.
        package var profile: NodePolicy.Profile?
        /// When it tells little every day; `nil`: as others, unless it has a profile.
        package var sparseHours: DailyHours?

        package init(
            slug: String, name: String, room: String, station: String? = nil, x: Double? = nil,
            y: Double? = nil, carrier: String? = nil
        ) {
            self.carrier = carrier
            self.slug = slug
            self.name = name
            self.room = room
            self.station = station
            self.x = x
            self.y = y
        }
    }

    /// A person. The slug is a pseudonym (`u-…`).
    package struct User: Equatable, Sendable, Codable {
        /// Their pseudonym on topics.
        package var slug: String
        /// Their name, which never goes on MQTT.
        package var name: String
        /// The version of the text they agreed to, or `nil` if they did not.
        package var consent: String?

        package init(slug: String, name: String, consent: String? = nil) {
            self.slug = slug
            self.name = name
            self.consent = consent
        }
    }

    /// A beacon, carried by the user of slug `user` or fixed at a place, if either.
    package struct Beacon: Equatable, Sendable, Codable {
        /// Its id on topics.
        package var slug: String
        /// What people call it.
        package var title: String
        /// What it is recognised by. No two beacons in use share one.
        package var identity: Identity
        /// The slug of the user who carries it, or `nil`.
        package var user: String?
        /// When they carry it no more, or `nil`; only beside `user`. In the past: they did until then.
        package var until: Timestamp?
        /// The slug of the room it is fixed in, for mobile nodes to hear; never with a station.
        package var room: String?
        /// The slug of the station it is fixed at.
        package var station: String?
        /// From which level on it is near; `nil` is the default.
        package var threshold: RSSI?

        package init(
            slug: String, title: String, identity: Identity, user: String?,
            until: Timestamp? = nil, room: String? = nil, station: String? = nil,
            threshold: RSSI? = nil
        ) {
            self.until = until
            self.room = room
            self.station = station
            self.slug = slug
            self.title = title
            self.identity = identity
            self.user = user
            self.threshold = threshold
        }
    }

    /// The site's id on topics; it can never change.
    package var slug: String
    /// What people call the site.
    package var name: String
    /// IANA name, for example `Europe/Berlin`.
    package var timeZone: String
    /// When a business day begins, by the clocks of the site.
    package var dayStart: LocalTime
    /// Everything at this site is simulated.
    package var isDemo: Bool
    package var rooms: [Room]
    package var stations: [Station]
    package var nodes: [Node]
    /// Every registered person.
    package var users: [User]
    /// Every registered beacon.
    package var beacons: [Beacon]
    /// The rows of collections that the machines have no part in, by the collection's name; of an
    /// empty one nothing.
    package var content: [String: [SiteTree]] = [:]
    /// How presence and attendance are decided.
    package var policy: Policy
    /// What the site promises people.
    package var privacy: PrivacyPolicy
    /// What it shows to whoever passes by.
    package var shown = ContentSettings()

    /// A document. Slugs and references are checked when it is imported.
    package init(
        slug: String, name: String, timeZone: String, isDemo: Bool = false, rooms: [Room],
        stations: [Station], nodes: [Node], users: [User], beacons: [Beacon],
        policy: Policy = Policy(), privacy: PrivacyPolicy = PrivacyPolicy(),
        dayStart: LocalTime = .midnight
    ) {
        self.privacy = privacy
        self.slug = slug
        self.name = name
        self.timeZone = timeZone
        self.dayStart = dayStart
        self.isDemo = isDemo
        self.rooms = rooms
        self.stations = stations
        self.nodes = nodes
        self.users = users
        self.beacons = beacons
        self.policy = policy
    }
}

/// One difference between what is stored and a document to be imported.
package struct Change: Equatable, Sendable, CustomStringConvertible {
    /// What becomes of the thing.
    package enum Kind: String, Sendable {
        /// New, or back after it was retired; then it has its old row.
        case added
        case changed
        case retired
    }

    /// What kind of thing it is: the site, its policy, or one of a collection.
    package struct Subject: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package static let site = Subject(rawValue: "site")
        package static let policy = Subject(rawValue: "policy")
        package static let room = Subject(rawValue: "room")
        package static let station = Subject(rawValue: "station")
        package static let node = Subject(rawValue: "node")
        package static let user = Subject(rawValue: "user")
        package static let beacon = Subject(rawValue: "beacon")
    }

    /// What becomes of it.
    package var kind: Kind
    /// What kind of thing it is.
    package var subject: Subject
    package var slug: String
    /// What is new about it, safe for a terminal: names are quoted, control characters escaped.
    package var detail: String

    /// A line for people, for example `station rack-1 changed: slots 1 → 2`.
    package var description: String {
        let line = "\(subject.rawValue) \(slug) \(kind.rawValue)"
        return detail.isEmpty ? line : "\(line): \(detail)"
    }

    package init(_ kind: Kind, _ subject: Subject, _ slug: String, _ detail: String) {
        self.kind = kind
        self.subject = subject
        self.slug = slug
        self.detail = detail
    }
}

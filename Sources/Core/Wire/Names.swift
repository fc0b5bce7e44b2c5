import Basics
import SiteModel

/// The slugs and names of a site. The core knows only rows; this is where the two meet.
package struct Names: Equatable, Sendable, Codable {
    /// The site's slug, as on topics.
    package var site: String
    /// What people call the site.
    package var siteName: String
    /// The site's IANA time zone.
    package var timeZone: String
    /// Whether everything here is simulated.
    package var isDemo: Bool
    package var rooms: NameTable<Room>
    package var stations: NameTable<Station>
    package var nodes: NameTable<Node>
    /// Registered beacons.
    package var beacons: NameTable<Beacon>
    /// People. Their slug is a pseudonym; their name never goes on MQTT.
    package var users: NameTable<User>
    /// What stations are for, by row; of others nothing is said.
    package var uses: [StationUse] = []
    /// Exercises in force, in their order.
    package var exercises: [ExerciseName] = []
    /// Groups of beacons, in their order.
    package var groups: [BeaconGroup] = []
    /// What is shown of stations and beacons, in its order.
    package var cards: [Card] = []
    /// How strangers' devices are recognised.
    package var deviceRules: [NodeConfigurationPayload.Rule] = []
    /// How much nodes are to tell of which something else is said than of the site, by their number.
    package var practices: [NodeHours] = []
    /// The last beginning or end of hours that the clocks of the site have passed, in minutes of the day; `nil` where no
    /// node has hours. With it all that is told of names at some time is in them.
    package var hour: Int?

    package init(
        site: String, siteName: String, timeZone: String, isDemo: Bool, rooms: NameTable<Room>,
        stations: NameTable<Station>, nodes: NameTable<Node>, beacons: NameTable<Beacon>,
        users: NameTable<User>
    ) {
        self.site = site
        self.siteName = siteName
        self.timeZone = timeZone
        self.isDemo = isDemo
        self.rooms = rooms
        self.stations = stations
        self.nodes = nodes
        self.beacons = beacons
        self.users = users
    }
}

/// How much one node is to tell, where that is said of itself.
package struct NodeHours: Equatable, Sendable, Codable {
    package var node: NodeID
    /// `nil`: that of the site.
    package var profile: NodePolicy.Profile?
    /// When it is `sparse` in any case; `nil`: as the site, unless it has a profile of its own.
    package var sparseHours: DailyHours?

    package init(
        node: NodeID, profile: NodePolicy.Profile? = nil, sparseHours: DailyHours? = nil
    ) {
        self.node = node
        self.profile = profile
        self.sparseHours = sparseHours
    }
}

extension Names {
    /// How much a node is to tell now.
    package func profile(of node: NodeID, in policy: Policy) -> NodePolicy.Profile {
        let own = practices.first { $0.node == node }
        let hours =
            own?.sparseHours ?? (own?.profile == nil ? policy.practice?.sparseHours : nil)
        if let hours, let hour, hours.contains(hour) { return .sparse }
        return own?.profile ?? policy.profile
    }

    /// What `hour` is at a minute of the day.
    package func hour(at minute: Int, in policy: Policy) -> Int? {
        let hours =
            practices.compactMap(\.sparseHours) + [policy.practice?.sparseHours].compactMap(\.self)
        let turns = hours.flatMap { [$0.from, $0.to] }
        return turns.filter { $0 <= minute }.max() ?? turns.max()
    }
}

/// What a station is for, in the words of the wire.
package struct StationUse: Equatable, Sendable, Codable {
    package var station: StationID
    package var kind: String
    /// What people wrote. Hostile text, like all names.
    package var equipment: String?
    package var location: String?
    /// The slugs of exercises, in order.
    package var exercises: [String]

    package init(
        station: StationID, kind: String, equipment: String?, location: String?,
        exercises: [String]
    ) {
        self.station = station
        self.kind = kind
        self.equipment = equipment
        self.location = location
        self.exercises = exercises
    }
}

/// What people call an exercise.
package struct ExerciseName: Equatable, Sendable, Codable {
    package var slug: String
    package var name: String

    package init(slug: String, name: String) {
        self.slug = slug
        self.name = name
    }
}

/// Beacons that fit a rule.
package struct BeaconGroup: Equatable, Sendable, Codable {
    package var slug: String
    package var rule: Identity
    /// Whether nodes regard what fits it, and else registered beacons and what the site allows only.
    package var isAllowed: Bool

    package init(slug: String, rule: Identity, isAllowed: Bool = false) {
        self.slug = slug
        self.rule = rule
        self.isAllowed = isAllowed
    }
}

/// What is shown of something, in one language.
package struct Card: Equatable, Sendable, Codable {
    /// What it is shown of.
    package enum Subject: Equatable, Sendable, Codable {
        case station(StationID)
        case beacon(BeaconID)
        /// The beacons of the group of this slug.
        case group(String)
        /// iBeacons with this minor, of the group of this slug if there is one.
        case minor(UInt16, group: String?)
    }

    package var slug: String
    package var subject: Subject
    /// What it says. Hostile text, like all names.
    package var title: String
    package var subtitle: String?
    package var text: String?
    /// Where its picture is, below `/api/v1/pictures/`.
    package var picture: String?
    /// A page of the web.
    package var link: String?
    /// `nil`: whoever reads any language sees it.
    package var language: String?

    package init(
        _ slug: String, of subject: Subject, title: String, subtitle: String? = nil,
        text: String? = nil, picture: String? = nil, link: String? = nil, language: String? = nil
    ) {
        self.slug = slug
        self.subject = subject
        self.title = title
        self.subtitle = subtitle
        self.text = text
        self.picture = picture
        self.link = link
        self.language = language
    }
}

extension KeyedDecodingContainer {
    func decode(_ type: [BeaconGroup].Type, forKey key: Key) throws -> [BeaconGroup] {
        try decodeIfPresent(type, forKey: key) ?? []
    }

    func decode(_ type: [Card].Type, forKey key: Key) throws -> [Card] {
        try decodeIfPresent(type, forKey: key) ?? []
    }

    func decode(
        _ type: [NodeConfigurationPayload.Rule].Type, forKey key: Key
    ) throws -> [NodeConfigurationPayload.Rule] {
        try decodeIfPresent(type, forKey: key) ?? []
    }

    func decode(_ type: [NodeHours].Type, forKey key: Key) throws -> [NodeHours] {
        try decodeIfPresent(type, forKey: key) ?? []
    }

    /// Names that were recorded before exercises were part of them have none.
    func decode(_ type: [StationUse].Type, forKey key: Key) throws -> [StationUse] {
        try decodeIfPresent(type, forKey: key) ?? []
    }

    func decode(_ type: [ExerciseName].Type, forKey key: Key) throws -> [ExerciseName] {
        try decodeIfPresent(type, forKey: key) ?? []
    }
}

/// Rows, slugs and names of one kind of thing.
package struct NameTable<Of>: Equatable, Sendable, Codable {
    /// One thing.
    package struct Entry: Equatable, Sendable, Codable {
        package var id: ID<Of>
        /// Its slug, as on topics.
        package var slug: String
        /// What people call it. Hostile text: only ever shown as text.
        package var name: String

        package init(id: ID<Of>, slug: String, name: String) {
            self.id = id
            self.slug = slug
            self.name = name
        }
    }

    /// All of them, by row.
    package let entries: [Entry]
    @usableFromInline let rows: [String: Int]
    @usableFromInline let index: RowIndex<Of>

    /// A table of entries; rows and slugs must each be unique.
    package init(_ entries: [Entry]) {
        self.entries = entries.sorted { $0.id < $1.id }
        index = RowIndex(self.entries.map(\.id))
        rows = Dictionary(
            uniqueKeysWithValues: self.entries.enumerated().map { ($0.element.slug, $0.offset) })
    }

    /// The same with other entries of some rows, or with rows more. The cost is that of a copy while no slug is another.
    package func with(_ changed: [Entry]) -> NameTable {
        var entries = entries
        for entry in changed {
            guard let place = index[entry.id], entries[place].slug == entry.slug else {
                let ids = Set(changed.map(\.id))
                return NameTable(self.entries.filter { !ids.contains($0.id) } + changed)
            }
            entries[place] = entry
        }
        return NameTable(entries: entries, rows: rows, index: index)
    }

    private init(entries: [Entry], rows: [String: Int], index: RowIndex<Of>) {
        self.entries = entries
        self.rows = rows
        self.index = index
    }

    /// The row of a slug, or `nil` if nothing has it.
    @inlinable package func id(_ slug: String) -> ID<Of>? { rows[slug].map { entries[$0].id } }

    /// The entry of a row, or `nil` if there is none.
    @inlinable package func entry(_ id: ID<Of>) -> Entry? { index[id].map { entries[$0] } }

    /// The slug of a row. A row unknown here is a bug: plan and names come from one revision.
    @inlinable package func slug(_ id: ID<Of>) -> String {
        guard let entry = entry(id) else { preconditionFailure("no slug for row \(id.row)") }
        return entry.slug
    }

    /// Reads a list of entries.
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Entry].self))
    }

    /// Writes the list of entries.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(entries)
    }
}

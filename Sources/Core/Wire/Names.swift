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

extension KeyedDecodingContainer {
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

import Basics
import GRDB
import SiteEngine
import SiteModel
import Synchronization
import Wire

/// What a site consists of and what it is called, part by part. What no write has touched since it was read is not read
/// again: the machines follow a change of a person or a beacon at the cost of its row, of others at that of their table.
struct RegistryParts {
    /// The rows of tables that changed.
    struct Changes {
        /// By table. `nil`: of all rows, as there are more than `most`, or one was deleted.
        var rows: [String: Set<Int64>?] = [:]

        static let most = 32

        mutating func add(_ table: String, _ row: Int64?) {
            guard let row, let known = rows[table, default: []], known.count < Self.most else {
                rows[table] = .some(nil)
                return
            }
            rows[table] = known.union([row])
        }

        /// How many revisions they are; `nil`: more than are counted.
        var revisions: Int64? { (rows["revision"] ?? []).map { Int64($0.count) } }

        /// What is known of a table: `nil` if nothing changed, or rows, or `.some(nil)`.
        subscript(table: String) -> Set<Int64>?? { rows[table] }
    }

    /// The revision they are of; `nil`: nothing was read.
    private(set) var revision: Int64?
    private var rooms: [Room]?
    private var stations: [Station]?
    private var nodes: [Node]?
    private var users: [User]?
    private var beacons: [Beacon]?
    private var bindings: [Binding]?
    private var exercises: [Exercise]?
    private var roomNames: NameTable<Room>?
    private var stationNames: NameTable<Station>?
    private var nodeNames: NameTable<Node>?
    private var beaconNames: NameTable<Beacon>?
    private var userNames: NameTable<User>?
    private var uses: [StationUse]?
    private var exerciseNames: [ExerciseName]?
    private var groups: [BeaconGroup]?
    private var cards: [Card]?
    private var practices: [NodeHours]?
    private var deviceRules: [NodeConfigurationPayload.Rule]?

    /// Reads what is missing; `nil` before the first import.
    mutating func read(_ db: Database) throws -> (plan: Plan, names: Names)? {
        guard let site = try Row.fetchOne(db, sql: "SELECT * FROM site") else { return nil }
        var plan = try plan(site, db)
        plan.model = try PlaceModel.inForce(for: plan, db)
        revision = plan.revision
        return (plan, try names(site, db))
    }

    /// The same, and what is known afterwards. Where this is of revision `old`, and nobody but us made revisions since,
    /// only what changed is read; else all is.
    func read(
        _ db: Database, since old: Int64?, _ changes: Changes
    ) throws -> (RegistryParts, (plan: Plan, names: Names)?) {
        if let old, revision == old, let made = changes.revisions {
            var new = self
            try new.follow(changes, db)
            let registry = try new.read(db)
            if new.revision == old + made { return (new, registry) }
        }
        var new = RegistryParts()
        let registry = try new.read(db)
        return (new, registry)
    }

    /// Forgets what changed tables have a part in, and reads single rows again. Of tables without row numbers SQLite
    /// tells nothing: after a change of who shares their place all is read anew.
    mutating func follow(_ changes: Changes, _ db: Database) throws {
        func isChanged(_ names: String...) -> Bool { names.contains { changes[$0] != nil } }
        if isChanged("room") { (rooms, roomNames) = (nil, nil) }
        if isChanged("station") { (stations, stationNames, beacons) = (nil, nil, nil) }
        if isChanged("station", "exercise") { uses = nil }
        if isChanged("node") { (nodes, nodeNames, practices) = (nil, nil, nil) }
        if isChanged("exercise") { (exercises, exerciseNames) = (nil, nil) }
        if isChanged("beacon_group") { groups = nil }
        if isChanged("device_rule", "device_type") { deviceRules = nil }
        if isChanged("card", "picture", "beacon_group") { cards = nil }
        let people = changes["user"] ?? []
        let tags = changes["beacon"] ?? []
        let given = changes["beacon_binding"] ?? []
        if let people, !isChanged("consent", "site") {
            try followUsers(people, db)
        } else {
            (users, userNames) = (nil, nil)
        }
        if let tags { try followBeacons(tags, db) } else { (beacons, beaconNames) = (nil, nil) }
        if let people, let tags, let given, !isChanged("consent", "site") {
            try followBindings(of: people, tags, given, db)
        } else {
            bindings = nil
        }
    }

    private mutating func followUsers(_ rows: Set<Int64>, _ db: Database) throws {
        guard !rows.isEmpty else { return }
        let list = Self.list(rows)
        users = try Self.with(
            users, try Self.users("id IN \(Self.listed)", list, db), rows, \.id.row)
        userNames = userNames?.with(
            try Self.entries(
                "SELECT id, slug, name FROM user WHERE id IN \(Self.listed)", list, db))
    }

    private mutating func followBeacons(_ rows: Set<Int64>, _ db: Database) throws {
        guard !rows.isEmpty else { return }
        let list = Self.list(rows)
        beacons = try Self.with(
            beacons, try Self.beacons("beacon.id IN \(Self.listed)", list, db), rows, \.id.row)
        beaconNames = beaconNames?.with(
            try Self.entries(
                "SELECT id, slug, title AS name FROM beacon WHERE id IN \(Self.listed)", list, db))
    }

    private mutating func followBindings(
        of people: Set<Int64>, _ tags: Set<Int64>, _ given: Set<Int64>, _ db: Database
    ) throws {
        guard var kept = bindings, !(people.isEmpty && tags.isEmpty && given.isEmpty) else {
            return
        }
        let named = try db.rows(
            "SELECT beacon FROM beacon_binding WHERE id IN \(Self.listed)", Self.list(given)
        ) { $0["beacon"] as Int64 }
        let carried = kept.filter { people.contains($0.user.row) }.map(\.beacon.row)
        let carriedNow = try db.rows(
            "SELECT beacon FROM beacon_binding WHERE user IN \(Self.listed)", Self.list(people)
        ) { $0["beacon"] as Int64 }
        let all = tags.union(named).union(carried).union(carriedNow)
        kept.removeAll { all.contains($0.beacon.row) }
        kept += try Self.bindings("beacon IN \(Self.listed)", Self.list(all), db)
        bindings = kept.sorted { ($0.beacon, $0.from) < ($1.beacon, $1.from) }
    }

    /// Numbers as an argument: as a part of the text each list would be a statement of its own, kept prepared.
    private static func list(_ rows: Set<Int64>) -> StatementArguments {
        ["[\(rows.sorted().map { "\($0)" }.joined(separator: ","))]"]
    }

    private static let listed = "(SELECT value FROM json_each(?))"

    /// A part with some of its rows read again, by their number.
    private static func with<Part>(
        _ part: [Part]?, _ new: [Part], _ rows: Set<Int64>, _ number: (Part) -> Int64
    ) throws -> [Part]? {
        guard var part else { return nil }
        part.removeAll { rows.contains(number($0)) }
        for row in new {
            // They stand by their number.
            part.insert(row, at: part.partitioningIndex { number($0) > number(row) })
        }
        return part
    }

    private static func users(
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [User] {
        try db.rows(
            """
            SELECT id, \(StoredState.agreed("user.id")) AS agreed,
                EXISTS (
                    SELECT 1 FROM sharing WHERE sharing.user = user.id AND kind = 'place'
                ) AS shares
            FROM user WHERE retired_ms IS NULL AND \(condition) ORDER BY id
            """, arguments
        ) { User(id: $0["id"], hasAgreed: $0["agreed"], shares: $0["shares"]) }
    }

    private static func beacons(
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [Beacon] {
        try db.rows(
            """
            SELECT beacon.id, identity, coalesce(beacon.room, station.room) AS room,
                beacon.station, threshold_dbm
            FROM beacon LEFT JOIN station ON station.id = beacon.station
            WHERE beacon.retired_ms IS NULL AND \(condition) ORDER BY beacon.id
            """, arguments, as: Self.beacon)
    }

    private static func bindings(
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [Binding] {
        try db.rows(
            """
            SELECT beacon, user, from_ms, to_ms FROM beacon_binding AS binding
            WHERE (SELECT retired_ms IS NULL FROM beacon WHERE id = binding.beacon)
                AND (SELECT retired_ms IS NULL FROM user WHERE id = binding.user)
                AND \(StoredState.agreed("binding.user")) AND \(condition)
            ORDER BY beacon, from_ms
            """, arguments
        ) {
            Binding(
                beacon: $0["beacon"], user: $0["user"], from: $0["from_ms"], to: $0["to_ms"])
        }
    }

    private static func entries<Of>(
        _ query: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [NameTable<Of>.Entry] {
        try db.rows(query, arguments) {
            NameTable<Of>.Entry(id: ID($0["id"]), slug: $0["slug"], name: $0["name"])
        }
    }

    private mutating func plan(_ site: Row, _ db: Database) throws -> Plan {
        Plan(
            revision: site["revision"], site: SiteID(site["id"]),
            rooms: try Self.kept(&rooms) {
                try db.rows("SELECT * FROM room WHERE retired_ms IS NULL") {
                    Room(id: $0["id"], area: $0.area, storey: $0["storey"])
                }
            },
            stations: try Self.kept(&stations) {
                try db.rows("SELECT * FROM station WHERE retired_ms IS NULL") {
                    Station(
                        id: $0["id"], room: $0["room"], slots: $0["slots"],
                        position: $0.position,
                        timing: Station.Timing(
                            autoStart: $0["auto_start_s"], autoPause: $0["auto_pause_s"],
                            claimGrace: $0["claim_grace_s"]))
                }
            },
            nodes: try Self.kept(&nodes) {
                try db.rows("SELECT * FROM node WHERE retired_ms IS NULL") {
                    Node(
                        id: $0["id"], room: $0["room"], station: $0["station"],
                        carrier: $0["carrier"], position: $0.position)
                }
            },
            users: try Self.kept(&users) { try Self.users("TRUE", [], db) },
            beacons: try Self.kept(&beacons) { try Self.beacons("TRUE", [], db) },
            bindings: try Self.kept(&bindings) { try Self.bindings("TRUE", [], db) },
            policy: try JSONText.value(Policy.self, from: site["policy"]),
            exercises: try Self.kept(&exercises) {
                try db.rows(
                    """
                    SELECT slug, measure, load, rest_s FROM exercise WHERE retired_ms IS NULL
                    ORDER BY id
                    """
                ) {
                    guard let measure = Exercise.Measure(rawValue: $0["measure"]),
                        let load = Exercise.Load(rawValue: $0["load"])
                    else { throw DamagedRow("exercise.slug", $0["slug"]) }
                    return Exercise(
                        slug: $0["slug"], measure: measure, load: load, rest: $0["rest_s"])
                }
            })
    }

    private static func beacon(_ row: Row) throws -> Beacon {
        let text: String = row["identity"]
        guard let identity = Identity(text: text) else {
            throw DamagedRow("beacon.identity", row["id"])
        }
        let station: StationID? = row["station"]
        return Beacon(
            id: row["id"], identity: identity,
            anchor: (row["room"] as Int64?).map { Place(room: RoomID($0), station: station) },
            threshold: (row["threshold_dbm"] as Double?).map { RSSI(dBm: $0) })
    }

    private mutating func names(_ site: Row, _ db: Database) throws -> Names {
        func table<Of>(_ query: String) throws -> NameTable<Of> {
            NameTable(try Self.entries(query, [], db))
        }
        var names = Names(
            site: site["slug"], siteName: site["name"], timeZone: site["time_zone"],
            isDemo: site["demo"],
            rooms: try Self.kept(&roomNames) { try table("SELECT id, slug, name FROM room") },
            stations: try Self.kept(&stationNames) {
                try table("SELECT id, slug, name FROM station")
            },
            nodes: try Self.kept(&nodeNames) { try table("SELECT id, slug, name FROM node") },
            beacons: try Self.kept(&beaconNames) {
                try table("SELECT id, slug, title AS name FROM beacon")
            },
            users: try Self.kept(&userNames) { try table("SELECT id, slug, name FROM user") })
        names.uses = try Self.kept(&uses) { try Self.uses(db) }
        names.exercises = try Self.kept(&exerciseNames) {
            try db.rows("SELECT slug, name FROM exercise WHERE retired_ms IS NULL ORDER BY id") {
                ExerciseName(slug: $0["slug"], name: $0["name"])
            }
        }
        names.groups = try Self.kept(&groups) {
            try db.rows(
                "SELECT id, slug, rule, allow FROM beacon_group WHERE retired_ms IS NULL ORDER BY id"
            ) { row in
                let text: String = row["rule"]
                guard let rule = Identity(text: text) else {
                    throw DamagedRow("beacon_group.rule", row["id"])
                }
                return BeaconGroup(slug: row["slug"], rule: rule, isAllowed: row["allow"])
            }
        }
        names.cards = try Self.kept(&cards) { try Self.cards(db) }
        names.deviceRules = try Self.kept(&deviceRules) { try Self.deviceRules(db) }
        names.practices = try Self.kept(&practices) {
            try db.rows(
                """
                SELECT id, profile, sparse_hours FROM node WHERE retired_ms IS NULL
                    AND (profile IS NOT NULL OR sparse_hours IS NOT NULL) ORDER BY id
                """
            ) { row in
                NodeHours(
                    node: row["id"],
                    profile: (row["profile"] as String?).flatMap(NodePolicy.Profile.init),
                    sparseHours: (row["sparse_hours"] as String?).flatMap { DailyHours($0) })
            }
        }
        return names
    }

    private static func cards(_ db: Database) throws -> [Card] {
        try db.rows(
            """
            SELECT card.slug, card.title, subtitle, text, link, language, station, beacon, minor,
                beacon_group.slug AS beacon_group,
                picture.name || '?version=' || picture.version AS picture
            FROM card LEFT JOIN beacon_group ON beacon_group.id = card.beacon_group
                LEFT JOIN picture ON picture.name = card.picture
            WHERE card.retired_ms IS NULL ORDER BY card.id
            """
        ) { row -> Card? in
            let group: String? = row["beacon_group"]
            let subject: Card.Subject
            if let station = row["station"] as StationID? {
                subject = .station(station)
            } else if let beacon = row["beacon"] as BeaconID? {
                subject = .beacon(beacon)
            } else if let minor = row["minor"] as UInt16? {
                subject = .minor(minor, group: group)
            } else if let group {
                subject = .group(group)
            } else {
                return nil
            }
            return Card(
                row["slug"], of: subject, title: row["title"], subtitle: row["subtitle"],
                text: row["text"], picture: row["picture"],
                link: row["link"], language: row["language"])
        }.compactMap(\.self)
    }

    private static func deviceRules(
        _ db: Database
    ) throws -> [NodeConfigurationPayload.Rule] {
        try db.rows(
            """
            SELECT rule.*, device_type.slug AS type_slug FROM device_rule AS rule
                JOIN device_type ON device_type.id = rule.type AND device_type.retired_ms IS NULL
            WHERE rule.retired_ms IS NULL ORDER BY rule.id
            """
        ) { row in
            var rule = NodeConfigurationPayload.Rule(
                type: row["type_slug"], confidence: row["confidence"])
            rule.company = (row["company"] as String?)
                .flatMap { Hex.value($0.dropFirst(2), count: 4) }.map { UInt16($0) }
            rule.companyData = (row["company_data"] as String?).flatMap { Hex.bytes($0) } ?? []
            rule.namePrefix = row["name_prefix"]
            rule.nameContains = row["name_contains"]
            rule.service = row["service"]
            rule.vendor = (row["vendor"] as String?).flatMap { Hex.value($0, count: 6) }
                .map { UInt32($0) }
            rule.appearance = row["appearance"]
            return rule
        }
    }

    private static func uses(_ db: Database) throws -> [StationUse] {
        let exercises = try Dictionary(
            grouping: db.rows(
                """
                SELECT station, slug FROM station_exercise
                    JOIN exercise ON exercise.id = exercise ORDER BY station, n
                """
            ) { (station: $0["station"] as Int64, slug: $0["slug"] as String) }, by: \.station)
        return try db.rows("SELECT * FROM station WHERE retired_ms IS NULL ORDER BY id") {
            StationUse(
                station: $0["id"], kind: $0["kind"], equipment: $0["equipment"],
                location: $0["location"], exercises: exercises[$0["id"]]?.map(\.slug) ?? [])
        }.filter {
            $0.kind != "other" || $0.equipment != nil || $0.location != nil || !$0.exercises.isEmpty
        }
    }

    /// The value of a part, read if it is missing.
    private static func kept<Part>(
        _ part: inout Part?, _ read: () throws -> Part
    ) rethrows -> Part {
        if let part { return part }
        let new = try read()
        part = new
        return new
    }
}

/// Which rows of the registry have changed since it was last asked, by the connection that writes.
final class RegistryWatch: TransactionObserver, Sendable {
    private static let tables: Set = [
        "revision", "site", "room", "station", "node", "user", "consent", "beacon",
        "beacon_binding", "exercise", "beacon_group", "card", "picture",
        "device_rule", "device_type",
    ]

    private let changed = Mutex(RegistryParts.Changes())

    func take() -> RegistryParts.Changes {
        changed.withLock { changed in
            defer { changed = RegistryParts.Changes() }
            return changed
        }
    }

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        // Each revision is noted in the site's row.
        if case .update("site", let columns) = kind { return columns != ["revision"] }
        return Self.tables.contains(kind.tableName)
    }

    // What is undone is read once too often.
    func databaseDidChange(with event: DatabaseEvent) {
        // Of what is deleted nothing says any more to what it belonged.
        let row = event.kind == .delete ? nil : event.rowID
        let table = event.tableName
        changed.withLock { $0.add(table, row) }
    }

    func databaseDidCommit(_ db: Database) {}

    func databaseDidRollback(_ db: Database) {}
}

import GRDB
import SiteEngine
import SiteModel
import Synchronization
import Wire

/// What a site consists of and what it is called, part by part. What no write has touched since it was read is not read
/// again: the machines follow a change of one row at the cost of its table.
struct RegistryParts {
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

    /// Reads what is missing; `nil` before the first import.
    mutating func read(_ db: Database) throws -> (plan: Plan, names: Names)? {
        guard let site = try Row.fetchOne(db, sql: "SELECT * FROM site") else { return nil }
        var plan = try plan(site, db)
        plan.model = try PlaceModel.inForce(for: plan, db)
        return (plan, try names(site, db))
    }

    /// Forgets what tables have a part in. Of tables without row numbers SQLite tells nothing: whoever changes who
    /// shares their place says so by `user`.
    mutating func forget(_ tables: Set<String>) {
        func isChanged(_ names: String...) -> Bool { names.contains { tables.contains($0) } }
        if isChanged("room") { (rooms, roomNames) = (nil, nil) }
        if isChanged("station") { (stations, stationNames, beacons) = (nil, nil, nil) }
        if isChanged("station", "exercise") { uses = nil }
        if isChanged("node") { (nodes, nodeNames) = (nil, nil) }
        if isChanged("user", "consent", "site") { (users, userNames) = (nil, nil) }
        if isChanged("beacon") { (beacons, beaconNames) = (nil, nil) }
        if isChanged("beacon_binding", "beacon", "user", "consent", "site") { bindings = nil }
        if isChanged("exercise") { (exercises, exerciseNames) = (nil, nil) }
    }

    private mutating func plan(_ site: Row, _ db: Database) throws -> Plan {
        Plan(
            revision: site["revision"], site: SiteID(site["id"]),
            rooms: try Self.kept(&rooms) {
                try db.rows("SELECT * FROM room WHERE retired_ms IS NULL") {
                    Room(id: $0["id"], area: $0.area)
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
            users: try Self.kept(&users) {
                try db.rows(
                    """
                    SELECT id, \(StoredState.agreed("user.id")) AS agreed,
                        EXISTS (
                            SELECT 1 FROM sharing WHERE sharing.user = user.id AND kind = 'place'
                        ) AS shares
                    FROM user WHERE retired_ms IS NULL
                    """
                ) { User(id: $0["id"], hasAgreed: $0["agreed"], shares: $0["shares"]) }
            },
            beacons: try Self.kept(&beacons) {
                try db.rows(
                    """
                    SELECT beacon.id, identity, coalesce(beacon.room, station.room) AS room,
                        beacon.station, threshold_dbm
                    FROM beacon LEFT JOIN station ON station.id = beacon.station
                    WHERE beacon.retired_ms IS NULL
                    """, as: Self.beacon)
            },
            bindings: try Self.kept(&bindings) {
                try db.rows(
                    """
                    SELECT beacon, user, from_ms, to_ms FROM beacon_binding AS binding
                    WHERE (SELECT retired_ms IS NULL FROM beacon WHERE id = binding.beacon)
                        AND (SELECT retired_ms IS NULL FROM user WHERE id = binding.user)
                        AND \(StoredState.agreed("binding.user"))
                    ORDER BY beacon, from_ms
                    """
                ) {
                    Binding(
                        beacon: $0["beacon"], user: $0["user"], from: $0["from_ms"],
                        to: $0["to_ms"])
                }
            },
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
            NameTable(
                try db.rows(query) {
                    NameTable<Of>.Entry(id: ID($0["id"]), slug: $0["slug"], name: $0["name"])
                })
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
        return names
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

/// Which tables of the registry have changed since it was last asked, by the connection that writes.
final class RegistryWatch: TransactionObserver, Sendable {
    private static let tables: Set = [
        "site", "room", "station", "node", "user", "consent", "beacon", "beacon_binding",
        "exercise",
    ]

    private let changed = Mutex<Set<String>>([])

    func take() -> Set<String> {
        changed.withLock { changed in
            defer { changed = [] }
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
        let table = event.tableName
        changed.withLock { _ = $0.insert(table) }
    }

    func databaseDidCommit(_ db: Database) {}

    func databaseDidRollback(_ db: Database) {}
}

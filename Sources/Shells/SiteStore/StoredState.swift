import GRDB
import SiteEngine
import SiteModel
import SiteSchema
import Wire

/// What `Store.load` returns, part by part, from the rows of one transaction.
package struct StoredState {
    let store: Store

    /// Whether somebody, by an expression for their row, has agreed to be located, or need not; as SQL.
    package static func agreed(_ user: String) -> String {
        """
        ((SELECT requires_consent = 0 FROM site) OR EXISTS (
            SELECT 1 FROM consent WHERE consent.user = \(user) AND withdrawn_ms IS NULL))
        """
    }

    func plan(_ site: Row, _ db: Database) throws -> Plan {
        Plan(
            revision: site["revision"], site: SiteID(site["id"]),
            rooms: try db.rows("SELECT * FROM room WHERE retired_ms IS NULL") {
                Room(id: $0["id"], area: $0.area)
            },
            stations: try db.rows("SELECT * FROM station WHERE retired_ms IS NULL") {
                Station(
                    id: $0["id"], room: $0["room"], slots: $0["slots"],
                    position: $0.position,
                    timing: Station.Timing(
                        autoStart: $0["auto_start_s"], autoPause: $0["auto_pause_s"],
                        claimGrace: $0["claim_grace_s"]))
            },
            nodes: try db.rows("SELECT * FROM node WHERE retired_ms IS NULL") {
                Node(
                    id: $0["id"], room: $0["room"],
                    station: $0["station"],
                    carrier: $0["carrier"], position: $0.position)
            },
            users: try db.rows(
                """
                SELECT id, \(Self.agreed("user.id")) AS agreed,
                    EXISTS (SELECT 1 FROM sharing WHERE sharing.user = user.id AND kind = 'place') AS shares
                FROM user WHERE retired_ms IS NULL
                """
            ) { User(id: $0["id"], hasAgreed: $0["agreed"], shares: $0["shares"]) },
            beacons: try db.rows(
                """
                SELECT beacon.id, identity, coalesce(beacon.room, station.room) AS room,
                    beacon.station, threshold_dbm
                FROM beacon LEFT JOIN station ON station.id = beacon.station
                WHERE beacon.retired_ms IS NULL
                """
            ) {
                let text: String = $0["identity"]
                guard let identity = Identity(text: text) else {
                    throw DamagedRow("beacon.identity", $0["id"])
                }
                let station: StationID? = $0["station"]
                return Beacon(
                    id: $0["id"], identity: identity,
                    anchor: ($0["room"] as Int64?).map {
                        Place(room: RoomID($0), station: station)
                    },
                    threshold: ($0["threshold_dbm"] as Double?).map { RSSI(dBm: $0) })
            },
            bindings: try db.rows(
                """
                SELECT beacon, user, from_ms, to_ms FROM beacon_binding AS binding
                WHERE (SELECT retired_ms IS NULL FROM beacon WHERE id = binding.beacon)
                    AND (SELECT retired_ms IS NULL FROM user WHERE id = binding.user)
                    AND \(Self.agreed("binding.user"))
                ORDER BY beacon, from_ms
                """
            ) {
                Binding(
                    beacon: $0["beacon"], user: $0["user"],
                    from: $0["from_ms"], to: $0["to_ms"])
            },
            policy: try JSONText.value(Policy.self, from: site["policy"]),
            exercises: try db.rows(
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
            })
    }

    func names(_ site: Row, _ db: Database) throws -> Names {
        func table<Of>(_ query: String, of: Of.Type) throws -> NameTable<Of> {
            NameTable(
                try db.rows(query) {
                    NameTable<Of>.Entry(id: ID($0["id"]), slug: $0["slug"], name: $0["name"])
                })
        }
        var names = Names(
            site: site["slug"], siteName: site["name"], timeZone: site["time_zone"],
            isDemo: site["demo"],
            rooms: try table("SELECT id, slug, name FROM room", of: Room.self),
            stations: try table("SELECT id, slug, name FROM station", of: Station.self),
            nodes: try table("SELECT id, slug, name FROM node", of: Node.self),
            beacons: try table("SELECT id, slug, title AS name FROM beacon", of: Beacon.self),
            users: try table("SELECT id, slug, name FROM user", of: User.self))
        let exercises = try Dictionary(
            grouping: db.rows(
                """
                SELECT station, slug FROM station_exercise
                    JOIN exercise ON exercise.id = exercise ORDER BY station, n
                """
            ) { (station: $0["station"] as Int64, slug: $0["slug"] as String) }, by: \.station)
        names.uses = try db.rows(
            "SELECT * FROM station WHERE retired_ms IS NULL ORDER BY id"
        ) {
            StationUse(
                station: $0["id"], kind: $0["kind"], equipment: $0["equipment"],
                location: $0["location"], exercises: exercises[$0["id"]]?.map(\.slug) ?? [])
        }.filter {
            $0.kind != "other" || $0.equipment != nil || $0.location != nil || !$0.exercises.isEmpty
        }
        names.exercises = try db.rows(
            "SELECT slug, name FROM exercise WHERE retired_ms IS NULL ORDER BY id"
        ) { ExerciseName(slug: $0["slug"], name: $0["name"]) }
        return names
    }

    /// Feeds the rows that still matter to `Saved.apply`, which sorts them as it always does.
    func saved(_ db: Database) throws -> Saved {
        var saved = Saved()
        for (table, take) in readers(db) {
            guard let query = SiteTables.named(table)?.loaded else { continue }
            for row in try db.rows(query, as: { $0.copy() }) { try take(row, &saved) }
        }
        saved.workouts.settle(at: saved.site.clock)
        saved.waits.settle(at: saved.site.clock)
        saved.site.next = max(saved.site.next, try nextUnused(db))
        if let taken = try OverrideTable.takenOverrides(db) { saved.apply(.overrides(taken)) }
        return saved
    }

    /// What becomes of the rows of each table that is loaded. The site's own row first: it says what is
    /// too old.
    func readers(
        _ db: Database
    ) -> [(table: String, take: (Row, inout Saved) throws -> Void)] {
        func facts<Record: FetchableRecord>(
            _ fact: @escaping (Record) -> Fact
        ) -> (Row, inout Saved) throws -> Void { { $1.apply(fact(try Record(row: $0))) } }
        return [
            ("site_state", facts(Fact.site)),
            ("ledger", facts(Fact.ledger)),
            ("presence", facts(Fact.presence)),
            ("attendance_session", facts(Fact.session)),
            ("stay", facts(Fact.stay)),
            ("workout", { $1.apply(.workout(try workout($0, db))) }),
            ("station_claim", facts(Fact.claim)),
            ("workout_set", facts(Fact.set)),
            ("station_downtime", facts(Fact.downtime)),
            ("station_queue", facts(Fact.wait)),
            ("answered_request", { try answered($0, &$1) }),
            ("node_cursor", facts(Fact.cursor)),
            ("reasons", facts(Fact.reasons)),
            ("device_offset", facts(Fact.offset)),
            ("notification", facts(Fact.notification)),
        ]
    }

    private func workout(_ row: Row, _ db: Database) throws -> Workout {
        var workout = try Workout(row: row)
        workout.pauses = try workout.storedPauses(db)
        return workout
    }

    private func answered(_ row: Row, _ saved: inout Saved) throws {
        if row["answer"] as String? != nil {
            saved.apply(.answer(try Answer(row: row)))
        } else {
            // Such a key has visible characters only, of which one is stored twice.
            let key = (row["key"] as String).replacing("\\\\", with: "\\")
            let id = UsedID(.init(client: row["asker"], id: key), at: row["at_ms"])
            saved.usedIDs.put(id, by: \.key)
        }
    }

    /// The tables with rows that are not of the site's counter.
    private static let added: Set = ["attendance_session", "workout", "workout_set"]

    /// The first number above those of all rows that share the site's counter. The counter may be
    /// behind them: it is written by whoever wrote last, the rows by all who ever wrote. Rows of
    /// sessions that corrections state, and of workouts that were imported, are not of it.
    private func nextUnused(_ db: Database) throws -> Int64 {
        var greatest: Int64 = 0
        for table in SiteTables.all.filter(\.isCounted).map(\.name) {
            let id = try Int64.fetchOne(db, sql: "SELECT max(id) FROM \(table)") ?? 0
            // Programs that read JSON know no greater whole numbers.
            guard id < 2 * Session.firstAdded else { throw DamagedRow("\(table).id", id) }
            let counted = try Int64.fetchOne(
                db, sql: "SELECT max(id) FROM \(table) WHERE id <= ?",
                arguments: [Session.firstAdded])
            guard id <= Session.firstAdded || Self.added.contains(table) else {
                throw DamagedRow("\(table).id", id)
            }
            greatest = max(greatest, counted ?? 0)
        }
        return greatest + 1
    }
}

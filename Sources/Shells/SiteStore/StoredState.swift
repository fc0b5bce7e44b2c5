import GRDB
import SiteEngine
import SiteModel
import SiteSchema
import Wire

/// What `Store.load` returns, part by part, from the rows of one transaction.
struct StoredState {
    let store: Store

    func plan(_ site: Row, _ db: Database) throws -> Plan {
        Plan(
            revision: site["revision"], site: SiteID(site["id"]),
            rooms: try db.rows("SELECT * FROM room WHERE retired_ms IS NULL") {
                Room(id: RoomID($0["id"]), area: $0.area)
            },
            stations: try db.rows("SELECT * FROM station WHERE retired_ms IS NULL") {
                Station(
                    id: StationID($0["id"]), room: RoomID($0["room"]), slots: $0["slots"],
                    position: $0.position)
            },
            nodes: try db.rows("SELECT * FROM node WHERE retired_ms IS NULL") {
                Node(
                    id: NodeID($0["id"]), room: RoomID($0["room"]),
                    station: ($0["station"] as Int64?).map { StationID($0) },
                    carrier: ($0["carrier"] as Int64?).map { UserID($0) }, position: $0.position)
            },
            users: try db.rows("SELECT id FROM user WHERE retired_ms IS NULL") {
                User(id: UserID($0["id"]))
            },
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
                    throw store.damaged("beacon.identity", $0["id"])
                }
                let station = ($0["station"] as Int64?).map { StationID($0) }
                return Beacon(
                    id: BeaconID($0["id"]), identity: identity,
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
                    AND ((SELECT requires_consent = 0 FROM site) OR EXISTS (
                        SELECT 1 FROM consent
                        WHERE consent.user = binding.user AND withdrawn_ms IS NULL))
                ORDER BY beacon, from_ms
                """
            ) {
                Binding(
                    beacon: BeaconID($0["beacon"]), user: UserID($0["user"]),
                    from: $0.moment("from_ms"), to: $0.optionalMoment("to_ms"))
            },
            policy: try JSONText.value(Policy.self, from: site["policy"]))
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
                station: StationID($0["id"]), kind: $0["kind"], equipment: $0["equipment"],
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
        saved.site.next = max(saved.site.next, try nextUnused(db))
        if let taken = try OverrideTable.takenOverrides(db) { saved.apply(.overrides(taken)) }
        return saved
    }

    /// What becomes of the rows of each table that is loaded. The site's own row first: it says what is
    /// too old.
    func readers(
        _ db: Database
    ) -> [(table: String, take: (Row, inout Saved) throws -> Void)] {
        let attendance = AttendanceTable(store)
        func facts(
            _ fact: @escaping (Row) throws -> Fact
        ) -> (Row, inout Saved) throws -> Void { { $1.apply(try fact($0)) } }
        return [
            ("site_state", facts { .site(try siteRow($0)) }),
            ("ledger", facts { .ledger(try attendance.ledger($0)) }),
            ("presence", facts { .presence(try presence($0)) }),
            ("attendance_session", facts { .session(try attendance.session($0)) }),
            ("stay", facts { .stay(try store.stay($0)) }),
            ("workout", facts { .workout(try workout($0, db)) }),
            ("station_claim", facts { .claim(claim($0)) }),
            ("answered_request", { try answered($0, &$1) }),
            ("node_cursor", facts { .cursor(try OutboxTable(store).cursor($0)) }),
            ("reasons", facts { .reasons(try ReasonsTable(store).reasons($0)) }),
            ("device_offset", facts { .offset(try OffsetTable(store).offset($0)) }),
            ("notification", facts { .notification(try NotificationTable.row($0)) }),
        ]
    }

    private func answered(_ row: Row, _ saved: inout Saved) throws {
        if let answer = row["answer"] as String? {
            saved.apply(.answer(try JSONText.value(Answer.self, from: answer)))
        } else {
            // Such a key has visible characters only, of which one is stored twice.
            let key = (row["key"] as String).replacing("\\\\", with: "\\")
            let id = UsedID(.init(client: row["asker"], id: key), at: row.moment("at_ms"))
            saved.usedIDs.put(id, by: \.key)
        }
    }

    private func siteRow(_ row: Row) throws -> SiteRow {
        SiteRow(
            clock: row.moment("clock_ms"), next: row["next"],
            coverage: try store.seconds(row, "coverage"),
            clocks: try JSONText.value([NodeClock].self, from: row["clocks"]), epoch: row["epoch"],
            watermarks: try JSONText.value([Watermark].self, from: row["watermarks"]),
            watermark: row.moment("watermark_ms"),
            listeningSince: row.optionalMoment("listening_since_ms"))
    }

    /// The first number above those of all rows that share the site's counter. The counter may be
    /// behind them: it is written by whoever wrote last, the rows by all who ever wrote. Rows of
    /// sessions that corrections state are not of it.
    private func nextUnused(_ db: Database) throws -> Int64 {
        var greatest: Int64 = 0
        for table in SiteTables.all.filter(\.isCounted).map(\.name) {
            let id = try Int64.fetchOne(db, sql: "SELECT max(id) FROM \(table)") ?? 0
            // Programs that read JSON know no greater whole numbers.
            guard id < 2 * Session.firstAdded else { throw store.damaged("\(table).id", id) }
            let counted = try Int64.fetchOne(
                db, sql: "SELECT max(id) FROM \(table) WHERE id <= ?",
                arguments: [Session.firstAdded])
            guard id <= Session.firstAdded || table == "attendance_session" else {
                throw store.damaged("\(table).id", id)
            }
            greatest = max(greatest, counted ?? 0)
        }
        return greatest + 1
    }

    private func presence(_ row: Row) throws -> PresenceRow {
        PresenceRow(
            user: UserID(row["user"]),
            room: try JSONText.value(LevelState<RoomID>.self, from: row["room"]),
            station: try JSONText.value(LevelState<StationID>.self, from: row["station"]))
    }

    private func workout(_ row: Row, _ db: Database) throws -> Workout {
        guard let state = Workout.State(rawValue: row["state"]) else {
            throw store.damaged("workout.state", row["id"])
        }
        let id: Int64 = row["id"]
        let pauses = try db.rows(
            "SELECT from_ms, to_ms FROM workout_pause WHERE workout = ? ORDER BY n", [id]
        ) { Interval(from: $0.moment("from_ms"), to: $0.moment("to_ms")) }
        return Workout(
            id: id, user: UserID(row["user"]),
            station: (row["station"] as Int64?).map { StationID($0) }, state: state,
            from: row.moment("started_ms"), to: row.optionalMoment("ended_ms"), pauses: pauses,
            pausedSince: row.optionalMoment("paused_since_ms"))
    }

    private func claim(_ row: Row) -> Claim {
        Claim(
            id: row["id"], station: StationID(row["station"]), slot: row["slot"],
            user: UserID(row["user"]), workout: row["workout"], from: row.moment("from_ms"),
            to: row.optionalMoment("to_ms"))
    }
}

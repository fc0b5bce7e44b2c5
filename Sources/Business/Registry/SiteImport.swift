import Records
import SiteStore
import Basics
import GRDB
import SiteModel

package struct SiteImport: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// What importing `document` would change, by slug; nothing is written.
    ///
    /// Throws `.document` with every fault of the document.
    package func plan(
        importing document: SiteDocument, at now: Timestamp
    ) throws(StoreError) -> [Change] {
        try store.read { db in try Self.changes(importing: document, at: now, db) }
    }

    /// Makes the site what `document` says, as one revision, in one transaction.
    ///
    /// What is not in the document is retired and comes back with the same row if a later document
    /// has its slug again. A beacon that changes hands does so at `now`. With `known` only that revision is
    /// replaced: of another one nothing is written, and the revision returned is −1. A document that changes
    /// nothing makes no revision. `actor` is who imports and `locked` the lock that was in its way, for the audit. Throws `.document` with every fault of the document.
    @discardableResult
    package func importDocument(
        _ document: SiteDocument, at now: Timestamp, by actor: String = "import",
        via: AuditEntry.Via = .cli, instead known: Int64? = nil, over locked: String? = nil
    ) throws(StoreError) -> (revision: Int64, changes: [Change]) {
        try store.write { db in
            let stored = try Int64.fetchOne(db, sql: "SELECT revision FROM site") ?? 0
            if let known, known != stored { return (-1, []) }
            let changes = try Self.changes(importing: document, at: now, db)
            guard !changes.isEmpty else { return (stored, changes) }
            let revision = stored + 1
            try db.run(
                "INSERT INTO revision (revision, at_ms, changes) VALUES (?, ?, ?)",
                [
                    revision, now.milliseconds,
                    changes.map(\.description).joined(separator: "\n"),
                ])
            try RegistryRows.put(document, revision: revision, at: now, db)
            let asker = RosterAsker(name: actor, via: via, at: now)
            try RegistryRows.apply(changes, of: document, by: asker, db)
            if known == nil || changes.count > Self.mostAudited {
                try AuditTrail.append(
                    AuditEntry(
                        at: now, actor: actor, via: via,
                        action: known == nil ? "import" : "change", entity: "revision",
                        entityID: "\(revision)",
                        after: try JSONText.text(
                            of: ImportAudit(changes: changes.count, forced_over: locked))), db)
            } else {
                for change in changes {
                    try AuditTrail.append(
                        Self.entry(of: change, revision: revision, over: locked, by: asker, db), db)
                }
            }
            return (revision, changes)
        }
    }

    /// What the audit says of an import.
    private struct ImportAudit: Encodable {
        var changes: Int
        /// The last locked date, where days up to it change.
        var forced_over: String?
    }

    /// So many changes at most have a line each in the audit; of more there is one line of the revision.
    private static let mostAudited = 16

    /// What the audit says of a changed row: its number, and its slug where an erasure reaches it.
    private static func entry(
        of change: Change, revision: Int64, over locked: String?, by asker: RosterAsker,
        _ db: Database
    ) throws -> AuditEntry {
        let action =
            switch change.kind {
            case .added: "add"
            case .changed: "change"
            case .retired: "retire"
            }
        let row = try SiteCollection.of(change.subject)?.number(of: change.slug, db) ?? 1
        var said: [(key: String, value: SiteTree)] = [
            ("id", .text(change.slug)), ("revision", .scalar("\(revision)")),
        ]
        if let locked, change.subject == .site { said.append(("forced_over", .text(locked))) }
        return AuditEntry(
            at: asker.at, actor: asker.name, via: asker.via, action: action,
            entity: change.subject.rawValue, entityID: "\(row)",
            user: change.subject == .user ? UserID(row) : nil,
            after: SiteTree.section(said).json)
    }

    /// What is stored and not retired, as a document; `nil` before the first import.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func document() throws(StoreError) -> SiteDocument? {
        try store.read { db in try Self.document(db) }
    }

    /// The same with the revision it is of.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func current() throws(StoreError) -> (document: SiteDocument, revision: Int64)? {
        try store.read { db in
            guard let document = try Self.document(db) else { return nil }
            return (document, try Int64.fetchOne(db, sql: "SELECT revision FROM site") ?? 0)
        }
    }

    /// The last locked date, if importing `document` changes days up to it: when a business day begins is so
    /// of all days there ever were. `nil` if it changes none of them.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func lockedDays(changedBy document: SiteDocument) throws(StoreError) -> String? {
        try store.read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT day_start_min,
                        (SELECT through_date FROM period_lock ORDER BY id DESC LIMIT 1) AS through_date
                    FROM site
                    """)
            guard let row, (row["day_start_min"] as Int) != document.dayStart.minutes else {
                return nil
            }
            return row["through_date"]
        }
    }

    private static func changes(
        importing document: SiteDocument, at now: Timestamp, _ db: Database
    ) throws -> [Change] {
        let stored = try Self.document(db)
        var faults = document.faults
        if let stored, stored.slug != document.slug {
            faults.append(
                "site \(document.slug.quoted): this is the database of site \(stored.slug.quoted)")
        }
        faults += try Erasures.erased(among: document.users.map(\.slug), db).map {
            "user \($0.quoted): was erased; whoever comes back gets a new id"
        }
        let staying = Set(document.users.map(\.slug))
        faults += try Departures.faults(without: { !staying.contains($0) }, db)
        for beacon in document.beacons {
            guard let until = beacon.until, until <= now,
                let old = stored?.beacons.first(where: { $0.slug == beacon.slug }),
                old.user == beacon.user, old.until.map({ $0 > now }) ?? true
            else { continue }
            faults.append(
                "beacon \(beacon.slug.quoted): until is over: leave the user out to end it now")
        }
        if now.milliseconds < 0 { faults.append("the clock stands before 1970") }
        guard faults.isEmpty else { throw StoreError.document(faults) }
        return document.changes(from: stored)
    }

    private static func document(_ db: Database) throws -> SiteDocument? {
        guard let site = try Row.fetchOne(db, sql: "SELECT * FROM site") else { return nil }
        let exercises = try Dictionary(
            grouping: db.rows(
                """
                SELECT station, exercise.slug FROM station_exercise
                    JOIN exercise ON exercise.id = station_exercise.exercise
                ORDER BY station, n
                """
            ) { (station: $0["station"] as Int64, slug: $0["slug"] as String) }, by: \.station)
        var document = SiteDocument(
            slug: site["slug"], name: site["name"], timeZone: site["time_zone"],
            isDemo: site["demo"],
            rooms: try db.rows("SELECT * FROM room WHERE retired_ms IS NULL ORDER BY id") {
                SiteDocument.Room(slug: $0["slug"], name: $0["name"], area: $0.area)
            },
            stations: try db.rows(
                """
                SELECT station.*, room.slug AS room_slug
                FROM station JOIN room ON room.id = station.room
                WHERE station.retired_ms IS NULL ORDER BY station.id
                """
            ) {
                var station = SiteDocument.Station(
                    slug: $0["slug"], name: $0["name"], room: $0["room_slug"], slots: $0["slots"],
                    x: $0["x_m"], y: $0["y_m"])
                station.use.kind = StationKind(rawValue: $0["kind"]) ?? .other
                station.use.equipment = $0["equipment"]
                station.use.location = $0["location"]
                station.use.autoStart = $0["auto_start_s"]
                station.use.autoPause = $0["auto_pause_s"]
                station.use.claimGrace = $0["claim_grace_s"]
                station.use.exercises = exercises[$0["id"]]?.map(\.slug) ?? []
                return station
            },
            nodes: try db.rows(
                """
                SELECT node.*, room.slug AS room_slug, station.slug AS station_slug,
                    user.slug AS carrier_slug
                FROM node JOIN room ON room.id = node.room
                    LEFT JOIN station ON station.id = node.station
                    LEFT JOIN user ON user.id = node.carrier
                WHERE node.retired_ms IS NULL ORDER BY node.id
                """
            ) {
                SiteDocument.Node(
                    slug: $0["slug"], name: $0["name"], room: $0["room_slug"],
                    station: $0["station_slug"], x: $0["x_m"], y: $0["y_m"],
                    carrier: $0["carrier_slug"])
            },
            users: try db.rows(
                """
                SELECT user.*, consent.text_version FROM user
                    LEFT JOIN consent ON consent.user = user.id AND withdrawn_ms IS NULL
                WHERE retired_ms IS NULL ORDER BY user.id
                """
            ) {
                SiteDocument.User(
                    slug: $0["slug"], name: $0["name"], consent: $0["text_version"])
            },
            beacons: try beacons(db),
            policy: try JSONText.value(Policy.self, from: site["policy"]),
            privacy: PrivacyPolicy(
                requiresConsent: site["requires_consent"], attendanceDays: site["attendance_days"]),
            dayStart: LocalTime(minutes: site["day_start_min"]) ?? .midnight)
        for collection in SiteCollection.content {
            let rows = try collection.rows(db)
            document.content[collection.name] = rows.isEmpty ? nil : rows
        }
        return document
    }

    private static func beacons(_ db: Database) throws -> [SiteDocument.Beacon] {
        try db.rows(
            """
            SELECT beacon.*, user.slug AS user_slug, binding.until_ms, room.slug AS room_slug,
                station.slug AS station_slug
            FROM beacon LEFT JOIN beacon_binding AS binding
                    ON binding.beacon = beacon.id
                        AND (binding.to_ms IS NULL OR binding.until_ms IS NOT NULL)
                LEFT JOIN user ON user.id = binding.user
                LEFT JOIN room ON room.id = beacon.room
                LEFT JOIN station ON station.id = beacon.station
            WHERE beacon.retired_ms IS NULL ORDER BY beacon.id
            """
        ) {
            let slug: String = $0["slug"]
            guard let identity = Identity(text: $0["identity"] as String) else {
                throw StoreError.other(code: 0, message: "beacon \(slug) has no valid identity")
            }
            return SiteDocument.Beacon(
                slug: slug, title: $0["title"], identity: identity, user: $0["user_slug"],
                until: $0["until_ms"], room: $0["room_slug"],
                station: $0["station_slug"],
                threshold: ($0["threshold_dbm"] as Double?).map { RSSI(dBm: $0) })
        }
    }
}

import Records
import SiteStore
import GRDB
import SiteModel

/// Writing the rows of the registry. Each thing is found by its slug and keeps its row.
enum RegistryRows {
    /// The site's own row. A new zone is in force from `now` on, the first one always was.
    static func put(
        _ document: SiteDocument, revision: Int64, at now: Timestamp, _ db: Database
    ) throws {
        let oldStart = try Int.fetchOne(db, sql: "SELECT day_start_min FROM site")
        try db.run(
            """
            INSERT INTO site (id, slug, name, time_zone, demo, policy, revision, requires_consent,
                attendance_days, day_start_min)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, time_zone = excluded.time_zone,
                demo = excluded.demo, policy = excluded.policy, revision = excluded.revision,
                requires_consent = excluded.requires_consent,
                attendance_days = excluded.attendance_days, day_start_min = excluded.day_start_min
            """,
            [
                document.slug, document.name, document.timeZone, document.isDemo,
                try JSONText.text(of: document.policy), revision, document.privacy.requiresConsent,
                document.privacy.attendanceDays, document.dayStart.minutes,
            ])
        // Queues end with the day.
        if let oldStart, oldStart != document.dayStart.minutes {
            try OverrideTable.raiseOverrides(db)
        }
        let newest = try Row.fetchOne(
            db, sql: "SELECT from_ms, zone FROM site_zone ORDER BY from_ms DESC LIMIT 1")
        guard newest.map({ $0["zone"] as String }) != document.timeZone else { return }
        // A clock that was set back must not make the order of zones another one, nor change locked days.
        let locked = try OverrideTable.lockedThrough(db)
        let from = newest.map { max(now, $0["from_ms"] + .milliseconds(1), locked ?? now) }
        try db.run(
            "INSERT INTO site_zone (from_ms, zone) VALUES (?, ?)",
            [from?.milliseconds ?? 0, document.timeZone])
        // Quiet hours and shifts go by it.
        if newest != nil { try OverrideTable.raiseOverrides(db) }
    }

    /// Writes what `changes` names. Beacons are retired first, also those that only change, so
    /// that two of them can swap identities although an identity is unique.
    static func apply(
        _ changes: [Change], of document: SiteDocument, by asker: RosterAsker, _ db: Database
    ) throws {
        let now = asker.at
        for change in changes where change.subject == .beacon && change.kind != .added {
            try db.run(
                "UPDATE beacon SET retired_ms = ? WHERE slug = ?", [now.milliseconds, change.slug])
        }
        for change in changes where change.kind == .retired { try retire(change, by: asker, db) }
        func written<Thing>(_ subject: Change.Subject, _ things: [Thing], _ slug: (Thing) -> String)
            -> [Thing]
        {
            let slugs = Set(
                changes.filter { $0.subject == subject && $0.kind != .retired }.map(\.slug))
            return things.filter { slugs.contains(slug($0)) }
        }
        for room in written(.room, document.rooms, \.slug) { try put(room, db) }
        for collection in SiteCollection.content {
            let rows = document.content[collection.name] ?? []
            let subject = Change.Subject(rawValue: collection.one)
            for row in written(subject, rows, { $0["id"]?.string ?? "" }) {
                try collection.put(row, db)
            }
        }
        for station in written(.station, document.stations, \.slug) { try put(station, db) }
        for user in written(.user, document.users, \.slug) { try put(user, by: asker, db) }
        for node in written(.node, document.nodes, \.slug) { try put(node, db) }
        for beacon in written(.beacon, document.beacons, \.slug) {
            try put(beacon, db)
            try BeaconRows.identify(beacon.slug, by: beacon.identity, at: now, db)
            try BeaconRows.bind(beacon.slug, to: beacon.user, until: beacon.until, at: now, db)
        }
    }

    private static func retire(
        _ change: Change, by asker: RosterAsker, _ db: Database
    ) throws {
        let now = asker.at
        guard let collection = SiteCollection.of(change.subject) else { return }
        if change.subject == .beacon {
            try BeaconRows.identify(change.slug, by: nil, at: now, db)
            try BeaconRows.bind(change.slug, to: nil, until: nil, at: now, db)
        }
        try db.run(
            "UPDATE \(collection.table) SET retired_ms = ? WHERE slug = ?",
            [now.milliseconds, change.slug])
        if change.subject == .user {
            let user = try Corrections.user(slug: change.slug, db)
            try Amendments.carryOutRest(of: user, db)
            try Departures.end(of: user, by: asker, db)
        }
    }

    private static func put(_ room: SiteDocument.Room, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO room (slug, name, low_x_m, low_y_m, high_x_m, high_y_m)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (slug) DO UPDATE SET name = excluded.name, low_x_m = excluded.low_x_m,
                low_y_m = excluded.low_y_m, high_x_m = excluded.high_x_m,
                high_y_m = excluded.high_y_m, retired_ms = NULL
            """,
            [
                room.slug, room.name, room.area?.low.x, room.area?.low.y, room.area?.high.x,
                room.area?.high.y,
            ])
    }

    private static func put(_ station: SiteDocument.Station, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO station (slug, name, room, slots, x_m, y_m, kind, equipment, location,
                auto_start_s, auto_pause_s, claim_grace_s)
            VALUES (?, ?, (SELECT id FROM room WHERE slug = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (slug) DO UPDATE SET name = excluded.name, room = excluded.room,
                slots = excluded.slots, x_m = excluded.x_m, y_m = excluded.y_m,
                kind = excluded.kind, equipment = excluded.equipment,
                location = excluded.location, auto_start_s = excluded.auto_start_s,
                auto_pause_s = excluded.auto_pause_s, claim_grace_s = excluded.claim_grace_s,
                retired_ms = NULL
            """,
            [
                station.slug, station.name, station.room, station.slots, station.x, station.y,
                station.use.kind.rawValue, station.use.equipment, station.use.location,
                station.use.autoStart, station.use.autoPause, station.use.claimGrace,
            ])
        try db.run(
            "DELETE FROM station_exercise WHERE station = (SELECT id FROM station WHERE slug = ?)",
            [station.slug])
        for (n, exercise) in station.use.exercises.enumerated() {
            try db.run(
                """
                INSERT INTO station_exercise (station, n, exercise)
                SELECT station.id, ?, exercise.id FROM station, exercise
                WHERE station.slug = ? AND exercise.slug = ?
                """, [n, station.slug, exercise])
        }
    }

    private static func put(_ node: SiteDocument.Node, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO node (slug, name, room, station, x_m, y_m, carrier)
            VALUES (?, ?, (SELECT id FROM room WHERE slug = ?),
                (SELECT id FROM station WHERE slug = ?), ?, ?,
                (SELECT id FROM user WHERE slug = ?))
            ON CONFLICT (slug) DO UPDATE SET name = excluded.name, room = excluded.room,
                station = excluded.station, x_m = excluded.x_m, y_m = excluded.y_m,
                carrier = excluded.carrier, retired_ms = NULL
            """,
            [node.slug, node.name, node.room, node.station, node.x, node.y, node.carrier])
    }

    private static func put(
        _ user: SiteDocument.User, by asker: RosterAsker, _ db: Database
    ) throws {
        // A release before this one retired people and left them their ways in.
        let retired = try Int64.fetchOne(
            db, sql: "SELECT id FROM user WHERE slug = ? AND retired_ms IS NOT NULL",
            arguments: [user.slug])
        if let retired { try Departures.end(of: UserID(retired), by: asker, db) }
        try db.run(
            """
            INSERT INTO user (slug, name) VALUES (?, ?)
            ON CONFLICT (slug) DO UPDATE SET name = excluded.name, retired_ms = NULL
            """, [user.slug, user.name])
        try Consents.put(consent: user.consent, of: user.slug, at: asker.at, db)
    }

    private static func put(_ beacon: SiteDocument.Beacon, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO beacon (slug, title, identity, room, station, threshold_dbm)
            VALUES (?, ?, ?, (SELECT id FROM room WHERE slug = ?),
                (SELECT id FROM station WHERE slug = ?), ?)
            ON CONFLICT (slug) DO UPDATE SET title = excluded.title, identity = excluded.identity,
                room = excluded.room, station = excluded.station,
                threshold_dbm = excluded.threshold_dbm, retired_ms = NULL
            """,
            [
                beacon.slug, beacon.title, beacon.identity.text, beacon.room, beacon.station,
                beacon.threshold?.dBm,
            ])
    }
}

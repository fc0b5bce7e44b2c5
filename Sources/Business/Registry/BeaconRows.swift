import GRDB
import SiteModel
import SiteStore

/// Writing who carries a beacon, and what it is recognised by, so that both keep their history.
enum BeaconRows {
    /// Lets `user` carry a beacon from `now` on, until a moment if one is said, unless that is so already.
    /// Who carried it until now ends now. `until` before `now` is a binding that is over: of somebody who
    /// never had it here it leaves a trace of a millisecond, so that the site file stays what it is.
    static func bind(
        _ beacon: String, to user: String?, until: Timestamp?, at now: Timestamp, _ db: Database
    ) throws {
        if let said = try Said(of: beacon, db) {
            if said.user == user, said.until == until { return }
            let isOver = said.until.map { $0 <= now } ?? false
            if said.user == user, !isOver, until.map({ $0 > max(now, said.from) }) ?? true {
                return try db.run(
                    "UPDATE beacon_binding SET to_ms = ?1, until_ms = ?1 WHERE id = ?2",
                    [until?.milliseconds, said.id])
            }
            try end(said, isOver: isOver, at: now, db)
        }
        guard let user else { return }
        let last = try Int64.fetchOne(
            db,
            sql: """
                SELECT max(to_ms) FROM beacon_binding JOIN beacon ON beacon.id = beacon
                WHERE slug = ?
                """, arguments: [beacon])
        var from = max(now.milliseconds, last ?? 0)
        if let until, until.milliseconds <= from { from = until.milliseconds - 1 }
        try db.run(
            """
            INSERT INTO beacon_binding (beacon, user, from_ms, to_ms, until_ms)
            SELECT beacon.id, user.id, ?1, ?2, ?2 FROM beacon, user
            WHERE beacon.slug = ?3 AND user.slug = ?4
            """, [from, until?.milliseconds, beacon, user])
    }

    private static func end(_ said: Said, isOver: Bool, at now: Timestamp, _ db: Database) throws {
        if isOver {
            try db.run("UPDATE beacon_binding SET until_ms = NULL WHERE id = ?", [said.id])
        } else if said.from < now {
            try db.run(
                "UPDATE beacon_binding SET to_ms = ?, until_ms = NULL WHERE id = ?",
                [now.milliseconds, said.id])
        } else {
            // One that would end as it starts, or before if the clock was set back, never held.
            try db.run("DELETE FROM beacon_binding WHERE id = ?", [said.id])
        }
    }

    /// Notes where a beacon is fixed from `now` on, in a room or at a station, unless it is the same; `nil` ends it.
    static func fix(
        _ beacon: String, room: String?, station: String?, at now: Timestamp, _ db: Database
    ) throws {
        let open = try Row.fetchOne(
            db,
            sql: """
                SELECT fixed.id, from_ms, room.slug AS room, station.slug AS station
                FROM beacon_place AS fixed JOIN beacon ON beacon.id = fixed.beacon
                    LEFT JOIN room ON room.id = fixed.room
                    LEFT JOIN station ON station.id = fixed.station
                WHERE beacon.slug = ? AND fixed.to_ms IS NULL
                """, arguments: [beacon])
        if let open {
            guard open["room"] != room || open["station"] != station else { return }
            let id: Int64 = open["id"]
            // The same as of bindings.
            if open["from_ms"] < now {
                try db.run(
                    "UPDATE beacon_place SET to_ms = ? WHERE id = ?", [now.milliseconds, id])
            } else {
                try db.run("DELETE FROM beacon_place WHERE id = ?", [id])
            }
        }
        guard room != nil || station != nil else { return }
        try db.run(
            """
            INSERT INTO beacon_place (beacon, room, station, from_ms)
            SELECT beacon.id, (SELECT id FROM room WHERE slug = ?1),
                (SELECT id FROM station WHERE slug = ?2), max(?3, coalesce(
                    (SELECT max(to_ms) FROM beacon_place WHERE beacon = beacon.id), 0))
            FROM beacon WHERE beacon.slug = ?4
            """, [room, station, now.milliseconds, beacon])
    }

    /// Notes what a beacon is recognised by from `now` on, unless it is the same; `nil` ends it.
    static func identify(
        _ beacon: String, by identity: Identity?, at now: Timestamp, _ db: Database
    ) throws {
        let open = try Row.fetchOne(
            db,
            sql: """
                SELECT known.id, known.from_ms, known.identity FROM beacon_identity AS known
                    JOIN beacon ON beacon.id = known.beacon
                WHERE beacon.slug = ? AND known.to_ms IS NULL
                """, arguments: [beacon])
        if let open {
            guard (open["identity"] as String) != identity?.text else { return }
            let id: Int64 = open["id"]
            // The same as of bindings.
            if open["from_ms"] < now {
                try db.run(
                    "UPDATE beacon_identity SET to_ms = ? WHERE id = ?", [now.milliseconds, id])
            } else {
                try db.run("DELETE FROM beacon_identity WHERE id = ?", [id])
            }
        }
        guard let identity else { return }
        try db.run(
            """
            INSERT INTO beacon_identity (beacon, identity, from_ms)
            SELECT beacon.id, ?, max(?, coalesce(
                (SELECT max(to_ms) FROM beacon_identity WHERE beacon = beacon.id), 0))
            FROM beacon WHERE beacon.slug = ?
            """, [identity.text, now.milliseconds, beacon])
    }
}

/// What the site file says of who carries a beacon.
private struct Said {
    var id: Int64
    var user: String
    var from: Timestamp
    var until: Timestamp?

    /// `nil` if nobody is said to.
    init?(of beacon: String, _ db: Database) throws {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT binding.id, binding.from_ms, binding.until_ms, user.slug
                FROM beacon_binding AS binding
                    JOIN user ON user.id = binding.user JOIN beacon ON beacon.id = binding.beacon
                WHERE beacon.slug = ? AND (binding.to_ms IS NULL OR binding.until_ms IS NOT NULL)
                """, arguments: [beacon])
        guard let row else { return nil }
        (id, user) = (row["id"], row["slug"])
        (from, until) = (row["from_ms"], row["until_ms"])
    }
}

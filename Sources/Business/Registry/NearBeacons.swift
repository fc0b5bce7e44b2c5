import GRDB
import SiteModel
import SiteStore

/// Which nodes a place has, and what is known of beacons in range.
package struct NearBeacons: Sendable {
    /// What people call a beacon, and whose it is.
    package struct About: Equatable, Sendable {
        package var title: String
        package var user: String?
        package var name: String?
    }

    /// The nodes of places, by slug.
    package struct Places: Sendable {
        package var stations: [String: Set<String>] = [:]
        package var rooms: [String: Set<String>] = [:]

        /// By which nodes it is told what is near somebody: those of the station, else of the room, where they are.
        package func nodes(atStation station: String?, inRoom room: String?) -> Set<String> {
            station.flatMap { stations[$0] } ?? room.flatMap { rooms[$0] } ?? []
        }
    }

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// The node alone; `nil`: there is none.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func node(_ slug: String) throws(StoreError) -> Set<String>? {
        try found("SELECT slug FROM node WHERE slug = ? AND retired_ms IS NULL", slug)
    }

    /// The nodes of a room; `nil`: there is no such room.
    ///
    /// - Throws: As `node`.
    package func nodes(inRoom room: String) throws(StoreError) -> Set<String>? {
        let nodes = try store.read { db in
            try db.rows(
                """
                SELECT node.slug FROM room
                    LEFT JOIN node ON node.room = room.id AND node.retired_ms IS NULL
                WHERE room.slug = ? AND room.retired_ms IS NULL
                """, [room]
            ) { $0["slug"] as String? }
        }
        return nodes.isEmpty ? nil : Set(nodes.compactMap(\.self))
    }

    /// The nodes of each station and of each room that has some, by slug.
    ///
    /// - Throws: As `node`.
    package func places() throws(StoreError) -> Places {
        let rows = try store.read { db in
            try db.rows(
                """
                SELECT node.slug, room.slug AS room, station.slug AS station FROM node
                    JOIN room ON room.id = node.room LEFT JOIN station ON station.id = node.station
                WHERE node.retired_ms IS NULL
                """
            ) { ($0["slug"] as String, $0["room"] as String, $0["station"] as String?) }
        }
        var places = Places()
        for (node, room, station) in rows {
            places.rooms[room, default: []].insert(node)
            if let station { places.stations[station, default: []].insert(node) }
        }
        return places
    }

    private func found(_ sql: String, _ slug: String) throws(StoreError) -> Set<String>? {
        let nodes = try store.read { db in
            try Set(String.fetchAll(db, sql: sql, arguments: [slug]))
        }
        return nodes.isEmpty ? nil : nodes
    }

    /// Of those that are registered, by slug, who has them at a moment.
    ///
    /// - Throws: As `node`.
    package func about(
        _ beacons: [String], at now: Timestamp
    ) throws(StoreError) -> [String: About] {
        let rows = try store.read { db in
            try db.rows(
                """
                SELECT beacon.slug, beacon.title, user.slug AS user, user.name AS name FROM beacon
                    LEFT JOIN beacon_binding AS binding ON binding.beacon = beacon.id
                        AND from_ms <= ?2 AND coalesce(to_ms, ?2 + 1) > ?2
                    LEFT JOIN user ON user.id = binding.user
                WHERE beacon.retired_ms IS NULL AND beacon.slug IN (SELECT value FROM json_each(?1))
                """, [try JSONText.text(of: beacons), now.milliseconds]
            ) {
                (
                    $0["slug"] as String,
                    About(title: $0["title"], user: $0["user"], name: $0["name"])
                )
            }
        }
        return Dictionary(rows) { first, _ in first }
    }
}

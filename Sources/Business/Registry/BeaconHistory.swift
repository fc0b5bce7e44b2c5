import GRDB
import SiteModel
import SiteStore

/// Who carried a beacon, and what it was recognised by.
package struct BeaconHistory: Sendable {
    /// One person's time with a beacon. Moments are milliseconds since 1970.
    package struct Bound: Equatable, Sendable, Encodable {
        /// The slug of the person.
        package var user: String
        package var from_ms: Int64
        /// `nil` while they carry it, in the future if that is said.
        package var to_ms: Int64?
    }

    /// So long a beacon was recognised by one thing.
    package struct Known: Equatable, Sendable, Encodable {
        /// The slug of the beacon.
        package var beacon: String
        package var identity: String
        package var from_ms: Int64
        /// `nil` while it holds.
        package var to_ms: Int64?
    }

    /// So long a beacon was fixed at one place.
    package struct Fixed: Equatable, Sendable, Encodable {
        /// The slugs; one of them is there.
        package var room: String?
        package var station: String?
        package var from_ms: Int64
        /// `nil` while it hangs there.
        package var to_ms: Int64?
    }

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Who carried a beacon, oldest first, also of a retired one; `nil` if it was never registered.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func bindings(of beacon: String) throws(StoreError) -> [Bound]? {
        try store.read { db in
            guard let row = try Self.row(of: beacon, db) else { return nil }
            return try db.rows(
                """
                SELECT user.slug, from_ms, to_ms FROM beacon_binding AS binding
                    JOIN user ON user.id = binding.user
                WHERE beacon = ? ORDER BY from_ms
                """, [row]
            ) { Bound(user: $0["slug"], from_ms: $0["from_ms"], to_ms: $0["to_ms"]) }
        }
    }

    /// Where a beacon was fixed, oldest first; `nil` if it was never registered.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func places(of beacon: String) throws(StoreError) -> [Fixed]? {
        try store.read { db in
            guard let row = try Self.row(of: beacon, db) else { return nil }
            return try db.rows(
                """
                SELECT room.slug AS room, station.slug AS station, from_ms, to_ms
                FROM beacon_place AS fixed LEFT JOIN room ON room.id = fixed.room
                    LEFT JOIN station ON station.id = fixed.station
                WHERE beacon = ? ORDER BY from_ms
                """, [row]
            ) {
                Fixed(
                    room: $0["room"], station: $0["station"], from_ms: $0["from_ms"],
                    to_ms: $0["to_ms"])
            }
        }
    }

    /// What a beacon was recognised by, oldest first; `nil` if it was never registered.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func identities(of beacon: String) throws(StoreError) -> [Known]? {
        try store.read { db in
            guard let row = try Self.row(of: beacon, db) else { return nil }
            return try Self.known("beacon = ?", row, db)
        }
    }

    /// Which beacons were ever recognised by one thing, oldest first.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func beacons(knownBy identity: String) throws(StoreError) -> [Known] {
        try store.read { db in try Self.known("known.identity = ?", identity, db) }
    }

    private static func known(
        _ condition: String, _ value: some DatabaseValueConvertible, _ db: Database
    ) throws -> [Known] {
        try db.rows(
            """
            SELECT beacon.slug, known.identity, from_ms, to_ms FROM beacon_identity AS known
                JOIN beacon ON beacon.id = known.beacon
            WHERE \(condition) ORDER BY from_ms, known.id
            """, [value]
        ) {
            Known(
                beacon: $0["slug"], identity: $0["identity"], from_ms: $0["from_ms"],
                to_ms: $0["to_ms"])
        }
    }

    private static func row(of beacon: String, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT id FROM beacon WHERE slug = ?", arguments: [beacon])
    }
}

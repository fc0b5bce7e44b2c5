import GRDB
import SiteModel
import SiteStore

/// Visits of strangers' devices, of what nodes tell of them.
///
/// What several nodes hear of one address is one visit, at the node that hears it best, until it was silent everywhere for
/// `gap`. Addresses that change are other devices: nothing that is heard says that they are not.
package struct DetectionVisits: Sendable {
    /// What one node told of one device since that came.
    package struct Seen: Equatable, Sendable {
        package var node: String
        package var address: String
        package var type: String
        package var confidence: Double
        package var name: String?
        package var rssi: Double
        package var first: Timestamp
        package var last: Timestamp
        /// Advertisements since `since`.
        package var hits: Int64
        /// When the node says that it came; `first` lies at most `longest` back.
        package var since: Timestamp

        package init(
            node: String, address: String, type: String, confidence: Double, name: String?,
            rssi: Double, first: Timestamp, last: Timestamp, hits: Int64, since: Timestamp? = nil
        ) {
            self.since = since ?? first
            self.node = node
            self.address = address
            self.type = type
            self.confidence = confidence
            self.name = name
            self.rssi = rssi
            self.first = first
            self.last = last
            self.hits = hits
        }
    }

    /// After so long a silence it is another visit.
    package static let gap = Timestamp.Span.seconds(600)
    /// A visit is told of as long as this, in ms.
    package static let longest: Int64 = 24 * 3_600_000
    /// An address is forgotten so long after it was heard last.
    private static let memory = Timestamp.Span.seconds(24 * 3600)
    /// So many addresses are forgotten, or rows deleted, at once.
    private static let slice = 500
    /// Stretches begin at the same moment that begin so near to each other, in ms: messages take their time.
    private static let sameStretch: Int64 = 30_000
    /// So much is counted.
    private static let mostHits: Int64 = 1_000_000_000_000
    /// So many rows are kept; then the oldest go.
    package static let mostRows = 1_000_000

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Stores what was told, oldest first. A node tells all of a device since it came: told twice it counts once.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func put(_ seen: [Seen], at now: Timestamp) throws(StoreError) {
        try store.write { db in
            let notices = try DeviceNotices(db, at: now)
            for one in seen { try Self.put(one, notices, db) }
        }
    }

    private static func put(_ one: Seen, _ notices: DeviceNotices, _ db: Database) throws {
        let node = try Int64.fetchOne(
            db, sql: "SELECT id FROM node WHERE slug = ? AND retired_ms IS NULL",
            arguments: [one.node])
        let type = try Int64.fetchOne(
            db, sql: "SELECT id FROM device_type WHERE slug = ? AND retired_ms IS NULL",
            arguments: [one.type])
        // Of what the site does not have any more an older configuration of a node tells.
        guard let node, let type else { return }
        let open = try Row.fetchOne(
            db,
            sql: """
                SELECT id, type, confidence FROM detection
                WHERE address = ? AND last_ms >= ? AND source = ? AND source_id IS NULL
                ORDER BY last_ms DESC LIMIT 1
                """,
            arguments: [one.address, (one.first - gap).milliseconds, Detection.mesh])
        let isSurer = open.map { one.confidence > ($0["confidence"] ?? -1) } ?? true
        let visit: Int64 = try open?["id"] ?? added(one, db)
        try hear(one, node, visit, db)
        try db.run(
            """
            UPDATE detection SET
                rssi = best.rssi, node = best.node,
                room = (SELECT room FROM node WHERE node.id = best.node),
                hits = total.hits, first_ms = total.first_ms, last_ms = total.last_ms,
                name = coalesce(detection.name, ?2),
                type = iif(?5, ?3, type), confidence = iif(?5, ?4, confidence)
            FROM (
                SELECT node, rssi FROM detection_node WHERE detection = ?1
                ORDER BY rssi DESC, node LIMIT 1
            ) AS best, (
                SELECT sum(hits) AS hits, min(first_ms) AS first_ms, max(last_ms) AS last_ms
                FROM detection_node WHERE detection = ?1
            ) AS total
            WHERE detection.id = ?1
            """, [visit, one.name, type, one.confidence, isSurer])
        let before: Int64? = open?["type"]
        if isSurer, type != before { try notices.note(one.type, at: one.last, db) }
    }

    /// Takes what one node heard of a visit. A node tells all since it hears the device without having lost it: of such a
    /// stretch only what is more than before counts.
    private static func hear(_ one: Seen, _ node: Int64, _ visit: Int64, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO detection_node (
                detection, node, rssi, hits, first_ms, last_ms, stretch_ms, stretch_hits)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?9, ?4)
            ON CONFLICT (detection, node) DO UPDATE SET
                rssi = max(rssi, excluded.rssi),
                hits = min(
                    hits + iif(excluded.stretch_ms > stretch_ms + ?7, excluded.hits,
                        max(0, excluded.hits - stretch_hits)), ?8),
                stretch_hits = iif(excluded.stretch_ms > stretch_ms + ?7, excluded.hits,
                    max(stretch_hits, excluded.hits)),
                stretch_ms = iif(excluded.stretch_ms > stretch_ms + ?7, excluded.stretch_ms,
                    stretch_ms),
                first_ms = min(first_ms, excluded.first_ms),
                last_ms = max(last_ms, excluded.last_ms)
            """,
            [
                visit, node, one.rssi, one.hits, one.first.milliseconds, one.last.milliseconds,
                sameStretch, mostHits, one.since.milliseconds,
            ])
    }

    private static func added(_ one: Seen, _ db: Database) throws -> Int64 {
        var new = Detection()
        new.type = one.type
        new.address = one.address
        new.name = one.name
        new.rssi = one.rssi
        new.confidence = one.confidence
        (new.first, new.last, new.hits) = (one.first, one.last, one.hits)
        new.node = one.node
        return try Detections.insert(new, db)
    }

    /// Puts a digest in the place of addresses that nobody heard for a day: the same device can be told again, and not be
    /// found by it. Returns whether there may be more to do.
    ///
    /// - Throws: A writer's `StoreError`; repeat after `.busy` or `.full`.
    package func forgetAddresses(at now: Timestamp) throws(StoreError) -> Bool {
        try store.write { db in
            let rows = try db.rows(
                """
                SELECT id, address FROM detection
                WHERE last_ms < ? AND address IS NOT NULL AND address NOT GLOB 'x-*' LIMIT ?
                """, [(now - Self.memory).milliseconds, Self.slice]
            ) { ($0["id"] as Int64, $0["address"] as String) }
            guard !rows.isEmpty, let digest = try AddressDigest(db) else { return false }
            for (id, address) in rows {
                try db.run(
                    "UPDATE detection SET address = ? WHERE id = ?", [digest.text(of: address), id])
            }
            return rows.count == Self.slice
        }
    }

    /// Deletes some of the oldest rows where there are more than `most`. Returns whether there may be more to do.
    ///
    /// - Throws: A writer's `StoreError`; repeat after `.busy` or `.full`.
    package func trim(to most: Int = mostRows) throws(StoreError) -> Bool {
        let count = try store.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM detection") ?? 0
        }
        guard count > most else { return false }
        try store.write { db in
            try db.run(
                """
                DELETE FROM detection WHERE id IN (
                    SELECT id FROM detection ORDER BY last_ms, id LIMIT ?)
                """, [min(Self.slice, count - most)])
        }
        return count - most > Self.slice
    }
}

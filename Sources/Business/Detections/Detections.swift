import ActivityEngine
import Foundation
import GRDB
import JSON
import Records
import SiteModel
import SiteStore

/// Strangers' devices that were found, as they are stored.
package struct Detections: Sendable {
    /// What came of one that an external detector sent.
    package enum Stored: Equatable, Sendable {
        case new(Int64)
        /// It was sent before: this is its row.
        case known(Int64)
    }

    let store: Store

    package init(_ store: Store) { self.store = store }

    // MARK: Reading

    /// The rows of a filter, at most `count`, and where they go on.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func page(
        _ filter: DetectionFilter, most count: Int
    ) throws(StoreError) -> (rows: [Detection], next: DetectionFilter.Place?) {
        let found = try store.read { db in try Self.rows(filter, most: count + 1, db) }
        let rows = Array(found.prefix(count))
        return (
            rows.map(\.detection),
            found.count > count
                ? rows.last.map { DetectionFilter.Place(key: $0.key, id: $0.detection.id) } : nil
        )
    }

    /// One, with the nodes that heard it, the best first; `nil`: there is none.
    ///
    /// - Throws: As `page`.
    package func one(_ id: Int64) throws(StoreError) -> (Detection, [Detection.Hearer])? {
        try store.read { db in
            let found = try db.rows(
                "SELECT 0 AS key, \(Self.columns) \(Self.joins) WHERE detection.id = ?", [id],
                as: Self.detection)
            guard let one = found.first else { return nil }
            let hearers = try db.rows(
                """
                SELECT node.slug AS node, heard.rssi, heard.hits, heard.first_ms, heard.last_ms
                FROM detection_node AS heard JOIN node ON node.id = heard.node
                WHERE heard.detection = ? ORDER BY heard.rssi DESC, node.slug
                """, [id]
            ) {
                Detection.Hearer(
                    node: $0["node"], rssi: $0["rssi"], hits: $0["hits"], first: $0["first_ms"],
                    last: $0["last_ms"])
            }
            return (one.detection, hearers)
        }
    }

    /// A text that more rows have is found in the newest of them, but in files.
    package static let mostFound = 20_000

    private static let columns = """
        detection.*, device_type.slug AS type_slug, node.slug AS node_slug, room.slug AS room_slug
        """
    private static let joins = """
        FROM detection LEFT JOIN device_type ON device_type.id = detection.type
            LEFT JOIN node ON node.id = detection.node LEFT JOIN room ON room.id = detection.room
        """

    private static func rows(
        _ filter: DetectionFilter, most count: Int, _ db: Database
    ) throws -> [(detection: Detection, key: Double)] {
        var conditions: [String] = []
        var arguments: [any DatabaseValueConvertible] = []
        func demand(_ condition: String, _ values: any DatabaseValueConvertible...) {
            conditions.append(condition)
            arguments += values
        }
        if let text = filter.text {
            // A phrase: nothing in it is an operator of the search. Of many the newest are taken, so that they need not all be
            // put in order.
            let phrase = "\"" + text.replacing("\"", with: "\"\"") + "\""
            demand(
                """
                detection.id IN (
                    SELECT rowid FROM detection_text WHERE detection_text MATCH ?
                    ORDER BY rowid DESC LIMIT ?)
                """, phrase, filter.order == .stored ? -1 : mostFound)
        }
        // In their own order rows are walked as they lie: an index of a filter would have them put in order for each page.
        let plus = filter.order == .stored ? "+" : ""
        if let type = filter.type {
            demand("\(plus)detection.type = (SELECT id FROM device_type WHERE slug = ?)", type)
        }
        if let node = filter.node {
            demand("\(plus)detection.node = (SELECT id FROM node WHERE slug = ?)", node)
        }
        if let room = filter.room {
            demand("\(plus)detection.room = (SELECT id FROM room WHERE slug = ?)", room)
        }
        if let source = filter.source { demand("\(plus)detection.source = ?", source) }
        if let from = filter.from { demand("\(plus)detection.last_ms >= ?", from.milliseconds) }
        if let until = filter.until { demand("\(plus)detection.last_ms < ?", until.milliseconds) }
        let (key, isUp) = filter.order.key
        if let after = filter.after {
            demand("(\(key), detection.id) \(isUp ? ">" : "<") (?, ?)", after.key, after.id)
        }
        let wanted = conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
        let direction = isUp ? "" : " DESC"
        arguments.append(count)
        return try db.rows(
            """
            SELECT \(key) AS key, \(columns) \(joins) WHERE \(wanted)
            ORDER BY \(key)\(direction), detection.id\(direction) LIMIT ?
            """, StatementArguments(arguments), as: detection)
    }

    private static func detection(_ row: Row) -> (detection: Detection, key: Double) {
        var one = Detection()
        one.id = row["id"]
        one.source = row["source"]
        one.sourceID = row["source_id"]
        one.type = row["type_slug"]
        one.said = row["said"]
        one.address = row["address"]
        one.name = row["name"]
        one.ssid = row["ssid"]
        one.rssi = row["rssi"]
        one.confidence = row["confidence"]
        one.latitude = row["latitude"]
        one.longitude = row["longitude"]
        one.speed = row["speed_m_s"]
        one.heading = row["heading_deg"]
        one.activity = row["activity"]
        one.positionAge = row["position_age_ms"]
        one.first = row["first_ms"]
        one.last = row["last_ms"]
        one.hits = row["hits"]
        one.node = row["node_slug"]
        one.room = row["room_slug"]
        return (one, row["key"])
    }

    // MARK: Writing

    /// Stores what an external detector sent, each once by its source and what that calls it.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func put(_ new: [Detection], at now: Timestamp) throws(StoreError) -> [Stored] {
        try store.write { db in
            let notices = try DeviceNotices(db, at: now)
            return try new.map { one in
                if let sourceID = one.sourceID,
                    let known = try Int64.fetchOne(
                        db, sql: "SELECT id FROM detection WHERE source = ? AND source_id = ?",
                        arguments: [one.source, sourceID])
                {
                    return .known(known)
                }
                let row = try Self.insert(try Self.placed(one, db), db)
                try notices.note(one.type, at: one.last, db)
                return .new(row)
            }
        }
    }

    /// The same where its carrier's phone was just then, if it says nothing itself of where it was found.
    private static func placed(_ one: Detection, _ db: Database) throws -> Detection {
        guard one.latitude == nil else { return one }
        guard let carrier = one.carrier else { return one }
        let found = try Row.fetchOne(
            db,
            sql: """
                SELECT * FROM geo_position
                WHERE user = (SELECT id FROM user WHERE slug = ? AND retired_ms IS NULL)
                    AND at_ms <= ? AND at_ms >= ? AND replaced = 0
                ORDER BY at_ms DESC, coalesce(accuracy_m, 1e9), id LIMIT 1
                """,
            arguments: [
                carrier, one.first.milliseconds,
                (one.first - GeoPosition.longestAge).milliseconds,
            ])
        guard let found else { return one.uncarried }
        var placed = one
        (placed.latitude, placed.longitude) = (found["latitude"], found["longitude"])
        placed.speed = one.speed ?? found["speed_m_s"]
        placed.heading = one.heading ?? found["heading_deg"]
        placed.activity = one.activity ?? found["activity"]
        placed.positionAge = (one.first - found["at_ms"]).milliseconds
        return placed
    }

    static func insert(_ one: Detection, _ db: Database) throws -> Int64 {
        try db.run(
            """
            INSERT INTO detection (
                source, source_id, type, said, address, name, ssid, rssi, confidence, latitude,
                longitude, speed_m_s, heading_deg, activity, position_age_ms, user,
                first_ms, last_ms, hits, node, room)
            VALUES (
                ?, ?, (SELECT id FROM device_type WHERE slug = ? AND retired_ms IS NULL), ?, ?, ?,
                ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM user WHERE slug = ?), ?, ?, ?,
                (SELECT id FROM node WHERE slug = ?20), (SELECT room FROM node WHERE slug = ?20))
            """,
            [
                one.source, one.sourceID, one.type, one.said, one.address, one.name, one.ssid,
                one.rssi, one.confidence, one.latitude, one.longitude, one.speed, one.heading,
                one.activity, one.positionAge, one.carrier, one.first.milliseconds,
                one.last.milliseconds,
                one.hits, one.node,
            ])
        return db.lastInsertedRowID
    }

    /// Deletes one; `false`: there is none.
    ///
    /// - Throws: A writer's `StoreError`.
    package func delete(_ id: Int64, by asker: Asker) throws(StoreError) -> Bool {
        try store.write { db in
            try db.run("DELETE FROM detection WHERE id = ?", [id])
            guard db.changesCount > 0 else { return false }
            try AuditTrail.append(
                AuditEntry(
                    at: asker.at, actor: asker.name, via: asker.via, action: "delete",
                    entity: "detection", entityID: "\(id)"), db)
            return true
        }
    }

    /// Deletes those of a type, or of any, that were heard last before a moment, or ever: `mostForgotten` at once, as nobody else
    /// writes meanwhile. Returns how many.
    ///
    /// - Throws: A writer's `StoreError`.
    package func forget(
        type: String?, before moment: Timestamp?, by asker: Asker
    ) throws(StoreError) -> Int {
        try store.write { db in
            try db.run(
                """
                DELETE FROM detection WHERE id IN (
                    SELECT id FROM detection WHERE last_ms < ?1
                        AND (?2 IS NULL OR type = (SELECT id FROM device_type WHERE slug = ?2))
                    LIMIT ?3)
                """, [moment?.milliseconds ?? Int64.max, type, Self.mostForgotten])
            let count = db.changesCount
            guard count > 0 else { return 0 }
            let about = Forgotten(count: count, type: type, before_ms: moment?.milliseconds)
            try AuditTrail.append(
                AuditEntry(
                    at: asker.at, actor: asker.name, via: asker.via, action: "delete",
                    entity: "detection", entityID: "", after: try JSONText.text(of: about)), db)
            return count
        }
    }

    package static let mostForgotten = 10_000

    private struct Forgotten: Encodable {
        var count: Int
        var type: String?
        var before_ms: Int64?
    }
}

extension DetectionFilter.Order {
    /// What rows are ordered by, and whether the lowest is first.
    fileprivate var key: (expression: String, isUp: Bool) {
        switch self {
        case .newest: ("detection.last_ms", false)
        case .oldest: ("detection.last_ms", true)
        case .strongest: ("coalesce(detection.rssi, -999)", false)
        case .surest: ("coalesce(detection.confidence, -1)", false)
        case .stored: ("detection.id", true)
        }
    }
}

extension Detection {
    /// The same without who carries it, of one without a place: it says nothing of where they were.
    fileprivate var uncarried: Detection {
        var one = self
        one.carrier = nil
        return one
    }
}

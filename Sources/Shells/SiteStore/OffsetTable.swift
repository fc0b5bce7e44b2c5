import GRDB
import SiteModel

package struct OffsetTable: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    static func put(_ row: OffsetRow, into db: Database) throws {
        let (node, beacon): (Int64?, Int64?) =
            switch row.device {
            case .node(let node): (node.row, nil)
            case .beacon(let beacon): (nil, beacon.row)
            }
        try db.run(
            """
            INSERT INTO device_offset (node, beacon, place, position, offset_db, applied_db,
                weight_s, since_ms, at_ms, proven, drift_db)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET place = excluded.place, position = excluded.position,
                offset_db = excluded.offset_db, applied_db = excluded.applied_db,
                weight_s = excluded.weight_s, since_ms = excluded.since_ms,
                at_ms = excluded.at_ms, proven = excluded.proven, drift_db = excluded.drift_db
            """,
            [
                node, beacon, try row.place.map { try JSONText.text(of: $0) },
                try row.position.map { try JSONText.text(of: $0) }, row.offset, row.applied,
                row.weight, row.since.milliseconds, row.at.milliseconds, row.isProven, row.drift,
            ])
    }

    func offset(_ row: Row) throws -> OffsetRow {
        let device: Ear
        if let node = row["node"] as Int64? {
            device = .node(NodeID(node))
        } else if let beacon = row["beacon"] as Int64? {
            device = .beacon(BeaconID(beacon))
        } else {
            throw StoreError.corrupt(path: store.path, detail: "bad device_offset of nothing")
        }
        return OffsetRow(
            device: device,
            place: try (row["place"] as String?).map { try JSONText.value(Place.self, from: $0) },
            position: try (row["position"] as String?).map {
                try JSONText.value(Position.self, from: $0)
            },
            offset: row["offset_db"], applied: row["applied_db"], weight: row["weight_s"],
            since: row.moment("since_ms"), at: row.moment("at_ms"), isProven: row["proven"],
            drift: row["drift_db"])
    }
}

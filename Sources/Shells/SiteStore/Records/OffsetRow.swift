import GRDB
import SiteModel

extension OffsetRow: StoredRow, FetchableRecord {
    package static let table = "device_offset"

    package var columns: Columns {
        get throws {
            [
                "node": node,
                "beacon": beacon,
                "place": try place.map { try JSONText.text(of: $0) },
                "position": try position.map { try JSONText.text(of: $0) },
                "offset_db": offset,
                "applied_db": applied,
                "weight_s": weight,
                "since_ms": since,
                "at_ms": at,
                "proven": isProven,
                "drift_db": drift,
            ]
        }
    }

    package init(row: Row) throws {
        let device: Ear
        if let node = row["node"] as NodeID? {
            device = .node(node)
        } else if let beacon = row["beacon"] as BeaconID? {
            device = .beacon(beacon)
        } else {
            throw Self.damaged(row, "node")
        }
        self.init(
            device: device, place: try Self.optionalJSON(row, "place"),
            position: try Self.optionalJSON(row, "position"), offset: row["offset_db"],
            applied: row["applied_db"], weight: row["weight_s"], since: row["since_ms"],
            at: row["at_ms"], isProven: row["proven"], drift: row["drift_db"])
    }
}

extension OffsetRow {
    private var node: NodeID? { if case .node(let node) = device { node } else { nil } }
    private var beacon: BeaconID? { if case .beacon(let beacon) = device { beacon } else { nil } }

    /// Stores the offset in the place of the one that the device had.
    package func replace(_ db: Database) throws {
        try db.run("DELETE FROM device_offset WHERE node = ? OR beacon = ?", [node, beacon])
        try save(db)
    }
}

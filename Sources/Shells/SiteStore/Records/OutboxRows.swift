import Basics
import GRDB
import SiteEngine
import SiteModel

// What nodes keep in their outboxes until it is stored here.

extension EvidenceRow: StoredRow, FetchableRecord {
    package static let table = "evidence"

    package var columns: Columns {
        [
            "node": node,
            "log": Hex.text(evidence.record.log, count: 16),
            "seq": evidence.record.sequence,
            "at_ms": at,
            "boot": Hex.text(evidence.boot, count: 16),
            "from_ms": evidence.from,
            "to_ms": evidence.to,
            "site_from_ms": from,
            "state": verdict.rawValue,
            "listened_ms": evidence.listened.milliseconds,
            "floor_dbm": evidence.floor.dBm,
            "synced": evidence.isSynced,
            "gaps": Packed.bytes(of: evidence.gaps),
            "runs": Packed.bytes(of: evidence.runs),
        ]
    }

    package init(row: Row) throws {
        let record = Record(
            log: try Self.hex(row, "log"), sequence: row["seq"], after: row["seq"] - 1)
        self.init(
            node: row["node"],
            evidence: Evidence(
                record: record, boot: try Self.hex(row, "boot"), from: row["from_ms"],
                to: row["to_ms"], listened: .milliseconds(row["listened_ms"]),
                floor: RSSI(dBm: row["floor_dbm"]), isSynced: row["synced"],
                gaps: try Self.packed(row, "gaps", Packed.gaps),
                runs: try Self.packed(row, "runs", Packed.runs)),
            at: row["at_ms"], from: row["site_from_ms"], verdict: try Self.choice(row, "state"))
    }
}

extension NodeEventRow: StoredRow {
    package static let table = "node_event"

    package var columns: Columns {
        [
            "node": node,
            "log": Hex.text(event.record.log, count: 16),
            "seq": event.record.sequence,
            "at_ms": at,
            "boot": Hex.text(event.boot, count: 16),
            "t_ms": event.at,
            "site_ms": happened,
            "kind": event.kind,
            "detail": event.detail?.storable,
            "beacon": event.beacon,
            "value": event.value,
        ]
    }
}

extension CursorRow: StoredRow, FetchableRecord {
    package static let table = "node_cursor"

    package var columns: Columns {
        [
            "node": node,
            "log": Hex.text(log, count: 16),
            "seq": sequence,
            "since_ms": since,
        ]
    }

    package init(row: Row) throws {
        self.init(
            node: row["node"], log: try Self.hex(row, "log"), sequence: row["seq"],
            since: row["since_ms"])
    }
}

extension CursorRow {
    /// Stores the cursor and drops those of outboxes that `Saved` forgets, too.
    func saveAndTrim(_ db: Database) throws {
        try save(db)
        // Digits and letters sort as the numbers do.
        try db.run(
            """
            DELETE FROM node_cursor WHERE node = ? AND log NOT IN (
                SELECT log FROM node_cursor WHERE node = ? ORDER BY since_ms DESC, log DESC LIMIT ?)
            """,
            [node, node, CursorRow.mostLogs])
    }
}

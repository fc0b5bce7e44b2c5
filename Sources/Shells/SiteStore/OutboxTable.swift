import Basics
import Foundation
import GRDB
import SiteEngine
import SiteModel

/// What nodes keep in their outboxes until it is stored here.
package struct OutboxTable: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Sent again, the first time counts: only then was it decided what it is worth.
    static func put(_ row: EvidenceRow, into db: Database) throws {
        let evidence = row.evidence
        try db.run(
            """
            INSERT INTO evidence (node, log, seq, at_ms, boot, from_ms, to_ms, site_from_ms, state,
                listened_ms, floor_dbm, synced, gaps, runs)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (node, log, seq) DO NOTHING
            """,
            [
                row.node.row, Hex.text(evidence.record.log, count: 16), evidence.record.sequence,
                row.at.milliseconds, Hex.text(evidence.boot, count: 16), evidence.from.milliseconds,
                evidence.to.milliseconds, row.from?.milliseconds, row.verdict.rawValue,
                evidence.listened.milliseconds, evidence.floor.dBm, evidence.isSynced,
                Packed.bytes(of: evidence.gaps), Packed.bytes(of: evidence.runs),
            ])
    }

    static func put(_ row: NodeEventRow, into db: Database) throws {
        let event = row.event
        try db.run(
            """
            INSERT INTO node_event (node, log, seq, at_ms, boot, t_ms, site_ms, kind, detail, beacon,
                value)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (node, log, seq) DO NOTHING
            """,
            [
                row.node.row, Hex.text(event.record.log, count: 16), event.record.sequence,
                row.at.milliseconds, Hex.text(event.boot, count: 16), event.at.milliseconds,
                row.happened?.milliseconds, event.kind, event.detail?.storable, event.beacon?.row,
                event.value,
            ])
    }

    static func put(_ row: CursorRow, into db: Database) throws {
        try db.run(
            """
            INSERT INTO node_cursor (node, log, seq, since_ms) VALUES (?, ?, ?, ?)
            ON CONFLICT (node, log) DO UPDATE SET seq = excluded.seq, since_ms = excluded.since_ms
            """,
            [row.node.row, Hex.text(row.log, count: 16), row.sequence, row.since.milliseconds])
        // What `Saved` forgets, too. Digits and letters sort as the numbers do.
        try db.run(
            """
            DELETE FROM node_cursor WHERE node = ? AND log NOT IN (
                SELECT log FROM node_cursor WHERE node = ? ORDER BY since_ms DESC, log DESC LIMIT ?)
            """,
            [row.node.row, row.node.row, CursorRow.mostLogs])
    }

    func cursor(_ row: Row) throws -> CursorRow {
        let log: String = row["log"]
        guard let number = Hex.number(log.utf8) else {
            throw StoreError.corrupt(path: store.path, detail: "bad node_cursor.log")
        }
        return CursorRow(
            node: NodeID(row["node"]), log: number, sequence: row["seq"],
            since: row.moment("since_ms"))
    }
}

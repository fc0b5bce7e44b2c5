import GRDB
import Positioning
import SiteEngine
import SiteModel
import SiteStore

/// Fills in where people were while nobody was told.
package struct CoarseStays: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// So much time is filled in one transaction.
    private static let portion = Timestamp.Span.seconds(3600)

    /// Fills the next hour, at most, of what nobody was told live: rooms from evidence, marked coarse.
    /// Only time that all nodes have told everything of is filled, and each hour once. Returns the
    /// number of new rows, or `nil` if there was nothing to look at.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func fillHoles() throws(StoreError) -> Int? {
        let limits = try store.read { db -> (from: Timestamp, to: Timestamp)? in
            guard
                let mark = try Int64.fetchOne(db, sql: "SELECT watermark_ms FROM site_state")
            else { return nil }
            let through = try Int64.fetchOne(db, sql: "SELECT through_ms FROM coarse_fill")
            let oldest = try Int64.fetchOne(db, sql: "SELECT min(site_from_ms) FROM evidence")
            guard let start = through ?? oldest, mark > start else { return nil }
            let from = Timestamp(milliseconds: start)
            // A hole that is still growing is looked at when it is over, or an hour long.
            let to = min(from + Self.portion, Timestamp(milliseconds: mark))
            return to - from >= .seconds(600) ? (from, to) : nil
        }
        guard let limits else { return nil }
        return try store.write { db in
            let count = try fill(limits.from, limits.to, db)
            try db.run(
                """
                INSERT INTO coarse_fill (id, through_ms) VALUES (1, ?)
                ON CONFLICT (id) DO UPDATE SET through_ms = excluded.through_ms
                """, [limits.to.milliseconds])
            return count
        }
    }

    private func fill(_ from: Timestamp, _ to: Timestamp, _ db: Database) throws -> Int {
        let window = Interval(from: from, to: to)
        var hearings: [UserID: [Holes.Hearing]] = [:]
        let bindings = try bindings(in: window, db)
        let rows = try db.rows(
            """
            SELECT node.room, site_from_ms, runs FROM evidence JOIN node ON node.id = evidence.node
            WHERE state = 'taken' AND node.carrier IS NULL AND site_from_ms >= ?
                AND site_from_ms < ? ORDER BY site_from_ms, evidence.node
            """, [from.milliseconds, to.milliseconds]
        ) { row -> (room: RoomID, start: Timestamp, runs: [Evidence.Run]) in
            guard let runs = Packed.runs(from: row["runs"]) else {
                throw DamagedRow("evidence.runs", row["site_from_ms"])
            }
            return (row["room"], row["site_from_ms"], runs)
        }
        for (room, start, runs) in rows {
            for run in runs {
                let interval = Interval(
                    from: start + .seconds(Double(run.first)),
                    to: start + .seconds(Double(run.last + 1)))
                guard
                    let binding = bindings.first(where: {
                        $0.beacon == run.beacon && $0.holds(at: interval.from)
                    })
                else { continue }
                hearings[binding.user, default: []].append(
                    Holes.Hearing(room: room, interval: interval, level: run.mean))
            }
        }
        var count = 0
        for user in hearings.keys.sorted() {
            let known = try db.rows(
                """
                SELECT from_ms, coalesce(to_ms, ?2) AS to_ms FROM stay
                WHERE user = ?1 AND level = 'room' AND from_ms < ?2 AND coalesce(to_ms, ?2) > ?3
                """, [user.row, to.milliseconds, from.milliseconds]
            ) {
                Interval(
                    from: $0["from_ms"], to: max($0["from_ms"], $0["to_ms"]))
            }
            for piece in Holes.pieces(of: hearings[user] ?? [], known: known) {
                try put(piece, of: user, db)
                count += 1
            }
        }
        return count
    }

    /// A piece that goes on where the last one ended is part of it.
    private func put(_ piece: Holes.Piece, of user: UserID, _ db: Database) throws {
        let last = try Row.fetchOne(
            db,
            sql: """
                SELECT id, room, to_ms FROM coarse_stay WHERE user = ? AND from_ms <= ?
                ORDER BY from_ms DESC LIMIT 1
                """, arguments: [user.row, piece.interval.from.milliseconds])
        if let last, last["room"] == piece.room.row,
            piece.interval.from - last["to_ms"] <= Holes.joining
        {
            try db.run(
                "UPDATE coarse_stay SET to_ms = max(to_ms, ?) WHERE id = ?",
                [piece.interval.to.milliseconds, last["id"] as Int64])
            return
        }
        try db.run(
            "INSERT INTO coarse_stay (user, room, from_ms, to_ms) VALUES (?, ?, ?, ?)",
            [
                user.row, piece.room.row, piece.interval.from.milliseconds,
                piece.interval.to.milliseconds,
            ])
    }

    private func bindings(in window: Interval, _ db: Database) throws -> [Binding] {
        try db.rows(
            """
            SELECT beacon, user, from_ms, to_ms FROM beacon_binding
            WHERE from_ms < ? AND coalesce(to_ms, ?) >= ? ORDER BY beacon, from_ms
            """,
            [window.to.milliseconds, window.to.milliseconds, window.from.milliseconds]
        ) {
            Binding(
                beacon: $0["beacon"], user: $0["user"],
                from: $0["from_ms"], to: $0["to_ms"])
        }
    }
}

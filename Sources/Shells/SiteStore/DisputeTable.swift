import GRDB
import SiteModel

/// What late evidence says of days that are locked or forgotten: it asks, as a person would.
enum DisputeTable {
    /// Evidence as close together as this is asked about at once.
    static let disputeJoin = Timestamp.Span.seconds(120)

    /// Takes a dispute in: a pending correction is made or grows. What was decided before is not
    /// asked again, nor what a session states already.
    static func put(_ dispute: Dispute, into db: Database) throws {
        let join = disputeJoin.milliseconds
        var from = dispute.interval.from.milliseconds
        var to = dispute.interval.to.milliseconds
        let isDecided = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM correction
                    WHERE user = ? AND source = ? AND state IN ('approved', 'refused')
                        AND new_from_ms <= ? AND new_to_ms >= ?)
                """, arguments: [dispute.user.row, dispute.kind.rawValue, from, to])
        guard isDecided != true else { return }
        guard to > from else { return try putWithdrawal(dispute, into: db) }
        var heard = dispute.heard.milliseconds
        let pending = try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM correction
                WHERE user = ? AND source = ? AND state = 'pending' AND new_from_ms <= ?
                    AND new_to_ms >= ?
                ORDER BY id
                """, arguments: [dispute.user.row, dispute.kind.rawValue, to + join, from - join])
        for row in pending {
            // Told again, it is no more than it was.
            let known: Int64 = row["heard_ms"] ?? 0
            let isWithin = row["new_from_ms"] <= from && row["new_to_ms"] >= to
            heard = isWithin ? max(known, heard) : known + heard
            from = min(from, row["new_from_ms"])
            to = max(to, row["new_to_ms"])
        }
        try upsert(dispute, from: from, to: to, heard: min(heard, to - from), over: pending, db)
    }

    private static func upsert(
        _ dispute: Dispute, from: Int64, to: Int64, heard: Int64, over pending: [Row],
        _ db: Database
    ) throws {
        let sessions = try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM attendance_session
                WHERE user = ? AND void = 0 AND to_ms IS NOT NULL AND from_ms <= ? AND to_ms >= ?
                ORDER BY from_ms LIMIT 2
                """, arguments: [dispute.user.row, to, from])
        // With two of them, somebody must look: as an addition it cannot be approved unseen.
        let session = sessions.count == 1 ? sessions[0] : nil
        let newFrom = session.map { min(from, $0["from_ms"]) } ?? from
        let newTo = session.map { max(to, $0["to_ms"]) } ?? to
        if let session, session["from_ms"] == newFrom, session["to_ms"] == newTo,
            dispute.kind != .uncertain
        {
            return
        }
        for row in pending.dropFirst() {
            try db.run("UPDATE correction SET state = 'superseded' WHERE id = ?", [row["id"]])
        }
        let values: StatementArguments = [
            session == nil ? "add" : "times", session?["id"], session?["rev"],
            session?["from_ms"], session?["to_ms"], newFrom, newTo, heard,
        ]
        if let first = pending.first {
            try db.run(
                """
                UPDATE correction SET change = ?, session = ?, session_rev = ?, old_from_ms = ?,
                    old_to_ms = ?, new_from_ms = ?, new_to_ms = ?, heard_ms = ?
                WHERE id = ?
                """, values + [first["id"]])
            return
        }
        let clock = try Int64.fetchOne(db, sql: "SELECT clock_ms FROM site_state") ?? 0
        try db.run(
            """
            INSERT INTO correction (change, session, session_rev, old_from_ms, old_to_ms,
                new_from_ms, new_to_ms, heard_ms, source, user, reason, requested_ms,
                requested_by, state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'coordinator', 'pending')
            """,
            values + [
                dispute.kind.rawValue, dispute.user.row, reason(dispute.kind),
                max(clock, dispute.interval.to.milliseconds),
            ])
    }

    /// Nothing was heard of a locked session, after all: once it is asked whether it shall go.
    private static func putWithdrawal(_ dispute: Dispute, into db: Database) throws {
        let asked = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM correction
                    WHERE session = ? AND source = ? AND change = 'remove'
                        AND state <> 'superseded')
                """, arguments: [dispute.session, dispute.kind.rawValue])
        guard dispute.session != nil, asked != true else { return }
        try db.run(
            """
            INSERT INTO correction (source, change, session, user, session_rev, old_from_ms,
                old_to_ms, reason, requested_ms, requested_by, state)
            SELECT ?, 'remove', id, user, rev, from_ms, to_ms, ?,
                max(to_ms, coalesce((SELECT clock_ms FROM site_state), 0)), 'coordinator',
                'pending'
            FROM attendance_session WHERE id = ? AND void = 0 AND to_ms IS NOT NULL
            """,
            [
                dispute.kind.rawValue, "nobody heard them then, but the period is locked",
                dispute.session,
            ])
    }

    private static func reason(_ kind: Dispute.Kind) -> String {
        switch kind {
        case .late: "heard then, but told only when that day could not change any more"
        case .locked: "heard then, but the period is locked"
        case .uncertain: "heard about then, by a node whose clock cannot be trusted"
        }
    }
}

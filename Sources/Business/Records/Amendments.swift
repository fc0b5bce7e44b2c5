import GRDB
import SiteEngine
import SiteModel
import SiteStore

/// What approved corrections come to: an amendment where the machines still hold the
/// session, a changed row where they do not.
enum Amendments {
    /// Rows of sessions that the machines never had begin here: far above their own.
    static let firstAddedSession: Int64 = 1_000_000_000_000

    /// Does what an approved correction says. Returns how it left the session, if it did not leave
    /// that to the machines.
    static func carryOut(
        _ wish: ProposedCorrection, as correction: Int64, reason: String, by asker: Asker,
        _ db: Database
    ) throws -> CorrectionRow.Edited? {
        if wish.change == .reviewed {
            try db.run(
                """
                INSERT INTO session_review (session, codes, decided_by, decided_ms, reason)
                SELECT id, review, ?, ?, ? FROM attendance_session WHERE id = ?
                """,
                [asker.name.storable, asker.at.milliseconds, reason, wish.session])
            return nil
        }
        let isKept = try Bool.fetchOne(
            db, sql: "SELECT kept FROM attendance_session WHERE id = ?", arguments: [wish.session])
        let reachesMachines = try reachesMachines(wish, db)
        var edited: Int64?
        if isKept != true {
            edited = try edit(wish, isStated: !reachesMachines, db)
        }
        if isKept == true || reachesMachines {
            try OverrideTable.raiseOverrides(db)
        }
        return try Row.fetchOne(
            db, sql: "SELECT id, from_ms, to_ms, void FROM attendance_session WHERE id = ?",
            arguments: [edited]
        ).map {
            CorrectionRow.Edited(
                session: $0["id"], from_ms: $0["from_ms"], to_ms: $0["to_ms"], void: $0["void"])
        }
    }

    /// Whether what the correction states lies where the machines still decide.
    private static func reachesMachines(_ wish: ProposedCorrection, _ db: Database) throws -> Bool {
        guard let new = wish.new else { return false }
        let clock = try Int64.fetchOne(db, sql: "SELECT clock_ms FROM site_state") ?? 0
        let isRecent =
            (new.to?.milliseconds ?? .max) >= clock - Saved.horizon.milliseconds
        let touchesOpen =
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM attendance_session
                        WHERE user = ? AND void = 0 AND to_ms IS NULL AND from_ms <= ?)
                    """, arguments: [wish.user.row, new.to?.milliseconds ?? .max]) ?? false
        return isRecent || touchesOpen
    }

    /// Changes rows that the machines do not hold. `isStated`: they will not open the new one. Returns
    /// the row that was changed or made.
    private static func edit(_ wish: ProposedCorrection, isStated: Bool, _ db: Database) throws
        -> Int64?
    {
        guard let session = wish.session else {
            guard isStated, let new = wish.new else { return nil }
            try db.run(
                """
                INSERT INTO attendance_session (id, user, from_ms, to_ms, void, kept, in_cause,
                    out_cause, breaks, review, rev)
                SELECT max(coalesce(max(id), 0), ?) + 1, ?, ?, ?, 0, 0, 'corrected', 'corrected',
                    '[]', '[]', 1
                FROM attendance_session
                """,
                [
                    firstAddedSession, wish.user.row, new.from.milliseconds, new.to?.milliseconds,
                ])
            return db.lastInsertedRowID
        }
        guard isStated, let new = wish.new else {
            try db.run(
                "UPDATE attendance_session SET void = 1, rev = rev + 1 WHERE id = ?", [session])
            return session
        }
        try db.run(
            """
            UPDATE attendance_session SET from_ms = ?, to_ms = ?, rev = rev + 1,
                in_cause = iif(from_ms = ?, in_cause, 'corrected'),
                out_cause = iif(to_ms = ?, out_cause, 'corrected')
            WHERE id = ?
            """,
            [
                new.from.milliseconds, new.to?.milliseconds, new.from.milliseconds,
                new.to?.milliseconds, session,
            ])
        return session
    }
}

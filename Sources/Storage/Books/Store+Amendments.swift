import GRDB
import MeshCore

/// What approved corrections come to: an amendment where the machines still hold the
/// session, a changed row where they do not.
extension Store {
    /// Amendments that ended longer ago than this before the site's clock are settled for good.
    static let amendmentLife = Timestamp.Span.seconds(72 * 3600)
    /// Rows of sessions that the machines never had begin here: far above their own.
    static let firstAddedSession: Int64 = 1_000_000_000_000

    /// Does what an approved correction says. Returns how it left the session, if it did not leave
    /// that to the machines.
    static func carryOut(
        _ wish: Wish, as correction: Int64, reason: String, by asker: Asker, _ db: Database
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
            try raiseOverrides(db)
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
    private static func reachesMachines(_ wish: Wish, _ db: Database) throws -> Bool {
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
    private static func edit(_ wish: Wish, isStated: Bool, _ db: Database) throws -> Int64? {
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

    /// The amendments that the machines must know, by row: recent ones, those of sessions that they
    /// hold however old these are, and those of users who are in.
    static func amendments(_ db: Database) throws -> [Amendment] {
        let clock = try Int64.fetchOne(db, sql: "SELECT clock_ms FROM site_state") ?? 0
        return try db.rows(
            """
            SELECT * FROM correction
            WHERE state = 'approved' AND change <> 'reviewed'
                AND (coalesce(max(coalesce(old_to_ms, decided_ms, 0), coalesce(new_to_ms, 0)), 0)
                        >= ?
                    OR EXISTS (SELECT 1 FROM attendance_session AS held
                        WHERE held.id = correction.session AND held.kept = 1)
                    OR EXISTS (SELECT 1 FROM attendance_session AS session
                        WHERE session.user = correction.user AND session.to_ms IS NULL
                            AND session.void = 0))
            ORDER BY id
            """, [clock - amendmentLife.milliseconds], as: amendment)
    }

    /// An approved row of `correction`, as the machines know it.
    static func amendment(_ row: Row) -> Amendment {
        let decided = row.moment("decided_ms")
        let from = row.optionalMoment("old_from_ms")
        let new = row.optionalMoment("new_from_ms")
        var replaced = from.map {
            Interval(from: $0, to: max($0, row.optionalMoment("old_to_ms") ?? decided))
        }
        var stated: Interval?
        if let new, let to = row.optionalMoment("new_to_ms") {
            stated = Interval(from: new, to: to)
        } else if let new, let from {
            // It stays open: only what lies between the two starts is another matter now.
            replaced = new > from ? Interval(from: from, to: new) : nil
            stated = new < from ? Interval(from: new, to: from) : nil
        }
        return Amendment(
            id: row["id"], user: UserID(row["user"]), replaced: replaced, stated: stated)
    }
}

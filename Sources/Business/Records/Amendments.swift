import GRDB
import SiteEngine
import SiteModel
import SiteStore

/// What approved corrections come to: an amendment where the machines still hold the session, or make
/// it; a changed row where they do not, or know nothing of the user.
package enum Amendments {
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
        let isRetired = try isRetired(wish.user, db)
        let isMade = try !isRetired && isMade(wish, db)
        var edited: Int64?
        if isRetired || isKept != true {
            edited = try edit(
                wish.session, to: isMade ? nil : wish.new, of: wish.user, as: correction, db)
        }
        if isKept == true || isMade { try OverrideTable.raiseOverrides(db) }
        return try Row.fetchOne(
            db, sql: "SELECT id, from_ms, to_ms, void FROM attendance_session WHERE id = ?",
            arguments: [edited]
        ).map {
            CorrectionRow.Edited(
                session: $0["id"], from_ms: $0["from_ms"], to_ms: $0["to_ms"], void: $0["void"])
        }
    }

    /// Nobody decides for whoever was retired: the machines do not know them.
    private static func isRetired(_ user: UserID, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT retired_ms IS NOT NULL FROM user WHERE id = ?", arguments: [user.row])
            ?? true
    }

    /// Whether the machines make what the correction states: it ends after what they have forgotten. They
    /// may have forgotten more by the time they learn of it, and make it all the same
    /// (`Amendment.isMade`).
    private static func isMade(_ wish: ProposedCorrection, _ db: Database) throws -> Bool {
        guard let new = wish.new else { return false }
        let clock = try Int64.fetchOne(db, sql: "SELECT clock_ms FROM site_state") ?? 0
        let checkpoint = try String.fetchOne(
            db, sql: "SELECT checkpoint FROM ledger WHERE user = ?", arguments: [wish.user.row])
        let forgotten = Attendance.forgotten(
            try checkpoint.map { try JSONText.value(LedgerCheckpoint.self, from: $0) },
            clock: Timestamp(milliseconds: clock))
        return new.to.map { $0 > forgotten } ?? true
    }

    /// Brings the row of a session to what is stated, withdraws it if nothing is, and makes one where
    /// there was none. Returns the row, or `nil` if there is nothing to do.
    private static func edit(
        _ session: Int64?, to new: ProposedCorrection.Times?, of user: UserID,
        as correction: Int64, _ db: Database
    ) throws -> Int64? {
        guard let session else {
            guard let new else { return nil }
            let row = Session.firstAdded + correction
            try db.run(
                """
                INSERT INTO attendance_session (id, user, from_ms, to_ms, void, kept, in_cause,
                    out_cause, breaks, review, rev)
                VALUES (?, ?, ?, ?, 0, 0, 'corrected', 'corrected', '[]', '[]', 1)
                """, [row, user.row, new.from.milliseconds, new.to?.milliseconds])
            return row
        }
        guard let new else {
            try db.run(
                """
                UPDATE attendance_session SET void = 1, kept = 0, rev = rev + 1 WHERE id = ?
                """, [session])
            return session
        }
        try db.run(
            """
            UPDATE attendance_session SET from_ms = ?1, to_ms = ?2, void = 0, rev = rev + 1,
                review = iif(
                    (in_cause = 'heard' AND ?1 - from_ms > ?3)
                        OR (?2 IS NOT NULL AND coalesce(last_heard_ms, ?2) - ?2 > ?3),
                    (SELECT json_group_array(value) FROM (
                        SELECT value FROM json_each(review) UNION SELECT 'heard-outside')),
                    review),
                in_cause = iif(from_ms = ?1, in_cause, 'corrected'),
                out_cause = iif(to_ms = ?2, out_cause, 'corrected')
            WHERE id = ?4
            """,
            [
                new.from.milliseconds, new.to?.milliseconds, Session.grace.milliseconds, session,
            ])
        return session
    }

    /// Lets a session stand as it was that was withdrawn for a correction, before the machines have made
    /// what was to take its place. Returns how it stands, or `nil` if it was not withdrawn.
    static func putBack(
        _ correction: CorrectionRow, of user: UserID, _ db: Database
    ) throws -> CorrectionRow.Edited? {
        guard correction.change == .times, let session = correction.session,
            let from = correction.oldFrom,
            try OverrideTable.approval(of: correction.id, db) == .begun,
            try Bool.fetchOne(
                db, sql: "SELECT void FROM attendance_session WHERE id = ?", arguments: [session])
                == true
        else { return nil }
        let old = ProposedCorrection.Times(
            from: Timestamp(milliseconds: from),
            to: correction.oldTo.map { Timestamp(milliseconds: $0) })
        _ = try edit(session, to: old, of: user, as: correction.id, db)
        return CorrectionRow.Edited(
            session: session, from_ms: from, to_ms: correction.oldTo, void: false)
    }
}

// Corrections of whoever is retired before the machines know of them.
extension Amendments {
    /// Carries out on rows what was approved for a user who is retired and what the machines have not
    /// taken in: they never will. What they may still store of it is the same again.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func carryOutRest(of user: UserID, _ db: Database) throws {
        let taken = try OverrideTable.takenOverrides(db)?.amendments.map(\.id) ?? []
        let boundary = try OverrideTable.lockedThrough(db)
        var rest: [(session: Int64?, new: ProposedCorrection.Times?, correction: Int64)] = []
        for amendment in try OverrideTable.amendments(db)
        where amendment.user == user && !taken.contains(amendment.id) {
            let new =
                amendment.opens.map { ProposedCorrection.Times(from: $0) }
                ?? amendment.stated.map { ProposedCorrection.Times(from: $0.from, to: $0.to) }
            let standing = try standing(for: amendment.id, db)
            // What was locked since stands, as with the machines.
            if let boundary,
                [standing?.times.from, new?.from].contains(where: {
                    $0.map { $0 < boundary } ?? false
                })
            {
                continue
            }
            if let (session, times) = standing {
                // The last that is said of a session holds.
                rest.removeAll { $0.session == session }
                if times != new { rest.append((session, new, amendment.id)) }
            } else if new != nil, amendment.isMade == false {
                rest.append((nil, new, amendment.id))
            }
        }
        // First, so that none overlaps what another was.
        let kept = try Set(
            Int64.fetchAll(
                db, sql: "SELECT id FROM attendance_session WHERE user = ? AND kept = 1",
                arguments: [user.row]))
        for session in rest.compactMap(\.session) {
            try db.run(
                "UPDATE attendance_session SET void = 1, kept = 0 WHERE id = ?", [session])
        }
        for (session, new, correction) in rest {
            let row = try edit(session, to: new, of: user, as: correction, db)
            guard let row, new != nil, kept.contains(row) else { continue }
            try db.run("UPDATE attendance_session SET kept = 1 WHERE id = ?", [row])
        }
    }

    /// The session that a correction is about, if it was not withdrawn.
    private static func standing(
        for correction: Int64, _ db: Database
    ) throws -> (session: Int64, times: ProposedCorrection.Times)? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT session.id, from_ms, to_ms
                FROM correction JOIN attendance_session AS session
                    ON session.id = correction.session
                WHERE correction.id = ? AND session.void = 0
                """, arguments: [correction]
        ).map {
            (
                $0["id"],
                ProposedCorrection.Times(
                    from: $0["from_ms"], to: $0["to_ms"])
            )
        }
    }
}

import Basics
import GRDB
import SiteModel
import SiteStore

/// Asking for corrections and deciding on them.
package struct Corrections: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Corrections, the newest first: only those in one state, or of one user, if that is asked
    /// for; at most `count`.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func all(
        in state: CorrectionRow.State? = nil, of user: UserID? = nil, most count: Int = 500
    ) throws(StoreError) -> [CorrectionRow] {
        try store.read { db in
            try db.rows(
                """
                \(CorrectionRow.query)
                WHERE (? IS NULL OR state = ?) AND (? IS NULL OR correction.user = ?)
                ORDER BY correction.id DESC LIMIT ?
                """, [state?.rawValue, state?.rawValue, user?.row, user?.row, count],
                as: CorrectionRow.init)
        }
    }

    /// Writes down what somebody wants changed. Who asks again alike, because the answer was lost, has
    /// asked once.
    ///
    /// - Throws: A `BooksRefusal` that says what is wrong, or a `DatabaseError`; either rolls the
    ///   transaction back.
    package static func request(
        _ change: SessionChange, reason: String, by asker: Asker, _ db: Database
    ) throws -> CorrectionRow {
        let reason = try Books.checked(reason: reason)
        let wish = try ProposedCorrection(change, db)
        try wish.check(at: asker.at, db)
        let same = try Int64.fetchOne(
            db,
            sql: """
                SELECT id FROM correction
                WHERE state = 'pending' AND source = 'person' AND change = ? AND session IS ?
                    AND user = ? AND session_rev IS ? AND new_from_ms IS ? AND new_to_ms IS ?
                    AND reason = ? AND requested_by = ?
                """,
            arguments: [
                wish.change.rawValue, wish.session, wish.user.row, wish.revision,
                wish.new?.from.milliseconds, wish.new?.to?.milliseconds, reason,
                asker.name.storable,
            ])
        if let same { return try correction(same, db) }
        if let session = wish.session {
            try db.run(
                """
                UPDATE correction SET state = 'superseded'
                WHERE session = ? AND state = 'pending' AND source = 'person'
                """, [session])
        }
        try db.run(
            """
            INSERT INTO correction (source, change, session, user, session_rev, old_from_ms,
                old_to_ms, new_from_ms, new_to_ms, reason, requested_ms, requested_by, state)
            VALUES ('person', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending')
            """,
            [
                wish.change.rawValue, wish.session, wish.user.row, wish.revision,
                wish.old?.from.milliseconds, wish.old?.to?.milliseconds,
                wish.new?.from.milliseconds, wish.new?.to?.milliseconds, reason,
                asker.at.milliseconds, asker.name.storable,
            ])
        let row = try correction(db.lastInsertedRowID, db)
        try AuditTrail.append(
            asker.entry(
                "request", "correction", "\(row.id)", user: wish.user,
                after: try row.auditText()), db)
        return row
    }

    /// Approves or refuses a correction.
    ///
    /// - Throws: A `BooksRefusal` that says what is wrong, or a `DatabaseError`; either rolls the
    ///   transaction back.
    package static func decide(
        _ id: Int64, approves: Bool, reason: String, by asker: Asker, _ db: Database
    ) throws -> CorrectionRow {
        let reason = try Books.checked(reason: reason)
        let before = try correction(id, db)
        let isSetAside = try before.state == .approved && OverrideTable.setAside(db).contains(id)
        guard before.state == .pending || (isSetAside && !approves) else {
            throw BooksRefusal(.badState, "correction \(id) is \(before.state.rawValue) already")
        }
        let user = try user(slug: before.user, db)
        var edited: CorrectionRow.Edited?
        if approves {
            let wish = try ProposedCorrection(stored: before, user: user, db)
            try wish.check(at: asker.at, db)
            try db.run(
                """
                UPDATE correction SET state = 'approved', decided_ms = ?, decided_by = ?,
                    decision_reason = ? WHERE id = ?
                """, [asker.at.milliseconds, asker.name.storable, reason, id])
            edited = try Amendments.carryOut(wish, as: id, reason: reason, by: asker, db)
        } else {
            if isSetAside {
                edited = try Amendments.putBack(before, of: user, db)
                try OverrideTable.raiseOverrides(db)
            }
            try db.run(
                """
                UPDATE correction SET state = 'refused', decided_ms = ?, decided_by = ?,
                    decision_reason = ? WHERE id = ?
                """, [asker.at.milliseconds, asker.name.storable, reason, id])
        }
        let row = try correction(id, db)
        try AuditTrail.append(
            asker.entry(
                approves ? "approve" : "refuse", "correction", "\(id)", user: user,
                before: try before.auditText(), after: try row.auditText(edited: edited)), db)
        return row
    }

    /// Has the machines try again what is set aside. Returns the corrections among it, by row.
    ///
    /// - Throws: A `BooksRefusal` that says what is wrong, or a `DatabaseError`; either rolls the
    ///   transaction back.
    static func retry(reason: String, by asker: Asker, _ db: Database) throws -> [Int64] {
        let reason = try Books.checked(reason: reason)
        let corrections = try OverrideTable.setAside(db)
        try OverrideTable.raiseOverrides(db)
        try AuditTrail.append(
            asker.entry(
                "retry", "attendance", "set-aside", after: try JSONText.text(of: ["reason": reason])
            ),
            db)
        return corrections
    }

    /// The correction of a row. Throws `notFound`.
    package static func correction(_ id: Int64, _ db: Database) throws -> CorrectionRow {
        let row = try Row.fetchOne(
            db, sql: CorrectionRow.query + " WHERE correction.id = ?", arguments: [id])
        guard let row else { throw BooksRefusal(.notFound, "there is no correction \(id)") }
        return try CorrectionRow(row)
    }

    /// The row of a slug. Throws `notFound`.
    package static func user(slug: String, _ db: Database) throws -> UserID {
        let row = try Int64.fetchOne(
            db, sql: "SELECT id FROM user WHERE slug = ?", arguments: [slug])
        guard let row else { throw BooksRefusal(.notFound, "there is no user \(slug.quoted)") }
        return UserID(row)
    }
}

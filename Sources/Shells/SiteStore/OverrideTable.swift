import GRDB
import Scheduling
import SiteEngine
import SiteModel

/// What people decided, from the rows of their corrections, locks and excuses.
package enum OverrideTable {
    /// Amendments that ended longer ago than this before the site's clock are settled for good.
    static let amendmentLife = Timestamp.Span.seconds(72 * 3600)

    /// Makes the machines take in what people decided.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func raiseOverrides(_ db: Database) throws {
        try db.run("UPDATE overrides SET revision = revision + 1")
    }

    /// Stores what the machines have taken in.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func put(_ overrides: Overrides, into db: Database) throws {
        try db.run("UPDATE overrides SET taken = ?", [try JSONText.text(of: overrides)])
    }

    /// Leaves nothing of a person in what the machines have taken in.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func removeTaken(of user: UserID, _ db: Database) throws {
        guard var taken = try takenOverrides(db) else { return }
        taken.amendments.removeAll { $0.user == user }
        taken.duties?.assignments.removeAll { $0.user == user }
        taken.duties?.daysOff.removeAll { $0.user == user }
        taken.duties?.rules.records.removeAll { $0 == user }
        try put(taken, into: db)
    }

    /// What the machines have taken in; `nil` before the first time.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func takenOverrides(_ db: Database) throws -> Overrides? {
        try String.fetchOne(db, sql: "SELECT taken FROM overrides").map {
            try JSONText.value(Overrides.self, from: $0)
        }
    }

    /// The number of the newest decision, whoever made it.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func overridesRevision(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT revision FROM overrides") ?? 0
    }

    /// What became of a correction when it was approved.
    package enum Approval {
        /// All of it was left to the machines.
        case left
        /// A session was withdrawn, for the machines to make what takes its place.
        case begun
        /// Rows were changed, and nothing is left to do. Also what the audit tells no more: that of
        /// somebody who was erased.
        case done
    }

    /// What became of a correction when it was approved, as the audit has it: rows may have been
    /// corrected again since.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func approval(of correction: Int64, _ db: Database) throws -> Approval {
        struct Said: Decodable {
            struct Edited: Decodable { var void: Bool }
            var change: String
            var edited: Edited?
        }
        let text = try String.fetchOne(
            db,
            sql: """
                SELECT value FROM audit_value WHERE side = 'after' AND audit = (
                    SELECT max(id) FROM audit_log
                    WHERE entity = 'correction' AND entity_id = ? AND action = 'approve')
                """, arguments: ["\(correction)"])
        guard let text else { return .done }
        let said = try JSONText.value(Said.self, from: text.unstored)
        guard let edited = said.edited else { return .left }
        return said.change == "times" && edited.void ? .begun : .done
    }

    /// Approved corrections that the machines left out when they took in what people decided, by row
    /// (`SetAside`): the database refused what followed from them. None while they have not taken in the
    /// newest decision; never one that was carried out on rows, of which they need not know.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func setAside(_ db: Database) throws -> [Int64] {
        guard let taken = try takenOverrides(db), taken.revision == (try overridesRevision(db))
        else { return [] }
        let known = Set(taken.amendments.map(\.id))
        return try amendments(db).map(\.id).filter { id in
            try !known.contains(id) && approval(of: id, db) != .done
        }
    }

    /// The nodes nobody waits for.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func excuses(_ db: Database) throws -> [NodeExcuse] {
        try db.rows(
            "SELECT node, excused_ms FROM node_excuse WHERE ended_ms IS NULL ORDER BY node"
        ) { NodeExcuse(node: $0["node"], since: $0["excused_ms"]) }
    }

    /// The first moment that is not locked, or `nil` if nothing is.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func lockedThrough(_ db: Database) throws -> Timestamp? {
        try Int64.fetchOne(db, sql: "SELECT through_ms FROM period_lock ORDER BY id DESC LIMIT 1")
            .map { Timestamp(milliseconds: $0) }
    }

    /// The amendments that the machines must know, by row: recent ones, those of sessions that they
    /// hold however old these are, and of users who are in those that reach into the open session.
    /// So they do not grow with the history of a site.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func amendments(_ db: Database) throws -> [Amendment] {
        let clock = try Int64.fetchOne(db, sql: "SELECT clock_ms FROM site_state") ?? 0
        return try db.rows(
            """
            SELECT *, (SELECT breaks FROM attendance_session WHERE id = correction.session) AS breaks,
                iif(new_to_ms IS NULL, NULL, EXISTS (
                    SELECT 1 FROM attendance_session AS added WHERE added.id = ? + correction.id)
                OR EXISTS (
                    SELECT 1 FROM attendance_session AS other
                    WHERE other.user = correction.user AND other.void = 0
                        AND other.from_ms < correction.new_to_ms
                        AND coalesce(other.to_ms, \(Int64.max)) > correction.new_from_ms)) AS made
            FROM (
                SELECT *, max(coalesce(old_to_ms, decided_ms, 0), coalesce(new_to_ms, 0)) AS end_ms
                FROM correction WHERE state = 'approved' AND change <> 'reviewed') AS correction
            WHERE (end_ms >= ?
                    OR EXISTS (SELECT 1 FROM attendance_session AS held
                        WHERE held.id = correction.session AND held.kept = 1)
                    OR EXISTS (SELECT 1 FROM attendance_session AS session
                        WHERE session.user = correction.user AND session.to_ms IS NULL
                            AND session.void = 0 AND session.from_ms <= correction.end_ms))
            ORDER BY id
            """, [Session.firstAdded, clock - amendmentLife.milliseconds], as: amendment)
    }

    /// An approved row of `correction`, as the machines know it.
    package static func amendment(_ row: Row) throws -> Amendment {
        let decided: Timestamp = row["decided_ms"]
        let from: Timestamp? = row["old_from_ms"]
        let new: Timestamp? = row["new_from_ms"]
        let to: Timestamp? = row["new_to_ms"]
        if let new, let from, to == nil {
            return Amendment(id: row["id"], user: row["user"], began: from, opens: new)
        }
        let stated = new.flatMap { from in to.map { Interval(from: from, to: $0) } }
        let kept = try stated.map { stated in
            try breaks(of: row).compactMap { $0.common(with: stated) }
        }
        return Amendment(
            id: row["id"], user: row["user"],
            replaced: from.map {
                Interval(from: $0, to: max($0, row["old_to_ms"] ?? decided))
            },
            stated: stated, isMade: row["made"], breaks: kept?.isEmpty == false ? kept : nil)
    }

    /// The breaks of the session that a correction is about, as they stand, from the column `breaks` of a row;
    /// none where a query has no such column.
    ///
    /// - Throws: A `DecodingError`: no row that this release wrote.
    package static func breaks(of row: Row) throws -> [Interval] {
        guard let text = row["breaks"] as String? else { return [] }
        return try JSONText.value([[Timestamp]].self, from: text).compactMap { ends in
            guard ends.count == 2, ends[0] <= ends[1] else { return nil }
            return Interval(from: ends[0], to: ends[1])
        }
    }
}

extension Store {
    /// What the machines are to know by now. Trimmed by the site's clock, so that two calls may differ
    /// in amendments that are settled for good.
    ///
    /// What they do know is `Saved.overrides`.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func overrides() throws(StoreError) -> Overrides {
        try read { db in
            Overrides(
                revision: try OverrideTable.overridesRevision(db),
                amendments: try OverrideTable.amendments(db),
                lockedThrough: try OverrideTable.lockedThrough(db),
                excuses: try OverrideTable.excuses(db))
        }
    }

    /// The numbers by which a coordinator notices what others wrote beside it: of the plan, 0 before
    /// the first import, and of the overrides.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func revisions() throws(StoreError) -> (plan: Int64, overrides: Int64) {
        try read { db in
            (
                try Int64.fetchOne(db, sql: "SELECT revision FROM site") ?? 0,
                try OverrideTable.overridesRevision(db)
            )
        }
    }
}

import GRDB
import SiteEngine
import SiteModel
import SiteStore

/// What a lock was forced over.
package struct ForcedLock: Equatable, Sendable, Codable {
    /// Corrections that were approved and not carried out yet, by row: the lock refuses them.
    package var corrections: [Int64]
    /// Sessions that were not final, by row: evidence does not change them any more.
    package var sessions: [Int64]

    package enum CodingKeys: String, CodingKey {
        case corrections = "not_carried_out"
        case sessions = "not_final"
    }

    /// What a lock of all before `boundary` would be forced over, or `nil` if nothing stands in its way.
    init?(before boundary: Timestamp, after lock: LockRow?, _ db: Database) throws {
        corrections = try Self.underWay(before: boundary, db)
        sessions = try Int64.fetchAll(
            db,
            sql: """
                SELECT id FROM attendance_session
                WHERE void = 0 AND from_ms >= ? AND from_ms < ?
                    AND coalesce(to_ms <= (SELECT watermark_ms FROM site_state), 0) = 0
                ORDER BY id
                """, arguments: [lock?.through ?? 0, boundary.milliseconds])
        if corrections.isEmpty, sessions.isEmpty { return nil }
    }

    /// The corrections of what began before a moment that were approved and that the machines have not
    /// taken in yet, by row.
    static func underWay(before boundary: Timestamp, _ db: Database) throws -> [Int64] {
        let taken = try OverrideTable.takenOverrides(db)
        let known = Set(taken?.amendments.map(\.id) ?? [])
        // What was written as a row at once raises no revision.
        guard try OverrideTable.overridesRevision(db) > taken?.revision ?? 0 else { return [] }
        return try OverrideTable.amendments(db).filter { amendment in
            try !known.contains(amendment.id)
                && [amendment.replaced?.from, amendment.stated?.from].contains { start in
                    start.map { $0 < boundary } ?? false
                }
                && OverrideTable.approval(of: amendment.id, db) != .done
        }.map(\.id).sorted()
    }

    /// Takes back the approval of the corrections, which nothing has come of yet: nothing can any more.
    func refuseCorrections(because reason: String, by asker: Asker, _ db: Database) throws {
        for id in corrections {
            let before = try Corrections.correction(id, db)
            let user = try Corrections.user(slug: before.user, db)
            let edited = try Amendments.putBack(before, of: user, db)
            try db.run(
                """
                UPDATE correction SET state = 'refused', decided_ms = ?, decided_by = ?,
                    decision_reason = ? WHERE id = ?
                """, [asker.at.milliseconds, asker.name.storable, reason, id])
            let after = try Corrections.correction(id, db)
            try AuditTrail.append(
                asker.entry(
                    "refuse", "correction", "\(id)", user: user, before: try before.auditText(),
                    after: try after.auditText(edited: edited)), db)
        }
    }
}

import GRDB
import SiteEngine
import SiteModel
import SiteSchema

/// The rows of facts.
enum FactRows {
    static func put(_ fact: Fact, into db: Database) throws {
        switch fact {
        case .site(let row):
            try row.save(db)
            try trim(at: row.clock, db)
        case .ledger(let row): try row.save(db)
        case .presence(let row): try row.save(db)
        case .session(let session): try session.save(db)
        case .statement(let statement): try statement.insertFirst(db)
        case .dispute(let dispute): try DisputeTable.put(dispute, into: db)
        case .stay(let stay): try stay.save(db)
        case .workout(let workout): try workout.saveWithPauses(db)
        case .claim(let claim): try claim.save(db)
        case .set(let set): try set.save(db)
        case .downtime(let downtime): try downtime.save(db)
        case .wait(let wait): try wait.save(db)
        case .event(let event): try event.save(db)
        case .answer(let answer): try answer.saveUnlessOfRoom(db)
        // Sent again, the first time counts: only then was it decided what it is worth.
        case .evidence(let row): try row.insertFirst(db)
        case .nodeEvent(let row): try row.insertFirst(db)
        case .cursor(let row): try row.saveAndTrim(db)
        case .reasons(let reasons): try ReasonsTable.put(reasons, into: db)
        case .offset(let row): try row.replace(db)
        case .overrides(let new): try OverrideTable.put(new, into: db)
        case .notification(let row): try NotificationTable.put(row, into: db)
        }
    }

    /// What is kept as the machines hold it.
    private static let trims: [(sql: String, life: Timestamp.Span)] = SiteTables.all.compactMap {
        guard case .machines(let life, let column, _) = $0.kept else { return nil }
        return ("DELETE FROM \($0.name) WHERE \(column) < ?", life)
    }

    /// What `Saved.apply` drops when the clock moves, because it is too old: sessions, except
    /// each user's newest, answers and reasons; and old evidence.
    private static func trim(at clock: Timestamp, _ db: Database) throws {
        try db.run(
            """
            UPDATE attendance_session AS session SET kept = 0
            WHERE kept = 1 AND to_ms < ? AND EXISTS (
                SELECT 1 FROM attendance_session AS later
                WHERE later.kept = 1 AND later.user = session.user
                    AND (later.from_ms, later.id) > (session.from_ms, session.id))
            """,
            [(clock - Saved.sessionLife).milliseconds])
        for trim in Self.trims { try db.run(trim.sql, [(clock - trim.life).milliseconds]) }
    }
}

import Ciphers
import Foundation
import GRDB
import SiteModel
import SiteStore

/// Forgetting a person: no name in the file, attendance under a pseudonym that nobody knows.
package struct Erasures: Sendable {
    let store: Store

    package init(_ store: Store) { self.store = store }

    /// Erases a user: `begin`, then all slices of the run one after the other.
    ///
    /// - Throws: A writer's `StoreError`; a refusal by the rules is returned, not thrown. What was begun is
    ///   owed then: the runs of `owed` do the rest.
    package func erase(
        user slug: String, reason: String, options: ErasureOptions = ErasureOptions(),
        by actor: String, via: AuditEntry.Via, at now: Timestamp
    ) throws(StoreError) -> Result<Erasure, BooksRefusal> {
        switch try begin(user: slug, reason: reason, options: options, by: actor, via: via, at: now)
        {
        case .failure(let refusal): return .failure(refusal)
        case .success(var run): return .success(try finish(&run))
        }
    }

    /// Does all that is owed, waiting where a run does.
    ///
    /// - Throws: A writer's `StoreError`; the rest stays owed.
    package func settle() throws(StoreError) {
        for var run in try owed() { _ = try finish(&run) }
    }

    private func finish(_ run: inout ErasureRun) throws(StoreError) -> Erasure {
        while true {
            if let erasure = try run.step(on: store) { return erasure }
            Thread.sleep(forTimeInterval: run.pause)
        }
    }

    /// Makes a user unreadable in one short transaction: pseudonym, retirement, the line in the audit, and
    /// a note of what is owed. The run that is returned does the rest; where it ends in the middle, one of
    /// `owed` goes on.
    ///
    /// Refused with `notFound`, and with `badState` while they are in, at a place or in a workout, or the only
    /// owner who can sign in.
    /// A running coordinator notices it and clears what it told of them. The plan's revision is raised
    /// only if nodes knew a beacon of theirs.
    ///
    /// - Throws: A writer's `StoreError`, and nothing was written; a refusal by the rules is returned.
    package func begin(
        user slug: String, reason: String, options: ErasureOptions, by actor: String,
        via: AuditEntry.Via, at now: Timestamp
    ) throws(StoreError) -> Result<ErasureRun, BooksRefusal> {
        let asker = Asker(name: actor, via: via, at: now)
        return try Books(store).attempt { db in
            let reason = try Books.checked(reason: reason)
            return try Self.begin(slug, reason: reason, options, by: asker, db)
        }
    }

    /// The runs of erasures that began and are not done.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func owed() throws(StoreError) -> [ErasureRun] {
        try store.read { db in
            try Int64.fetchAll(db, sql: "SELECT user FROM erasure_debt ORDER BY user").map {
                ErasureRun(of: UserID($0))
            }
        }
    }

    private static func begin(
        _ slug: String, reason: String, _ options: ErasureOptions, by asker: Asker, _ db: Database
    ) throws -> ErasureRun {
        let user = try Corrections.user(slug: slug, db)
        try checkNobodyIsThere(user, db)
        guard try ErasureDebt(of: user, db) == nil else {
            throw BooksRefusal(.badState, "they are being erased")
        }
        let faults = try Departures.faults(without: { $0 == slug }, db)
        guard faults.isEmpty else {
            throw BooksRefusal(.badState, faults.joined(separator: "; "))
        }
        var person = try ErasedPerson(user, slug: slug, db)
        try AuditTrail.append(
            asker.entry("erase", "user", "\(user.row)", after: try JSONText.text(of: reason)), db)
        let known = try knownToNodes(db)
        try Amendments.carryOutRest(of: user, db)
        var erasure = Erasure(user: person.pseudonym, deleted: [:], blanked: [:], sessionsKept: 0)
        try person.renameBeacons(options, asker.at, &erasure, db)
        try db.run(
            "UPDATE consent SET withdrawn_ms = ? WHERE user = ? AND withdrawn_ms IS NULL",
            [asker.at.milliseconds, user.row])
        try db.run(
            """
            UPDATE user SET slug = ?, name = 'erased', retired_ms = coalesce(retired_ms, ?),
                erased_ms = ? WHERE id = ?
            """,
            [person.pseudonym, asker.at.milliseconds, asker.at.milliseconds, user.row])
        try rememberErased(slug, db)
        try ErasureDebt(
            user: user, deletesAttendance: options.deletesAttendance, texts: person.replacements,
            done: erasure
        ).put(db)
        if try knownToNodes(db) != known {
            try Books.raiseRevision("a person was erased", at: asker.at, db)
        }
        if options.deletesAttendance { try OverrideTable.removeTaken(of: user, db) }
        try OverrideTable.raiseOverrides(db)
        return ErasureRun(of: user)
    }

    /// What nodes are told of the beacons in force.
    private static func knownToNodes(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT slug || ' ' || identity FROM beacon WHERE retired_ms IS NULL ORDER BY id
                """)
    }

    /// Their machines must be at rest, or these would write on.
    private static func checkNobodyIsThere(_ user: UserID, _ db: Database) throws {
        let questions = [
            (
                "they are in; check them out, or correct the session",
                "SELECT 1 FROM attendance_session WHERE user = ? AND void = 0 AND to_ms IS NULL"
            ),
            (
                "they are at a room or station; take their beacon off them and wait",
                "SELECT 1 FROM stay WHERE user = ? AND to_ms IS NULL"
            ),
            (
                "they are in a workout; complete it first",
                "SELECT 1 FROM workout WHERE user = ? AND ended_ms IS NULL"
            ),
            (
                "they wait for a station; let them leave its queue first",
                "SELECT 1 FROM station_queue WHERE user = ? AND ended_ms IS NULL"
            ),
        ]
        for (advice, query) in questions
        where try Int.fetchOne(db, sql: query, arguments: [user.row]) != nil {
            throw BooksRefusal(.badState, advice)
        }
    }

    /// Keeps the slug unreadable, so that no import brings them back unnoticed. One salt for all:
    /// a slug is then compared with all of them at once.
    private static func rememberErased(_ slug: String, _ db: Database) throws {
        let salt = try String.fetchOne(db, sql: "SELECT salt FROM erased_slug") ?? SHA256.salt()
        try db.run(
            "INSERT OR IGNORE INTO erased_slug (digest, salt) VALUES (?, ?)",
            [SHA256.hexadecimal(of: salt + slug), salt])
    }

    /// Of these slugs, those that were erased.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func erased(among slugs: [String], _ db: Database) throws -> [String] {
        let rows = try Row.fetchAll(db, sql: "SELECT digest, salt FROM erased_slug")
        let digests = Set(rows.map { $0["digest"] as String })
        // There is one, unless a restored database took in others of the list beside it.
        let salts = Set(rows.map { $0["salt"] as String })
        return slugs.filter { slug in
            salts.contains { digests.contains(SHA256.hexadecimal(of: $0 + slug)) }
        }
    }
}

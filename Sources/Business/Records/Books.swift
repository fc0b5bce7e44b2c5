import Basics
import GRDB
import SiteModel
import SiteStore
import Synchronization

package struct Books: Sendable {
    let store: Store

    package init(_ store: Store) { self.store = store }

    /// The longest reason, in characters.
    package static let longestReason = 500

    /// Does what a person asks of the books, with its entry in the audit, in one transaction.
    ///
    /// `actor` is who asks, `via` which way they came. A refusal says why nothing was written. What
    /// the machines must know raises the revision of the overrides, which the coordinator notices.
    ///
    /// - Throws: A writer's `StoreError`; a refusal by the rules is returned, not thrown.
    package func perform(
        _ call: BooksCall, by actor: String, via: AuditEntry.Via, at now: Timestamp
    ) throws(StoreError) -> Result<BooksOutcome, BooksRefusal> {
        let asker = Asker(name: actor, via: via, at: now)
        return try attempt { db in
            switch call {
            case .request(let change, let reason):
                .correction(try Corrections.request(change, reason: reason, by: asker, db))
            case .approve(let id, let reason):
                .correction(
                    try Corrections.decide(id, approves: true, reason: reason, by: asker, db))
            case .refuse(let id, let reason):
                .correction(
                    try Corrections.decide(id, approves: false, reason: reason, by: asker, db))
            case .lock(let date, let boundary, let reason, let force, let unlocks):
                .lock(
                    try PeriodLocks.lock(
                        through: date, boundary: boundary, reason: reason, force: force,
                        unlocks: unlocks, by: asker, db))
            case .excuse(let node, let reason):
                .excuse(try Excuses.excuse(node, reason: reason, by: asker, db))
            case .endExcuse(let node): .excuse(try Excuses.endExcuse(of: node, by: asker, db))
            case .retry(let reason): .retry(try Corrections.retry(reason: reason, by: asker, db))
            }
        }
    }

    /// Writes in one transaction; a refusal rolls it back and is handed on. What people decided by then
    /// is `overridesWritten` afterwards.
    ///
    /// - Throws: A writer's `StoreError`; a `BooksRefusal` is returned, not thrown.
    package func attempt<Value>(
        _ body: (Database) throws -> Value
    ) throws(StoreError) -> Result<Value, BooksRefusal> {
        do {
            let (value, revision) = try store.transaction { db in
                (try body(db), try OverrideTable.overridesRevision(db))
            }
            store.overridesWritten.max(revision, ordering: .relaxed)
            return .success(value)
        } catch let refusal as BooksRefusal {
            return .failure(refusal)
        } catch {
            throw StoreError(error, path: store.path)
        }
    }

    /// A reason as it is stored. Throws where none is given, or too much.
    package static func checked(reason: String) throws -> String {
        guard !reason.allSatisfy(\.isWhitespace) else {
            throw BooksRefusal(.reasonRequired, "say why")
        }
        guard reason.count <= longestReason else {
            throw BooksRefusal(
                .badRequest, "the reason has \(reason.count) characters, \(longestReason) are kept")
        }
        if let fault = HarmlessText.fault(inWords: reason) {
            throw BooksRefusal(.badRequest, "the reason \(fault)")
        }
        return reason.storable
    }

    /// Raises the revision of the plan: it is loaded anew, and nodes are told what is new for them.
    static func raiseRevision(_ what: String, at now: Timestamp, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO revision (revision, at_ms, changes)
            SELECT revision + 1, ?, ? FROM site
            """, [now.milliseconds, what])
        try db.run("UPDATE site SET revision = (SELECT max(revision) FROM revision)")
    }
}

/// What the verbs of the books look up.
extension Books {
    /// A session's times and revision as stored, or `nil` if there is none, or it was withdrawn.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func sessionTimes(
        _ id: Int64
    ) throws(StoreError) -> (from: Timestamp, to: Timestamp?, revision: Int64)? {
        try store.read { db in
            try Row.fetchOne(
                db, sql: "SELECT * FROM attendance_session WHERE id = ? AND void = 0",
                arguments: [id]
            ).map { ($0["from_ms"], $0["to_ms"], $0["rev"]) }
        }
    }

    /// The slug of whose session it is, or `nil` if there is none.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func owner(of session: Int64) throws(StoreError) -> String? {
        try store.read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT slug FROM attendance_session AS session
                        JOIN user ON user.id = session.user WHERE session.id = ?
                    """, arguments: [session])
        }
    }

    /// The IANA name of the site's zone, or `nil` before the first import.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func timeZone() throws(StoreError) -> String? {
        try store.read { db in try String.fetchOne(db, sql: "SELECT time_zone FROM site") }
    }

    /// The row of a slug, also of somebody who was retired, or `nil`.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func userID(_ slug: String) throws(StoreError) -> UserID? {
        try store.read { db in
            try Int64.fetchOne(db, sql: "SELECT id FROM user WHERE slug = ?", arguments: [slug])
                .map { UserID($0) }
        }
    }
}

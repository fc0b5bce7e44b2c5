import Basics
import GRDB
import SiteEngine
import SiteModel
import SiteStore

/// Periods that are closed: what began in them stands.
package struct PeriodLocks: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// The locks there were, the one in force last.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func all() throws(StoreError) -> [LockRow] {
        try store.read { db in try db.rows("SELECT * FROM period_lock ORDER BY id") { LockRow($0) }
        }
    }

    /// Puts a new lock in force. Throws `badState` if somebody who came before the boundary is
    /// still in, or if late evidence or a correction that is not carried out yet may still change what
    /// lies before it, unless `force`: then such corrections are refused, and the lock that is returned
    /// names them. `lockedPeriod` if a later date is locked, unless `unlocks`.
    /// What is locked through just that date stays as it is: then the lock in force is returned.
    package static func lock(
        through date: String, boundary: Timestamp, reason: String, force: Bool, unlocks: Bool,
        by asker: Asker, _ db: Database
    ) throws -> LockRow {
        let reason = try Books.checked(reason: reason)
        guard date.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil else {
            throw BooksRefusal(.badRequest, "\(date.quoted) is no date like 2026-03-31")
        }
        guard boundary.milliseconds >= 0, boundary <= asker.at else {
            throw BooksRefusal(.badTime, "\(date) is not over yet")
        }
        let before = try newestLock(db)
        if var before, before.through == boundary.milliseconds {
            before.isUnchanged = true
            return before
        }
        let isMoreLocked = before.map { $0.through < boundary.milliseconds } ?? true
        if let before, !isMoreLocked, !unlocks {
            throw BooksRefusal(
                .lockedPeriod,
                """
                lock \(before.id) through \(before.throughDate) is in force; say that it is to be \
                unlocked (--unlock, or "unlock": true) to move it back to \(date)
                """)
        }
        var forced: ForcedLock?
        if isMoreLocked, force {
            forced = try ForcedLock(before: boundary, after: before, db)
            // While their rows may still be put back.
            try forced?.refuseCorrections(
                because: "not carried out: locked by force", by: asker, db)
        } else if isMoreLocked {
            try mayBeLocked(before: boundary, date, db)
        }
        try db.run(
            """
            INSERT INTO period_lock (through_date, through_ms, locked_by, locked_ms, reason)
            VALUES (?, ?, ?, ?, ?)
            """,
            [date, boundary.milliseconds, asker.name.storable, asker.at.milliseconds, reason])
        guard var row = try newestLock(db) else {
            throw StoreError.other(code: 0, message: "a lock just written is gone")
        }
        row.forcedOver = forced
        let listedFrom = try listedFrom(row, after: before, db)
        try AuditTrail.append(
            asker.entry(
                isMoreLocked ? "lock" : "unlock", "period_lock", "\(row.id)",
                before: try before.map { try $0.auditText(listedFrom: nil) },
                after: try row.auditText(listedFrom: listedFrom)), db)
        if let listedFrom { try list(row, from: listedFrom, by: asker, db) }
        try OverrideTable.raiseOverrides(db)
        return row
    }

    /// From where on a lock must list the sessions it locks, in milliseconds: all that no lock before it
    /// has listed. `nil` where it opens what was locked by a release that listed none.
    private static func listedFrom(
        _ row: LockRow, after before: LockRow?, _ db: Database
    ) throws -> Int64? {
        guard let before else { return 0 }
        let isListed = try Bool.fetchOne(
            db,
            sql: """
                SELECT instr(value, '"listed_from_ms":') > 0 FROM audit_value
                WHERE side = 'after' AND audit = (SELECT max(id) FROM audit_log
                    WHERE entity = 'period_lock' AND entity_id = ?)
                """, arguments: ["\(before.id)"])
        if isListed == true { return min(before.through, row.through) }
        return row.through > before.through ? 0 : nil
    }

    /// Writes down, person by person, which sessions a lock locks: `[[id, from_ms, to_ms], …]`.
    private static func list(
        _ lock: LockRow, from: Int64, by asker: Asker, _ db: Database
    ) throws {
        let sessions = try Row.fetchAll(
            db,
            sql: """
                SELECT id, user, from_ms, to_ms FROM attendance_session
                WHERE void = 0 AND from_ms >= ? AND from_ms < ? ORDER BY user, id
                """, arguments: [from, lock.through])
        var rest = sessions[...]
        while let user = rest.first?["user"] as Int64? {
            let own = rest.prefix { $0["user"] == user }
            rest = rest.dropFirst(own.count)
            let listed = own.map { [$0["id"], $0["from_ms"], $0["to_ms"]] as [Int64?] }
            try AuditTrail.append(
                asker.entry(
                    "lock", "attendance", "\(lock.id)", user: UserID(user),
                    after: try JSONText.text(of: listed)), db)
        }
    }

    private static func newestLock(_ db: Database) throws -> LockRow? {
        try Row.fetchOne(db, sql: "SELECT * FROM period_lock ORDER BY id DESC LIMIT 1")
            .map { LockRow($0) }
    }

    private static func words(_ ids: [Int64]) -> String {
        ids.prefix(10).map { "\($0)" }.joined(separator: ", ")
            + (ids.count > 10 ? " and \(ids.count - 10) more" : "")
    }

    private static func mayBeLocked(
        before boundary: Timestamp, _ date: String, _ db: Database
    ) throws {
        let open = try Int64.fetchAll(
            db,
            sql: """
                SELECT id FROM attendance_session
                WHERE to_ms IS NULL AND void = 0 AND from_ms < ? ORDER BY id
                """, arguments: [boundary.milliseconds])
        guard open.isEmpty else {
            throw BooksRefusal(
                .badState,
                "open is what began by \(date): session \(Self.words(open)); end it, or force it")
        }
        let clock = try Int64.fetchOne(db, sql: "SELECT clock_ms FROM site_state") ?? 0
        guard clock >= boundary.milliseconds else {
            throw BooksRefusal(
                .badState, "the coordinator has not run since \(date); start it, or force it")
        }
        let underWay = try ForcedLock.underWay(before: boundary, db)
        guard underWay.isEmpty else {
            throw BooksRefusal(
                .badState,
                """
                the coordinator has not yet carried out what was approved of days by \(date): correction \
                \(Self.words(underWay)); wait, or force it
                """)
        }
        guard clock - Saved.horizon.milliseconds < boundary.milliseconds else { return }
        let late = try Excuses.told(db).filter {
            $0.isAwaited && ($0.through ?? .min) < boundary.milliseconds
        }
        guard !late.isEmpty else { return }
        let names = late.prefix(5).map(\.node) + (late.count > 5 ? ["\(late.count - 5) more"] : [])
        throw BooksRefusal(
            .badState,
            """
            \(names.joined(separator: ", ")) may still report what was heard by \(date); wait, \
            excuse them (attendance excuse NODE --reason …), or force it
            """)
    }
}

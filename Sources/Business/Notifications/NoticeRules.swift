import Basics
import GRDB
import Records
import Scheduling
import SiteModel
import SiteStore
import Wire

extension NoticeRules {
    /// What the audit keeps of them.
    fileprivate var auditText: String {
        get throws {
            try JSONText.text(
                of: [
                    quiet?.text ?? "none", urgent.map(\.rawValue).joined(separator: ","),
                    "\(forgotten.seconds) s",
                ])
        }
    }
}

extension NotificationQueue {
    /// When people are told what.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func noticeRules() throws(StoreError) -> NoticeRules {
        try store.read { db in try Self.noticeRules(db) }
    }

    /// Has people told by other rules from now on. What already waits keeps its time.
    /// `actor` is who changes them, for the audit.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func setNoticeRules(
        _ rules: NoticeRules, by actor: String, via: AuditEntry.Via = .cli, at now: Timestamp
    ) throws(StoreError) {
        let revision = try store.write { db in
            let old = try Self.noticeRules(db)
            try db.run(
                """
                UPDATE notice_rule SET quiet_from_min = ?, quiet_to_min = ?, urgent = ?,
                    forgotten_s = ?
                """,
                [
                    rules.quiet?.from, rules.quiet?.to, try JSONText.text(of: rules.urgent),
                    rules.forgotten.milliseconds / 1000,
                ])
            try AuditTrail.append(
                AuditEntry(
                    at: now, actor: actor, via: via, action: "change", entity: "notice_rule",
                    entityID: "1", before: try old.auditText, after: try rules.auditText), db)
            try OverrideTable.raiseOverrides(db)
            return try OverrideTable.overridesRevision(db)
        }
        store.overridesWritten.max(revision, ordering: .relaxed)
    }

    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func noticeRules(_ db: Database) throws -> NoticeRules {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM notice_rule") else {
            return NoticeRules()
        }
        let (from, to): (Int?, Int?) = (row["quiet_from_min"], row["quiet_to_min"])
        var quiet: DailyHours?
        if let from, let to { quiet = DailyHours(from: from, to: to) }
        return NoticeRules(
            quiet: quiet,
            urgent: try JSONText.value([NotificationPayload.Kind].self, from: row["urgent"]),
            forgotten: .milliseconds(1000 * (row["forgotten_s"] as Int64)),
            records: try db.rows("SELECT user FROM record_notice ORDER BY user") { $0["user"] })
    }

    /// Whether somebody wants to be told of their records.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func wantsRecords(_ user: String) throws(StoreError) -> Bool {
        try store.read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT 1 FROM record_notice JOIN user ON user.id = record_notice.user
                    WHERE slug = ?
                    """, arguments: [user]) ?? false
        }
    }

    /// Has somebody told of their records from now on, or not.
    ///
    /// - Throws: A `BooksRefusal` if there is nobody of that slug, else a writer's `StoreError`; nothing was written.
    package func tellRecords(
        _ user: String, _ wants: Bool, by asker: Asker
    ) throws {
        let revision = try store.transaction { db in
            let row = try Int64.fetchOne(
                db, sql: "SELECT id FROM user WHERE slug = ? AND retired_ms IS NULL",
                arguments: [user])
            guard let row else { throw BooksRefusal(.notFound, "there is no user \(user)") }
            if wants {
                try db.run(
                    "INSERT INTO record_notice (user, since_ms) VALUES (?, ?) ON CONFLICT DO NOTHING",
                    [row, asker.at.milliseconds])
            } else {
                try db.run("DELETE FROM record_notice WHERE user = ?", [row])
            }
            if db.changesCount > 0 {
                try Roster.note(
                    wants ? "add" : "remove", "record_notice", "\(row)", user: UserID(row), [:],
                    by: asker, db)
                try OverrideTable.raiseOverrides(db)
            }
            return try OverrideTable.overridesRevision(db)
        }
        store.overridesWritten.max(revision, ordering: .relaxed)
    }
}

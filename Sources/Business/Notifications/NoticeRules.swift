import Records
import GRDB
import SiteModel
import SiteStore
import Wire

/// When people are told what.
package struct NoticeRules: Equatable, Sendable, Codable {
    /// What is about a person and not urgent waits until these end. `nil`: nothing waits.
    package var quiet: QuietHours?
    /// What is told in quiet hours, too.
    package var urgent: [NotificationPayload.Kind]
    /// A session open for longer is somebody who forgot the tag, or the check-out.
    package var forgotten: Timestamp.Span

    /// Rules.
    package init(
        quiet: QuietHours? = nil, urgent: [NotificationPayload.Kind] = [],
        forgotten: Timestamp.Span = .seconds(14 * 3600)
    ) {
        self.quiet = quiet
        self.urgent = urgent
        self.forgotten = forgotten
    }

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
    package func noticeRules() throws(StoreError) -> NoticeRules {
        try store.read { db in try Self.noticeRules(db) }
    }

    /// Has people told by other rules from now on. What already waits keeps its time.
    /// `actor` is who changes them, for the audit.
    package func setNoticeRules(
        _ rules: NoticeRules, by actor: String, at now: Timestamp
    ) throws(StoreError) {
        try store.write { db in
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
                    at: now, actor: actor, via: .cli, action: "change", entity: "notice_rule",
                    entityID: "1", before: try old.auditText, after: try rules.auditText), db)
        }
    }

    package static func noticeRules(_ db: Database) throws -> NoticeRules {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM notice_rule") else {
            return NoticeRules()
        }
        let (from, to): (Int?, Int?) = (row["quiet_from_min"], row["quiet_to_min"])
        var quiet: QuietHours?
        if let from, let to { quiet = QuietHours(from: from, to: to) }
        return NoticeRules(
            quiet: quiet,
            urgent: try JSONText.value([NotificationPayload.Kind].self, from: row["urgent"]),
            forgotten: .milliseconds(1000 * (row["forgotten_s"] as Int64)))
    }
}

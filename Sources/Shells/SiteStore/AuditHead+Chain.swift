import GRDB

extension AuditHead {
    /// The end of the chain of the audit.
    package init(_ db: Database) throws {
        let row = try Row.fetchOne(
            db, sql: "SELECT id, digest FROM audit_log ORDER BY id DESC LIMIT 1")
        self.init(id: row?["id"] ?? 0, digest: row?["digest"] ?? AuditRow.origin)
    }
}

import GRDB

extension Store {
    /// The end of the chain of the audit.
    package static func head(_ db: Database) throws -> AuditHead {
        let row = try Row.fetchOne(
            db, sql: "SELECT id, digest FROM audit_log ORDER BY id DESC LIMIT 1")
        return AuditHead(id: row?["id"] ?? 0, digest: row?["digest"] ?? AuditRow.origin)
    }
}

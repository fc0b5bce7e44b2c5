import GRDB
import SiteStore

// Accounts and tokens. Their secrets, the sessions of the page and identities at the broker are not in the
// chain: who can write the file can also open a session in it.
extension AuditComparison {
    /// What the chain says of an account or token when it was made, or given another role.
    private struct Said: Decodable {
        var role: String?
        /// Of a token, with spaces between them.
        var scopes: String?
    }

    mutating func doorFault(_ db: Database) throws -> AuditVerdict.Fault? {
        try doorFault("account", scopes: "NULL", ended: "disabled_ms", db)
            ?? doorFault("token", scopes: "scopes", ended: "revoked_ms", db)
    }

    private mutating func doorFault(
        _ table: String, scopes: String, ended: String, _ db: Database
    ) throws -> AuditVerdict.Fault? {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT door.id, role, door.user, \(scopes) AS scopes, \(ended) IS NOT NULL AS is_shut,
                    log.action, log.user AS said_user, said.value AS said,
                    (SELECT action FROM audit_log
                        WHERE entity = '\(table)' AND entity_id = CAST(door.id AS TEXT)
                            AND action IN ('disable', 'enable', 'revoke')
                        ORDER BY id DESC LIMIT 1) AS moved
                FROM \(table) AS door
                    LEFT JOIN audit_log AS log ON log.id = (SELECT max(id) FROM audit_log
                        WHERE entity = '\(table)' AND entity_id = CAST(door.id AS TEXT)
                            AND action IN ('claim', 'invite', 'change-role', 'add'))
                    LEFT JOIN audit_value AS said ON said.audit = log.id AND said.side = 'after'
                ORDER BY door.id
                """)
        for row in rows {
            if let what = try Self.difference(ofDoor: row) {
                return .row(table: table, id: row["id"], what)
            }
            if row["said"] == nil { unknown += 1 } else { compared += 1 }
        }
        return nil
    }

    /// How an account or token differs from what was said of it, or `nil`.
    private static func difference(ofDoor row: Row) throws -> String? {
        guard let action = row["action"] as String? else { return "was never made" }
        guard row["user"] as Int64? == row["said_user"] as Int64? else {
            return "is somebody else's now"
        }
        let moved = row["moved"] as String?
        let isShut: Bool = row["is_shut"]
        guard isShut == (moved == "disable" || moved == "revoke") else {
            return isShut ? "was shut by nobody" : "was opened again by nobody"
        }
        guard let text = row["said"] as String? else { return nil }
        let said = try JSONText.value(Said.self, from: text.unstored)
        // Of a claim the role goes without saying.
        let role: String = row["role"]
        guard role == said.role || (said.role == nil && action == "claim" && role == "owner") else {
            return "has another role than it was given"
        }
        if let scopes = row["scopes"] as String? {
            let words = try JSONText.value([String].self, from: scopes)
            guard words.joined(separator: " ") == said.scopes else {
                return "has other scopes than it was given"
            }
        }
        return nil
    }
}

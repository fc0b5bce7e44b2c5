import SiteModel
import SiteStore

/// Who asks for something, which way, and when, for the audit.
package struct Asker: Sendable {
    /// A login, a client or a pseudonym.
    package let name: String
    package let via: AuditEntry.Via
    package let at: Timestamp

    package init(name: String, via: AuditEntry.Via, at: Timestamp) {
        self.name = name
        self.via = via
        self.at = at
    }

    /// An entry of the audit about what they did.
    func entry(
        _ action: String, _ entity: String, _ id: String, user: UserID? = nil,
        before: String? = nil, after: String? = nil
    ) -> AuditEntry {
        AuditEntry(
            at: at, actor: name, via: via, action: action, entity: entity, entityID: id,
            user: user, before: before, after: after)
    }
}

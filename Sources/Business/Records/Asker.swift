import SiteModel
import SiteStore

/// Who asks for something, which way, and when.
package struct Asker {
    let name: String
    let via: AuditEntry.Via
    let at: Timestamp

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

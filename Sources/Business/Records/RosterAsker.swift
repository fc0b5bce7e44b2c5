import SiteModel
import SiteStore

/// Who changes shifts, leave or feeds, for the audit.
package struct RosterAsker: Sendable {
    /// A login, a client or a pseudonym.
    package var name: String
    /// Which way they came.
    package var via: AuditEntry.Via
    /// When.
    package var at: Timestamp

    /// Who asks.
    package init(name: String, via: AuditEntry.Via, at: Timestamp) {
        self.name = name
        self.via = via
        self.at = at
    }
}

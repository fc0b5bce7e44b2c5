import MeshCore

/// Who changes shifts, leave or feeds, for the audit.
public struct RosterAsker: Sendable {
    /// A login, a client or a pseudonym.
    public var name: String
    /// Which way they came.
    public var via: AuditEntry.Via
    /// When.
    public var at: Timestamp

    /// Who asks.
    public init(name: String, via: AuditEntry.Via, at: Timestamp) {
        self.name = name
        self.via = via
        self.at = at
    }
}

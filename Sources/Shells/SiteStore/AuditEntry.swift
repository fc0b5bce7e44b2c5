import MeshCore

/// Something that a person did to the books, as it is handed to the audit.
public struct AuditEntry: Equatable, Sendable {
    /// Which way they came.
    public enum Via: String, Sendable, CaseIterable {
        case cli
        case mqtt
        case rest
        /// Nobody asked: the machines or the nightly run did it.
        case core
    }

    /// When.
    public var at: Timestamp
    /// Who: a login, a client or a pseudonym. Kept where erasure reaches it.
    public var actor: String
    /// Which way they came.
    public var via: Via
    /// What was done, for example `approve`.
    public var action: String
    /// To what kind of thing, for example `correction`.
    public var entity: String
    /// To which one: a row number or a date. Never a slug or a name: it cannot be erased.
    public var entityID: String
    /// Whom it is about, or `nil` if nobody in particular.
    public var user: UserID?
    /// What stood before, as JSON, or `nil`.
    public var before: String?
    /// What stands now, as JSON, or `nil`.
    public var after: String?

    /// An entry.
    public init(
        at: Timestamp, actor: String, via: Via, action: String, entity: String, entityID: String,
        user: UserID? = nil, before: String? = nil, after: String? = nil
    ) {
        self.at = at
        self.actor = actor
        self.via = via
        self.action = action
        self.entity = entity
        self.entityID = entityID
        self.user = user
        self.before = before
        self.after = after
    }
}

import SiteModel

/// Something that a person did to the books, as it is handed to the audit.
package struct AuditEntry: Equatable, Sendable {
    package enum Via: String, Sendable, CaseIterable {
        case cli
        case mqtt
        case rest
        /// Nobody asked: the machines or the nightly run did it.
        case core
    }

    package var at: Timestamp
    /// Who: a login, a client or a pseudonym. Kept where erasure reaches it.
    package var actor: String
    package var via: Via
    /// What was done, for example `approve`.
    package var action: String
    /// To what kind of thing, for example `correction`.
    package var entity: String
    /// To which one: a row number or a date. Never a slug or a name: it cannot be erased.
    package var entityID: String
    /// Whom it is about, or `nil` if nobody in particular.
    package var user: UserID?
    /// What stood before, as JSON, or `nil`.
    package var before: String?
    /// What stands now, as JSON, or `nil`.
    package var after: String?

    package init(
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

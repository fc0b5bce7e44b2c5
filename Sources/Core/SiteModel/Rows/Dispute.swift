/// Evidence that came too late to change a session by itself: somebody must decide.
package struct Dispute: Hashable, Sendable, Codable {
    /// Why it changes nothing by itself.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// It is older than what may still change.
        case late
        /// The day is locked.
        case locked
        /// Nobody can say exactly when it was.
        case uncertain
    }

    /// Whose attendance.
    package var user: UserID
    /// Why it changes nothing by itself.
    package var kind: Kind
    /// The session that would have changed, or `nil`.
    package var session: Int64?
    /// What the session would be; of uncertain evidence the bounds of when it can have been. No length
    /// where a session would be withdrawn.
    package var interval: Interval
    /// How long they were heard; 0 if nothing says so.
    package var heard: Timestamp.Span

    package init(
        user: UserID, kind: Kind, session: Int64?, interval: Interval, heard: Timestamp.Span
    ) {
        self.user = user
        self.kind = kind
        self.session = session
        self.interval = interval
        self.heard = heard
    }
}

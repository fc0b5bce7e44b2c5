/// Evidence that came too late to change a session by itself: somebody must decide.
public struct Dispute: Hashable, Sendable, Codable {
    /// Why it changes nothing by itself.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// It is older than what may still change.
        case late
        /// The day is locked.
        case locked
        /// Nobody can say exactly when it was.
        case uncertain
    }

    /// Whose attendance.
    public var user: UserID
    /// Why it changes nothing by itself.
    public var kind: Kind
    /// The session that would have changed, or `nil`.
    public var session: Int64?
    /// What the session would be; of uncertain evidence the bounds of when it can have been. No length
    /// where a session would be withdrawn.
    public var interval: Interval
    /// How long they were heard; 0 if nothing says so.
    public var heard: Timestamp.Span

    /// A dispute.
    public init(
        user: UserID, kind: Kind, session: Int64?, interval: Interval, heard: Timestamp.Span
    ) {
        self.user = user
        self.kind = kind
        self.session = session
        self.interval = interval
        self.heard = heard
    }
}

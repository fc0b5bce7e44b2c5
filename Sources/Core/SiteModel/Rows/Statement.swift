/// What somebody said of a user's attendance, at a kiosk, a page or a terminal: explicitly in or out.
public struct Statement: Equatable, Sendable, Codable {
    /// What was said.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// They are in, from then on.
        case checkIn = "check-in"
        /// They left then.
        case checkOut = "check-out"
    }

    /// Its row.
    public var id: Int64
    /// Whose attendance.
    public var user: UserID
    /// What was said.
    public var kind: Kind
    /// The moment it is about.
    public var at: Timestamp
    /// When it was said.
    public var said: Timestamp
    /// The client that passed it on.
    public var by: String
    /// Why, in a person's words; hostile text.
    public var reason: String?

    /// A statement.
    public init(
        id: Int64, user: UserID, kind: Kind, at: Timestamp, said: Timestamp, by: String,
        reason: String? = nil
    ) {
        self.id = id
        self.user = user
        self.kind = kind
        self.at = at
        self.said = said
        self.by = by
        self.reason = reason
    }

    /// The order in which statements are looked at.
    var key: (Timestamp, Int64) { (at, id) }
}

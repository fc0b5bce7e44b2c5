/// What somebody said of a user's attendance, at a kiosk, a page or a terminal: explicitly in or out.
package struct Statement: Equatable, Sendable, Codable {
    /// What was said.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// They are in, from then on.
        case checkIn = "check-in"
        /// They left then.
        case checkOut = "check-out"
    }

    /// Its row.
    package var id: Int64
    /// Whose attendance.
    package var user: UserID
    /// What was said.
    package var kind: Kind
    /// The moment it is about.
    package var at: Timestamp
    /// When it was said.
    package var said: Timestamp
    /// The client that passed it on.
    package var by: String
    /// Why, in a person's words; hostile text.
    package var reason: String?

    package init(
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
    package var key: (Timestamp, Int64) { (at, id) }
}

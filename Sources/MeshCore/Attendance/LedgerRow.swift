/// When a user was heard at the site, within the horizon of 36 hours.
public struct LedgerRow: Equatable, Sendable, Codable {
    /// Whose.
    public var user: UserID
    /// The whole seconds in which a healthy node of each room heard them, gaps up to 10 s filled,
    /// sorted by room. Only rooms that heard them.
    public var heard: [RoomTime]

    /// A user's ledger.
    public init(user: UserID, heard: [RoomTime]) {
        self.user = user
        self.heard = heard
    }
}

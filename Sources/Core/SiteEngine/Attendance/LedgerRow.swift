import SiteModel

/// All a user's sessions of the last 36 hours follow from.
package struct LedgerRow: Equatable, Sendable, Codable {
    package var user: UserID
    /// The whole seconds in which a healthy node of each room heard them, gaps up to 10 s filled,
    /// sorted by room. Only rooms that heard them.
    package var heard: [RoomTime]
    /// What was said, by time.
    package var statements: [Statement]
    /// Their sessions at other sites, by time.
    package var elsewhere: [Elsewhere]
    /// What is odd about their beacon, by time.
    package var doubts: [Doubt]
    /// What was put before a person to decide, in the order it was.
    package var disputes: [Dispute]
    /// How things stood at the moment before which nothing is here any more; `nil` in a row of a
    /// version that kept none.
    package var checkpoint: LedgerCheckpoint?

    package init(
        user: UserID, heard: [RoomTime], statements: [Statement] = [],
        elsewhere: [Elsewhere] = [], doubts: [Doubt] = [], disputes: [Dispute] = [],
        checkpoint: LedgerCheckpoint? = nil
    ) {
        self.user = user
        self.heard = heard
        self.statements = statements
        self.elsewhere = elsewhere
        self.doubts = doubts
        self.disputes = disputes
        self.checkpoint = checkpoint
    }
}

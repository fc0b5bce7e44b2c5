/// Whether a station can be used, who is there, and for whom it is kept.
package struct StationState: Equatable, Sendable, Codable {
    /// What a station can be.
    package enum State: String, Sendable, Codable, CaseIterable {
        case free
        /// It cannot be used, whoever is there.
        case outOfOrder = "out_of_order"
        /// A slot is claimed, and nobody is there.
        case claimed
        case occupied
        /// More people are there than it has slots, for `crowding`.
        case conflict
        /// No node could hear.
        case unknown
    }

    /// So long more people than slots may be one who comes before another has gone.
    package static let crowding = Timestamp.Span.seconds(10)

    package var station: StationID
    package var state: State
    /// Who has claimed a slot, wherever they are; without a claim who is there. Sorted.
    package var users: [UserID]
    /// Whom presence has there: those whose `PresenceState` names the station. Sorted.
    package var here: [UserID]
    /// Since when all this holds.
    package var since: Timestamp
    /// Since when more people are there than it has slots; `nil` while there are not.
    private var crowded: Timestamp?

    /// A station of which nothing is known yet.
    package init(station: StationID, since: Timestamp) {
        self.station = station
        state = .unknown
        users = []
        here = []
        self.since = since
    }

    /// Takes over who is there and who holds a slot in the second that ended at `now`. Returns whether
    /// that is to be told.
    package mutating func take(
        here: [UserID], holders: [UserID], slots: Int, isOutOfOrder: Bool, isListening: Bool,
        at now: Timestamp
    ) -> Bool {
        let old = self
        self.here = here.sorted()
        users = holders.isEmpty ? self.here : holders.sorted()
        crowded = here.count > slots ? crowded ?? now : nil
        state =
            if isOutOfOrder {
                .outOfOrder
            } else if let crowded, now - crowded >= Self.crowding {
                .conflict
            } else if !here.isEmpty {
                .occupied
            } else if !holders.isEmpty {
                .claimed
            } else {
                isListening ? .free : .unknown
            }
        guard (state, users, self.here) != (old.state, old.users, old.here) else { return false }
        since = now
        return true
    }
}

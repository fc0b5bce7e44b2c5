import Basics

/// Whether a station can be used, who is there, and for whom it is kept.
package struct StationState: Equatable, Sendable, Codable {
    /// What a station can be.
    package enum State: String, Sendable, Codable, CaseIterable {
        case free
        /// It cannot be used, whoever is there.
        case outOfOrder = "out_of_order"
        /// A slot is claimed or offered, and nobody is there.
        case claimed
        case occupied
        /// More people are there than it has slots, for `crowding`.
        case conflict
        /// No node could hear.
        case unknown
    }

    /// So long more people than slots may be one who comes before another has gone.
    package static let crowding = Timestamp.Span.seconds(10)

    /// A slot that is kept for somebody.
    package struct Offer: Equatable, Sendable, Codable {
        package var user: UserID
        package var until: Timestamp

        package init(user: UserID, until: Timestamp) {
            self.user = user
            self.until = until
        }
    }

    package var station: StationID
    package var state: State
    /// Who has claimed a slot, wherever they are; without a claim who is there. Sorted.
    package var users: [UserID]
    /// Whom presence has there: those whose `PresenceState` names the station. Sorted.
    package var here: [UserID]
    /// How many wait, those with an offer included.
    package var queue = 0
    /// In the order of joining.
    package var offers: [Offer] = []
    /// When a slot will be free; `nil`: one is, or nobody can say.
    package var freeAt: Timestamp?
    /// Since when the state, `users` and what they hold are these.
    package var since: Timestamp
    /// The rows of the claims on it; `nil` in what was stored before they were part of it.
    private var claims: [Int64]?
    /// When anything of it changed last; `nil` in what was stored before that was part of it.
    private var changed: Timestamp?
    /// When this was so.
    package var at: Timestamp { changed ?? since }
    /// A number for all that `since` is about. It names nobody.
    package var mark: Int64 {
        let words =
            [state.rawValue] + users.map { "user \($0.row)" }
            + (claims ?? []).map { "claim \($0)" }
        return Int64(bitPattern: fingerprint64(words.joined(separator: ",").utf8))
    }
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

    /// Takes over who is there, who holds a slot by which claims, and who waits in the second that ended at `now`.
    /// `before`: what was stored of it. Returns whether that is to be told.
    package mutating func take(
        here: [UserID], holders: [UserID], claims: [Int64] = [],
        queue: (length: Int, offers: [Offer]) = (0, []), freeAt: Timestamp? = nil, slots: Int,
        isOutOfOrder: Bool, isListening: Bool, before: StationSince? = nil, at now: Timestamp
    ) -> Bool {
        let old = self
        (self.queue, offers, self.freeAt) = (queue.length, queue.offers, freeAt)
        self.claims = claims
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
            } else if !holders.isEmpty || !offers.isEmpty {
                .claimed
            } else {
                isListening ? .free : .unknown
            }
        let isOther = (state, users, claims) != (old.state, old.users, old.claims ?? [])
        guard
            isOther || (self.here, self.queue) != (old.here, old.queue) || offers != old.offers
                || freeAt != old.freeAt
        else { return false }
        changed = now
        // What was so before a restart is so since then.
        if isOther { since = before.flatMap { $0.mark == mark ? $0.since : nil } ?? now }
        return true
    }
}

/// Since when a station is what it is: as much of it as is stored.
package struct StationSince: Equatable, Sendable, Codable {
    package var station: StationID
    /// `StationState.mark`.
    package var mark: Int64
    package var since: Timestamp

    package init(station: StationID, mark: Int64, since: Timestamp) {
        self.station = station
        self.mark = mark
        self.since = since
    }

    package init(_ state: StationState) {
        self.init(station: state.station, mark: state.mark, since: state.since)
    }
}

extension KeyedDecodingContainer {
    /// A state that was recorded before that was part of it has none.
    package func decode(_ type: [StationSince].Type, forKey key: Key) throws -> [StationSince] {
        try decodeIfPresent(type, forKey: key) ?? []
    }
}

import SiteModel

/// Somebody's wait for a slot of a station. `ended` is `nil` while it lasts.
package struct Wait: Equatable, Sendable, Codable {
    /// How a wait ended.
    package enum Outcome: String, Sendable, Codable, CaseIterable {
        /// They took the slot.
        case accepted
        /// They let the offer pass.
        case lapsed
        /// They gave up.
        case left
        /// Their workout ended, they left the site, or a new day began.
        case ended
    }

    /// Its row.
    package var id: Int64
    package var station: StationID
    package var user: UserID
    /// Nobody who joined later is offered a slot earlier.
    package var joined: Timestamp
    /// Until when a slot is kept for them; `nil` while none is.
    package var offeredUntil: Timestamp?
    package var ended: Timestamp?
    package var outcome: Outcome?

    package init(
        id: Int64, station: StationID, user: UserID, joined: Timestamp,
        offeredUntil: Timestamp? = nil, ended: Timestamp? = nil, outcome: Outcome? = nil
    ) {
        self.id = id
        self.station = station
        self.user = user
        self.joined = joined
        self.offeredUntil = offeredUntil
        self.ended = ended
        self.outcome = outcome
    }

    /// So long is remembered that somebody let an offer pass.
    package static let life = Timestamp.Span.seconds(24 * 3600)

    package var isOpen: Bool { ended == nil }

    func ending(_ outcome: Outcome, at moment: Timestamp) -> Wait {
        var wait = self
        wait.ended = max(moment, joined)
        wait.outcome = outcome
        return wait
    }
}

extension [Wait] {
    /// Those that last, and those that somebody let pass lately, by row.
    package mutating func keep(_ wait: Wait) {
        if wait.ended == nil || wait.outcome == .lapsed {
            put(wait, by: \.id)
        } else {
            removeAll { $0.id == wait.id }
        }
    }

    /// Forgets those that ended long ago.
    package mutating func settle(at clock: Timestamp) {
        removeAll { $0.ended.map { clock - $0 > Wait.life } ?? false }
    }
}

/// How long the latest uses of a station were.
package struct StationPace: Equatable, Sendable, Codable {
    struct Use: Equatable, Sendable, Codable {
        let id: Int64
        let to: Timestamp
        let length: Timestamp.Span
    }

    /// Of so many uses it is the median, and of no fewer.
    package static let uses = 5...50

    package var station: StationID
    /// By end, then row.
    private var latest: [Use] = []

    package init(station: StationID) { self.station = station }

    package mutating func take(_ claim: Claim) {
        guard let end = claim.to, !latest.contains(where: { $0.id == claim.id }) else { return }
        let use = Use(id: claim.id, to: end, length: end - claim.from)
        let place = latest.firstIndex { ($0.to, $0.id) > (use.to, use.id) } ?? latest.endIndex
        latest.insert(use, at: place)
        if latest.count > Self.uses.upperBound { latest.removeFirst() }
    }

    /// The median; of an even number the shorter of the two in the middle. `nil`: there are too few.
    package var median: Timestamp.Span? {
        guard latest.count >= Self.uses.lowerBound else { return nil }
        return latest.map(\.length).sorted()[(latest.count - 1) / 2]
    }
}

extension [StationPace] {
    package mutating func take(_ claim: Claim) {
        guard claim.to != nil else { return }
        var pace = first(claim.station, by: \.station) ?? StationPace(station: claim.station)
        pace.take(claim)
        put(pace, by: \.station)
    }
}

extension KeyedDecodingContainer {
    /// A state that was recorded before people could wait has nobody who does.
    package func decode(_ type: [Wait].Type, forKey key: Key) throws -> [Wait] {
        try decodeIfPresent(type, forKey: key) ?? []
    }

    package func decode(_ type: [StationPace].Type, forKey key: Key) throws -> [StationPace] {
        try decodeIfPresent(type, forKey: key) ?? []
    }
}

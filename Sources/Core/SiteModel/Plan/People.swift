/// A person. The core knows no names.
package struct User: Hashable, Sendable, Codable {
    package var id: UserID

    package init(id: UserID) { self.id = id }
}

/// A registered transmitter.
package struct Beacon: Hashable, Sendable, Codable {
    package var id: BeaconID
    /// What it is recognised by.
    package var identity: Identity
    /// Where it is fixed, for mobile nodes to hear; `nil` if it is carried, or of no place.
    package var anchor: Place?
    /// From which level on it is near; `nil` is the default, which nodes know.
    package var threshold: RSSI?

    package init(
        id: BeaconID, identity: Identity, anchor: Place? = nil, threshold: RSSI? = nil
    ) {
        self.id = id
        self.identity = identity
        self.anchor = anchor
        self.threshold = threshold
    }
}

/// Says that a beacon stood for a user from one moment until another.
package struct Binding: Hashable, Sendable, Codable {
    package var beacon: BeaconID
    /// Who carried it.
    package var user: UserID
    /// Since when.
    package var from: Timestamp
    /// Until when, or `nil` while it holds.
    package var to: Timestamp?

    package init(beacon: BeaconID, user: UserID, from: Timestamp, to: Timestamp?) {
        self.beacon = beacon
        self.user = user
        self.from = from
        self.to = to
    }

    /// Whether it holds at `moment`.
    package func holds(at moment: Timestamp) -> Bool {
        from <= moment && (to.map { moment < $0 } ?? true)
    }
}

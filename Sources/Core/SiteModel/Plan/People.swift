/// A person. The core knows no names.
public struct User: Hashable, Sendable, Codable {
    /// Their row.
    public var id: UserID

    /// A person.
    public init(id: UserID) { self.id = id }
}

/// A registered transmitter.
public struct Beacon: Hashable, Sendable, Codable {
    /// Its row.
    public var id: BeaconID
    /// What it is recognised by.
    public var identity: Identity
    /// Where it is fixed, for mobile nodes to hear; `nil` if it is carried, or of no place.
    public var anchor: Place?
    /// From which level on it is near; `nil` is the default, which nodes know.
    public var threshold: RSSI?

    /// A beacon.
    public init(
        id: BeaconID, identity: Identity, anchor: Place? = nil, threshold: RSSI? = nil
    ) {
        self.id = id
        self.identity = identity
        self.anchor = anchor
        self.threshold = threshold
    }
}

/// Says that a beacon stood for a user from one moment until another.
public struct Binding: Hashable, Sendable, Codable {
    /// The beacon.
    public var beacon: BeaconID
    /// Who carried it.
    public var user: UserID
    /// Since when.
    public var from: Timestamp
    /// Until when, or `nil` while it holds.
    public var to: Timestamp?

    /// A binding.
    public init(beacon: BeaconID, user: UserID, from: Timestamp, to: Timestamp?) {
        self.beacon = beacon
        self.user = user
        self.from = from
        self.to = to
    }

    /// Whether it holds at `moment`.
    public func holds(at moment: Timestamp) -> Bool {
        from <= moment && (to.map { moment < $0 } ?? true)
    }
}

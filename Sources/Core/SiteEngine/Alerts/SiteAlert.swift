import SiteModel

/// What a person should look at, seen by the coordinator: what a node sees of itself is a `NodeAlert`.
package enum SiteAlert: String, CaseIterable, Sendable, Codable {
    /// Two nodes go by one id: a card was copied, or a configuration.
    case duplicateID = "duplicate-id"
    /// What waits in a node's outbox has not become less for an hour.
    case outboxStuck = "outbox-stuck"
    /// The coordinator's clock is behind its own newest row, or behind what a time server told the
    /// nodes.
    case clockBehind = "clock-behind"
    /// The wall clock was set while the coordinator ran, which goes on by the old time.
    case clockStepped = "clock-stepped"
}

/// An alert that was raised.
package struct RaisedSiteAlert: Equatable, Sendable {
    package var alert: SiteAlert
    /// The node it is about; `nil` if it is about the coordinator.
    package var node: NodeID?
    /// Since when what it is about has been so.
    package var since: Timestamp

    package init(_ alert: SiteAlert, node: NodeID? = nil, since: Timestamp) {
        self.alert = alert
        self.node = node
        self.since = since
    }
}

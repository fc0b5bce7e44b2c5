import SiteModel

/// Something that happened at a node, from the same outbox as its evidence.
package struct NodeEvent: Equatable, Sendable, Codable {
    /// The kind of an event that raises a doubt about the user of its beacon.
    package static let fingerprintChanged = "fingerprint-changed"

    /// Its place in the node's outbox.
    package var record: Record
    /// The node's process.
    package var boot: UInt64
    /// When it happened by the node's clock.
    package var at: Timestamp
    /// What happened, as on the wire.
    package var kind: String
    /// More, for people. Hostile text: only ever shown as text.
    package var detail: String?
    /// The registered beacon concerned.
    package var beacon: BeaconID?
    /// A figure whose meaning depends on the kind.
    package var value: Double?

    package init(
        record: Record, boot: UInt64, at: Timestamp, kind: String, detail: String?,
        beacon: BeaconID?, value: Double?
    ) {
        self.record = record
        self.boot = boot
        self.at = at
        self.kind = kind
        self.detail = detail
        self.beacon = beacon
        self.value = value
    }
}

/// An event of a node as it is stored.
package struct NodeEventRow: Equatable, Sendable, Codable {
    package var node: NodeID
    package var event: NodeEvent
    /// When it arrived.
    package var at: Timestamp
    /// When it happened by our own clock; `nil` if nobody can say.
    package var happened: Timestamp?

    package init(node: NodeID, event: NodeEvent, at: Timestamp, happened: Timestamp?) {
        self.node = node
        self.event = event
        self.at = at
        self.happened = happened
    }
}

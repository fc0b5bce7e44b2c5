/// Something that happened at a node, from the same outbox as its evidence.
public struct NodeEvent: Equatable, Sendable, Codable {
    /// The kind of an event that makes whoever carries its beacon doubted.
    public static let fingerprintChanged = "fingerprint-changed"

    /// Its place in the node's outbox.
    public var record: Record
    /// The node's process.
    public var boot: UInt64
    /// When it happened by the node's clock.
    public var at: Timestamp
    /// What happened, as on the wire.
    public var kind: String
    /// More, for people. Hostile text: only ever shown as text.
    public var detail: String?
    /// The registered beacon concerned.
    public var beacon: BeaconID?
    /// A figure whose meaning depends on the kind.
    public var value: Double?

    /// An event.
    public init(
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
public struct NodeEventRow: Equatable, Sendable, Codable {
    /// Whose.
    public var node: NodeID
    /// What the node said.
    public var event: NodeEvent
    /// When it arrived.
    public var at: Timestamp
    /// When it happened by our own clock; `nil` if nobody can say.
    public var happened: Timestamp?

    /// A stored event.
    public init(node: NodeID, event: NodeEvent, at: Timestamp, happened: Timestamp?) {
        self.node = node
        self.event = event
        self.at = at
        self.happened = happened
    }
}

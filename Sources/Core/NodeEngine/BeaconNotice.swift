/// Something about a registered beacon that a person should know.
public struct BeaconNotice: Equatable, Sendable {
    /// What.
    public enum Kind: Equatable, Sendable {
        /// Its battery is low.
        case batteryLow
        /// It is of another make than it was.
        case fingerprintChanged
    }

    /// Its index in `NodePolicy.known`.
    public var beacon: Int
    /// When.
    public var at: Timestamp
    /// What.
    public var kind: Kind
    /// More, for people: what the figure is in, or what has changed from what to what.
    public var detail: String
    /// Of a battery: per cent or volts; `nil` where it is only said to be low.
    public var value: Double?

    /// Something to know.
    public init(
        beacon: Int, at moment: Timestamp, kind: Kind, detail: String, value: Double? = nil
    ) {
        self.beacon = beacon
        at = moment
        self.kind = kind
        self.detail = detail
        self.value = value
    }
}

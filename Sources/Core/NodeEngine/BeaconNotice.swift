import SiteModel

/// Something about a registered beacon that a person should know.
package struct BeaconNotice: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case batteryLow
        /// It is of another make than it was.
        case fingerprintChanged
    }

    /// Its index in `NodePolicy.known`.
    package var beacon: Int
    package var at: Timestamp
    package var kind: Kind
    /// More, for people: what the figure is in, or what has changed from what to what.
    package var detail: String
    /// Of a battery: per cent or volts; `nil` where it is only said to be low.
    package var value: Double?

    package init(
        beacon: Int, at moment: Timestamp, kind: Kind, detail: String, value: Double? = nil
    ) {
        self.beacon = beacon
        at = moment
        self.kind = kind
        self.detail = detail
        self.value = value
    }
}

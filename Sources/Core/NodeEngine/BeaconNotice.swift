import SiteModel

/// Something about a registered beacon that a person should know.
package struct BeaconNotice: Equatable, Sendable {
    /// What.
    package enum Kind: Equatable, Sendable {
        /// Its battery is low.
        case batteryLow
        /// It is of another make than it was.
        case fingerprintChanged
    }

    /// Its index in `NodePolicy.known`.
    package var beacon: Int
    /// When.
    package var at: Timestamp
    /// What.
    package var kind: Kind
    /// More, for people: what the figure is in, or what has changed from what to what.
    package var detail: String
    /// Of a battery: per cent or volts; `nil` where it is only said to be low.
    package var value: Double?

    /// Something to know.
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

/// Who sent an advertisement, and how strong it should be.
public struct Identified: Equatable, Sendable {
    /// The transmitter's stable name.
    public var identity: Identity
    /// The level the sender claims to have at 1 m, as sent, or `nil` if it claims none.
    public var measuredPower: RSSI?

    /// A transmitter.
    public init(identity: Identity, measuredPower: RSSI?) {
        self.identity = identity
        self.measuredPower = measuredPower
    }
}

/// Finds the stable name in an advertisement.
public enum Identification {
    /// The first iBeacon of the data, else the first AltBeacon, else the first Eddystone UID, in
    /// whatever structure it stands; else the address if it is fixed; else `nil`.
    public static func identity(
        of report: AdvertisingReport, data: Span<UInt8>
    ) -> Identified? {
        beacon(in: data)
            ?? report.fixedAddress.map { Identified(identity: .address($0), measuredPower: nil) }
    }

    /// The beacon that advertising data hold, if any, in the same order. Allocates nothing.
    public static func beacon(in data: Span<UInt8>) -> Identified? { AdvertisedNames(data).beacon }
}

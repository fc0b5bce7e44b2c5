import SiteModel

/// Who sent an advertisement, and how strong it should be.
package struct Identified: Equatable, Sendable {
    /// The transmitter's stable name.
    package var identity: Identity
    /// The level the sender claims to have at 1 m, as sent, or `nil` if it claims none.
    package var measuredPower: RSSI?

    package init(identity: Identity, measuredPower: RSSI?) {
        self.identity = identity
        self.measuredPower = measuredPower
    }
}

/// Finds the stable name in an advertisement.
package enum Identification {
    /// The first iBeacon of the data, else the first AltBeacon, else the first Eddystone UID, in
    /// whatever structure it stands; else the address if it is fixed; else `nil`.
    package static func identity(
        of report: AdvertisingReport, data: Span<UInt8>
    ) -> Identified? {
        beacon(in: data)
            ?? report.fixedAddress.map { Identified(identity: .address($0), measuredPower: nil) }
    }

    /// The beacon that advertising data hold, if any, in the same order. Allocates nothing.
    package static func beacon(in data: Span<UInt8>) -> Identified? { AdvertisedNames(data).beacon }
}

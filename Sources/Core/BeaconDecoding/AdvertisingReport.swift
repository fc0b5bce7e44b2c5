import SiteModel

/// What the controller says about one advertisement, beside its data.
package struct AdvertisingReport: Equatable, Sendable {
    /// What sort of address the advertiser showed.
    package enum AddressKind: UInt8, Sendable {
        case `public` = 0
        case random = 1
        /// A private address that the controller itself resolved to a public one.
        case publicIdentity = 2
        /// A private address that the controller itself resolved to a static random one.
        case randomIdentity = 3
        /// Extended advertising without any address; `address` is 0.
        case anonymous = 0xFF
    }

    /// How much of the advertisement's data is in the report.
    package enum DataStatus: String, Sendable {
        case complete
        /// More follows. Such a part is no report of its own: see `AdvertisingEvent`.
        case incomplete
        /// The controller lost the rest.
        case truncated
    }

    /// The advertiser's address, most significant byte first, in the low 48 bits.
    package var address: UInt64
    /// What sort of address that is.
    package var addressKind: AddressKind
    /// The level, or `nil` when the controller had none (127 on the wire).
    package var rssi: RSSI?
    /// Whether the advertiser accepts connections.
    package var isConnectable: Bool
    /// Whether the advertiser answers scan requests.
    package var isScannable: Bool
    /// Whether it called one particular device.
    package var isDirected: Bool
    /// Whether this answers an active scanner. Same address, other data: mostly without the beacon.
    package var isScanResponse: Bool
    /// Whether it was sent as Bluetooth 4 does, at most 31 bytes long.
    package var isLegacy: Bool
    /// Whether all data arrived.
    package var dataStatus: DataStatus

    /// The address if it is there to stay: public, or random and static (top bits 11; Bluetooth
    /// Core 5.4, Vol 6 Part B 1.3.2.1). `nil` for addresses that rotate and for none at all.
    package var fixedAddress: UInt64? {
        switch addressKind {
        case .public, .publicIdentity: address
        case .random, .randomIdentity: address >> 46 == 0b11 ? address : nil
        case .anonymous: nil
        }
    }
}

import SiteModel

/// The Eddystone frame with a name: `00`, level at 0 m 1 (signed dBm), namespace 10, instance 6,
/// and perhaps 2 reserved bytes.
package struct EddystoneUID: Equatable, Sendable {
    /// What 1 m takes from the level at 0 m that these beacons state (Eddystone-UID, Tx Power).
    static let firstMetre = 41.0

    /// The level it claims to have at 0 m.
    package var powerAtZero: RSSI
    /// Ten bytes of namespace, six of instance.
    package var name: Identity.Bytes16

    /// The beacon in a 16-bit service data structure (type `16`, UUID included), if it is one.
    init?(serviceData payload: Span<UInt8>) {
        guard payload.count >= 20, payload[0] == 0xAA, payload[1] == 0xFE, payload[2] == 0x00
        else { return nil }
        powerAtZero = payload.level(at: 3)
        name = payload.bytes16(at: 4)
    }

    /// What it stands for.
    package var identified: Identified {
        Identified(
            identity: .eddystoneUID(name),
            measuredPower: RSSI(dBm: powerAtZero.dBm - Self.firstMetre))
    }
}

/// Google's beacon formats, in service data of UUID `AA FE`. The first byte after the UUID says
/// which frame it is.
enum Eddystone {
    /// What 1 m takes from the level at 0 m that these beacons state (Eddystone-UID, Tx Power).
    private static let firstMetre = 41.0

    /// The UID in a 16-bit service data structure (type `16`, UUID included), if it is one: frame
    /// `00`, level at 0 m 1 (signed dBm), namespace 10, instance 6, and perhaps 2 reserved bytes.
    static func identified(inServiceData payload: Span<UInt8>) -> Identified? {
        guard payload.count >= 20, payload[0] == 0xAA, payload[1] == 0xFE, payload[2] == 0x00
        else { return nil }
        return Identified(
            identity: .eddystoneUID(payload.bytes16(at: 4)),
            measuredPower: RSSI(dBm: Double(Int8(bitPattern: payload[3])) - firstMetre))
    }
}

/// Apple's beacon format, in manufacturer's data: company `4C 00`, `02 15`, UUID 16, major 2, minor
/// 2 (big-endian, unsigned), level at 1 m 1 (signed dBm). Some tags append a battery level.
enum IBeacon {
    /// The beacon in a manufacturer's structure (type `FF`, company included), if it is one.
    static func identified(inManufacturerData payload: Span<UInt8>) -> Identified? {
        guard payload.count >= 25, payload[0] == 0x4C, payload[1] == 0x00, payload[2] == 0x02,
            payload[3] == 0x15
        else { return nil }
        return Identified(
            identity: .iBeacon(
                uuid: payload.bytes16(at: 4), major: payload.bigEndian16(at: 20),
                minor: payload.bigEndian16(at: 22)),
            measuredPower: RSSI(dBm: Double(Int8(bitPattern: payload[24]))))
    }
}

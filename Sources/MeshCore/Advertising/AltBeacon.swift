/// The AltBeacon format, in manufacturer's data: company 2 (any), `BE AC`, id 20, level at 1 m 1
/// (signed dBm), reserved 1.
enum AltBeacon {
    /// The beacon in a manufacturer's structure (type `FF`, company included), if it is one.
    static func identified(inManufacturerData payload: Span<UInt8>) -> Identified? {
        guard payload.count >= 26, payload[2] == 0xBE, payload[3] == 0xAC else { return nil }
        return Identified(
            identity: .altBeacon(
                head: payload.bytes16(at: 4), tail: payload.bigEndian32(at: 20)),
            measuredPower: RSSI(dBm: Double(Int8(bitPattern: payload[24]))))
    }
}

import SiteModel

/// The AltBeacon format, in manufacturer's data: company 2 (any), `BE AC`, id 20, level at 1 m 1
/// (signed dBm), reserved 1.
package struct AltBeacon: Equatable, Sendable {
    /// The company that made it, by Bluetooth's assigned numbers.
    package var company: UInt16
    /// The first 16 bytes of its name.
    package var head: Identity.Bytes16
    /// The last 4 bytes of its name.
    package var tail: UInt32
    /// The level it claims to have at 1 m.
    package var measuredPower: RSSI
    /// For the company's own use.
    package var reserved: UInt8

    /// The beacon in a manufacturer's structure (type `FF`, company included), if it is one.
    package init?(manufacturerData payload: Span<UInt8>) {
        guard payload.count >= 26, payload[2] == 0xBE, payload[3] == 0xAC else { return nil }
        company = payload.littleEndian16(at: 0)
        head = payload.bytes16(at: 4)
        tail = payload.bigEndian32(at: 20)
        measuredPower = payload.level(at: 24)
        reserved = payload[25]
    }

    /// What it stands for.
    package var identified: Identified {
        Identified(
            identity: .altBeacon(head: head, tail: tail), measuredPower: measuredPower)
    }
}

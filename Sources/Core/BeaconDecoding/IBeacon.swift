import SiteModel

/// Apple's beacon format, in manufacturer's data: company `4C 00`, `02 15`, UUID 16, major 2, minor
/// 2 (big-endian, unsigned), level at 1 m 1 (signed dBm). Some tags append a battery level.
package struct IBeacon: Equatable, Sendable {
    package var uuid: Identity.Bytes16
    /// Which group of them.
    package var major: UInt16
    /// Which of the group.
    package var minor: UInt16
    /// The level it claims to have at 1 m.
    package var measuredPower: RSSI

    /// The beacon in a manufacturer's structure (type `FF`, company included), if it is one.
    init?(manufacturerData payload: Span<UInt8>) {
        guard payload.count >= 25, payload[0] == 0x4C, payload[1] == 0x00, payload[2] == 0x02,
            payload[3] == 0x15
        else { return nil }
        uuid = payload.bytes16(at: 4)
        major = payload.bigEndian16(at: 20)
        minor = payload.bigEndian16(at: 22)
        measuredPower = payload.level(at: 24)
    }

    /// What it stands for.
    package var identified: Identified {
        Identified(
            identity: .iBeacon(uuid: uuid, major: major, minor: minor),
            measuredPower: measuredPower)
    }
}

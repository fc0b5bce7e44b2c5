@testable import BeaconDecoding
@testable import SiteModel

/// Hand-made HCI packets and what the decoder made of them.
enum AdvertisingBytes {
    /// One report as the decoder gave it.
    struct Heard: Equatable {
        var report: AdvertisingReport
        var data: [UInt8]
        var identified: Identified?
    }

    /// Everything the decoder gives for one packet.
    static func heard(in packet: [UInt8]) -> (reports: [Heard], outcome: AdvertisingEvent.Outcome) {
        var reports: [Heard] = []
        let outcome = AdvertisingEvent.forEachReport(in: packet.span) { report, data in
            var bytes: [UInt8] = []
            for index in data.indices { bytes.append(data[index]) }
            reports.append(
                Heard(
                    report: report, data: bytes,
                    identified: Identification.identity(of: report, data: data)))
        }
        return (reports, outcome)
    }

    /// An event around reports that are already bytes.
    static func event(subevent: UInt8, count: UInt8, _ reports: [UInt8]) -> [UInt8] {
        [0x04, 0x3E, UInt8(reports.count + 2), subevent, count] + reports
    }

    /// A legacy report; the address is given most significant byte first.
    static func legacy(
        type: UInt8 = 0x03, kind: UInt8 = 0x01, address: [UInt8] = staticAddress,
        data: [UInt8] = [], rssi: UInt8
    ) -> [UInt8] {
        [type, kind] + address.reversed() + [UInt8(data.count)] + data + [rssi]
    }

    /// An extended report.
    static func extended(
        type: UInt16, kind: UInt8 = 0x01, address: [UInt8] = staticAddress, data: [UInt8] = [],
        rssi: UInt8
    ) -> [UInt8] {
        [UInt8(truncatingIfNeeded: type), UInt8(truncatingIfNeeded: type >> 8), kind]
            + address.reversed() + [0x01, 0x00, 0xFF, 0x7F, rssi, 0, 0, 0, 0, 0, 0, 0, 0, 0]
            + [UInt8(data.count)] + data
    }

    /// C1:02:03:04:05:06, random and static.
    static let staticAddress: [UInt8] = [0xC1, 0x02, 0x03, 0x04, 0x05, 0x06]
    /// 41:02:03:04:05:06, random and resolvable.
    static let rotatingAddress: [UInt8] = [0x41, 0x02, 0x03, 0x04, 0x05, 0x06]

    /// Sixteen bytes from 0x10 on.
    static let uuid = [UInt8](0x10...0x1F)
    /// The same, as an identity holds them.
    static let uuid16 = Identity.Bytes16(
        high: 0x1011_1213_1415_1617, low: 0x1819_1A1B_1C1D_1E1F)

    /// The manufacturer's structure of an iBeacon with major 43,240, minor 65,535, −59 dBm at 1 m.
    static let iBeacon: [UInt8] =
        [0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + uuid + [0xA8, 0xE8, 0xFF, 0xFF, 0xC5]
    /// The manufacturer's structure of an AltBeacon of company 0118, −60 dBm at 1 m.
    static let altBeacon: [UInt8] =
        [0x1B, 0xFF, 0x18, 0x01, 0xBE, 0xAC] + uuid + [0x01, 0x02, 0x03, 0x04, 0xC4, 0x00]
    /// The service data of an Eddystone UID without its reserved bytes, −18 dBm at 0 m.
    static let eddystone: [UInt8] = [0x15, 0x16, 0xAA, 0xFE, 0x00, 0xEE] + uuid
    /// What most advertisements begin with.
    static let flags: [UInt8] = [0x02, 0x01, 0x06]

    /// The identity of `iBeacon`.
    static let iBeaconIdentity = Identity.iBeacon(uuid: uuid16, major: 43_240, minor: 65_535)
    /// The identity of `altBeacon`.
    static let altBeaconIdentity = Identity.altBeacon(head: uuid16, tail: 0x0102_0304)
}

@testable import Scanner
@testable import Platform

/// Advertisements as they come out of the air, for tests of a scan.
enum ScanAir {
    /// A legacy event with one report, and what a scan makes of it.
    static func heard(
        _ data: [UInt8], from address: UInt64 = 0xC102_0304_0506, kind: UInt8 = 1,
        type: UInt8 = 0x00, level: Int8 = -60
    ) throws -> HeardAdvertisement {
        var decoder = ScanDecoder(rules: try DeviceRules.starter())
        let packet = event(data, from: address, kind: kind, type: type, level: level)
        guard let first = decoder.advertisements(in: packet.span).first else {
            throw Exit(code: 1, text: "no advertisement in \(packet)")
        }
        return first
    }

    static func event(
        _ data: [UInt8], from address: UInt64, kind: UInt8 = 1, type: UInt8 = 0x00, level: Int8
    ) -> [UInt8] {
        let sender = (0..<6).map { UInt8(truncatingIfNeeded: address >> (8 * UInt64($0))) }
        return [0x04, 0x3E, UInt8(12 + data.count), 0x02, 0x01, type, kind] + sender
            + [UInt8(data.count)] + data + [UInt8(bitPattern: level)]
    }

    /// A complete name.
    static func name(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8.prefix(29))
        return [UInt8(bytes.count + 1), 0x09] + bytes
    }

    /// An iBeacon.
    static func iBeacon(minor: UInt8) -> [UInt8] {
        [0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + (0x10...0x1F) + [0, 7, 0, minor, 0xC5]
    }

    /// The identity of that.
    static func identity(minor: Int) -> String {
        "ib-101112131415161718191a1b1c1d1e1f-7-\(minor)"
    }
}

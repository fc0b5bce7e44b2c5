@testable import BeaconDecoding
@testable import SiteModel

/// Hand-made advertising data, and what the complete decoder makes of them.
enum DecodingBytes {
    /// What a test looked for is not there.
    struct Missing: Error {}

    /// Ciphers that are none, but can be foreseen: a block is encrypted by adding the key, and a
    /// message opens if its tag is the last four bytes of its nonce.
    static let toy = Cryptography(
        encrypt: { block, key in
            Identity.Bytes16(high: block.high &+ key.high, low: block.low &+ key.low)
        },
        open: { sealed, _ in
            sealed.tag == Array(sealed.nonce.suffix(4)) ? sealed.ciphertext : nil
        })

    /// No keys at all.
    static let keys = DecodingKeys(cryptography: toy)

    /// A structure of a type.
    static func structure(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [UInt8(payload.count + 1), type] + payload
    }

    /// 16-bit service data.
    static func service(_ number: UInt16, _ data: [UInt8]) -> [UInt8] {
        structure(0x16, [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)] + data)
    }

    /// What data say.
    static func contents(
        _ data: [UInt8], sender: UInt64? = nil, keys: DecodingKeys = keys
    ) -> AdvertisingContents {
        AdvertisingContents(data.span, sender: sender, keys: keys)
    }

    /// What an event says, and what was wrong with it.
    static func decoded(
        events: [[UInt8]], keys: DecodingKeys = keys, rules: [DeviceRule] = [],
        isLast: Bool = false
    ) -> DecodedPacket {
        var decoder = AdvertisementDecoder(keys: keys, rules: rules)
        var packet = DecodedPacket()
        for event in events { decoder.decode(event: event.span, into: &packet, isLast: isLast) }
        return packet
    }

    /// Data of every format, whole.
    static let samples: [[UInt8]] = [
        AdvertisingBytes.flags + AdvertisingBytes.iBeacon, AdvertisingBytes.altBeacon,
        AdvertisingBytes.eddystone,
        structure(0x09, Array("Rower 7".utf8)) + structure(0x0A, [0xF4])
            + structure(0x19, [0xC1, 0x00]),
        structure(0x03, [0x0D, 0x18, 0x16, 0x18]) + structure(0x05, [1, 2, 3, 4])
            + structure(0x07, AdvertisingBytes.uuid),
        structure(0x20, [1, 2, 3, 4, 5]) + structure(0x21, AdvertisingBytes.uuid + [6]),
        service(0xFEAA, [0x10, 0xEE, 0x03] + Array("gym".utf8) + [0x00]),
        service(0xFEAA, [0x20, 0x00, 0x0B, 0xB8, 0xFF, 0x80, 0, 0, 0, 9, 0, 0, 0, 25]),
        service(0xFEAA, [0x20, 0x01] + [UInt8](1...16)),
        service(0xFEAA, [0x30, 0xEE] + [UInt8](1...8)),
        service(0xFEAA, [0x40, 1, 2]), service(0xFD6F, AdvertisingBytes.uuid + [1, 2, 3, 4]),
        service(0xFCD2, [0x40, 0x00, 0x09, 0x02, 0xCA, 0x09, 0x3A, 0x01, 0x53, 0x02, 0x48, 0x69]),
        service(0xFCD2, [0x41, 0x01, 0x61, 1, 0, 0, 0, 1, 0, 0, 0]),
        structure(0xFF, [0x99, 0x04] + ruuvi5), structure(0xFF, [0x99, 0x04] + ruuvi3),
    ]

    /// Ruuvi's own example of format 5.
    static let ruuvi5: [UInt8] = [
        0x05, 0x12, 0xFC, 0x53, 0x94, 0xC3, 0x7C, 0x00, 0x04, 0xFF, 0xFC, 0x04, 0x0C, 0xAC, 0x36,
        0x42, 0x00, 0xCD, 0xCB, 0xB8, 0x33, 0x4C, 0x88, 0x4F,
    ]
    /// Ruuvi's own example of format 3, with −1.69 °C.
    static let ruuvi3: [UInt8] = [
        0x03, 0x29, 0x81, 0x45, 0xCE, 0x1E, 0xFC, 0x18, 0xF9, 0x42, 0x02, 0xCA, 0x0B, 0x53,
    ]
}

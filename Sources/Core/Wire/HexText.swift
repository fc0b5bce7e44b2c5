import SiteModel

/// Bytes as people write them.
package enum HexText {
    private static let digits = Array("0123456789abcdef".utf8)

    /// The bytes that pairs of digits in either case stand for, or `nil` if that is not all.
    package static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for character in text {
            guard let value = value(character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }

    /// Sixteen bytes from 32 digits.
    package static func key(_ text: String) -> Identity.Bytes16? {
        guard let bytes = bytes(text.utf8), bytes.count == 16 else { return nil }
        func half(_ range: Range<Int>) -> UInt64 {
            bytes[range].reduce(0) { $0 << 8 | UInt64($1) }
        }
        return Identity.Bytes16(high: half(0..<8), low: half(8..<16))
    }

    /// The number that `count` bytes stand for, with or without colons between them.
    package static func address(_ text: String, bytes count: Int = 6) -> UInt64? {
        guard let bytes = bytes(text.utf8.filter { $0 != UInt8(ascii: ":") }),
            bytes.count == count
        else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Two lower-case digits a byte.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self)
    }

    /// The lowest `count` bytes of a number, most significant first.
    package static func text(_ number: some FixedWidthInteger, bytes count: Int) -> String {
        text((0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }

    /// A device's address as people write it: lower case, colons.
    package static func text(address: UInt64) -> String {
        (0..<6).reversed().map { text([UInt8(truncatingIfNeeded: address >> (8 * $0))]) }
            .joined(separator: ":")
    }

    /// Sixteen bytes as people write a UUID: 8-4-4-4-12 digits.
    package static func text(uuid: Identity.Bytes16) -> String {
        [
            text(uuid.high >> 32, bytes: 4), text(uuid.high >> 16, bytes: 2),
            text(uuid.high, bytes: 2), text(uuid.low >> 48, bytes: 2), text(uuid.low, bytes: 6),
        ].joined(separator: "-")
    }

    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

import Basics
import SiteModel

/// Keys, addresses and UUIDs as people write them.
package enum HexText {
    /// The bytes that pairs of digits in either case stand for, or `nil` if that is not all.
    package static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        Hex.bytes(anyCase: text)
    }

    /// Sixteen bytes from 32 digits.
    package static func key(_ text: String) -> Identity.Bytes16? {
        guard text.utf8.count == 32, let high = Hex.number(text.utf8.prefix(16)),
            let low = Hex.number(text.utf8.suffix(16))
        else { return nil }
        return Identity.Bytes16(high: high, low: low)
    }

    /// The number that `count` bytes stand for, at most eight, with or without colons between them.
    package static func address(_ text: String, bytes count: Int = 6) -> UInt64? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
        return digits.count == 2 * count ? Hex.number(digits) : nil
    }

    /// Two lower-case digits a byte.
    package static func text(_ bytes: some Sequence<UInt8>) -> String { Hex.text(bytes) }

    /// The lowest `count` bytes of a number, most significant first.
    package static func text(_ number: some FixedWidthInteger, bytes count: Int) -> String {
        Hex.text(UInt64(truncatingIfNeeded: number), count: 2 * count)
    }

    /// A device's address as people write it: lower case, colons.
    package static func text(address: UInt64) -> String { Hex.text(address: address) }

    /// Sixteen bytes as people write a UUID: 8-4-4-4-12 digits.
    package static func text(uuid: Identity.Bytes16) -> String {
        [
            text(uuid.high >> 32, bytes: 4), text(uuid.high >> 16, bytes: 2),
            text(uuid.high, bytes: 2), text(uuid.low >> 48, bytes: 2), text(uuid.low, bytes: 6),
        ].joined(separator: "-")
    }
}

/// Hexadecimal digits, as bytes of text.
package enum Hex {
    /// The value of a digit in either case, or `nil` if `byte` is none.
    @inlinable package static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The value of exactly `count` lower-case digits, at most 16, or `nil` if they are not that.
    @inlinable package static func value(_ text: some StringProtocol, count: Int) -> UInt64? {
        guard text.utf8.count == count else { return nil }
        var value: UInt64 = 0
        for byte in text.utf8 {
            guard !(0x41...0x46).contains(byte), let digit = Self.value(byte) else { return nil }
            value = value << 4 | UInt64(digit)
        }
        return value
    }

    /// The lowest `count` digits of a value, in lower case, with leading zeros.
    package static func text(_ value: UInt64, count: Int) -> String {
        String((String(repeating: "0", count: count) + String(value, radix: 16)).suffix(count))
    }

    /// The value of 1 to 16 digits in either case and nothing else, or `nil` if they are not that.
    @inlinable package static func number(_ digits: some Collection<UInt8>) -> UInt64? {
        guard (1...16).contains(digits.count) else { return nil }
        var value: UInt64 = 0
        for byte in digits {
            guard let digit = Self.value(byte) else { return nil }
            value = value << 4 | UInt64(digit)
        }
        return value
    }

    /// The bytes that pairs of lower-case digits stand for, or `nil` if they are not that.
    package static func bytes(_ text: String) -> [UInt8]? {
        text.utf8.contains { (0x41...0x46).contains($0) } ? nil : bytes(anyCase: text.utf8)
    }

    /// The bytes that pairs of digits in either case stand for, or `nil` if they are not that.
    package static func bytes(anyCase digits: some Collection<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for byte in digits {
            guard let digit = value(byte) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }

    /// A value in lower case, without leading zeros.
    package static func text(_ value: UInt64) -> String { String(value, radix: 16) }

    /// Two lower-case digits for each byte.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// An address as people write it, lower case, its six bytes apart: `00:1b:dc:00:00:01`.
    package static func text(address: UInt64) -> String {
        stride(from: 40, through: 0, by: -8).map { text((address >> UInt64($0)) & 0xFF, count: 2) }
            .joined(separator: ":")
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

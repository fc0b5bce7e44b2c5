/// Hexadecimal digits, as bytes of text.
package enum Hex {
    /// The value of a digit in either case, or `nil` if `byte` is none.
    package static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The value of exactly `count` lower-case digits, at most 16, or `nil` if they are not that.
    package static func value(_ text: some StringProtocol, count: Int) -> UInt64? {
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

    /// The bytes that pairs of lower-case digits stand for, or `nil` if they are not that.
    package static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for byte in text.utf8 {
            guard !(0x41...0x46).contains(byte), let digit = value(byte) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }

    /// Two lower-case digits for each byte.
    package static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

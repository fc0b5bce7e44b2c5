import Basics

/// Where a string lies in a JSON text.
package struct JSONString: Hashable, Sendable {
    /// The bytes between the quotes.
    package let range: Range<Int>
    /// Whether the bytes are the text, without escapes.
    package let isPlain: Bool

    /// Whether the string is `text`, byte for byte.
    package func equals(_ text: String, in json: Span<UInt8>) throws(PayloadError) -> Bool {
        guard isPlain else { return try self.text(in: json).utf8.elementsEqual(text.utf8) }
        guard range.count == text.utf8.count else { return false }
        var index = range.lowerBound
        for byte in text.utf8 {
            guard json[index] == byte else { return false }
            index += 1
        }
        return true
    }

    /// The text. Half a surrogate pair becomes U+FFFD. Throws if the bytes are not UTF-8.
    package func text(in json: Span<UInt8>) throws(PayloadError) -> String {
        let bytes = json.extracting(range)
        guard isPlain else { return try unescaped(bytes) }
        do {
            return String(copying: try UTF8Span(validating: bytes))
        } catch {
            throw .notJSON(offset: range.lowerBound)
        }
    }

    /// The reader has checked every escape, so what follows a backslash is complete.
    private func unescaped(_ bytes: Span<UInt8>) throws(PayloadError) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                text.append(bytes[index])
                index += 1
                continue
            }
            switch bytes[index + 1] {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                let (scalar, length) = Self.scalar(bytes, at: index)
                if let encoded = UTF8.encode(scalar) { text.append(contentsOf: encoded) }
                index += length
                continue
            default: text.append(bytes[index + 1])
            }
            index += 2
        }
        guard let string = String(validating: text, as: UTF8.self) else {
            throw .notJSON(offset: range.lowerBound)
        }
        return string
    }

    /// The scalar of the `\uXXXX` at `index`, or of a surrogate pair, and the bytes it takes.
    private static func scalar(
        _ bytes: Span<UInt8>, at index: Int
    ) -> (scalar: Unicode.Scalar, length: Int) {
        let high = unit(bytes, at: index)
        if let scalar = Unicode.Scalar(high) { return (scalar, 6) }
        let isPair =
            high < 0xDC00 && index + 12 <= bytes.count && bytes[index + 6] == UInt8(ascii: "\\")
            && bytes[index + 7] == UInt8(ascii: "u")
        let low = isPair ? unit(bytes, at: index + 6) : 0
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else { return ("\u{FFFD}", 6) }
        return (scalar, 12)
    }

    /// The 16 bits of the `\uXXXX` at `index`.
    private static func unit(_ bytes: Span<UInt8>, at index: Int) -> UInt32 {
        var unit: UInt32 = 0
        for digit in (index + 2)..<(index + 6) {
            unit = unit << 4 | UInt32(Hex.value(bytes[digit]) ?? 0)
        }
        return unit
    }
}

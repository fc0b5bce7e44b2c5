/// Strings of JSON (RFC 8259, section 7).
package enum JSONEscape {
    /// Whether a byte of UTF-8 may not stand in a string as it is.
    @inlinable
    @inline(__always)
    package static func isNeeded(for byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Appends a text's UTF-8, escaping what must be escaped and no more.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        guard text.utf8.contains(where: { isNeeded(for: $0) }) else {
            bytes.append(contentsOf: text.utf8)
            return
        }
        for byte in text.utf8 {
            if !isNeeded(for: byte) {
                bytes.append(byte)
            } else if byte < 0x20 {
                append(unit: UInt16(byte), to: &bytes)
            } else {
                bytes += [UInt8(ascii: "\\"), byte]
            }
        }
    }

    /// The same, escaping also what shows nothing or something else than it is.
    package static func append(harmless text: String, to bytes: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            if HarmlessText.isHarmless(scalar) {
                append(String(scalar), to: &bytes)
            } else {
                for unit in scalar.utf16 { append(unit: unit, to: &bytes) }
            }
        }
    }

    /// A text in quotation marks.
    package static func string(_ text: String) -> String {
        var bytes = [UInt8(ascii: "\"")]
        append(text, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(unit: UInt16, to bytes: inout [UInt8]) {
        let short =
            switch unit {
            case 0x09: "\\t"
            case 0x0A: "\\n"
            case 0x0D: "\\r"
            default: "\\u\(Hex.text(UInt64(unit), count: 4))"
            }
        bytes.append(contentsOf: short.utf8)
    }
}

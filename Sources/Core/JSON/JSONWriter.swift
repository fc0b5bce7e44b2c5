import Basics

/// Writes a compact JSON text, key by key, in the order of the calls.
///
/// It puts the commas; that objects and arrays are closed is the caller's part.
package struct JSONWriter: Sendable {
    /// What is written so far.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init() { bytes.reserveCapacity(256) }

    /// Opens an object.
    package mutating func beginObject() { open(UInt8(ascii: "{")) }

    /// Closes an object.
    package mutating func endObject() { close(UInt8(ascii: "}")) }

    /// Opens an array.
    package mutating func beginArray() { open(UInt8(ascii: "[")) }

    /// Closes an array.
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes the key of the value that follows.
    package mutating func key(_ key: String) {
        string(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string, escaping what RFC 8259 demands and no more.
    package mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        JSONEscape.append(text, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes an integer of at most 64 bits.
    package mutating func integer(_ value: some BinaryInteger) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(UInt64(value.magnitude))
    }

    /// Writes the shortest number that reads as the same double. It must be finite.
    package mutating func number(_ value: Double) {
        precondition(value.isFinite, "JSON has no \(value)")
        separate()
        let text = value.description
        bytes.append(contentsOf: text.hasSuffix(".0") ? text.dropLast(2).utf8 : text[...].utf8)
    }

    /// Writes a number rounded to tenths, as signal levels are. Its magnitude must be below 2⁵³.
    package mutating func tenths(_ value: Double) {
        precondition(abs(value) < 0x1p53, "JSON carries no \(value) in tenths")
        separate()
        let tenths = Int64((value * 10).rounded())
        if tenths < 0 { bytes.append(UInt8(ascii: "-")) }
        let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        digits(whole)
        guard rest > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        bytes.append(UInt8(ascii: "0") + UInt8(rest))
    }

    /// Writes `true` or `false`.
    package mutating func flag(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Writes `null`.
    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes a JSON text made elsewhere, unchecked.
    package mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    private mutating func digits(_ value: UInt64) {
        let start = bytes.count
        var rest = value
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}

// Keys with their values. `nil` is written as null; a key to be left out is not written.
extension JSONWriter {
    /// Writes a key and a text or null.
    package mutating func field(_ name: String, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    /// Writes a key and an integer or null.
    package mutating func field(_ name: String, _ value: (some BinaryInteger)?) {
        key(name)
        if let value { integer(value) } else { null() }
    }

    /// Writes a key and a number.
    package mutating func field(_ name: String, _ value: Double) {
        key(name)
        number(value)
    }

    /// Writes a key and a number rounded to tenths.
    package mutating func field(_ name: String, tenths value: Double) {
        key(name)
        tenths(value)
    }

    /// Writes a key and a claim.
    package mutating func field(_ name: String, _ value: Bool) {
        key(name)
        flag(value)
    }

    /// Writes a key and a list of texts.
    package mutating func field(_ name: String, _ values: [String]) {
        key(name)
        beginArray()
        for value in values { string(value) }
        endArray()
    }

    /// Writes a key and 16 hexadecimal digits.
    package mutating func field(_ name: String, boot: UInt64) {
        field(name, Hex.text(boot, count: 16))
    }
}

extension JSONWriter {
    /// A JSON string in which what shows nothing, or something else than it is, is escaped.
    package static func quoted(_ text: String) -> [UInt8] {
        var bytes = [UInt8(ascii: "\"")]
        JSONEscape.append(harmless: text, to: &bytes)
        return bytes + [UInt8(ascii: "\"")]
    }
}

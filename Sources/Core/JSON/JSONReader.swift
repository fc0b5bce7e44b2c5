import Basics

/// A strict pull parser over one JSON text (RFC 8259). It allocates nothing.
///
/// It holds a position only; the text is passed to every call, because a type of ours cannot hold
/// a span. Any bytes are safe to read. That the text is UTF-8 is checked by `JSONObject`.
package struct JSONReader: Sendable {
    /// Arrays and objects may be nested this deep, the outermost counting as one.
    package static let deepest = 16
    /// The longest number read, in bytes. Without an exponent, such a number is always finite.
    package static let longestNumber = 128

    /// The kinds of value, told from their first byte.
    package enum Kind: Sendable {
        case object
        case array
        case string
        case number
        case flag
        case null
    }

    /// The byte to be read next.
    package private(set) var offset: Int

    /// A reader that starts at a byte, counted from 0.
    package init(at offset: Int = 0) {
        precondition(offset >= 0, "a text starts at 0")
        self.offset = offset
    }

    /// What comes next, without taking it. Throws if nothing does or no value starts so.
    package mutating func kind(in json: Span<UInt8>) throws(PayloadError) -> Kind {
        switch try peek(json) {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .flag
        case UInt8(ascii: "n"): return .null
        default: throw .notJSON(offset: offset)
        }
    }

    /// Takes the `[` of an array. Then call `nextElement` before each element.
    package mutating func openArray(in json: Span<UInt8>) throws(PayloadError) {
        try take(UInt8(ascii: "["), json)
    }

    /// Moves to the next element of an array. At the end, takes the `]` and returns `false`.
    package mutating func nextElement(
        isFirst: Bool, in json: Span<UInt8>
    ) throws(PayloadError) -> Bool {
        try next(isFirst: isFirst, end: UInt8(ascii: "]"), json)
    }

    /// Takes the `{` of an object. Then call `nextKey` before each value.
    package mutating func openObject(in json: Span<UInt8>) throws(PayloadError) {
        try take(UInt8(ascii: "{"), json)
    }

    /// Takes the next key of an object and its colon. At the end, takes the `}` and returns `nil`.
    package mutating func nextKey(
        isFirst: Bool, in json: Span<UInt8>
    ) throws(PayloadError) -> JSONString? {
        guard try next(isFirst: isFirst, end: UInt8(ascii: "}"), json) else { return nil }
        let key = try string(in: json)
        try take(UInt8(ascii: ":"), json)
        return key
    }

    /// Takes a string; its text is made only on demand.
    package mutating func string(in json: Span<UInt8>) throws(PayloadError) -> JSONString {
        try take(UInt8(ascii: "\""), json)
        let start = offset
        var isPlain = true
        while offset < json.count {
            switch json[offset] {
            case UInt8(ascii: "\""):
                offset += 1
                return JSONString(range: start..<(offset - 1), isPlain: isPlain)
            case UInt8(ascii: "\\"):
                isPlain = false
                try escape(json)
            case 0..<0x20: throw .notJSON(offset: offset)
            default: offset += 1
            }
        }
        throw .notJSON(offset: offset)
    }

    /// Takes `true` or `false`.
    package mutating func flag(in json: Span<UInt8>) throws(PayloadError) -> Bool {
        let isTrue = try peek(json) == UInt8(ascii: "t")
        try take(word: isTrue ? "true" : "false", json)
        return isTrue
    }

    /// Takes `null`.
    package mutating func null(in json: Span<UInt8>) throws(PayloadError) {
        try take(word: "null", json)
    }

    /// Takes a whole value of any kind and checks its syntax. `depth` is the number of arrays and
    /// objects it lies in.
    package mutating func skip(in json: Span<UInt8>, depth: Int) throws(PayloadError) {
        switch try kind(in: json) {
        case .string: _ = try string(in: json)
        case .number: _ = try number(in: json)
        case .flag: _ = try flag(in: json)
        case .null: try null(in: json)
        case .array:
            guard depth < Self.deepest else { throw .tooDeep(offset: offset) }
            try openArray(in: json)
            var isFirst = true
            while try nextElement(isFirst: isFirst, in: json) {
                isFirst = false
                try skip(in: json, depth: depth + 1)
            }
        case .object:
            guard depth < Self.deepest else { throw .tooDeep(offset: offset) }
            try openObject(in: json)
            var isFirst = true
            while try nextKey(isFirst: isFirst, in: json) != nil {
                isFirst = false
                try skip(in: json, depth: depth + 1)
            }
        }
    }

    /// Throws if anything but white space is left.
    package mutating func end(in json: Span<UInt8>) throws(PayloadError) {
        skipSpace(json)
        guard offset >= json.count else { throw .notJSON(offset: offset) }
    }

    /// Takes bytes as long as they are digits, and hands them to `body` as 0 ... 9. Throws if there
    /// is none.
    package mutating func digits(
        _ json: Span<UInt8>, _ body: (UInt8) -> Void
    ) throws(PayloadError) {
        let start = offset
        while offset < json.count, json[offset] &- UInt8(ascii: "0") <= 9 {
            body(json[offset] &- UInt8(ascii: "0"))
            offset += 1
        }
        guard offset > start else { throw .notJSON(offset: offset) }
    }

    /// Takes `byte` if it is the very next one.
    package mutating func accept(_ byte: UInt8, _ json: Span<UInt8>) -> Bool {
        guard offset < json.count, json[offset] == byte else { return false }
        offset += 1
        return true
    }

    /// The next byte that is no white space, not taken.
    package mutating func peek(_ json: Span<UInt8>) throws(PayloadError) -> UInt8 {
        skipSpace(json)
        guard offset < json.count else { throw .notJSON(offset: offset) }
        return json[offset]
    }

    private mutating func skipSpace(_ json: Span<UInt8>) {
        while offset < json.count {
            switch json[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return
            }
        }
    }

    private mutating func take(_ byte: UInt8, _ json: Span<UInt8>) throws(PayloadError) {
        guard try peek(json) == byte else { throw .notJSON(offset: offset) }
        offset += 1
    }

    private mutating func take(word: String, _ json: Span<UInt8>) throws(PayloadError) {
        skipSpace(json)
        for byte in word.utf8 {
            guard accept(byte, json) else { throw .notJSON(offset: offset) }
        }
    }

    private mutating func next(
        isFirst: Bool, end: UInt8, _ json: Span<UInt8>
    ) throws(PayloadError) -> Bool {
        let byte = try peek(json)
        if byte == end {
            offset += 1
            return false
        }
        if !isFirst { try take(UInt8(ascii: ","), json) }
        return true
    }

    /// Takes a backslash and what it stands before.
    private mutating func escape(_ json: Span<UInt8>) throws(PayloadError) {
        offset += 1
        guard offset < json.count else { throw .notJSON(offset: offset) }
        switch json[offset] {
        case UInt8(ascii: "u"):
            let unit = try unit(json)
            guard (0xD800...0xDFFF).contains(unit) else { break }
            // Half a surrogate pair is no character (RFC 8259, 8.2): to keep one is to alter it.
            let half = offset
            guard unit < 0xDC00, half + 2 < json.count, json[half + 1] == UInt8(ascii: "\\"),
                json[half + 2] == UInt8(ascii: "u")
            else { throw .notJSON(offset: half) }
            offset += 2
            guard (0xDC00...0xDFFF).contains(try self.unit(json)) else {
                throw .notJSON(offset: half)
            }
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            break
        default: throw .notJSON(offset: offset)
        }
        offset += 1
    }

    /// Takes the `u` of an escape and its digits but the last; the 16 bits.
    private mutating func unit(_ json: Span<UInt8>) throws(PayloadError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            offset += 1
            guard offset < json.count, let digit = Hex.value(json[offset]) else {
                throw .notJSON(offset: offset)
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}

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

    /// The text. Throws if the bytes are not UTF-8.
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

    /// The scalar of the `\uXXXX` at `index`, or of a surrogate pair, which is whole, and the bytes it
    /// takes.
    private static func scalar(
        _ bytes: Span<UInt8>, at index: Int
    ) -> (scalar: Unicode.Scalar, length: Int) {
        let high = unit(bytes, at: index)
        if let scalar = Unicode.Scalar(high) { return (scalar, 6) }
        let low = unit(bytes, at: index + 6)
        let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        return (scalar ?? "\u{FFFD}", 12)
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

import Basics

/// A value of a JSON text that was checked, and the name to complain about.
package struct JSONValue: Sendable {
    /// The latest moment a payload carries, the end of the year 9999, in ms since 1970.
    package static let latestTime: Int64 = 253_402_300_799_999
    /// The levels a radio reports, in dBm.
    package static let levels = -127.0...20.0

    /// The key it was found under.
    package let name: String
    /// Where it starts in the text.
    package let offset: Int

    package func kind(_ json: Span<UInt8>) throws(PayloadError) -> JSONReader.Kind {
        var reader = JSONReader(at: offset)
        return try reader.kind(in: json)
    }

    /// The bytes it takes in the text.
    package func range(_ json: Span<UInt8>) throws(PayloadError) -> Range<Int> {
        var reader = JSONReader(at: offset)
        try reader.skip(in: json, depth: 0)
        return offset..<reader.offset
    }

    /// The text it takes.
    package func bytes(_ json: Span<UInt8>) throws(PayloadError) -> [UInt8] {
        try range(json).map { json[$0] }
    }

    /// An integer; 5.0 is one.
    package func integer(
        _ json: Span<UInt8>, from least: Int64 = 0,
        through greatest: Int64 = JSONNumber.greatestInteger
    ) throws(PayloadError) -> Int64 {
        var reader = try reader(.number, json)
        let number = try reader.number(in: json)
        guard let integer = number.integer else { throw .wrongType(field: name) }
        guard least <= integer, integer <= greatest else { throw .outOfRange(field: name) }
        return integer
    }

    /// A number of things, at least `least`.
    package func count(_ json: Span<UInt8>, from least: Int64 = 0) throws(PayloadError) -> Int {
        Int(try integer(json, from: least))
    }

    /// Milliseconds since 1970, up to `latestTime`.
    package func time(_ json: Span<UInt8>) throws(PayloadError) -> Int64 {
        try integer(json, through: Self.latestTime)
    }

    /// A number in a range.
    package func number(
        _ json: Span<UInt8>, in range: ClosedRange<Double>
    ) throws(PayloadError) -> Double {
        var reader = try reader(.number, json)
        let value = try reader.number(in: json).value
        guard range.contains(value) else { throw .outOfRange(field: name) }
        return value
    }

    /// A number that is not negative.
    package func amount(_ json: Span<UInt8>) throws(PayloadError) -> Double {
        try number(json, in: 0...Double.greatestFiniteMagnitude)
    }

    /// A signal level, −127 ... 20 dBm.
    package func level(_ json: Span<UInt8>) throws(PayloadError) -> Double {
        try number(json, in: Self.levels)
    }

    /// `true` or `false`.
    package func flag(_ json: Span<UInt8>) throws(PayloadError) -> Bool {
        var reader = try reader(.flag, json)
        return try reader.flag(in: json)
    }

    /// A text of at most `limit` Unicode scalars, or of any length.
    package func text(_ json: Span<UInt8>, limit: Int? = nil) throws(PayloadError) -> String {
        var reader = try reader(.string, json)
        let text = try reader.string(in: json).text(in: json)
        if let limit, text.utf8.count > limit, text.unicodeScalars.count > limit {
            throw .outOfRange(field: name)
        }
        return text
    }

    /// Words of a person: 1 to `limit` Unicode scalars, of controls only line feeds and tabs.
    package func words(_ json: Span<UInt8>, limit: Int) throws(PayloadError) -> String {
        let words = try text(json, limit: limit)
        guard !words.isEmpty else { throw .outOfRange(field: name) }
        guard HarmlessText.fault(inWords: words) == nil else { throw .unknownValue(field: name) }
        return words
    }

    /// A text that may stand on a topic.
    package func slug(_ json: Span<UInt8>) throws(PayloadError) -> String {
        let text = try text(json)
        guard text.isSlug else { throw .unknownValue(field: name) }
        return text
    }

    /// A request's number as its client chose it: 1 to 64 visible characters of ASCII.
    package func token(_ json: Span<UInt8>) throws(PayloadError) -> String {
        let text = try text(json)
        guard (1...64).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .unknownValue(field: name) }
        return text
    }

    /// A node's process: 16 lower-case hexadecimal digits.
    package func boot(_ json: Span<UInt8>) throws(PayloadError) -> UInt64 {
        guard let boot = Hex.value(try text(json), count: 16) else {
            throw .unknownValue(field: name)
        }
        return boot
    }

    /// One of the words of an enumeration.
    package func choice<Choice: RawRepresentable<String>>(
        _ json: Span<UInt8>, of type: Choice.Type
    ) throws(PayloadError) -> Choice {
        guard let choice = Choice(rawValue: try text(json)) else {
            throw .unknownValue(field: name)
        }
        return choice
    }

    package func object(
        _ json: Span<UInt8>, atMost limit: Int = JSONObject.mostMembers
    ) throws(PayloadError) -> JSONObject {
        var reader = try reader(.object, json)
        return try JSONObject(with: &reader, in: json, atMost: limit)
    }

    /// The elements of an array, each named like it.
    package func list<Element>(
        _ json: Span<UInt8>, atMost limit: Int = .max,
        _ element: (JSONValue, Span<UInt8>) throws(PayloadError) -> Element
    ) throws(PayloadError) -> [Element] {
        var reader = try reader(.array, json)
        try reader.openArray(in: json)
        var elements: [Element] = []
        while try reader.nextElement(isFirst: elements.isEmpty, in: json) {
            guard elements.count < limit else { throw .outOfRange(field: name) }
            _ = try reader.kind(in: json)
            elements.append(try element(JSONValue(name: name, offset: reader.offset), json))
            try reader.skip(in: json, depth: 0)
        }
        return elements
    }

    /// The elements of an array of slugs.
    package func slugs(_ json: Span<UInt8>) throws(PayloadError) -> [String] {
        try list(json) { (element, json) throws(PayloadError) in try element.slug(json) }
    }

    /// A reader before the value, which must be of a kind.
    private func reader(
        _ wanted: JSONReader.Kind, _ json: Span<UInt8>
    ) throws(PayloadError) -> JSONReader {
        guard try kind(json) == wanted else { throw .wrongType(field: name) }
        return JSONReader(at: offset)
    }
}

/// An object of a JSON text: where each of its values starts. Of two equal keys the last counts.
///
/// Like the reader it holds positions only, so the text is passed to every call.
package struct JSONObject: Sendable {
    private struct Field {
        var key: JSONString
        var value: Int
    }

    /// The most members of an object that somebody sends: many times those of any contract. What we have written
    /// ourselves may have more, such as a name for everybody.
    package static let mostMembers = 1024

    private var fields: [Field] = []

    /// Checks a whole JSON text, down to the last byte of its parts nobody asks for, and takes the
    /// object it must be. Throws `oversize` above `limit` bytes, and `tooManyMembers` above `most` members.
    package init(
        document json: Span<UInt8>, limit: Int, atMost most: Int = mostMembers
    ) throws(PayloadError) {
        guard json.count <= limit else { throw .oversize(limit: limit) }
        do {
            _ = try UTF8Span(validating: json)
        } catch {
            throw .notJSON(offset: error.byteOffsets.lowerBound)
        }
        var reader = JSONReader()
        if try reader.kind(in: json) == .object {
            try read(with: &reader, json, atMost: most)
            try reader.end(in: json)
        } else {
            try reader.skip(in: json, depth: 0)
            try reader.end(in: json)
            throw .wrongType(field: "")
        }
    }

    /// Takes the object a reader stands before. `depth` counts what it lies in only to bound the
    /// recursion: the text was checked before.
    package init(
        with reader: inout JSONReader, in json: Span<UInt8>, atMost most: Int = mostMembers
    ) throws(PayloadError) {
        try read(with: &reader, json, atMost: most)
    }

    /// The value of a key that must be there.
    package func required(
        _ key: String, _ json: Span<UInt8>
    ) throws(PayloadError) -> JSONValue {
        guard let value = try optional(key, json) else { throw .missing(field: key) }
        return value
    }

    /// The value of a key that must be there and may be null: then `nil`.
    package func nullable(
        _ key: String, _ json: Span<UInt8>
    ) throws(PayloadError) -> JSONValue? {
        let value = try required(key, json)
        return try value.kind(json) == .null ? nil : value
    }

    /// The value of a key, or `nil` if it is not there.
    package func optional(
        _ key: String, _ json: Span<UInt8>
    ) throws(PayloadError) -> JSONValue? {
        for field in fields.reversed() where try field.key.equals(key, in: json) {
            return JSONValue(name: key, offset: field.value)
        }
        return nil
    }

    /// All keys in the order of the text. Throws `repeatedMember` if one comes twice: of what somebody
    /// asks for, everybody who reads it must see the same.
    package func members(_ json: Span<UInt8>) throws(PayloadError) -> [JSONValue] {
        var seen: Set<String> = []
        var values: [JSONValue] = []
        for field in fields {
            let key = try field.key.text(in: json)
            guard seen.insert(key).inserted else { throw .repeatedMember(field: key) }
            values.append(JSONValue(name: key, offset: field.value))
        }
        return values
    }

    /// All keys in the order of the text, with the value that counts.
    package func all(_ json: Span<UInt8>) throws(PayloadError) -> [JSONValue] {
        var values: [JSONValue] = []
        var last: [String: Int] = [:]
        for (place, field) in fields.enumerated() {
            let key = try field.key.text(in: json)
            last[key] = place
            values.append(JSONValue(name: key, offset: field.value))
        }
        guard last.count < values.count else { return values }
        return values.enumerated().filter { last[$1.name] == $0 }.map(\.element)
    }

    private mutating func read(
        with reader: inout JSONReader, _ json: Span<UInt8>, atMost most: Int
    ) throws(PayloadError) {
        try reader.openObject(in: json)
        while let key = try reader.nextKey(isFirst: fields.isEmpty, in: json) {
            guard fields.count < most else { throw .tooManyMembers(limit: most) }
            if fields.isEmpty { fields.reserveCapacity(12) }
            _ = try reader.kind(in: json)
            fields.append(Field(key: key, value: reader.offset))
            try reader.skip(in: json, depth: 1)
        }
    }
}

/// A number of a JSON text, always finite.
package struct JSONNumber: Hashable, Sendable {
    /// The greatest integer a payload carries, 2⁵³ − 1: every reader of JSON holds it exactly.
    package static let greatestInteger: Int64 = 9_007_199_254_740_991

    /// The nearest double.
    package let value: Double
    /// The same as an integer, or `nil` if it has a fraction or is beyond 64 bits. 5.0 and 5e0 are
    /// integers, as JSON Schema has it.
    package let integer: Int64?

    /// A number read as an integer.
    init(_ integer: Int64) {
        value = Double(integer)
        self.integer = integer
    }

    /// A number read with a fraction, an exponent or very many digits.
    init(_ value: Double) {
        self.value = value
        integer = Int64(exactly: value)
    }
}

extension JSONReader {
    /// Takes a number. Throws `unreadableNumber` if it is too long or beyond the range of a double.
    package mutating func number(in json: Span<UInt8>) throws(PayloadError) -> JSONNumber {
        _ = try peek(json)
        let start = offset
        let isNegative = accept(UInt8(ascii: "-"), json)
        var decimal = Decimal()
        if accept(UInt8(ascii: "0"), json) {
            decimal.append(0)
        } else {
            try digits(json) { decimal.append($0) }
        }
        if accept(UInt8(ascii: "."), json) {
            decimal.isInteger = false
            try digits(json) {
                decimal.append($0)
                decimal.exponent -= 1
            }
        }
        if accept(UInt8(ascii: "e"), json) || accept(UInt8(ascii: "E"), json) {
            decimal.isInteger = false
            let isSmall = accept(UInt8(ascii: "-"), json)
            if !isSmall { _ = accept(UInt8(ascii: "+"), json) }
            var exponent = 0
            // Held at a bound far beyond any double, where only `Double.init` is asked.
            try digits(json) { exponent = min(100_000, exponent * 10 + Int($0)) }
            decimal.exponent += isSmall ? -exponent : exponent
        }
        guard offset - start <= Self.longestNumber else {
            throw .unreadableNumber(offset: start)
        }
        if decimal.isInteger, let integer = decimal.integer(isNegative: isNegative) {
            return JSONNumber(integer)
        }
        let value: Double?
        if let magnitude = decimal.exact {
            value = isNegative ? -magnitude : magnitude
        } else {
            let range = start..<offset
            value = Double(try JSONString(range: range, isPlain: true).text(in: json))
        }
        guard let value, value.isFinite else { throw .unreadableNumber(offset: start) }
        return JSONNumber(value)
    }
}

/// Digits and a power of ten, as they are read.
private struct Decimal {
    /// The digits so far; right only while `digitCount` is at most 18.
    private var significand: UInt64 = 0
    private var digitCount = 0
    /// The power of ten the digits are to be multiplied with.
    var exponent = 0
    /// No fraction and no exponent was written.
    var isInteger = true

    mutating func append(_ digit: UInt8) {
        if significand > 0 || digit > 0 { digitCount += 1 }
        if digitCount <= 18 { significand = significand * 10 + UInt64(digit) }
    }

    func integer(isNegative: Bool) -> Int64? {
        guard digitCount <= 18, exponent == 0 else { return nil }
        return isNegative ? -Int64(significand) : Int64(significand)
    }

    /// The magnitude where one multiplication or division of two exact doubles gives the nearest
    /// double: up to 15 digits and powers of ten up to 22. Otherwise `nil`.
    var exact: Double? {
        guard digitCount <= 15, (-22...22).contains(exponent) else { return nil }
        return exponent < 0
            ? Double(significand) / Self.powers[-exponent]
            : Double(significand) * Self.powers[exponent]
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}

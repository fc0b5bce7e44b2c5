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

    /// A text that may stand on a topic.
    package func slug(_ json: Span<UInt8>) throws(PayloadError) -> String {
        let text = try text(json)
        guard Names.isSlug(text) else { throw .unknownValue(field: name) }
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

    package func object(_ json: Span<UInt8>) throws(PayloadError) -> JSONObject {
        var reader = try reader(.object, json)
        return try JSONObject(with: &reader, in: json)
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

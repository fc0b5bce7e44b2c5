/// An object of a JSON text: where each of its values starts. Of two equal keys the last counts.
///
/// Like the reader it holds positions only, so the text is passed to every call.
package struct JSONObject: Sendable {
    private struct Field {
        var key: JSONString
        var value: Int
    }

    private var fields: [Field] = []

    /// Checks a whole JSON text, down to the last byte of its parts nobody asks for, and takes the
    /// object it must be. Throws `oversize` above `limit` bytes.
    package init(document json: Span<UInt8>, limit: Int) throws(PayloadError) {
        guard json.count <= limit else { throw .oversize(limit: limit) }
        do {
            _ = try UTF8Span(validating: json)
        } catch {
            throw .notJSON(offset: error.byteOffsets.lowerBound)
        }
        var reader = JSONReader()
        if try reader.kind(in: json) == .object {
            try read(with: &reader, json)
            try reader.end(in: json)
        } else {
            try reader.skip(in: json, depth: 0)
            try reader.end(in: json)
            throw .wrongType(field: "")
        }
    }

    /// Takes the object a reader stands before. `depth` counts what it lies in only to bound the
    /// recursion: the text was checked before.
    package init(with reader: inout JSONReader, in json: Span<UInt8>) throws(PayloadError) {
        try read(with: &reader, json)
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

    /// All keys in the order of the text, with the value that counts.
    package func all(_ json: Span<UInt8>) throws(PayloadError) -> [JSONValue] {
        var values: [JSONValue] = []
        for field in fields {
            let key = try field.key.text(in: json)
            if let earlier = values.firstIndex(where: { $0.name == key }) {
                values.remove(at: earlier)
            }
            values.append(JSONValue(name: key, offset: field.value))
        }
        return values
    }

    private mutating func read(
        with reader: inout JSONReader, _ json: Span<UInt8>
    ) throws(PayloadError) {
        try reader.openObject(in: json)
        fields.reserveCapacity(12)
        while let key = try reader.nextKey(isFirst: fields.isEmpty, in: json) {
            _ = try reader.kind(in: json)
            fields.append(Field(key: key, value: reader.offset))
            try reader.skip(in: json, depth: 1)
        }
    }
}

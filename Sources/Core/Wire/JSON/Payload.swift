/// What travels under one kind of topic: a JSON object with a schema in `schemas/`.
///
/// The decoder gives the schema's verdict. Unknown keys are ignored.
package protocol Payload: Equatable, Sendable {
    /// The most bytes it may have.
    static var limit: Int { get }

    /// Takes the values out of an object of a text that was checked.
    init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError)

    /// Writes the object.
    func write(to writer: inout JSONWriter)
}

extension Payload {
    /// 8 KiB, where a kind says nothing else.
    package static var limit: Int { 8 * 1024 }

    /// Reads a payload as it came. Throws what is wrong with it first.
    package init(json: Span<UInt8>) throws(PayloadError) {
        try self.init(JSONObject(document: json, limit: Self.limit), in: json)
    }

    /// The payload as it goes out: compact, keys in a fixed order.
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

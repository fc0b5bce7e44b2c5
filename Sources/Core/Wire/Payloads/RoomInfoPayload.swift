/// `room/{r}/info`, retained: a room's name.
package struct RoomInfoPayload: Payload {
    /// What people call it. Hostile text: only ever shown as text.
    package var name: String

    package init(
        name: String
    ) {
        self.name = name
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        name = try object.required("name", json).text(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("name", name)
        writer.endObject()
    }
}

/// `room/{r}/state`, retained: how many people are in a room.
package struct RoomStatePayload: Payload {
    /// When this was so, in ms since 1970.
    package var tMs: Int64
    /// People there, or `nil` when no node of the room listens.
    package var count: Int?

    package init(
        tMs: Int64, count: Int?
    ) {
        self.tMs = tMs
        self.count = count
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        tMs = try object.required("t_ms", json).time(json)
        count = try object.nullable("count", json)?.count(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("t_ms", tMs)
        writer.field("count", count)
        writer.endObject()
    }
}

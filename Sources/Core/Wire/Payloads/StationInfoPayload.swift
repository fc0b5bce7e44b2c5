/// `station/{t}/info`, retained: a station's name and place.
package struct StationInfoPayload: Payload {
    /// What people call it. Hostile text: only ever shown as text.
    package var name: String
    /// The slug of its room.
    package var room: String
    /// How many people can use it at once, from 1.
    package var slots: Int

    package init(
        name: String, room: String, slots: Int
    ) {
        self.name = name
        self.room = room
        self.slots = slots
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        name = try object.required("name", json).text(json)
        room = try object.required("room", json).slug(json)
        slots = try object.required("slots", json).count(json, from: 1)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("name", name)
        writer.field("room", room)
        writer.field("slots", slots)
        writer.endObject()
    }
}

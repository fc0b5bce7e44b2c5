import SiteModel

/// `station/{t}/state`, retained: whether a station can be used.
package struct StationStatePayload: Payload {
    /// When this was so, in ms since 1970.
    package var tMs: Int64
    package var state: StationState.State
    /// How many people can use it at once, from 1.
    package var slots: Int
    /// The users there.
    package var by: [String]
    /// Since when the state holds, in ms since 1970.
    package var sinceMs: Int64

    package init(
        tMs: Int64, state: StationState.State, slots: Int, by: [String], sinceMs: Int64
    ) {
        self.tMs = tMs
        self.state = state
        self.slots = slots
        self.by = by
        self.sinceMs = sinceMs
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        tMs = try object.required("t_ms", json).time(json)
        state = try object.required("state", json).choice(json, of: StationState.State.self)
        slots = try object.required("slots", json).count(json, from: 1)
        by = try object.required("by", json).slugs(json)
        sinceMs = try object.required("since_ms", json).time(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("t_ms", tMs)
        writer.field("state", state.rawValue)
        writer.field("slots", slots)
        writer.field("by", by)
        writer.field("since_ms", sinceMs)
        writer.endObject()
    }
}

import JSON

/// `user/{u}/wait`, retained while it lasts: what somebody waits for.
package struct WaitPayload: Payload {
    /// The slug of the station.
    package var station: String
    /// Since when, in ms since 1970.
    package var joinedMs: Int64
    /// Until when a slot is kept for them, in ms since 1970; `nil` while none is.
    package var offeredUntilMs: Int64?
    /// How many wait there who joined earlier.
    package var ahead: Int

    package init(station: String, joinedMs: Int64, offeredUntilMs: Int64?, ahead: Int) {
        self.station = station
        self.joinedMs = joinedMs
        self.offeredUntilMs = offeredUntilMs
        self.ahead = ahead
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        station = try object.required("station", json).slug(json)
        joinedMs = try object.required("joined_ms", json).time(json)
        offeredUntilMs = try object.nullable("offered_until_ms", json)?.time(json)
        ahead = try object.required("ahead", json).count(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("station", station)
        writer.field("joined_ms", joinedMs)
        writer.field("offered_until_ms", offeredUntilMs)
        writer.field("ahead", Int64(ahead))
        writer.endObject()
    }
}

import JSON
import SiteModel

/// `user/{u}/presence`, retained: where a user is.
package struct PresencePayload: Payload {
    /// When this was so, in ms since 1970.
    package var tMs: Int64
    /// At the site or not.
    package var state: PresenceState.State
    /// The room, if one is decided.
    package var room: String?
    /// The station, only of who is present, and in that room.
    package var station: String?
    /// The probability of the place named, 0 ... 1; 0 where none is told.
    package var confidence: Double
    /// Since when state and place hold, in ms since 1970.
    package var sinceMs: Int64
    /// When the user was last heard, in ms since 1970, or `nil` if never.
    package var seenMs: Int64?
    /// The place the locator decided for, before a machine believes it; `nil` if there is none.
    package var place: PlaceSlugs?
    /// The probability of that place, 0 ... 1, or `nil` if it is not told.
    package var probability: Double?
    /// Whether machines act on that place, or `nil` if it is not told.
    package var confirmed: Bool?

    package init(
        tMs: Int64, state: PresenceState.State, room: String?, station: String?, confidence: Double,
        sinceMs: Int64, seenMs: Int64?, place: PlaceSlugs? = nil, probability: Double? = nil,
        confirmed: Bool? = nil
    ) {
        self.tMs = tMs
        self.state = state
        self.room = room
        self.station = station
        self.confidence = confidence
        self.sinceMs = sinceMs
        self.seenMs = seenMs
        self.place = place
        self.probability = probability
        self.confirmed = confirmed
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        tMs = try object.required("t_ms", json).time(json)
        state = try object.required("state", json).choice(json, of: PresenceState.State.self)
        room = try object.nullable("room", json)?.slug(json)
        station = try object.nullable("station", json)?.slug(json)
        confidence = try object.required("confidence", json).number(json, in: 0...1)
        sinceMs = try object.required("since_ms", json).time(json)
        seenMs = try object.nullable("seen_ms", json)?.time(json)
        if let value = try object.optional("place", json) {
            place = try PlaceSlugs(try value.object(json), in: json)
        }
        probability = try object.optional("probability", json)?.number(json, in: 0...1)
        confirmed = try object.optional("confirmed", json)?.flag(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("t_ms", tMs)
        writer.field("state", state.rawValue)
        writer.field("room", room)
        writer.field("station", station)
        writer.field("confidence", confidence)
        writer.field("since_ms", sinceMs)
        writer.field("seen_ms", seenMs)
        if let place { writer.field("place", place) }
        if let probability { writer.field("probability", probability) }
        if let confirmed { writer.field("confirmed", confirmed) }
        writer.endObject()
    }
}

/// `shadow`, retained while a second locator runs beside the deciding one: how the two compare since
/// the plan is in force. Seconds are those of people.
package struct ShadowPayload: Payload {
    /// When this was so, in ms since 1970.
    package var tMs: Int64
    /// When the comparison began, in ms since 1970.
    package var sinceMs: Int64
    /// Seconds in which both named a place.
    package var seconds: Int
    /// Those of them in which it was the same.
    package var agreed: Int
    /// The locator that decides.
    package var deciding: ShadowState.Side
    /// The one beside it.
    package var shadow: ShadowState.Side

    /// What is told of a comparison.
    package init(_ state: ShadowState) {
        tMs = state.at.milliseconds
        sinceMs = state.since.milliseconds
        seconds = state.seconds
        agreed = state.agreed
        deciding = state.deciding
        shadow = state.shadow
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        tMs = try object.required("t_ms", json).time(json)
        sinceMs = try object.required("since_ms", json).time(json)
        seconds = try object.required("seconds", json).count(json)
        agreed = try object.required("agreed", json).count(json)
        deciding = try Self.side(try object.required("deciding", json).object(json), in: json)
        shadow = try Self.side(try object.required("shadow", json).object(json), in: json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("t_ms", tMs)
        writer.field("since_ms", sinceMs)
        writer.field("seconds", seconds)
        writer.field("agreed", agreed)
        Self.write("deciding", deciding, to: &writer)
        Self.write("shadow", shadow, to: &writer)
        writer.endObject()
    }

    private static func side(
        _ object: JSONObject, in json: Span<UInt8>
    ) throws(PayloadError) -> ShadowState.Side {
        ShadowState.Side(
            method: try object.required("method", json).choice(
                json, of: LocatingPolicy.Method.self),
            alone: try object.required("alone", json).count(json),
            changes: try object.required("changes", json).count(json),
            probability: try object.required("probability", json).number(json, in: 0...1))
    }

    private static func write(
        _ key: String, _ side: ShadowState.Side, to writer: inout JSONWriter
    ) {
        writer.key(key)
        writer.beginObject()
        writer.field("method", side.method.rawValue)
        writer.field("alone", side.alone)
        writer.field("changes", side.changes)
        writer.field("probability", side.probability)
        writer.endObject()
    }
}

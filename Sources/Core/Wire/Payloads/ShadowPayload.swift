import SiteModel

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

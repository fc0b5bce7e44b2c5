/// `user/{u}/workout`, retained: a user's newest workout.
package struct WorkoutPayload: Payload {
    /// Where a workout can stand.
    package enum State: String, Sendable, CaseIterable {
        case none
        case active
        case paused
        case completed
    }

    /// When this was so, in ms since 1970.
    package var tMs: Int64
    /// Where it stands.
    package var state: State
    /// Its row, or `nil` if there was no workout.
    package var id: Int64?
    /// The station it was started at, if any.
    package var station: String?
    /// When it started, in ms since 1970.
    package var startedMs: Int64?
    /// When it ended, in ms since 1970, or `nil` while it is open.
    package var endedMs: Int64?
    /// The sum of its closed pauses, in seconds.
    package var pausedS: Double
    /// Since when it is paused, in ms since 1970, or `nil` if it is not.
    package var pausedSinceMs: Int64?

    package init(
        tMs: Int64, state: State, id: Int64?, station: String?, startedMs: Int64?, endedMs: Int64?,
        pausedS: Double, pausedSinceMs: Int64?
    ) {
        self.tMs = tMs
        self.state = state
        self.id = id
        self.station = station
        self.startedMs = startedMs
        self.endedMs = endedMs
        self.pausedS = pausedS
        self.pausedSinceMs = pausedSinceMs
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        tMs = try object.required("t_ms", json).time(json)
        state = try object.required("state", json).choice(json, of: State.self)
        id = try object.nullable("id", json)?.integer(json)
        station = try object.nullable("station", json)?.slug(json)
        startedMs = try object.nullable("started_ms", json)?.time(json)
        endedMs = try object.nullable("ended_ms", json)?.time(json)
        pausedS = try object.required("paused_s", json).amount(json)
        pausedSinceMs = try object.nullable("paused_since_ms", json)?.time(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("t_ms", tMs)
        writer.field("state", state.rawValue)
        writer.field("id", id)
        writer.field("station", station)
        writer.field("started_ms", startedMs)
        writer.field("ended_ms", endedMs)
        writer.field("paused_s", pausedS)
        writer.field("paused_since_ms", pausedSinceMs)
        writer.endObject()
    }
}

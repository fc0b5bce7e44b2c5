import JSON
import SiteModel

/// `user/{u}/workout`, retained: a user's newest workout.
package struct WorkoutPayload: Payload {
    /// What stands for no workout.
    package static let none = "none"

    /// A station in a workout, from when until when.
    package struct StationUsed: Equatable, Sendable {
        /// Its slug.
        package var station: String
        /// In ms since 1970.
        package var fromMs: Int64
        /// The same, or `nil` while the slot is held.
        package var toMs: Int64?

        package init(station: String, fromMs: Int64, toMs: Int64?) {
            self.station = station
            self.fromMs = fromMs
            self.toMs = toMs
        }
    }

    /// When this was so, in ms since 1970.
    package var tMs: Int64
    /// Where it stands, or `nil` if there was no workout.
    package var state: Workout.State?
    /// Its row, or `nil` if there was no workout.
    package var id: Int64?
    /// The station whose slot it holds, or held when it ended.
    package var station: String?
    /// When it started, in ms since 1970.
    package var startedMs: Int64?
    /// When it ended, in ms since 1970, or `nil` while it is open.
    package var endedMs: Int64?
    /// The sum of its closed pauses, in seconds.
    package var pausedS: Double
    /// Since when it is paused, in ms since 1970, or `nil` if it is not.
    package var pausedSinceMs: Int64?
    /// What began it, or `nil` if there was no workout.
    package var cause: Workout.Cause?
    /// From 1, one more with each change of it, of its sets and of its stations; `nil` if there was no workout.
    package var rev: Int64?
    /// Where it was, oldest first; of very many the last.
    package var stations: [StationUsed]
    /// How many sets it has, warm-ups included.
    package var sets: Int
    /// Repetitions × weight of all sets that are no warm-ups, in grams.
    package var volumeG: Int64
    /// The slug of the latest set's exercise.
    package var exercise: String?
    /// Until when to rest, in ms since 1970; `nil` without a set, and when it has ended.
    package var restUntilMs: Int64?

    package init(
        tMs: Int64, state: Workout.State?, id: Int64? = nil, station: String? = nil,
        startedMs: Int64? = nil, endedMs: Int64? = nil, pausedS: Double = 0,
        pausedSinceMs: Int64? = nil, cause: Workout.Cause? = nil, rev: Int64? = nil,
        stations: [StationUsed] = [], sets: Int = 0, volumeG: Int64 = 0, exercise: String? = nil,
        restUntilMs: Int64? = nil
    ) {
        self.tMs = tMs
        self.state = state
        self.id = id
        self.station = station
        self.startedMs = startedMs
        self.endedMs = endedMs
        self.pausedS = pausedS
        self.pausedSinceMs = pausedSinceMs
        self.cause = cause
        self.rev = rev
        self.stations = stations
        self.sets = sets
        self.volumeG = volumeG
        self.exercise = exercise
        self.restUntilMs = restUntilMs
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        tMs = try object.required("t_ms", json).time(json)
        let told = try object.required("state", json)
        state = try told.text(json) == Self.none ? nil : told.choice(json, of: Workout.State.self)
        id = try object.nullable("id", json)?.integer(json)
        station = try object.nullable("station", json)?.slug(json)
        startedMs = try object.nullable("started_ms", json)?.time(json)
        endedMs = try object.nullable("ended_ms", json)?.time(json)
        pausedS = try object.required("paused_s", json).amount(json)
        pausedSinceMs = try object.nullable("paused_since_ms", json)?.time(json)
        cause = try object.nullable("cause", json)?.choice(json, of: Workout.Cause.self)
        rev = try object.nullable("rev", json)?.integer(json, from: 1)
        stations = try object.required("stations", json).list(json) {
            (value, json) throws(PayloadError) in
            let used = try value.object(json)
            return StationUsed(
                station: try used.required("station", json).slug(json),
                fromMs: try used.required("from_ms", json).time(json),
                toMs: try used.nullable("to_ms", json)?.time(json))
        }
        sets = try object.required("sets", json).count(json)
        volumeG = try object.required("volume_kg", json).grams(json)
        exercise = try object.nullable("exercise", json)?.slug(json)
        restUntilMs = try object.nullable("rest_until_ms", json)?.time(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("t_ms", tMs)
        writer.field("state", state?.rawValue ?? Self.none)
        writer.field("id", id)
        writer.field("station", station)
        writer.field("started_ms", startedMs)
        writer.field("ended_ms", endedMs)
        writer.field("paused_s", pausedS)
        writer.field("paused_since_ms", pausedSinceMs)
        writer.field("cause", cause?.rawValue)
        writer.field("rev", rev)
        writer.key("stations")
        writer.beginArray()
        for used in stations {
            writer.beginObject()
            writer.field("station", used.station)
            writer.field("from_ms", used.fromMs)
            writer.field("to_ms", used.toMs)
            writer.endObject()
        }
        writer.endArray()
        writer.field("sets", Int64(sets))
        writer.field("volume_kg", Double(volumeG) / 1000)
        writer.field("exercise", exercise)
        writer.field("rest_until_ms", restUntilMs)
        writer.endObject()
    }
}

import JSON
import SiteModel

/// A set as answers and lists tell it.
package struct SetPayload: Equatable, Sendable {
    /// The UUID by which whoever logged it knows it.
    package var key: String
    /// The slug of the exercise.
    package var exercise: String
    package var kind: WorkoutSet.Kind
    package var measure: WorkoutSet.Measure
    /// In grams.
    package var weightG: Int64?
    package var rir: Int?
    /// The slug of the station.
    package var station: String?
    /// When it was done, in ms since 1970.
    package var atMs: Int64
    /// What its user wrote. Hostile text.
    package var note: String?
    package var target: WorkoutSet.Target?
    package var isDeleted: Bool
    /// From 1; a change names the one it was made for.
    package var rev: Int64
    /// Until when to rest, in ms since 1970; `nil` if the workout has ended.
    package var restUntilMs: Int64?
    /// The records that it is.
    package var records: [WorkoutSet.Record]

    /// A set in the words of the wire.
    package init(_ set: WorkoutSet, station: String?, records: [WorkoutSet.Record]) {
        key = set.key
        exercise = set.exercise
        kind = set.kind
        measure = set.measure
        weightG = set.weight
        rir = set.rir
        self.station = station
        atMs = set.at.milliseconds
        note = set.note
        target = set.target
        isDeleted = set.isDeleted
        rev = set.revision
        restUntilMs = set.restUntil?.milliseconds
        self.records = records
    }

    /// Takes the values out of an answer.
    package init(_ answer: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        let object = try answer.required("set", json).object(json)
        key = try object.required("id", json).token(json)
        exercise = try object.required("exercise", json).slug(json)
        kind = try object.required("kind", json).choice(json, of: WorkoutSet.Kind.self)
        if let reps = try object.optional("reps", json) {
            measure = .reps(try reps.count(json, from: 1))
        } else if let seconds = try object.optional("duration_s", json) {
            measure = .duration(try seconds.count(json, from: 1))
        } else {
            measure = .distance(try object.required("distance_m", json).count(json, from: 1))
        }
        weightG = try object.optional("weight_kg", json)?.grams(json)
        rir = try object.optional("rir", json)?.count(json)
        station = try object.optional("station", json)?.slug(json)
        atMs = try object.required("at_ms", json).time(json)
        note = try object.optional("note", json)?.text(json)
        if let planned = try object.optional("target", json)?.object(json) {
            target = WorkoutSet.Target(
                reps: try planned.optional("reps", json)?.count(json, from: 1),
                weight: try planned.optional("weight_kg", json)?.grams(json))
        }
        isDeleted = try object.optional("deleted", json)?.flag(json) ?? false
        rev = try answer.required("rev", json).integer(json, from: 1)
        restUntilMs = try answer.nullable("rest_until_ms", json)?.time(json)
        records = try answer.required("records", json).list(json) {
            (value, json) throws(PayloadError) in
            try value.choice(json, of: WorkoutSet.Record.self)
        }
    }

    /// Writes the members of an answer: `set`, `rev`, `rest_until_ms`, `records`.
    package func writeAnswer(to writer: inout JSONWriter) {
        writer.key("set")
        writer.beginObject()
        writeSet(to: &writer)
        writer.endObject()
        writer.field("rev", rev)
        writer.field("rest_until_ms", restUntilMs)
        writer.field("records", records.map(\.rawValue))
    }

    /// Writes the members of the set itself; those that it is without are left out.
    package func writeSet(to writer: inout JSONWriter) {
        writer.field("id", key)
        writer.field("exercise", exercise)
        writer.field("kind", kind.rawValue)
        switch measure {
        case .reps(let count): writer.field("reps", count)
        case .duration(let seconds): writer.field("duration_s", seconds)
        case .distance(let metres): writer.field("distance_m", metres)
        }
        if let weightG { writer.field("weight_kg", Double(weightG) / 1000) }
        if let rir { writer.field("rir", rir) }
        if let station { writer.field("station", station) }
        writer.field("at_ms", atMs)
        if let note { writer.field("note", note) }
        if let target {
            writer.key("target")
            writer.beginObject()
            if let reps = target.reps { writer.field("reps", reps) }
            if let weight = target.weight { writer.field("weight_kg", Double(weight) / 1000) }
            writer.endObject()
        }
        if isDeleted { writer.field("deleted", true) }
    }
}

extension JSONValue {
    /// Kilograms, as grams.
    func grams(_ json: Span<UInt8>) throws(PayloadError) -> Int64 {
        // As the schemas have it; in grams it fits.
        Int64((try number(json, in: 0...9_000_000_000_000_000) * 1000).rounded())
    }
}

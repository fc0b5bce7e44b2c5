import JSON

/// `user/{u}/day`, retained: what somebody walked today; zeros until somebody counts.
package struct DayPayload: Payload {
    /// Which day, by the clocks of the site: `2026-03-29`.
    package var date: String
    package var steps: Int64
    /// As sent, else estimated, in metres.
    package var distanceM: Double
    /// The same, in kilocalories; `nil` where that needs a weight that is not known.
    package var kcal: Double?
    /// The goal of the day, in steps; `nil` without one.
    package var goal: Int64?
    /// Whether there are as many steps as that.
    package var reached: Bool
    /// Seconds: 60 for each minute in which the mesh saw them come to a room or station.
    package var movingS: Int64
    /// Whose count it is; `nil` until somebody counts. Hostile text: only ever shown as text.
    package var source: String?

    package init(
        date: String, steps: Int64, distanceM: Double, kcal: Double?, goal: Int64?, movingS: Int64,
        source: String?
    ) {
        self.date = date
        self.steps = steps
        self.distanceM = distanceM
        self.kcal = kcal
        self.goal = goal
        reached = goal.map { steps >= $0 } ?? false
        self.movingS = movingS
        self.source = source
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        date = try object.required("date", json).text(json)
        let isDate =
            date.utf8.count == 10
            && date.utf8.enumerated().allSatisfy { place, byte in
                place == 4 || place == 7
                    ? byte == UInt8(ascii: "-")
                    : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
        guard isDate else { throw .unknownValue(field: "date") }
        steps = try object.required("steps", json).integer(json)
        distanceM = try object.required("distance_m", json).amount(json)
        kcal = try object.nullable("kcal", json)?.amount(json)
        goal = try object.nullable("goal", json)?.integer(json)
        reached = try object.required("reached", json).flag(json)
        movingS = try object.required("moving_s", json).integer(json)
        source = try object.nullable("source", json)?.text(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("date", date)
        writer.field("steps", steps)
        writer.field("distance_m", distanceM)
        if let kcal { writer.field("kcal", kcal) } else { writer.field("kcal", nil as String?) }
        writer.field("goal", goal)
        writer.field("reached", reached)
        writer.field("moving_s", movingS)
        writer.field("source", source)
        writer.endObject()
    }
}

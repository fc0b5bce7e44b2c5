import JSON
import SiteModel

/// `ingest/steps/{u}`: steps that a phone, a watch or a bridge counted between two moments.
package struct StepsPayload: Payload {
    /// The most of a sample: steps, metres, kilocalories.
    package static let mostSteps: Int64 = 200_000
    package static let mostMetres = 1_000_000.0
    package static let mostKilocalories = 100_000.0

    package var head: IngestHead
    /// In ms since 1970.
    package var fromMs: Int64
    package var toMs: Int64
    package var steps: Int64
    /// `nil`: the source does not know.
    package var distanceM: Double?
    package var kcal: Double?

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        head = try IngestHead(object, in: json)
        fromMs = try object.required("from_ms", json).time(json)
        toMs = try object.required("to_ms", json).time(json)
        steps = try object.required("steps", json).integer(json, through: Self.mostSteps)
        distanceM = try object.given("distance_m", json)?.number(json, in: 0...Self.mostMetres)
        kcal = try object.given("kcal", json)?.number(json, in: 0...Self.mostKilocalories)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        head.write(to: &writer)
        writer.field("from_ms", fromMs)
        writer.field("to_ms", toMs)
        writer.field("steps", steps)
        if let distanceM { writer.field("distance_m", distanceM) }
        if let kcal { writer.field("kcal", kcal) }
        writer.endObject()
    }
}

/// `ingest/activity/{u}`: what somebody did between two moments, as their phone or watch says, or they by hand.
package struct ActivityPayload: Payload {
    package var head: IngestHead
    package var kind: ActivityKind
    /// In ms since 1970.
    package var fromMs: Int64
    /// The same; `nil` while it goes on.
    package var toMs: Int64?

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        head = try IngestHead(object, in: json)
        kind = try object.required("kind", json).choice(json, of: ActivityKind.self)
        fromMs = try object.required("from_ms", json).time(json)
        toMs = try object.given("to_ms", json)?.time(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        head.write(to: &writer)
        writer.field("kind", kind.rawValue)
        writer.field("from_ms", fromMs)
        if let toMs { writer.field("to_ms", toMs) }
        writer.endObject()
    }
}

/// `ingest/hr/{u}`: the heart rate at a moment.
package struct HeartRatePayload: Payload {
    /// In beats per minute.
    package static let rates: ClosedRange<Int64> = 20...300

    package var head: IngestHead
    /// In ms since 1970.
    package var atMs: Int64
    /// In beats per minute.
    package var bpm: Int64

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        head = try IngestHead(object, in: json)
        atMs = try object.required("at_ms", json).time(json)
        bpm = try object.required("bpm", json).integer(
            json, from: Self.rates.lowerBound, through: Self.rates.upperBound)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        head.write(to: &writer)
        writer.field("at_ms", atMs)
        writer.field("bpm", bpm)
        writer.endObject()
    }
}

/// What is the same of all that is sent in.
package struct IngestHead: Equatable, Sendable {
    /// The last level of the topic of the answer.
    package static let operation = "ingest"
    /// The longest name of a source, in Unicode scalars.
    package static let longestSource = 64

    /// By which its sender knows it, and the answer.
    package var id: String
    /// Who counted. Hostile text: only ever shown as text.
    package var source: String

    init(id: String, source: String) {
        self.id = id
        self.source = source
    }

    init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        id = try object.required("id", json).token(json)
        source = try object.required("source", json).text(json, limit: Self.longestSource)
    }

    func write(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("source", source)
    }
}

extension JSONObject {
    /// A member that may be left out, or null.
    package func given(
        _ name: String, _ json: Span<UInt8>
    ) throws(PayloadError) -> JSONValue? {
        guard let value = try optional(name, json), try value.kind(json) != .null else {
            return nil
        }
        return value
    }
}

/// `debug/lease/{n}`, retained: a node may tell every advertisement it hears, for a while. Cleared, it
/// ends at once.
package struct DebugLeasePayload: Payload {
    /// The most advertisements a second that may be asked for.
    package static let mostPerSecond: Int64 = 200
    /// The longest a lease lasts from the moment a node hears of it, whatever it says, in seconds.
    package static let longestS: Int64 = 3600

    /// The viewer's own number for this lease: 1 to 64 visible characters of ASCII.
    package var id: String
    /// When it ends, in ms since 1970.
    package var untilMs: Int64
    /// The most advertisements a second; what exceeds it is left out and counted.
    package var maxPerS: Int64
    /// Whether what identifies strangers' devices is withheld.
    package var redact: Bool

    package init(id: String, untilMs: Int64, maxPerS: Int64 = 50, redact: Bool = true) {
        self.id = id
        self.untilMs = untilMs
        self.maxPerS = maxPerS
        self.redact = redact
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        id = try object.required("id", json).token(json)
        untilMs = try object.required("until_ms", json).time(json)
        maxPerS =
            try object.optional("max_per_s", json)?
            .integer(json, from: 1, through: Self.mostPerSecond) ?? 50
        redact = try object.optional("redact", json)?.flag(json) ?? true
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("until_ms", untilMs)
        writer.field("max_per_s", maxPerS)
        writer.field("redact", redact)
        writer.endObject()
    }
}

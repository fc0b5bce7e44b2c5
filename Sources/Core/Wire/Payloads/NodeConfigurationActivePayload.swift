/// `node/{n}/config/active`, retained: what configuration a node applied, or why it did not.
package struct NodeConfigurationActivePayload: Payload {
    /// The revision answered to; 0 if the node was never given one.
    package var rev: Int64
    /// Whether it is in force.
    package var ok: Bool
    /// When it was applied or refused, in ms since 1970.
    package var appliedMs: Int64
    /// Why it was refused.
    package var error: String?

    package init(
        rev: Int64, ok: Bool, appliedMs: Int64, error: String? = nil
    ) {
        self.rev = rev
        self.ok = ok
        self.appliedMs = appliedMs
        self.error = error
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        rev = try object.required("rev", json).integer(json)
        ok = try object.required("ok", json).flag(json)
        appliedMs = try object.required("applied_ms", json).time(json)
        error = try object.optional("error", json)?.text(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("rev", rev)
        writer.field("ok", ok)
        writer.field("applied_ms", appliedMs)
        if let error { writer.field("error", error) }
        writer.endObject()
    }
}

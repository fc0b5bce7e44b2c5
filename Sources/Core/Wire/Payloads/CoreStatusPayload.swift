/// `core/{c}/status`, retained: whether a coordinator is connected. Also its will.
package struct CoreStatusPayload: Payload {
    /// Connected or not.
    package enum State: String, Sendable, CaseIterable {
        case online
        case offline
    }

    /// Connected or not.
    package var state: State
    /// The coordinator's process: 64 random bits drawn at its start.
    package var boot: UInt64
    /// The version of the program, at most 64 characters.
    package var version: String?

    package init(
        state: State, boot: UInt64, version: String? = nil
    ) {
        self.state = state
        self.boot = boot
        self.version = version
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        state = try object.required("state", json).choice(json, of: State.self)
        boot = try object.required("boot", json).boot(json)
        version = try object.optional("version", json)?.text(json, limit: 64)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("state", state.rawValue)
        writer.field("boot", boot: boot)
        if let version { writer.field("version", version) }
        writer.endObject()
    }
}

/// `node/{n}/status`, retained: whether a node's process is connected. Also its will.
package struct NodeStatusPayload: Payload {
    /// Connected or not.
    package enum State: String, Sendable, CaseIterable {
        case online
        case offline
    }

    /// Connected or not.
    package var state: State
    /// The node's process: 64 random bits drawn at its start.
    package var boot: UInt64
    /// The version of the program, at most 64 characters.
    package var version: String?
    /// When the process started, in ms since 1970.
    package var sinceMs: Int64?

    package init(
        state: State, boot: UInt64, version: String? = nil, sinceMs: Int64? = nil
    ) {
        self.state = state
        self.boot = boot
        self.version = version
        self.sinceMs = sinceMs
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        state = try object.required("state", json).choice(json, of: State.self)
        boot = try object.required("boot", json).boot(json)
        version = try object.optional("version", json)?.text(json, limit: 64)
        sinceMs = try object.optional("since_ms", json)?.time(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("state", state.rawValue)
        writer.field("boot", boot: boot)
        if let version { writer.field("version", version) }
        if let sinceMs { writer.field("since_ms", sinceMs) }
        writer.endObject()
    }
}

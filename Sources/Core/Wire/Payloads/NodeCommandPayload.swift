/// `node/{n}/cmd`: something a node is to do once. Told again with the same id, it is answered alike
/// and not done again.
package struct NodeCommandPayload: Payload {
    /// How long a command may take effect, in seconds.
    package static let durations: ClosedRange<Int64> = 1...3600

    /// The sender's own number for this command: 1 to 64 visible characters of ASCII.
    package var id: String
    /// What is to be done. A slug that need not be a `NodeOperation`: an unknown one is answered so.
    package var op: String
    /// When the sender loses interest, in ms since 1970.
    package var expMs: Int64?
    /// How long it is to last, in seconds; `nil`: as long as the operation usually does.
    package var forS: Int64?

    package init(id: String, op: String, expMs: Int64? = nil, forS: Int64? = nil) {
        self.id = id
        self.op = op
        self.expMs = expMs
        self.forS = forS
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        id = try object.required("id", json).token(json)
        op = try object.required("op", json).slug(json)
        expMs = try object.optional("exp_ms", json)?.time(json)
        forS = try object.optional("for_s", json)?.integer(
            json, from: Self.durations.lowerBound, through: Self.durations.upperBound)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("op", op)
        if let expMs { writer.field("exp_ms", expMs) }
        if let forS { writer.field("for_s", forS) }
        writer.endObject()
    }
}

/// What a node can be told to do with `node/{n}/cmd`.
package enum NodeOperation: String, Sendable, CaseIterable {
    /// Listen again after `stopScan`.
    case startScan = "scan-start"
    /// Stop listening, until told otherwise or started anew. Frames stop too: it is no silence.
    case stopScan = "scan-stop"
    /// Show which of the boxes on the walls it is: blink, and say so in the log.
    case identify
    /// Exit; the supervisor of the process starts it again.
    case restart
    /// Answer with a description.
    case info
    /// Send frames for a while although the profile is `sparse`.
    case burst
}

/// `node/{n}/beat`, every 2 s: a node's sign of life, and both its clocks.
package struct NodeBeatPayload: Payload {
    /// The node's process.
    package var boot: UInt64
    /// Now by the clock of this process, which never steps, in ms since 1970.
    package var tMs: Int64
    /// Now by the wall clock, which may, in ms since 1970.
    package var wallMs: Int64
    /// Whether the wall clock is kept by a time server.
    package var synced: Bool
    /// The newest frame's `seq`, or 0 if there was none.
    package var frameSeq: Int64
    /// How long ago the radio last said anything, or `nil` if it never did.
    package var hciAgeMs: Int64?

    package init(
        boot: UInt64, tMs: Int64, wallMs: Int64, synced: Bool, frameSeq: Int64,
        hciAgeMs: Int64? = nil
    ) {
        self.boot = boot
        self.tMs = tMs
        self.wallMs = wallMs
        self.synced = synced
        self.frameSeq = frameSeq
        self.hciAgeMs = hciAgeMs
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        boot = try object.required("boot", json).boot(json)
        tMs = try object.required("t_ms", json).time(json)
        wallMs = try object.required("wall_ms", json).time(json)
        synced = try object.required("synced", json).flag(json)
        frameSeq = try object.required("frame_seq", json).integer(json)
        hciAgeMs = try object.optional("hci_age_ms", json)?.integer(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("boot", boot: boot)
        writer.field("t_ms", tMs)
        writer.field("wall_ms", wallMs)
        writer.field("synced", synced)
        writer.field("frame_seq", frameSeq)
        if let hciAgeMs { writer.field("hci_age_ms", hciAgeMs) }
        writer.endObject()
    }
}

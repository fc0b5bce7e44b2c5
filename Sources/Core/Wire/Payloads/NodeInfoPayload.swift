import JSON

/// `node/{n}/info`, retained: what a node is.
package struct NodeInfoPayload: Payload {
    /// What a node sends.
    package enum Reports: String, Sendable, CaseIterable {
        /// One frame a second, also when empty.
        case frame
        /// Readings of single beacons only.
        case rssi
    }

    /// How a node scans.
    package struct Scan: Equatable, Sendable {
        /// Whether it asks for scan responses.
        package var active: Bool
        /// From the start of one listening window to the next, in ms.
        package var intervalMs: Double
        /// How long a window is, in ms.
        package var windowMs: Double

        package init(active: Bool, intervalMs: Double, windowMs: Double) {
            self.active = active
            self.intervalMs = intervalMs
            self.windowMs = windowMs
        }
    }

    /// The version of the program.
    package var version: String
    /// The node's process.
    package var boot: UInt64
    /// What a coordinator is to read of it.
    package var reports: Reports
    /// When its process started, in ms since 1970.
    package var startedMs: Int64
    /// Where its advertisements come from, such as `hci:hci0` or `btsnoop:unix:PATH`.
    package var source: String
    /// The radio's own address.
    package var adapter: String?
    package var scan: Scan?

    package init(
        version: String, boot: UInt64, reports: Reports, startedMs: Int64, source: String,
        adapter: String? = nil, scan: Scan? = nil
    ) {
        self.version = version
        self.boot = boot
        self.reports = reports
        self.startedMs = startedMs
        self.source = source
        self.adapter = adapter
        self.scan = scan
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        version = try object.required("version", json).text(json)
        boot = try object.required("boot", json).boot(json)
        reports = try object.required("reports", json).choice(json, of: Reports.self)
        startedMs = try object.required("started_ms", json).time(json)
        source = try object.required("source", json).text(json)
        adapter = try object.optional("adapter", json)?.text(json)
        scan = try object.optional("scan", json).map { (value) throws(PayloadError) in
            let scan = try value.object(json)
            return Scan(
                active: try scan.required("active", json).flag(json),
                intervalMs: try scan.required("interval_ms", json).amount(json),
                windowMs: try scan.required("window_ms", json).amount(json))
        }
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("version", version)
        writer.field("boot", boot: boot)
        writer.field("reports", reports.rawValue)
        writer.field("started_ms", startedMs)
        writer.field("source", source)
        if let adapter { writer.field("adapter", adapter) }
        if let scan {
            writer.key("scan")
            writer.beginObject()
            writer.field("active", scan.active)
            writer.field("interval_ms", scan.intervalMs)
            writer.field("window_ms", scan.windowMs)
            writer.endObject()
        }
        writer.endObject()
    }
}

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

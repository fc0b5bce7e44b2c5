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

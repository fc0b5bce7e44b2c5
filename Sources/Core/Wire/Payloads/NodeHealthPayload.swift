/// `node/{n}/health`, every 30 s: how a node fares. Counters count from the start of its process.
package struct NodeHealthPayload: Payload {
    /// What a radio can be.
    package enum Adapter: String, Sendable, CaseIterable {
        /// It scans.
        case up
        /// It is there and does not scan.
        case down
        /// There is none.
        case absent
        /// It was a recording, and is over.
        case ended
        /// It was told to stop.
        case stopped
    }

    /// When this was so, in ms since 1970.
    package var tMs: Int64
    /// How long the process has run, in seconds.
    package var uptimeS: Int64
    /// The radio.
    package var adapter: Adapter
    /// Advertisements per second, over the last period.
    package var advertsS: Double
    /// Registered beacons heard in the last 10 s.
    package var beacons: Int
    /// Other transmitters heard in the last 10 s.
    package var unregistered: Int
    /// Transmitters forgotten because the table was full.
    package var dropped: Int64
    /// Events or advertisements that could not be read.
    package var malformed: Int64
    /// Advertisements without a level.
    package var rssiUnavailable: Int64
    /// MQTT messages refused.
    package var refused: Int64
    /// Resident memory in units of 1,000,000 bytes.
    package var memMb: Double
    /// Share of one core, over the last period, in percent.
    package var cpuPct: Double
    /// Addresses heard in the last minute, at most 4,096: about as many as there are devices.
    package var devices: Int?
    /// What was dropped, by reason.
    package var drops: Drops?
    /// How the outbox fares.
    package var outbox: Outbox?
    package var clock: WallClock?
    /// How the scanner fares.
    package var scanner: Scanner?
    /// The raw stream of debug leases.
    package var raw: Raw?
    /// How long ago the radio last said anything, in ms.
    package var hciAgeMs: Int64?
    /// How hot the processor is, in °C.
    package var tempC: Double?
    /// What a Raspberry Pi's firmware says about its power and heat, bit by bit: see
    /// `get_throttled`. The low four bits are about now.
    package var throttled: Int64?
    /// What a person should look at, the oldest first.
    package var alerts: [Alert] = []

    /// A node's health; the parts that may be absent are.
    package init(
        tMs: Int64, uptimeS: Int64, adapter: Adapter, advertsS: Double, beacons: Int,
        unregistered: Int, dropped: Int64, malformed: Int64, rssiUnavailable: Int64, refused: Int64,
        memMb: Double, cpuPct: Double
    ) {
        self.tMs = tMs
        self.uptimeS = uptimeS
        self.adapter = adapter
        self.advertsS = advertsS
        self.beacons = beacons
        self.unregistered = unregistered
        self.dropped = dropped
        self.malformed = malformed
        self.rssiUnavailable = rssiUnavailable
        self.refused = refused
        self.memMb = memMb
        self.cpuPct = cpuPct
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        tMs = try object.required("t_ms", json).time(json)
        uptimeS = try object.required("uptime_s", json).integer(json)
        adapter = try object.required("adapter", json).choice(json, of: Adapter.self)
        advertsS = try object.required("adverts_s", json).amount(json)
        beacons = try object.required("beacons", json).count(json)
        unregistered = try object.required("unregistered", json).count(json)
        dropped = try object.required("dropped", json).integer(json)
        malformed = try object.required("malformed", json).integer(json)
        rssiUnavailable = try object.required("rssi_unavailable", json).integer(json)
        refused = try object.required("refused", json).integer(json)
        memMb = try object.required("mem_mb", json).amount(json)
        cpuPct = try object.required("cpu_pct", json).amount(json)
        try takeParts(object, in: json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("t_ms", tMs)
        writer.field("uptime_s", uptimeS)
        writer.field("adapter", adapter.rawValue)
        writer.field("adverts_s", advertsS)
        writer.field("beacons", beacons)
        writer.field("unregistered", unregistered)
        writer.field("dropped", dropped)
        writer.field("malformed", malformed)
        writer.field("rssi_unavailable", rssiUnavailable)
        writer.field("refused", refused)
        writer.field("mem_mb", memMb)
        writer.field("cpu_pct", cpuPct)
        writeParts(to: &writer)
        writer.endObject()
    }
}

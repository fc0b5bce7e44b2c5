/// `node/{n}/health`, every 30 s: how a node fares. Counters count from the start of its process.
public struct NodeHealthPayload: Payload {
    /// What a radio can be.
    public enum Adapter: String, Sendable, CaseIterable {
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
    public var tMs: Int64
    /// How long the process has run, in seconds.
    public var uptimeS: Int64
    /// The radio.
    public var adapter: Adapter
    /// Advertisements per second, over the last period.
    public var advertsS: Double
    /// Registered beacons heard in the last 10 s.
    public var beacons: Int
    /// Other transmitters heard in the last 10 s.
    public var unregistered: Int
    /// Transmitters forgotten because the table was full.
    public var dropped: Int64
    /// Events or advertisements that could not be read.
    public var malformed: Int64
    /// Advertisements without a level.
    public var rssiUnavailable: Int64
    /// MQTT messages refused.
    public var refused: Int64
    /// Resident memory in units of 1,000,000 bytes.
    public var memMb: Double
    /// Share of one core, over the last period, in percent.
    public var cpuPct: Double
    /// Addresses heard in the last minute, at most 4,096: about as many as there are devices.
    public var devices: Int?
    /// What was dropped, by reason.
    public var drops: Drops?
    /// How the outbox fares.
    public var outbox: Outbox?
    /// What the wall clock does.
    public var clock: WallClock?
    /// How the scanner fares.
    public var scanner: Scanner?
    /// The raw stream of debug leases.
    public var raw: Raw?
    /// How long ago the radio last said anything, in ms.
    public var hciAgeMs: Int64?
    /// How hot the processor is, in °C.
    public var tempC: Double?
    /// What a Raspberry Pi's firmware says about its power and heat, bit by bit: see
    /// `get_throttled`. The low four bits are about now.
    public var throttled: Int64?
    /// What a person should look at, the oldest first.
    public var alerts: [Alert] = []

    /// A node's health; the parts that may be absent are.
    public init(
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
    public init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
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
    public func write(to writer: inout JSONWriter) {
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

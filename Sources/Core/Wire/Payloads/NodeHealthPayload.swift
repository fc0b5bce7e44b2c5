import JSON

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
    /// Registered beacons that seem too far away, the loudest first.
    package var outOfRange: [OutOfRange] = []

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

/// What a health message says beyond its counters. All of it may be absent: nodes of other makes and
/// earlier versions do not say it.
extension NodeHealthPayload {
    /// What was dropped since the start of the process, by reason.
    package struct Drops: Equatable, Sendable {
        /// Transmitters forgotten because the table was full.
        package var table: Int64
        /// Transmitters left out of a frame because it was full.
        package var frame: Int64
        /// Messages not sent because earlier ones still waited to be.
        package var unsent: Int64
        /// Addresses forgotten within a minute because there were too many; 0 where it is not said.
        package var addresses: Int64
        /// Advertisements of transmitters that are not allowed; 0 where it is not said.
        package var excluded: Int64
        /// Advertisements under names and addresses their owners had left; 0 where it is not said.
        package var replayed: Int64
        /// Advertisements from beyond the range; 0 where it is not said.
        package var range: Int64

        /// Drops by reason.
        package init(
            table: Int64, frame: Int64, unsent: Int64, addresses: Int64 = 0, excluded: Int64 = 0,
            replayed: Int64 = 0, range: Int64 = 0
        ) {
            self.table = table
            self.frame = frame
            self.unsent = unsent
            self.addresses = addresses
            self.excluded = excluded
            self.replayed = replayed
            self.range = range
        }
    }

    /// How the durable outbox fares.
    package struct Outbox: Equatable, Sendable {
        /// Records the coordinator has not committed yet.
        package var waiting: Int64
        /// Records lost because it was full, ever.
        package var dropped: Int64
        /// What it takes on disk.
        package var bytes: Int64

        package init(waiting: Int64, dropped: Int64, bytes: Int64) {
            self.waiting = waiting
            self.dropped = dropped
            self.bytes = bytes
        }
    }

    /// What the wall clock does.
    package struct WallClock: Equatable, Sendable {
        /// How far the wall clock is ahead of the clock of this process, in ms.
        package var offsetMs: Int64
        /// How often it stepped since the start of the process.
        package var steps: Int64
        /// Whether a time server keeps it.
        package var synced: Bool

        package init(offsetMs: Int64, steps: Int64, synced: Bool) {
            self.offsetMs = offsetMs
            self.steps = steps
            self.synced = synced
        }
    }

    /// How the scanner fares.
    package struct Scanner: Equatable, Sendable {
        /// What a scanner can be doing.
        package enum State: String, Sendable, CaseIterable {
            case absent, blocked, down, starting, scanning, foreign, quiet, recovering, failed
            case stopped
        }

        package var state: State
        /// Since when, in ms since 1970.
        package var sinceMs: Int64
        /// How often it was brought back to life.
        package var recoveries: Int64
        /// How often others changed our scan.
        package var takeovers: Int64

        package init(state: State, sinceMs: Int64, recoveries: Int64, takeovers: Int64) {
            self.state = state
            self.sinceMs = sinceMs
            self.recoveries = recoveries
            self.takeovers = takeovers
        }
    }

    /// The raw stream of debug leases, since the start of the process.
    package struct Raw: Equatable, Sendable {
        /// Advertisements told.
        package var sent: Int64
        /// Advertisements left out because there were too many.
        package var leftOut: Int64
        /// When the lease under way ends, in ms since 1970; `nil` without one.
        package var untilMs: Int64?

        package init(sent: Int64, leftOut: Int64, untilMs: Int64? = nil) {
            self.sent = sent
            self.leftOut = leftOut
            self.untilMs = untilMs
        }
    }

    /// Something a person should look at.
    package struct Alert: Equatable, Sendable {
        /// What, a slug: see `NodeAlert`.
        package var id: String
        /// Since when, in ms since 1970.
        package var sinceMs: Int64

        package init(id: String, sinceMs: Int64) {
            self.id = id
            self.sinceMs = sinceMs
        }
    }

    /// The most alerts of a message.
    package static let mostAlerts = 32
    /// The temperatures anything is believed to have, in °C.
    package static let temperatures = -100.0...200.0

    mutating func takeParts(
        _ object: JSONObject, in json: Span<UInt8>
    ) throws(PayloadError) {
        devices = try object.optional("devices", json)?.count(json)
        drops = try object.optional("drops", json).map { (value) throws(PayloadError) in
            let part = try value.object(json)
            return Drops(
                table: try part.required("table", json).integer(json),
                frame: try part.required("frame", json).integer(json),
                unsent: try part.required("unsent", json).integer(json),
                addresses: try part.optional("addresses", json)?.integer(json) ?? 0,
                excluded: try part.optional("excluded", json)?.integer(json) ?? 0,
                replayed: try part.optional("replayed", json)?.integer(json) ?? 0,
                range: try part.optional("range", json)?.integer(json) ?? 0)
        }
        outbox = try object.optional("outbox", json).map { (value) throws(PayloadError) in
            let part = try value.object(json)
            return Outbox(
                waiting: try part.required("waiting", json).integer(json),
                dropped: try part.required("dropped", json).integer(json),
                bytes: try part.required("bytes", json).integer(json))
        }
        clock = try object.optional("clock", json).map { (value) throws(PayloadError) in
            let part = try value.object(json)
            return WallClock(
                offsetMs: try part.required("offset_ms", json)
                    .integer(json, from: -JSONNumber.greatestInteger),
                steps: try part.required("steps", json).integer(json),
                synced: try part.required("synced", json).flag(json))
        }
        scanner = try object.optional("scanner", json).map { (value) throws(PayloadError) in
            let part = try value.object(json)
            return Scanner(
                state: try part.required("state", json).choice(json, of: Scanner.State.self),
                sinceMs: try part.required("since_ms", json).time(json),
                recoveries: try part.required("recoveries", json).integer(json),
                takeovers: try part.required("takeovers", json).integer(json))
        }
        raw = try object.optional("raw", json).map { (value) throws(PayloadError) in
            let part = try value.object(json)
            return Raw(
                sent: try part.required("sent", json).integer(json),
                leftOut: try part.required("left_out", json).integer(json),
                untilMs: try part.optional("until_ms", json)?.time(json))
        }
        hciAgeMs = try object.optional("hci_age_ms", json)?.integer(json)
        tempC = try object.optional("temp_c", json)?.number(json, in: Self.temperatures)
        throttled = try object.optional("throttled", json)?.integer(json)
        outOfRange = try Self.outOfRange(object, json)
        alerts = try Self.alerts(object, json)
    }

    /// The alerts of a node's health.
    package static func alerts(
        _ object: JSONObject, _ json: Span<UInt8>
    ) throws(PayloadError) -> [Alert] {
        try object.optional("alerts", json)?.list(json, atMost: mostAlerts) {
            (element, json) throws(PayloadError) in
            let alert = try element.object(json)
            return Alert(
                id: try alert.required("id", json).slug(json),
                sinceMs: try alert.required("since_ms", json).time(json))
        } ?? []
    }

    func writeParts(to writer: inout JSONWriter) {
        if let devices { writer.field("devices", devices) }
        if let drops {
            writer.key("drops")
            writer.beginObject()
            writer.field("table", drops.table)
            writer.field("frame", drops.frame)
            writer.field("unsent", drops.unsent)
            writer.field("addresses", drops.addresses)
            writer.field("excluded", drops.excluded)
            if drops.replayed > 0 { writer.field("replayed", drops.replayed) }
            if drops.range > 0 { writer.field("range", drops.range) }
            writer.endObject()
        }
        if let outbox {
            writer.key("outbox")
            writer.beginObject()
            writer.field("waiting", outbox.waiting)
            writer.field("dropped", outbox.dropped)
            writer.field("bytes", outbox.bytes)
            writer.endObject()
        }
        if let clock {
            writer.key("clock")
            writer.beginObject()
            writer.field("offset_ms", clock.offsetMs)
            writer.field("steps", clock.steps)
            writer.field("synced", clock.synced)
            writer.endObject()
        }
        if let scanner {
            writer.key("scanner")
            writer.beginObject()
            writer.field("state", scanner.state.rawValue)
            writer.field("since_ms", scanner.sinceMs)
            writer.field("recoveries", scanner.recoveries)
            writer.field("takeovers", scanner.takeovers)
            writer.endObject()
        }
        if let raw {
            writer.key("raw")
            writer.beginObject()
            writer.field("sent", raw.sent)
            writer.field("left_out", raw.leftOut)
            if let untilMs = raw.untilMs { writer.field("until_ms", untilMs) }
            writer.endObject()
        }
        if let hciAgeMs { writer.field("hci_age_ms", hciAgeMs) }
        if let tempC { writer.field("temp_c", tempC) }
        if let throttled { writer.field("throttled", throttled) }
        writeOutOfRange(to: &writer)
        Self.write(alerts, to: &writer)
    }

    /// Writes the alerts of a node's health.
    package static func write(_ alerts: [Alert], to writer: inout JSONWriter) {
        writer.key("alerts")
        writer.beginArray()
        for alert in alerts {
            writer.beginObject()
            writer.field("id", alert.id)
            writer.field("since_ms", alert.sinceMs)
            writer.endObject()
        }
        writer.endArray()
    }
}

/// `node/{n}/rssi/{b}`: the smoothed level of one beacon at one node.
package struct RSSIPayload: Payload {
    /// The node's process.
    package var boot: UInt64
    /// Counts the readings of a boot, from 1.
    package var seq: Int64
    /// When this was so, in ms since 1970.
    package var tMs: Int64
    /// The smoothed level in dBm, −127 ... 20, written in tenths.
    package var rssi: Double
    /// The number of advertisements since the last reading.
    package var n: Int
    /// The standard deviation of their levels, in dB.
    package var sd: Double
    /// The level of the last advertisement, in dBm.
    package var raw: Double?
    /// The level at 1 m that the beacon claims, in dBm.
    package var tx: Double?
    /// The time from one advertisement of the beacon to the next, in ms, from 1.
    package var everyMs: Int64?

    package init(
        boot: UInt64, seq: Int64, tMs: Int64, rssi: Double, n: Int, sd: Double, raw: Double? = nil,
        tx: Double? = nil, everyMs: Int64? = nil
    ) {
        self.boot = boot
        self.seq = seq
        self.tMs = tMs
        self.rssi = rssi
        self.n = n
        self.sd = sd
        self.raw = raw
        self.tx = tx
        self.everyMs = everyMs
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        boot = try object.required("boot", json).boot(json)
        seq = try object.required("seq", json).integer(json, from: 1)
        tMs = try object.required("t_ms", json).time(json)
        rssi = try object.required("rssi", json).level(json)
        n = try object.required("n", json).count(json, from: 1)
        sd = try object.required("sd", json).amount(json)
        raw = try object.optional("raw", json)?.level(json)
        tx = try object.optional("tx", json)?.level(json)
        everyMs = try object.optional("every_ms", json)?.integer(json, from: 1)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("boot", boot: boot)
        writer.field("seq", seq)
        writer.field("t_ms", tMs)
        writer.field("rssi", tenths: rssi)
        writer.field("n", n)
        writer.field("sd", sd)
        if let raw { writer.field("raw", tenths: raw) }
        if let tx { writer.field("tx", tenths: tx) }
        if let everyMs { writer.field("every_ms", everyMs) }
        writer.endObject()
    }
}

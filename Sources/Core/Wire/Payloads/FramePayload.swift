import Basics
import JSON

/// `node/{n}/frame`: everything a node heard in one second, also when that is nothing.
///
/// This is what most messages are, so its rows are read in place, without an index of each.
package struct FramePayload: Payload {
    /// What was heard of one beacon: a row `[beacon, median, count, strongest]`.
    package struct Entry: Equatable, Sendable {
        /// The slug of a registered beacon, or the text of an identity.
        package var beacon: String
        /// The median level of the second, in dBm, −127 ... 20, written in tenths.
        package var median: Double
        /// The number of advertisements, from 1.
        package var count: Int
        /// The strongest level of the second, in dBm, −127 ... 20, written in tenths.
        package var strongest: Double

        /// What was heard of a beacon.
        package init(beacon: String, median: Double, count: Int, strongest: Double) {
            self.beacon = beacon
            self.median = median
            self.count = count
            self.strongest = strongest
        }
    }

    /// 128 KiB: `mostEntries` rows of the longest identity there is.
    package static let limit = 128 * 1024
    /// The most beacons in a frame.
    package static let mostEntries = 1024

    /// The node's process.
    package var boot: UInt64
    /// Counts the frames of a boot, from 1.
    package var seq: Int64
    /// The end of the second by the node's clock, in ms since 1970: what is in the frame was received
    /// in the 1,000 ms before.
    package var tMs: Int64
    /// What was heard, in no particular order.
    package var r: [Entry]

    package init(boot: UInt64, seq: Int64, tMs: Int64, r: [Entry]) {
        self.boot = boot
        self.seq = seq
        self.tMs = tMs
        self.r = r
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        boot = try object.required("boot", json).boot(json)
        seq = try object.required("seq", json).integer(json, from: 1)
        tMs = try object.required("t_ms", json).time(json)
        var reader = JSONReader(at: try object.required("r", json).offset)
        guard try reader.kind(in: json) == .array else { throw .wrongType(field: "r") }
        try reader.openArray(in: json)
        r = []
        r.reserveCapacity(min(Self.mostEntries, (json.count - reader.offset) / 20))
        while try reader.nextElement(isFirst: r.isEmpty, in: json) {
            guard r.count < Self.mostEntries else { throw .outOfRange(field: "r") }
            r.append(try Self.row(&reader, json))
        }
    }

    /// Takes one row. Within an array no later key can replace a bad value, so the first one ends it.
    private static func row(
        _ reader: inout JSONReader, _ json: Span<UInt8>
    ) throws(PayloadError) -> Entry {
        guard try reader.kind(in: json) == .array else { throw .wrongType(field: "r") }
        try reader.openArray(in: json)
        try column(0, .string, &reader, json)
        let beacon = try reader.string(in: json).text(in: json)
        guard beacon.isSlug else { throw .unknownValue(field: "r") }
        try column(1, .number, &reader, json)
        let median = try reader.number(in: json).value
        try column(2, .number, &reader, json)
        guard let count = try reader.number(in: json).integer else { throw .wrongType(field: "r") }
        try column(3, .number, &reader, json)
        let strongest = try reader.number(in: json).value
        guard try !reader.nextElement(isFirst: false, in: json),
            JSONValue.levels.contains(median), JSONValue.levels.contains(strongest),
            (1...JSONNumber.greatestInteger).contains(count)
        else { throw .outOfRange(field: "r") }
        return Entry(
            beacon: beacon, median: median, count: Int(count), strongest: strongest)
    }

    /// Moves to the next column, which must be of a kind.
    private static func column(
        _ index: Int, _ wanted: JSONReader.Kind, _ reader: inout JSONReader, _ json: Span<UInt8>
    ) throws(PayloadError) {
        guard try reader.nextElement(isFirst: index == 0, in: json) else {
            throw .outOfRange(field: "r")
        }
        guard try reader.kind(in: json) == wanted else { throw .wrongType(field: "r") }
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("boot", boot: boot)
        writer.field("seq", seq)
        writer.field("t_ms", tMs)
        writer.key("r")
        writer.beginArray()
        for entry in r {
            writer.beginArray()
            writer.string(entry.beacon)
            writer.tenths(entry.median)
            writer.integer(entry.count)
            writer.tenths(entry.strongest)
            writer.endArray()
        }
        writer.endArray()
        writer.endObject()
    }
}

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

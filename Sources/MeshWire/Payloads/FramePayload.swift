/// `node/{n}/frame`: everything a node heard in one second, also when that is nothing.
///
/// This is what most messages are, so its rows are read in place, without an index of each.
public struct FramePayload: Payload {
    /// What was heard of one beacon: a row `[beacon, median, count, strongest]`.
    public struct Entry: Equatable, Sendable {
        /// The slug of a registered beacon, or the text of an identity.
        public var beacon: String
        /// The median level of the second, in dBm, −127 ... 20, written in tenths.
        public var median: Double
        /// The number of advertisements, from 1.
        public var count: Int
        /// The strongest level of the second, in dBm, −127 ... 20, written in tenths.
        public var strongest: Double

        /// What was heard of a beacon.
        public init(beacon: String, median: Double, count: Int, strongest: Double) {
            self.beacon = beacon
            self.median = median
            self.count = count
            self.strongest = strongest
        }
    }

    /// 64 KiB, for a full frame of `mostEntries`.
    public static let limit = 64 * 1024
    /// The most beacons in a frame.
    public static let mostEntries = 1024

    /// The node's process.
    public var boot: UInt64
    /// Counts the frames of a boot, from 1.
    public var seq: Int64
    /// The end of the second by the node's clock, in ms since 1970.
    public var tMs: Int64
    /// What was heard, in no particular order.
    public var r: [Entry]

    /// A frame.
    public init(boot: UInt64, seq: Int64, tMs: Int64, r: [Entry]) {
        self.boot = boot
        self.seq = seq
        self.tMs = tMs
        self.r = r
    }

    /// Takes the values out of a checked text.
    public init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        boot = try object.required("boot", json).boot(json)
        seq = try object.required("seq", json).integer(json, from: 1)
        tMs = try object.required("t_ms", json).time(json)
        r = try object.required("r", json).list(json, atMost: Self.mostEntries) {
            (row, json) throws(PayloadError) in
            guard try row.kind(json) == .array else { throw .wrongType(field: "r") }
            var reader = JSONReader(at: row.offset)
            try reader.openArray(in: json)
            let entry = Entry(
                beacon: try Self.column(0, &reader, json).slug(json),
                median: try Self.column(1, &reader, json).level(json),
                count: try Self.column(2, &reader, json).count(json, from: 1),
                strongest: try Self.column(3, &reader, json).level(json))
            guard try !reader.nextElement(isFirst: false, in: json) else {
                throw .outOfRange(field: "r")
            }
            return entry
        }
    }

    /// The value of the next column; the reader moves past it.
    private static func column(
        _ index: Int, _ reader: inout JSONReader, _ json: Span<UInt8>
    ) throws(PayloadError) -> JSONValue {
        guard try reader.nextElement(isFirst: index == 0, in: json) else {
            throw .outOfRange(field: "r")
        }
        _ = try reader.kind(in: json)
        let value = JSONValue(name: "r", offset: reader.offset)
        try reader.skip(in: json, depth: 0)
        return value
    }

    /// Writes the object.
    public func write(to writer: inout JSONWriter) {
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

import JSON

/// `node/{n}/evidence`: the runs of one minute at a node, also when there are none. Durable: it
/// comes from the node's outbox, and comes again until a cursor says that it is stored.
///
/// Of a minute with more than `mostRuns` runs there are several, equal but for `seq` and `runs`.
package struct EvidencePayload: Payload {
    /// An interval in which a registered beacon was heard: a row
    /// `[beacon, first, last, count, strongest, mean]`.
    package struct Run: Equatable, Sendable {
        /// The beacon's slug.
        package var beacon: String
        /// The first second, 0 ... 59 after `fromMs`.
        package var first: Int
        /// The last second, inclusive, 0 ... 59 after `fromMs`.
        package var last: Int
        /// The number of advertisements, from 1.
        package var count: Int
        /// The strongest level in dBm, −127 ... 20, written in tenths.
        package var strongest: Double
        /// The mean level in dBm, −127 ... 20, written in tenths.
        package var mean: Double

        package init(
            beacon: String, first: Int, last: Int, count: Int, strongest: Double, mean: Double
        ) {
            self.beacon = beacon
            self.first = first
            self.last = last
            self.count = count
            self.strongest = strongest
            self.mean = mean
        }
    }

    /// 64 KiB: `mostRuns` runs of the longest slugs.
    package static let limit = 64 * 1024
    /// The most runs in one payload.
    package static let mostRuns = 512
    /// The most intervals in which the radio did not listen: every other second.
    package static let mostGaps = 30
    /// The seconds runs and gaps are counted in.
    package static let seconds: ClosedRange<Int64> = 0...59

    /// Which outbox it comes from: random, drawn when the outbox was made.
    package var log: UInt64
    /// Counts the records of a log, from 1, over all restarts.
    package var seq: Int64
    /// Every record of this log numbered between `after` and `seq` does not exist, or no longer.
    /// Less than `seq`; 0 when nothing older is left.
    package var after: Int64
    /// The node's process that listened.
    package var boot: UInt64
    /// The start by the node's clock: a whole minute, or the second in which the process or a new
    /// configuration began. In ms since 1970.
    package var fromMs: Int64
    /// The end, at most 60 s later, whole seconds.
    package var toMs: Int64
    /// How long the radio listened in whole seconds, 0 ... 60,000 ms.
    package var listenedMs: Int64
    /// Only seconds whose strongest level was at least this count, in dBm.
    package var floorDbm: Double
    /// Whether a time server kept the node's wall clock.
    package var synced: Bool
    /// The seconds in which the radio did not listen throughout, first and last, in order.
    package var gaps: [ClosedRange<Int>]
    /// What was heard.
    package var runs: [Run]

    package init(
        log: UInt64, seq: Int64, after: Int64, boot: UInt64, fromMs: Int64, toMs: Int64,
        listenedMs: Int64, floorDbm: Double, synced: Bool, gaps: [ClosedRange<Int>] = [],
        runs: [Run]
    ) {
        self.log = log
        self.seq = seq
        self.after = after
        self.boot = boot
        self.fromMs = fromMs
        self.toMs = toMs
        self.listenedMs = listenedMs
        self.floorDbm = floorDbm
        self.synced = synced
        self.gaps = gaps
        self.runs = runs
    }

    /// Takes the values out of a checked text. How they fit together is `contradiction`.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        log = try object.required("log", json).boot(json)
        seq = try object.required("seq", json).integer(json, from: 1)
        after = try object.required("after", json).integer(json)
        boot = try object.required("boot", json).boot(json)
        fromMs = try object.required("from_ms", json).time(json)
        toMs = try object.required("to_ms", json).time(json)
        listenedMs = try object.required("listened_ms", json).integer(json, through: 60_000)
        floorDbm = try object.required("floor_dbm", json).level(json)
        synced = try object.required("synced", json).flag(json)
        gaps =
            try object.optional("gaps", json)?.list(json, atMost: Self.mostGaps) {
                (element, json) throws(PayloadError) in
                let ends = try element.list(json, atMost: 2) { (end, json) throws(PayloadError) in
                    try end.second(json)
                }
                guard ends.count == 2 else { throw .outOfRange(field: "gaps") }
                // Ends the wrong way round are a gap all the same: that the radio did not listen is
                // the careful reading, and refusing the minute would lose its runs.
                return min(ends[0], ends[1])...max(ends[0], ends[1])
            } ?? []
        runs = try object.required("runs", json).list(json, atMost: Self.mostRuns) {
            (element, json) throws(PayloadError) in try Self.run(element, json)
        }
    }

    /// Takes one row.
    private static func run(
        _ row: JSONValue, _ json: Span<UInt8>
    ) throws(PayloadError) -> Run {
        var run = Run(beacon: "", first: 0, last: 0, count: 0, strongest: 0, mean: 0)
        var column = 0
        _ = try row.list(json, atMost: 6) { (value, json) throws(PayloadError) in
            switch column {
            case 0: run.beacon = try value.slug(json)
            case 1: run.first = try value.second(json)
            case 2: run.last = try value.second(json)
            case 3: run.count = try value.count(json, from: 1)
            case 4: run.strongest = try value.level(json)
            default: run.mean = try value.level(json)
            }
            column += 1
        }
        guard column == 6 else { throw .outOfRange(field: "runs") }
        return run
    }

    /// What is wrong with values that are each right, or `nil`: what a schema cannot say. Such
    /// evidence is refused like any other bad payload.
    package var contradiction: PayloadError? {
        if after >= seq { return .outOfRange(field: "after") }
        let length = toMs - fromMs
        guard fromMs % 1000 == 0, toMs % 1000 == 0, (1000...60_000).contains(length) else {
            return .outOfRange(field: "to_ms")
        }
        if listenedMs > length { return .outOfRange(field: "listened_ms") }
        let end = length / 1000
        if !gaps.allSatisfy({ $0.upperBound < end }) { return .outOfRange(field: "gaps") }
        if !runs.allSatisfy({ $0.first <= $0.last && $0.last < end }) {
            return .outOfRange(field: "runs")
        }
        return nil
    }

    /// Writes the object. What the node knows only when it sends comes first, so that its outbox
    /// can hold the rest as it is.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("log", boot: log)
        writer.field("seq", seq)
        writer.field("after", after)
        writer.field("boot", boot: boot)
        writer.field("from_ms", fromMs)
        writer.field("to_ms", toMs)
        writer.field("listened_ms", listenedMs)
        writer.field("floor_dbm", tenths: floorDbm)
        writer.field("synced", synced)
        if !gaps.isEmpty {
            writer.key("gaps")
            writer.beginArray()
            for gap in gaps {
                writer.beginArray()
                writer.integer(gap.lowerBound)
                writer.integer(gap.upperBound)
                writer.endArray()
            }
            writer.endArray()
        }
        writer.key("runs")
        writer.beginArray()
        for run in runs {
            writer.beginArray()
            writer.string(run.beacon)
            writer.integer(run.first)
            writer.integer(run.last)
            writer.integer(run.count)
            writer.tenths(run.strongest)
            writer.tenths(run.mean)
            writer.endArray()
        }
        writer.endArray()
        writer.endObject()
    }
}

extension JSONValue {
    /// A second of a minute.
    fileprivate func second(_ json: Span<UInt8>) throws(PayloadError) -> Int {
        Int(
            try integer(
                json, from: EvidencePayload.seconds.lowerBound,
                through: EvidencePayload.seconds.upperBound))
    }
}

/// `node/{n}/cursor`, retained: how far a coordinator has stored what a node's outbox sent.
package struct CursorPayload: Payload {
    /// Grows when the site's state was restored or taken over; a node obeys the highest.
    package var epoch: Int64
    /// The outbox; a cursor of another one acknowledges nothing.
    package var log: UInt64
    /// Everything up to this number is stored; 0 before anything is.
    package var seq: Int64

    package init(epoch: Int64, log: UInt64, seq: Int64) {
        self.epoch = epoch
        self.log = log
        self.seq = seq
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        epoch = try object.required("epoch", json).integer(json, from: 1)
        log = try object.required("log", json).boot(json)
        seq = try object.required("seq", json).integer(json)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("epoch", epoch)
        writer.field("log", boot: log)
        writer.field("seq", seq)
        writer.endObject()
    }
}

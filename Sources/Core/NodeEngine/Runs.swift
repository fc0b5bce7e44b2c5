import SiteModel

/// Collects the seconds that a node closes into the runs of each minute.
///
/// A run goes on while its beacon is heard at least every `silence` seconds, and ends with the
/// minute. Seconds come in order, each once; those that are passed over were not listened to.
package struct Runs: Sendable {
    /// The longest gap, in seconds, within a run: a beacon heard again later was unheard for 10 s
    /// or more and begins another run.
    package static let silence = 10
    private static let minute: Int64 = 60

    private let boot: UInt64
    /// The first second of the part under way, counted from the Unix epoch.
    private var from: Int64
    /// The first second that was not closed yet.
    private var next: Int64
    /// A bit for each second of the part in which the radio listened throughout.
    private var listened: UInt64 = 0
    private var runs: [OpenRun] = []
    /// By beacon: where its newest run is in `runs`.
    private var newest: [Int?]

    private struct OpenRun {
        var run: NodeRun
        /// The seconds' medians, each times its advertisements.
        var sum: Double
    }

    /// Nothing heard yet; the part under way begins with `second`.
    package init(boot: UInt64, beacons: Int, at second: Int64) {
        self.boot = boot
        from = second
        next = second
        newest = Array(repeating: nil, count: beacons)
    }

    /// A second has ended. Returns the evidence of the minute, if it ended with it, and of one
    /// before that was passed over in parts.
    package mutating func close(
        _ second: Int64, isListened: Bool, heard: [NodeFrame.Entry], floor: RSSI
    ) -> [NodeEvidence] {
        let evidence = pass(to: second, floor: floor)
        let offset = Int(second - from)
        if isListened { listened |= 1 << UInt64(offset) }
        // A second without a frame has no run either: both must give the same sessions.
        for entry in heard where isListened && entry.strongest >= floor {
            guard case .known(let beacon) = entry.beacon else { continue }
            hear(entry, of: beacon, offset)
        }
        next = second + 1
        return evidence + (next % Self.minute == 0 ? conclude(floor: floor) : [])
    }

    /// Goes to a second without having listened before it. Of whole minutes that nobody listened
    /// to there is nothing to say: a process that did not run says nothing either.
    package mutating func pass(to second: Int64, floor: RSSI) -> [NodeEvidence] {
        guard second > next else { return [] }
        let end = from - from % Self.minute + Self.minute
        guard second >= end else {
            next = second
            return []
        }
        next = end
        let evidence = conclude(floor: floor)
        from = second - second % Self.minute
        next = second
        return evidence
    }

    /// Ends the part under way with the seconds closed so far, and begins another.
    package mutating func conclude(floor: RSSI) -> [NodeEvidence] {
        guard next > from else { return [] }
        let sorted = runs.map { open in
            var run = open.run
            run.mean = RSSI(dBm: open.sum / Double(run.count))
            return run
        }.sorted { ($0.beacon, $0.first) < ($1.beacon, $1.first) }
        let whole = NodeEvidence(
            boot: boot, from: Timestamp(second: from), to: Timestamp(second: next), gaps: gaps,
            floor: floor, runs: [])
        from = next
        listened = 0
        runs.removeAll(keepingCapacity: true)
        newest = Array(repeating: nil, count: newest.count)
        var parts: [NodeEvidence] = []
        repeat {
            var part = whole
            part.runs = Array(
                sorted.dropFirst(parts.count * NodeEvidence.capacity)
                    .prefix(NodeEvidence.capacity))
            parts.append(part)
        } while parts.count * NodeEvidence.capacity < sorted.count
        return parts
    }

    private var gaps: [ClosedRange<Int>] {
        var gaps: [ClosedRange<Int>] = []
        for offset in 0..<Int(next - from) where listened & (1 << UInt64(offset)) == 0 {
            if let last = gaps.last, last.upperBound == offset - 1 {
                gaps[gaps.count - 1] = last.lowerBound...offset
            } else {
                gaps.append(offset...offset)
            }
        }
        return gaps
    }

    private mutating func hear(_ entry: NodeFrame.Entry, of beacon: Int, _ offset: Int) {
        let sum = entry.median.dBm * Double(entry.count)
        if let place = newest[beacon], offset - runs[place].run.last <= Self.silence {
            runs[place].run.last = offset
            runs[place].run.count += entry.count
            runs[place].run.strongest = max(runs[place].run.strongest, entry.strongest)
            runs[place].sum += sum
            return
        }
        newest[beacon] = runs.count
        let run = NodeRun(
            beacon: beacon, first: offset, last: offset, count: entry.count,
            strongest: entry.strongest, mean: entry.median)
        runs.append(OpenRun(run: run, sum: sum))
    }
}

/// The runs of one minute, or of the part of it that one list of registered beacons held.
package struct NodeEvidence: Equatable, Sendable {
    /// The most runs of one value; of a minute with more there are several, equal but for them.
    package static let capacity = 512

    /// The node's process.
    package var boot: UInt64
    /// The start: a whole minute, or the second in which the process or the list began.
    package var from: Timestamp
    /// The end, 1 s to 60 s later.
    package var to: Timestamp
    /// Seconds after `from` in which the radio did not listen throughout, in order and apart.
    package var gaps: [ClosedRange<Int>]
    /// Only seconds whose strongest level was at least this count.
    package var floor: RSSI
    /// What was heard, sorted by beacon, then by first second.
    package var runs: [NodeRun]

    package init(
        boot: UInt64, from: Timestamp, to: Timestamp, gaps: [ClosedRange<Int>], floor: RSSI,
        runs: [NodeRun]
    ) {
        self.boot = boot
        self.from = from
        self.to = to
        self.gaps = gaps
        self.floor = floor
        self.runs = runs
    }

    /// How long the radio listened, in whole seconds.
    package var listened: Timestamp.Span {
        let missed = gaps.reduce(0) { $0 + $1.count }
        return .milliseconds((to - from).milliseconds - Int64(missed) * 1000)
    }
}

/// An interval in which a node heard a registered beacon again and again.
package struct NodeRun: Equatable, Sendable {
    /// The beacon's index in `NodePolicy.known`.
    package var beacon: Int
    /// The first second it was heard in, after the start of the evidence, 0 ... 59.
    package var first: Int
    /// The last second it was heard in, inclusive.
    package var last: Int
    /// The number of advertisements in its seconds, from 1.
    package var count: Int
    /// The strongest level.
    package var strongest: RSSI
    /// The mean of the seconds' medians, weighted by their advertisements: a single wild level
    /// does not move it.
    package var mean: RSSI

    package init(
        beacon: Int, first: Int, last: Int, count: Int, strongest: RSSI, mean: RSSI
    ) {
        self.beacon = beacon
        self.first = first
        self.last = last
        self.count = count
        self.strongest = strongest
        self.mean = mean
    }
}

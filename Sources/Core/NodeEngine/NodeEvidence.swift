import SiteModel

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

/// What a node heard in one minute: the same whole seconds as its frames, kept until they are
/// acknowledged.
package struct Evidence: Equatable, Sendable, Codable {
    /// An interval in which a beacon was heard; silences up to 10 s are part of it.
    package struct Run: Equatable, Sendable, Codable {
        /// The registered beacon.
        package var beacon: BeaconID
        /// The first second, counted from the start of the evidence.
        package var first: Int
        /// The last second, inclusive.
        package var last: Int
        /// The number of advertisements, from 1.
        package var count: Int
        /// The strongest level.
        package var strongest: RSSI
        /// The mean level.
        package var mean: RSSI

        package init(
            beacon: BeaconID, first: Int, last: Int, count: Int, strongest: RSSI, mean: RSSI
        ) {
            self.beacon = beacon
            self.first = first
            self.last = last
            self.count = count
            self.strongest = strongest
            self.mean = mean
        }
    }

    /// Its place in the node's outbox.
    package var record: Record
    /// The node's process.
    package var boot: UInt64
    /// The start by the node's clock, on a whole second.
    package var from: Timestamp
    /// The end by the node's clock, on a whole second.
    package var to: Timestamp
    /// How long the radio listened.
    package var listened: Timestamp.Span
    /// Only seconds at least this loud are part of runs.
    package var floor: RSSI
    /// Whether a time server kept the node's clock.
    package var isSynced: Bool
    /// Seconds in which the radio did not listen throughout, counted from the start, both ends
    /// inclusive, in order.
    package var gaps: [ClosedRange<Int>]
    /// What was heard.
    package var runs: [Run]

    /// A minute's evidence. Seconds must be from 0 and before the end.
    package init(
        record: Record, boot: UInt64, from: Timestamp, to: Timestamp, listened: Timestamp.Span,
        floor: RSSI, isSynced: Bool, gaps: [ClosedRange<Int>], runs: [Run]
    ) {
        self.record = record
        self.boot = boot
        self.from = from
        self.to = to
        self.listened = listened
        self.floor = floor
        self.isSynced = isSynced
        self.gaps = gaps
        self.runs = runs
    }

    /// The seconds in which the radio listened, counted from the start, both ends inclusive.
    package var listening: [ClosedRange<Int>] {
        var result: [ClosedRange<Int>] = []
        var start = 0
        let count = Int((to - from).milliseconds / 1000)
        for gap in gaps.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if gap.lowerBound > start { result.append(start...gap.lowerBound - 1) }
            start = max(start, gap.upperBound + 1)
        }
        if start < count { result.append(start...count - 1) }
        return result
    }
}

/// Evidence as it is stored.
package struct EvidenceRow: Equatable, Sendable, Codable {
    package var node: NodeID
    /// What the node said.
    package var evidence: Evidence
    /// When it arrived.
    package var at: Timestamp
    /// When it began by our own clock; `nil` if nobody can say.
    package var from: Timestamp?
    /// What became of it.
    package var verdict: RecordVerdict

    /// Stored evidence.
    package init(
        node: NodeID, evidence: Evidence, at: Timestamp, from: Timestamp?, verdict: RecordVerdict
    ) {
        self.node = node
        self.evidence = evidence
        self.at = at
        self.from = from
        self.verdict = verdict
    }
}

extension Evidence {
    /// How many whole seconds it is about, at least 1.
    package var seconds: Int { max(1, Int((to - from).milliseconds / 1000)) }
}

/// The position of a record in a node's outbox.
package struct Record: Hashable, Sendable, Codable {
    /// The outbox: a random number drawn when it was made.
    package var log: UInt64
    /// Counts the records of a log, from 1, over all restarts of the node.
    package var sequence: Int64
    /// No record numbered between this and `sequence` exists, or exists any more; less than
    /// `sequence`.
    package var after: Int64

    package init(log: UInt64, sequence: Int64, after: Int64) {
        self.log = log
        self.sequence = sequence
        self.after = after
    }
}

/// What became of a record that a node sent.
package enum RecordVerdict: String, Sendable, Codable, CaseIterable {
    case taken
    /// It is stored already, or waits to be.
    case duplicate
    /// Taken in, but something before it has not come yet: it will have to come again.
    case gap
    /// Left for later: nothing is known yet of the node's clock, and soon will be.
    case clockless = "clock-unknown"
    /// Stored, and without effect: it is older than what may still change.
    case late
    /// Stored, and without effect: nobody can say when it was.
    case uncertain
    /// Stored, and without effect: it claims to be of a time to come.
    case future
    /// Not stored, because it cannot be read, but acknowledged: sent again it would be no better.
    case unreadable
}

/// Something that happened at a node, from the same outbox as its evidence.
package struct NodeEvent: Equatable, Sendable, Codable {
    /// The kind of an event that raises a doubt about the user of its beacon.
    package static let fingerprintChanged = "fingerprint-changed"
    /// A beacon's battery is nearly empty.
    package static let batteryLow = "battery-low"

    /// Its place in the node's outbox.
    package var record: Record
    /// The node's process.
    package var boot: UInt64
    /// When it happened by the node's clock.
    package var at: Timestamp
    /// What happened, as on the wire.
    package var kind: String
    /// More, for people. Hostile text: only ever shown as text.
    package var detail: String?
    /// The registered beacon concerned.
    package var beacon: BeaconID?
    /// A figure whose meaning depends on the kind.
    package var value: Double?

    package init(
        record: Record, boot: UInt64, at: Timestamp, kind: String, detail: String?,
        beacon: BeaconID?, value: Double?
    ) {
        self.record = record
        self.boot = boot
        self.at = at
        self.kind = kind
        self.detail = detail
        self.beacon = beacon
        self.value = value
    }
}

/// An event of a node as it is stored.
package struct NodeEventRow: Equatable, Sendable, Codable {
    package var node: NodeID
    package var event: NodeEvent
    /// When it arrived.
    package var at: Timestamp
    /// When it happened by our own clock; `nil` if nobody can say.
    package var happened: Timestamp?

    package init(node: NodeID, event: NodeEvent, at: Timestamp, happened: Timestamp?) {
        self.node = node
        self.event = event
        self.at = at
        self.happened = happened
    }
}

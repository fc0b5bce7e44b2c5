import NodeEngine
import SiteEngine
import SiteModel

/// A node of a simulated month: puts what it hears to runs, and keeps them until they are stored
/// elsewhere.
package struct MonthNode: Sendable {
    private let log: UInt64
    private let beacons: [BeaconID]
    private var boot: UInt64
    private var sequence: Int64 = 0
    private var runs: Runs?
    /// What was not acknowledged yet, oldest first.
    private var kept: [Evidence] = []
    /// How many of them were told since the last connection.
    private var told = 0

    /// A node that has just been started for the first time; `beacons` are the people's tags.
    package init(log: UInt64, beacons: [BeaconID]) {
        self.log = log
        self.beacons = beacons
        boot = log &* 1000
    }

    /// The records that wait to be acknowledged.
    package var waiting: Int { kept.count }

    /// A second has ended.
    package mutating func listen(_ second: Int64, heard: [NodeFrame.Entry]) {
        if runs == nil { runs = Runs(boot: boot, beacons: beacons.count, at: second) }
        // Everything counts, however weak.
        let closed =
            runs?.close(second, isListened: true, heard: heard, floor: RSSI(dBm: -128)) ?? []
        for part in closed {
            sequence += 1
            kept.append(evidence(part))
        }
    }

    /// The power is gone, and with it the minute under way; what was kept stays.
    package mutating func losePower() {
        guard runs != nil else { return }
        runs = nil
        boot += 1
        told = 0
    }

    /// What was not told yet, oldest first; then it counts as told.
    package mutating func tell() -> ArraySlice<Evidence> {
        defer { told = kept.count }
        return kept[told...]
    }

    /// A new connection, or another coordinator: everything that was not acknowledged is told again.
    package mutating func rewind() { told = 0 }

    /// Everything through a number is stored elsewhere.
    package mutating func acknowledge(_ cursor: CursorRow) {
        guard cursor.log == log else { return }
        let count = kept.prefix { $0.record.sequence <= cursor.sequence }.count
        kept.removeFirst(count)
        told = max(0, told - count)
    }

    private func evidence(_ part: NodeEvidence) -> Evidence {
        Evidence(
            record: Record(log: log, sequence: sequence, after: sequence - 1), boot: part.boot,
            from: part.from, to: part.to, listened: part.listened, floor: part.floor,
            isSynced: true, gaps: part.gaps,
            runs: part.runs.map {
                Evidence.Run(
                    beacon: beacons[$0.beacon], first: $0.first, last: $0.last, count: $0.count,
                    strongest: $0.strongest, mean: $0.mean)
            })
    }
}

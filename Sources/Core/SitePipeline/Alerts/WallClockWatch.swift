import SiteEngine
import SiteModel

/// Compares the coordinator's clock with those of nodes that a time server keeps.
///
/// A message is under way for a while, so that an arrival proves nothing about a clock that is ahead;
/// but what a node told cannot be of a time to come.
struct WallClockWatch: Sendable {
    /// So far ahead of ours a node's clock proves something.
    static let tolerance = Timestamp.Span.seconds(5)
    /// How many beats in a row count: one may be damaged.
    static let beats = 2
    /// A node silent for this long has no vote.
    static let silence = Timestamp.Span.seconds(10)

    private struct Wall: Sendable {
        /// Beats in a row that were ahead, and since when.
        var ahead: Int
        var since: Timestamp
        var seen: Timestamp
    }

    private var nodes: [NodeID: Wall] = [:]

    /// A node told its wall clock.
    mutating func saw(wall: Timestamp, of node: NodeID, at now: Timestamp) {
        guard wall - now > Self.tolerance else {
            nodes[node] = Wall(ahead: 0, since: now, seen: now)
            return
        }
        let old = nodes[node]
        let count = old?.ahead ?? 0
        nodes[node] = Wall(
            ahead: min(count + 1, Self.beats), since: count > 0 ? old?.since ?? now : now, seen: now
        )
    }

    /// Since when our clock is behind by what most of the nodes say; `nil` if it is not, or nobody
    /// says.
    func behind(at now: Timestamp) -> Timestamp? {
        let asked = nodes.values.filter { now - $0.seen <= Self.silence }
        let ahead = asked.filter { $0.ahead >= Self.beats }
        return 2 * ahead.count > asked.count ? ahead.map(\.since).min() : nil
    }
}

/// What a coordinator does whose wall clock is behind the newest row of its database when it starts: a
/// machine without a clock chip shows the moment it was switched off, or earlier, until the network
/// has told it better.
///
/// A coordinator that went on by such a clock would put what is heard now into hours that were
/// decided already: people who came later are paid for less, and others for what these did. What
/// was stored last was so, therefore it is later than that by now, whatever the clock shows:
/// durations come out right, and moments are early by as long as the machine was off.
package enum StartClock {
    /// A clock may be behind by this much: it was corrected.
    package static let tolerance = Timestamp.Span.seconds(60)
    /// How long it waits for a time server to set the clock.
    package static let patience = Timestamp.Span.seconds(20)
    /// No farther behind than this the newest row is believed rather than the clock: as far back as
    /// evidence may change anything. A row still later was itself made by a wrong clock.
    package static let longest = Saved.horizon

    /// What is to be done at the start.
    package enum Course: Equatable, Sendable {
        /// Go on by the wall clock.
        case goOn
        /// Say so, and look again until `patience` is over.
        case wait
        /// Say so, and begin at this moment instead of what the wall clock shows.
        case begin(at: Timestamp)
        /// Say that rows are of a time to come, and go on by the wall clock.
        case distrustRows
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - wall: What the wall clock shows.
    ///   - isSynced: Whether a time server keeps it: then it is right.
    ///   - newest: The moment of the newest stored row.
    ///   - waited: How long it was waited for already.
    package static func course(
        wall: Timestamp, isSynced: Bool, newest: Timestamp, waited: Timestamp.Span
    ) -> Course {
        let behind = newest - wall
        guard behind > tolerance else { return .goOn }
        guard !isSynced else { return .distrustRows }
        guard waited >= patience else { return .wait }
        return behind <= longest ? .begin(at: newest) : .distrustRows
    }
}

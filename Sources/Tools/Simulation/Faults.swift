import Basics
import SiteModel

/// What goes wrong in one simulated history.
///
/// Drawn swarm-style: each seed leaves about half of the kinds out altogether, because faults that
/// always come together hide each other.
package struct Faults: Equatable, Sendable {
    /// The chance that a message of quality 0 is lost on its way to one subscriber, 0 ... 1.
    package var loss = 0.0
    /// The chance that a message of quality 1 is delivered twice, 0 ... 1.
    package var duplication = 0.0
    /// The longest a message is under way. Messages to one client keep their order.
    package var delay = Timestamp.Span.milliseconds(0)
    /// By node: when its process is dead.
    package var outages: [[Interval]] = []
    /// By node: how far its clock is ahead.
    package var clockOffsets: [Timestamp.Span] = []
    /// When the coordinator dies without warning, earliest first.
    package var crashes: [Timestamp] = []
    /// When the broker dies and forgets everything, earliest first.
    package var brokerRestarts: [Timestamp] = []
    /// How many unregistered transmitters stand about, for `World.init`.
    package var strays = 0

    package init() {}

    /// The faults of a seed for `nodes` nodes during `period`. Loss up to 30 %, duplication up to
    /// 20 %, delay up to 3 s, one or two outages of 10 ... 120 s for a third of the nodes, clocks
    /// up to 5 s off for a third, one to three crashes, one broker restart, three to eight strays.
    package init(seed: UInt64, nodes: Int, during period: Interval) {
        var random = SeededRandom(seed: seed, stream: 5)
        if random.chance(0.5) { loss = random.number(in: 0.01...0.3) }
        if random.chance(0.5) { duplication = random.number(in: 0.01...0.2) }
        if random.chance(0.5) { delay = random.span(seconds: 0.1...3) }
        outages = Array(repeating: [], count: nodes)
        if random.chance(0.5) {
            for node in 0..<nodes where random.chance(1 / 3) {
                var set = IntervalSet(joining: .seconds(1))
                for _ in 0...random.index(below: 2) {
                    let from = Self.moment(in: period, &random)
                    set.insert(Interval(from: from, to: from + random.span(seconds: 10...120)))
                }
                outages[node] = set.intervals
            }
        }
        clockOffsets = Array(repeating: .milliseconds(0), count: nodes)
        if random.chance(0.5) {
            for node in 0..<nodes where random.chance(1 / 3) {
                clockOffsets[node] = random.span(seconds: -5...5)
            }
        }
        if random.chance(0.5) {
            for _ in 0...random.index(below: 3) { crashes.append(Self.moment(in: period, &random)) }
            crashes.sort()
        }
        if random.chance(0.5) { brokerRestarts = [Self.moment(in: period, &random)] }
        if random.chance(0.5) { strays = 3 + random.index(below: 6) }
    }

    /// Whether a node's process is dead at a moment.
    package func isOut(_ node: Int, at moment: Timestamp) -> Bool {
        guard outages.indices.contains(node) else { return false }
        return outages[node].contains { $0.from <= moment && moment < $0.to }
    }

    /// What a node's clock says at a moment.
    package func clock(of node: Int, at moment: Timestamp) -> Timestamp {
        clockOffsets.indices.contains(node) ? moment + clockOffsets[node] : moment
    }

    private static func moment(in period: Interval, _ random: inout SeededRandom) -> Timestamp {
        period.from + random.span(seconds: 0...period.length.seconds)
    }
}

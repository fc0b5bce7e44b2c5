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

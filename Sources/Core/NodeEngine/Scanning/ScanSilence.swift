import SiteModel

/// How long a scanner may hear nothing before that is strange, learned from what it hears.
///
/// What counts as hearing is for the caller to say: reports with data and a level.
package struct ScanSilence: Equatable, Sendable {
    /// The limit where gaps of 150 ms and less are usual.
    package static let least = Timestamp.Span.milliseconds(3_000)
    /// The limit after a remedy against silence, shorter than the usual one.
    package static let leastAfterRemedy = Timestamp.Span.milliseconds(2_000)
    /// The limit where next to nothing is heard.
    package static let most = Timestamp.Span.milliseconds(600_000)
    /// As long as nothing has been learned.
    package static let unlearned = Timestamp.Span.milliseconds(120_000)
    /// The limit as a multiple of the median gap.
    private static let multiple: Int64 = 20
    /// Gaps remembered, and how many it takes to know anything.
    private static let memory = 32
    private static let enough = 16

    /// The last gaps in milliseconds, as a ring.
    private var gaps: [Int64] = []
    private var next = 0
    /// The median gap in milliseconds, once there are enough.
    private var median: Int64?
    private var lastAt: Timestamp?

    package init() {}

    /// Something was heard. The time since the last time is a gap, unless `pause` came between.
    package mutating func heard(at now: Timestamp) {
        defer { lastAt = now }
        guard let lastAt else { return }
        let gap = max(0, (now - lastAt).milliseconds)
        if gaps.count < Self.memory { gaps.append(gap) } else { gaps[next] = gap }
        next = (next + 1) % Self.memory
        // Sorting at each report would cost more than reading it.
        if gaps.count >= Self.enough, next % 8 == 0 || gap > limit.milliseconds {
            median = gaps.sorted()[gaps.count / 2]
        }
    }

    /// From here to the next time something is heard is no gap: nobody listened.
    package mutating func pause() { lastAt = nil }

    /// Longer than this is strange.
    package var limit: Timestamp.Span { limit(atLeast: Self.least) }

    /// Longer than this after a remedy, and it did not help.
    package var limitAfterRemedy: Timestamp.Span { limit(atLeast: Self.leastAfterRemedy) }

    private func limit(atLeast least: Timestamp.Span) -> Timestamp.Span {
        guard let median else { return Self.unlearned }
        guard median < Self.most.milliseconds / Self.multiple else { return Self.most }
        return max(least, .milliseconds(median * Self.multiple))
    }
}

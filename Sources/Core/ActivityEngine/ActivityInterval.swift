import SiteModel

/// What somebody did from a moment on, as a source or they by hand say.
package struct ActivityInterval: Equatable, Sendable, Codable {
    /// Where nothing tells that it goes on for so long, it has ended.
    package static let patience = Timestamp.Span.seconds(1800)
    /// The same where nothing ever told of it: who carries no phone still says when it ends.
    package static let patienceUnseen = Timestamp.Span.seconds(4 * 3600)

    /// A longer sample tells nothing of when somebody moved: some send the whole day so far as one.
    package static let longestEvidence = Timestamp.Span.seconds(3600)

    package var kind: ActivityKind
    package var from: Timestamp
    /// When it ended, as it was said; `nil`: nobody has said.
    package var to: Timestamp?

    package init(kind: ActivityKind, from: Timestamp, to: Timestamp? = nil) {
        self.kind = kind
        self.from = from
        self.to = to
    }

    /// Why it is not taken at a moment; `nil`: it is.
    package func fault(at now: Timestamp) -> ProblemCode? {
        let end = to ?? from + .milliseconds(1)
        return ActivitySample(from: from, to: end, steps: 0).fault(at: now)
    }

    /// When it ended: as it was said; else with the last evidence before there was none for `patience`, and a day
    /// after its beginning at the latest. `nil`: it goes on. Evidence that comes late moves the end of one that
    /// was forgotten, so that the order in which things become known does not matter.
    ///
    /// - Parameters:
    ///   - evidence: When they moved, by whatever tells it: steps, a heart rate, a change of place. By its
    ///     beginning.
    ///   - next: When the same source says that something else began.
    package func end(
        evidence: [Interval], next: Timestamp? = nil, at now: Timestamp
    ) -> Timestamp? {
        if let to { return to }
        let latest = min(next ?? now, from + ActivitySample.longest)
        var last = from
        var isSeen = false
        for moved in evidence where moved.to > from && moved.from < latest {
            if isSeen, moved.from - last > Self.patience { return last }
            if !isSeen, moved.from - last > Self.patienceUnseen { return last }
            last = max(last, min(moved.to, latest))
            isSeen = true
        }
        let patience = isSeen ? Self.patience : Self.patienceUnseen
        return next == nil && latest == now && now - last <= patience ? nil : last
    }
}

/// A heart rate at a moment.
package struct HeartRate: Equatable, Sendable, Codable {
    package var at: Timestamp
    /// In beats per minute.
    package var rate: Int64

    package init(at: Timestamp, rate: Int64) {
        self.at = at
        self.rate = rate
    }

    /// Why it is not taken at a moment; `nil`: it is.
    package func fault(at now: Timestamp) -> ProblemCode? {
        ActivitySample(from: at - .milliseconds(1), to: at, steps: 0).fault(at: now)
    }
}

extension Sequence<HeartRate> {
    /// The least, the mean and the most; `nil` of none.
    package var range: (least: Int64, mean: Double, most: Int64)? {
        var (count, sum, least, most) = (0, Int64(0), Int64.max, Int64.min)
        for one in self {
            count += 1
            sum += one.rate
            least = Swift.min(least, one.rate)
            most = Swift.max(most, one.rate)
        }
        return count == 0 ? nil : (least, Double(sum) / Double(count), most)
    }
}

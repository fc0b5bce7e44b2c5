import Basics

extension IntervalSet {
    /// The end of what of it lies before `moment`, or `nil` if nothing does.
    package func end(before moment: Timestamp) -> Timestamp? {
        // This is asked for each gap of a ledger.
        let next = intervals.partitioningIndex { $0.from >= moment }
        return next > 0 ? min(intervals[next - 1].to, moment) : nil
    }

    /// The moment in `window` when so much of it has lain in the set, or `nil` if it never does.
    package func moment(after span: Timestamp.Span, in window: Interval) -> Timestamp? {
        var rest = span.milliseconds
        var first = intervals.count
        while first > 0, intervals[first - 1].to > window.from { first -= 1 }
        for interval in intervals[first...] {
            guard let part = interval.common(with: window) else {
                if interval.from >= window.to { return nil }
                continue
            }
            if part.length.milliseconds >= rest { return part.from + .milliseconds(rest) }
            rest -= part.length.milliseconds
        }
        return nil
    }
}

extension Interval {
    /// What both share, or `nil` if that is nothing.
    package func common(with other: Interval) -> Interval? {
        let from = max(self.from, other.from)
        let to = min(self.to, other.to)
        return from < to ? Interval(from: from, to: to) : nil
    }

    /// What of it lies outside another one, at most two parts.
    package func without(_ other: Interval) -> [Interval] {
        guard common(with: other) != nil else { return [self] }
        var parts: [Interval] = []
        if from < other.from { parts.append(Interval(from: from, to: other.from)) }
        if other.to < to { parts.append(Interval(from: other.to, to: to)) }
        return parts
    }
}

import SiteModel

extension Evidence {
    /// When seconds counted from the start were, by a node's clock or, without one, by our own: one interval,
    /// unless the one clock was set against the other meanwhile.
    func place(_ seconds: ClosedRange<Int>, by clock: NodeClock?) -> [Interval] {
        let start = from.second
        let first = start + Int64(seconds.lowerBound)
        let last = start + Int64(seconds.upperBound)
        return clock?.place(first...last)
            ?? [Interval(from: Timestamp(second: first), to: Timestamp(second: last + 1))]
    }

    /// From the earliest to the latest moment of it, as `place` says; without what our clock, as it was before
    /// it was set back, would put into a time to come, unless that is all of it.
    func span(by clock: NodeClock?, at now: Timestamp) -> Interval? {
        let all = place(0...seconds - 1, by: clock)
        let past = all.filter { $0.to <= now + RecordVerdict.patience }
        let pieces = past.isEmpty ? all : past
        guard let from = pieces.map(\.from).min(), let to = pieces.map(\.to).max() else {
            return nil
        }
        return Interval(from: from, to: to)
    }
}

extension RecordVerdict {
    /// Evidence may seem to end this long from now, clocks being what they are.
    fileprivate static let patience = Timestamp.Span.seconds(60)

    /// What becomes of evidence about `span`.
    package init(of span: Interval?, at now: Timestamp) {
        guard let span else {
            self = .uncertain
            return
        }
        if span.to > now + Self.patience {
            self = .future
        } else {
            self = span.from < now - Saved.horizon ? .late : .taken
        }
    }
}

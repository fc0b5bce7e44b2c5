/// A half-open stretch of time: `from` belongs to it, `to` does not.
@usableFromInline package struct Interval: Hashable, Sendable, Codable {
    /// The first moment inside.
    @usableFromInline package var from: Timestamp
    /// The first moment after it.
    @usableFromInline package var to: Timestamp

    /// The stretch from `from` up to, but not including, `to`.
    @inlinable package init(from: Timestamp, to: Timestamp) {
        precondition(from <= to, "an interval cannot end before it starts")
        self.from = from
        self.to = to
    }

    /// How long it is.
    @inlinable package var length: Timestamp.Span { to - from }
}

/// A set of moments, kept as sorted intervals that neither touch nor overlap.
///
/// Intervals closer together than `joining` are one: a beacon heard at 3 s and again at 9 s was
/// there in between. The result does not depend on the order of insertion.
package struct IntervalSet: Equatable, Sendable, Codable {
    /// The intervals, oldest first.
    package private(set) var intervals: [Interval]
    /// Gaps up to and including this long are filled.
    package let joining: Timestamp.Span

    /// An empty set that fills gaps up to `joining`.
    package init(joining: Timestamp.Span) {
        intervals = []
        self.joining = joining
    }

    /// A set of given intervals, in any order.
    package init(_ intervals: [Interval], joining: Timestamp.Span) {
        self.init(joining: joining)
        for interval in intervals { insert(interval) }
    }

    /// Adds an interval, merging it with its neighbours. Returns whether the set changed.
    @discardableResult
    package mutating func insert(_ new: Interval) -> Bool {
        // Live time moves forward, so the place is nearly always at the end.
        var first = intervals.count
        while first > 0, intervals[first - 1].to + joining >= new.from { first -= 1 }
        var last = first
        var merged = new
        while last < intervals.count, intervals[last].from <= new.to + joining {
            merged.from = min(merged.from, intervals[last].from)
            merged.to = max(merged.to, intervals[last].to)
            last += 1
        }
        if last == first + 1, intervals[first] == merged { return false }
        if last == first {
            intervals.insert(new, at: first)
        } else if last == first + 1 {
            intervals[first] = merged
        } else {
            intervals.replaceSubrange(first..<last, with: [merged])
        }
        return true
    }

    /// The last interval, or `nil` if the set is empty.
    package var last: Interval? { intervals.last }

    /// How much of `window` lies in the set.
    package func covered(in window: Interval) -> Timestamp.Span {
        var total: Int64 = 0
        for interval in intervals.reversed() {
            if interval.to <= window.from { break }
            let from = max(interval.from, window.from)
            let to = min(interval.to, window.to)
            if to > from { total += (to - from).milliseconds }
        }
        return .milliseconds(total)
    }

    /// Forgets every interval that ended before `moment`.
    package mutating func forget(before moment: Timestamp) {
        guard let first = intervals.first, first.to < moment else { return }
        intervals.removeAll { $0.to < moment }
    }
}

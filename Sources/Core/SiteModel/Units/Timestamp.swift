/// A moment, as milliseconds since the Unix epoch, UTC. The core never asks a clock for one.
@usableFromInline package struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    @usableFromInline package var milliseconds: Int64

    /// The moment `milliseconds` after the Unix epoch.
    @inlinable package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The whole second this moment lies in, counted from the Unix epoch.
    @inlinable package var second: Int64 {
        milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    }

    /// The start of a whole second counted from the Unix epoch.
    @inlinable package init(second: Int64) { milliseconds = second * 1000 }

    /// Earlier first.
    @inlinable package static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.milliseconds < b.milliseconds
    }

    @inlinable package static func == (a: Timestamp, b: Timestamp) -> Bool {
        a.milliseconds == b.milliseconds
    }

    @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(milliseconds) }

    /// The moment `span` later.
    @inlinable package static func + (moment: Timestamp, span: Span) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds + span.milliseconds)
    }

    /// The moment `span` earlier.
    @inlinable package static func - (moment: Timestamp, span: Span) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds - span.milliseconds)
    }

    /// How long after `b` the moment `a` is; negative if before.
    @inlinable package static func - (a: Timestamp, b: Timestamp) -> Span {
        .milliseconds(a.milliseconds - b.milliseconds)
    }

    /// A length of time in whole milliseconds.
    ///
    /// `Duration` counts attoseconds in 128 bits; this is what the wire and the database hold.
    @usableFromInline package struct Span: Hashable, Comparable, Sendable {
        /// The length in milliseconds; may be negative.
        @usableFromInline package var milliseconds: Int64

        /// A length in milliseconds.
        @inlinable package static func milliseconds(_ count: Int64) -> Span {
            Span(milliseconds: count)
        }

        /// A length in seconds, rounded to the nearest millisecond.
        @inlinable package static func seconds(_ count: Double) -> Span {
            Span(milliseconds: Int64((count * 1000).rounded()))
        }

        /// The length in seconds.
        @inlinable package var seconds: Double { Double(milliseconds) / 1000 }

        /// Shorter first.
        @inlinable package static func < (a: Span, b: Span) -> Bool {
            a.milliseconds < b.milliseconds
        }

        @inlinable package static func == (a: Span, b: Span) -> Bool {
            a.milliseconds == b.milliseconds
        }

        @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(milliseconds) }

        @inlinable init(milliseconds: Int64) { self.milliseconds = milliseconds }

        /// The sum of two lengths.
        @inlinable package static func + (a: Span, b: Span) -> Span {
            .milliseconds(a.milliseconds + b.milliseconds)
        }
    }
}

extension Timestamp: Codable {
    /// Reads a number of milliseconds.
    @usableFromInline package init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Writes the number of milliseconds.
    @usableFromInline package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension Timestamp.Span: Codable {
    /// Reads a number of milliseconds.
    @usableFromInline package init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Writes the number of milliseconds.
    @usableFromInline package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

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

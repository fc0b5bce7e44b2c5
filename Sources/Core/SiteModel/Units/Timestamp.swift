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

/// A moment, as milliseconds since the Unix epoch, UTC. The core never asks a clock for one.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var milliseconds: Int64

    /// The moment `milliseconds` after the Unix epoch.
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The whole second this moment lies in, counted from the Unix epoch.
    package var second: Int64 {
        milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    }

    /// The start of a whole second counted from the Unix epoch.
    package init(second: Int64) { milliseconds = second * 1000 }

    /// Earlier first.
    package static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

    /// The moment `span` later.
    package static func + (moment: Timestamp, span: Span) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds + span.milliseconds)
    }

    /// The moment `span` earlier.
    package static func - (moment: Timestamp, span: Span) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds - span.milliseconds)
    }

    /// How long after `b` the moment `a` is; negative if before.
    package static func - (a: Timestamp, b: Timestamp) -> Span {
        .milliseconds(a.milliseconds - b.milliseconds)
    }

    /// A length of time in whole milliseconds.
    ///
    /// `Duration` counts attoseconds in 128 bits; this is what the wire and the database hold.
    package struct Span: Hashable, Comparable, Sendable {
        /// The length in milliseconds; may be negative.
        package var milliseconds: Int64

        /// A length in milliseconds.
        package static func milliseconds(_ count: Int64) -> Span { Span(milliseconds: count) }

        /// A length in seconds, rounded to the nearest millisecond.
        package static func seconds(_ count: Double) -> Span {
            Span(milliseconds: Int64((count * 1000).rounded()))
        }

        /// The length in seconds.
        package var seconds: Double { Double(milliseconds) / 1000 }

        /// Shorter first.
        package static func < (a: Span, b: Span) -> Bool { a.milliseconds < b.milliseconds }

        /// The sum of two lengths.
        package static func + (a: Span, b: Span) -> Span {
            .milliseconds(a.milliseconds + b.milliseconds)
        }
    }
}

extension Timestamp: Codable {
    /// Reads a number of milliseconds.
    package init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Writes the number of milliseconds.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension Timestamp.Span: Codable {
    /// Reads a number of milliseconds.
    package init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Writes the number of milliseconds.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

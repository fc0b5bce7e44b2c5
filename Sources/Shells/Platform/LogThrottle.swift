import Basics
import Glibc
import SiteModel

/// Keeps what others can cause as often as they like from filling the log: of one reason the first
/// three lines are written, then the 4th, 8th, 16th and so on, each with the number left out before it.
/// After an hour without the reason it starts again.
package struct LogThrottle: Sendable {
    private struct Tally: Sendable {
        var count = 0
        var leftOut = 0
        var last: Timestamp
    }

    /// The time after which a reason counts as new again.
    package static let quiet = Timestamp.Span.seconds(3600)

    private var tallies: [String: Tally] = [:]

    package init() {}

    /// Whether the `count`th of the same is written: the first three, then each power of two.
    package static func isTold(_ count: Int) -> Bool { count <= 3 || count & (count - 1) == 0 }

    /// The line to write, or `nil` if it is to be left out.
    ///
    /// - Parameter reason: Why there is a line: one of few words of our own, never text that came in
    ///   a message, because each is remembered.
    package mutating func line(
        _ text: @autoclosure () -> String, about reason: String, at now: Timestamp
    ) -> String? {
        var tally = tallies[reason] ?? Tally(last: now)
        if now - tally.last >= Self.quiet { tally.count = 0 }
        tally.last = now
        tally.count += 1
        defer { tallies[reason] = tally }
        guard Self.isTold(tally.count) else {
            tally.leftOut += 1
            return nil
        }
        defer { tally.leftOut = 0 }
        return tally.leftOut == 0 ? text() : "\(text()) (\(tally.leftOut) like it left out)"
    }
}

/// Lines of a log. An attacker with the right to publish may have chosen any part of them.
package enum LogText {
    /// Whether journald reads what is written to standard error.
    package static let isJournal = getenv("JOURNAL_STREAM") != nil

    /// A line without its end: where journald listens the priority of syslog(3) in angle brackets,
    /// then the name of the program if it is given, then the text on one line, with what controls
    /// a terminal escaped.
    package static func line(
        _ text: String, priority: Int, of program: String?, isJournal: Bool = isJournal
    ) -> String {
        (isJournal ? "<\(priority)>" : "") + (program.map { "\($0): " } ?? "")
            + HarmlessText.line(text)
    }
}

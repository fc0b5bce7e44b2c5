import Basics
import Glibc

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

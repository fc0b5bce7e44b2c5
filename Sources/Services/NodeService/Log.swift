import Basics
import Glibc
import SiteModel
import System

/// Lines on standard error, as journald reads them where it listens. Belongs to the node's one
/// thread.
final class Log {
    /// How much is written.
    enum Level: String, CaseIterable, Comparable {
        case debug, info, notice, warning, error

        /// The priority of syslog(3).
        fileprivate var priority: Int {
            switch self {
            case .debug: 7
            case .info: 6
            case .notice: 5
            case .warning: 4
            case .error: 3
            }
        }

        static func < (a: Level, b: Level) -> Bool { a.priority > b.priority }
    }

    private let least: Level
    private let isJournal = getenv("JOURNAL_STREAM") != nil
    private var throttle = LogThrottle()

    /// Writes what matters at least as much as `least`.
    init(_ least: Level) { self.least = least }

    func callAsFunction(_ level: Level, _ text: @autoclosure () -> String) {
        guard level >= least else { return }
        let shown = HarmlessText.line(text())
        Self.write(isJournal ? "<\(level.priority)>\(shown)" : "beacon-node: \(shown)")
    }

    /// The same of what others can cause as often as they like: ever more rarely for one `reason`.
    func callAsFunction(
        _ level: Level, about reason: String, at now: Timestamp, _ text: @autoclosure () -> String
    ) {
        if let line = throttle.line(text(), about: reason, at: now) { self(level, line) }
    }

    /// Writes text as it is. What cannot be written is lost: there is nowhere to say so.
    static func write(_ text: String) {
        var line = text + "\n"
        _ = line.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

import SiteModel
import Platform

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
    private var throttle = LogThrottle()

    /// Writes what matters at least as much as `least`.
    init(_ least: Level) { self.least = least }

    func callAsFunction(_ level: Level, _ text: @autoclosure () -> String) {
        guard level >= least else { return }
        StandardError.line(Self.line(text(), level, isJournal: LogText.isJournal))
    }

    /// The journal knows of itself which program writes.
    static func line(_ text: String, _ level: Level, isJournal: Bool) -> String {
        LogText.line(
            text, priority: level.priority, of: isJournal ? nil : "beacon-node",
            isJournal: isJournal)
    }

    /// The same of what others can cause as often as they like: ever more rarely for one `reason`.
    func callAsFunction(
        _ level: Level, about reason: String, at now: Timestamp, _ text: @autoclosure () -> String
    ) {
        if let line = throttle.line(text(), about: reason, at: now) { self(level, line) }
    }
}

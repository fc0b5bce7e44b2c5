import Logging
import Platform

/// Log lines as journald reads them: a priority in angle brackets, then the text.
struct LogLine: LogHandler {
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.info
    let label: String

    /// Makes every logger of the process write such lines.
    static func install() { LoggingSystem.bootstrap { LogLine(label: $0) } }

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        StandardError.line(line("\(event.message)", event.level, isJournal: LogText.isJournal))
    }

    /// What is written of a message.
    func line(_ text: String, _ level: Logger.Level, isJournal: Bool) -> String {
        let priority =
            switch level {
            case .trace, .debug: 7
            case .info: 6
            case .notice: 5
            case .warning: 4
            case .error: 3
            case .critical: 2
            }
        return LogText.line(text, priority: priority, of: label, isJournal: isJournal)
    }
}

import Basics
import Foundation
import Glibc
import Logging

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
        let priority =
            switch event.level {
            case .trace, .debug: 7
            case .info: 6
            case .notice: 5
            case .warning: 4
            case .error: 3
            case .critical: 2
            }
        let text = HarmlessText.line("\(event.message)")
        let isJournal = getenv("JOURNAL_STREAM") != nil
        let line = isJournal ? "<\(priority)>\(label): \(text)\n" : "\(label): \(text)\n"
        FileHandle.standardError.write(Data(line.utf8))
    }
}

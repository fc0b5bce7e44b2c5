import Foundation
import Glibc

/// The files of a database as they were when it was opened. SQLite goes on with what it has open, whatever
/// others do to the names: what is stored then is lost with the process.
package struct DatabaseFiles: Sendable {
    /// Which file it is, whatever it is called.
    private struct File: Equatable {
        var device: UInt64
        var number: UInt64
        var size: Int64

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
            size = Int64(status.st_size)
        }

        func isSame(as other: File) -> Bool { device == other.device && number == other.number }
    }

    /// What to do about a fault, and that there is none any more.
    package static let advice = """
        What is stored from now on is lost when this process ends: put the file back, or copy it from \
        /proc/\(getpid())/fd before you stop it
        """
    package static let relief = "the database's files are in their place again"

    private let path: String
    private var file: File?
    /// The write-ahead log, as long as it is known.
    private var log: File?
    /// What has become of them, in words; `nil` while they are what they were.
    package private(set) var fault: String?

    /// The files of a database that is open.
    package init(of path: String) {
        self.path = path
        file = File(path)
        log = File(path + "-wal")
    }

    /// Looks at them. `size`: how large SQLite holds the file for; an erasure may have made it smaller. Returns whether
    /// `fault` is another one than before.
    package mutating func look(size: () -> Int64?) -> Bool {
        let before = fault
        fault = found(size)
        return fault != before
    }

    private mutating func found(_ size: () -> Int64?) -> String? {
        guard let now = File(path) else { return "\(path) is gone: it was moved or removed" }
        guard let known = file else {
            file = now
            return nil
        }
        guard now.isSame(as: known) else { return "\(path) is another file: it was replaced" }
        let log = File(path + "-wal")
        if let old = self.log, !(log.map { $0.isSame(as: old) } ?? false) {
            return "\(path)-wal is gone or another file"
        }
        self.log = self.log ?? log
        // What is only in the log yet is not in the file.
        let least = size().map { $0 - (log?.size ?? 0) }
        if now.size < known.size, least.map({ now.size < $0 }) ?? true {
            return "\(path) has become smaller: it was written over"
        }
        file?.size = now.size
        return nil
    }
}

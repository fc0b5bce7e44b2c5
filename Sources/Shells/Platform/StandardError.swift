import Glibc

/// What a program says beside its output.
package enum StandardError {
    /// Writes a text as it is, and a line end.
    package static func line(_ text: String) { write(text + "\n") }

    /// Writes a text as it is. What cannot be written is lost: there is nowhere to say so.
    package static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(
                    STDERR_FILENO, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                done += count
            }
        }
    }
}

/// Standard output, written in large pieces.
package struct Output {
    private static let enough = 1 << 16
    private var bytes: [UInt8] = []

    package init() {}

    /// Adds text; writes when there is enough of it.
    ///
    /// - Throws: An `Exit` with 74: standard output is closed, or its disk is full.
    package mutating func add(_ more: [UInt8]) throws {
        bytes += more
        if bytes.count >= Self.enough { try flush() }
    }

    /// Writes what is left.
    ///
    /// - Throws: An `Exit` with 74: standard output is closed, or its disk is full.
    package mutating func flush() throws {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw Exit(code: 74, text: "standard output: \(String(cString: strerror(errno)))")
            }
            start += count
        }
        bytes.removeAll(keepingCapacity: true)
    }
}

/// Tells on standard error how far a long run is, where somebody watches.
package struct ProgressMeter {
    /// Short runs tell nothing.
    private static let patience = 2.0

    private let isWatched: Bool
    private let watch = Stopwatch()
    private var told = -1

    /// A meter that tells to a terminal only, unless it is forced to.
    package init(isForced: Bool) { isWatched = isForced || isatty(STDERR_FILENO) == 1 }

    /// A share of the work is done.
    package mutating func tell(_ share: Double) {
        let percent = Int(share * 100)
        guard isWatched, percent > told, watch.seconds > Self.patience else { return }
        told = percent
        StandardError.write("\r\(percent) %")
    }

    /// The work is done.
    package func end() {
        if told >= 0 { StandardError.write("\r     \r") }
    }
}

/// Ends the process with a code and a text on standard error.
package struct Exit: Error {
    package let code: Int32
    package let text: String

    package init(code: Int32, text: String) {
        self.code = code
        self.text = text
    }

    /// Something could not be begun or finished; another attempt may succeed (`EX_TEMPFAIL`).
    package static let unfinished: Int32 = 75
    /// The database proved damaged while it was in use (`EX_IOERR`).
    package static let damaged: Int32 = 74
    /// The database refuses what is decided, which is a bug (`EX_SOFTWARE`).
    package static let refused: Int32 = 70
}

extension Exit: CustomStringConvertible {
    package var description: String { text }
}

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

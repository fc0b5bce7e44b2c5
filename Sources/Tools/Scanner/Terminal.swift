import Glibc

/// The terminal that standard output is, if it is one.
package struct Terminal {
    private let descriptor: Int32

    /// `nil` where `descriptor` is no terminal, or one that cannot be redrawn.
    package init?(descriptor: Int32 = STDOUT_FILENO) {
        guard isatty(descriptor) == 1, let kind = getenv("TERM"), strcmp(kind, "dumb") != 0 else {
            return nil
        }
        self.descriptor = descriptor
    }

    /// How many columns and rows it has now; it may change at any time.
    package var size: (columns: Int, rows: Int) {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else {
            return (80, 24)
        }
        return (Int(window.ws_col), max(5, Int(window.ws_row)))
    }

    /// Turns to a page of its own, without a cursor: what was there before comes back with `leave`.
    package static let enter = "\u{1B}[?1049h\u{1B}[?25l"
    /// Turns back.
    package static let leave = "\u{1B}[?25h\u{1B}[?1049l"

    /// Writes lines over what is there, without clearing first, which would flicker.
    package static func page(_ lines: [String]) -> String {
        "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
    }
}

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

/// Ends the process with a code and a text on standard error.
struct Exit: Error {
    let code: Int32
    let text: String

    /// Something could not be begun or finished; another attempt may succeed (`EX_TEMPFAIL`).
    static let unfinished: Int32 = 75
    /// The database proved damaged while it was in use (`EX_IOERR`).
    static let damaged: Int32 = 74
    /// The database refuses what is decided, which is a bug (`EX_SOFTWARE`).
    static let refused: Int32 = 70
}

extension Exit: CustomStringConvertible {
    var description: String { text }
}

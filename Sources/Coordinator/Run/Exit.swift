/// Ends the process with a code and a text on standard error.
struct Exit: Error {
    let code: Int32
    let text: String

    /// Something that was begun could not be finished; another attempt may succeed (`EX_TEMPFAIL`).
    static let unfinished: Int32 = 75
}

extension Exit: CustomStringConvertible {
    var description: String { text }
}

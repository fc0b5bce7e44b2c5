/// Ends the process with a code and a text on standard error.
struct Exit: Error {
    let code: Int32
    let text: String
}

extension Exit: CustomStringConvertible {
    var description: String { text }
}

import Basics

extension JSONWriter {
    /// A JSON string in which what shows nothing, or something else than it is, is escaped.
    package static func quoted(_ text: String) -> [UInt8] {
        var bytes = [UInt8(ascii: "\"")]
        JSONEscape.append(harmless: text, to: &bytes)
        return bytes + [UInt8(ascii: "\"")]
    }
}

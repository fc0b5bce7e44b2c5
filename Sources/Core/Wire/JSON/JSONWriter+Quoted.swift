import Basics

extension JSONWriter {
    /// A JSON string in which what shows nothing, or something else than it is, is escaped.
    package static func quoted(_ text: String) -> [UInt8] {
        var bytes = [UInt8(ascii: "\"")]
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                bytes += [UInt8(ascii: "\\"), UInt8(scalar.value)]
            case _ where HarmlessText.isHarmless(scalar):
                bytes += Array(String(scalar).utf8)
            default:
                for unit in String(scalar).utf16 {
                    bytes += Array("\\u".utf8) + Array(HexText.text(unit, bytes: 2).utf8)
                }
            }
        }
        return bytes + [UInt8(ascii: "\"")]
    }
}

/// Makes a repeated key different from its twin for the parser.
enum RepeatedKey {
    /// A private-use character: YAML allows it, nobody has it in a key.
    private static let sign: Character = "\u{E000}"

    /// Puts a mark before the key that begins at a line and column, both counted from 1, columns in
    /// Unicode scalars; `nil` if there is nothing there.
    static func mark(_ text: String, line: Int, column: Int, as number: Int) -> String? {
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        for _ in 1..<max(line, 1) {
            guard let end = scalars[index...].firstIndex(of: "\n") else { return nil }
            index = scalars.index(after: end)
        }
        guard column > 0,
            var key = scalars.index(index, offsetBy: column - 1, limitedBy: scalars.endIndex),
            key < scalars.endIndex
        else { return nil }
        if scalars[key] == "\"" || scalars[key] == "'" { key = scalars.index(after: key) }
        return "\(text[..<key])\(sign)\(number)\(sign)\(text[key...])"
    }

    /// The key as it was written.
    static func unmarked(_ key: String) -> String {
        guard key.first == sign else { return key }
        let rest = key.dropFirst()
        return rest.firstIndex(of: sign).map { String(rest[$0...].dropFirst()) } ?? key
    }
}

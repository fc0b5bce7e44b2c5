/// Swift source without what is no code, line by line as it was.
enum SwiftText {
    private enum State {
        case code, lineComment
        case comment(depth: Int)
        case string(isLong: Bool)
    }

    /// The source with comments and the contents of string literals replaced by spaces. Code that
    /// is interpolated into a string counts as string; raw strings are not known.
    static func code(of source: String) -> String {
        var state = State.code
        var result: [Character] = []
        let text = Array(source)
        var index = 0
        func next(_ word: String) -> Bool { text[index...].starts(with: word) }
        while index < text.count {
            let character = text[index]
            var width = 1
            switch state {
            case .code:
                if next("//") {
                    state = .lineComment
                } else if next("/*") {
                    (state, width) = (.comment(depth: 1), 2)
                } else if next("\"\"\"") {
                    (state, width) = (.string(isLong: true), 3)
                } else if character == "\"" {
                    state = .string(isLong: false)
                } else {
                    result.append(character)
                    index += 1
                    continue
                }
            case .lineComment: if character == "\n" { state = .code }
            case .comment(let depth):
                if next("/*") {
                    (state, width) = (.comment(depth: depth + 1), 2)
                } else if next("*/") {
                    (state, width) = (depth == 1 ? .code : .comment(depth: depth - 1), 2)
                }
            case .string(let isLong):
                if character == "\\" {
                    width = min(2, text.count - index)
                } else if isLong, next("\"\"\"") {
                    (state, width) = (.code, 3)
                } else if !isLong, character == "\"" || character == "\n" {
                    state = .code
                }
            }
            result += text[index..<index + width].map { $0 == "\n" ? "\n" : " " }
            index += width
        }
        return String(result)
    }

    /// The modules a source imports, whatever stands before and behind the word.
    static func imports(of source: String) -> [String] {
        code(of: source).split(separator: "\n").compactMap { line in
            let words = line.split { $0 == " " || $0 == ";" }
            guard let at = words.firstIndex(of: "import"),
                words[..<at].allSatisfy({ isModifier($0) })
            else { return nil }
            let kinds = ["struct", "enum", "class", "protocol", "func", "var", "let", "typealias"]
            let name = words[(at + 1)...].first { !kinds.contains(String($0)) }
            return name.map { String($0.prefix { $0 != "." }) }
        }
    }

    private static func isModifier(_ word: Substring) -> Bool {
        word.hasPrefix("@")
            || ["public", "package", "internal", "fileprivate", "private"].contains(word)
    }

    /// The names in a piece of code, in order.
    static func names(in code: String) -> [Substring] {
        code.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    }
}

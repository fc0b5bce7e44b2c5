import Foundation
import Testing

/// How large types are, over all their files and rooms.
struct TypeTests {
    /// The most lines of a type's bodies: its declaration and its extensions, wherever they stand.
    static let most = 600
    /// Larger ones, each with why.
    static let exceptions: [String: String] = [:]

    /// How many lines the bodies of each type have that begin at the left margin. A type in another
    /// counts with that one, and by its own name where an extension names it.
    static func lengths(in files: [Checkout.File]) -> [String: Int] {
        var lengths: [String: Int] = [:]
        for file in files {
            var name: String?
            for line in SwiftText.code(of: file.text).split(
                separator: "\n", omittingEmptySubsequences: false)
            {
                let isFirst = name == nil
                if isFirst { name = declared(in: line) }
                guard let type = name else { continue }
                lengths[type, default: 0] += 1
                if isFirst ? isWhole(line) : line.hasPrefix("}") { name = nil }
            }
        }
        return lengths
    }

    /// The type that a line at the left margin declares or extends.
    private static func declared(in line: Substring) -> String? {
        guard line.first?.isWhitespace == false else { return nil }
        let words = line.split(separator: " ")
        let kinds = ["struct", "enum", "class", "actor", "extension"]
        guard let kind = words.firstIndex(where: { kinds.contains(String($0)) }) else {
            return nil
        }
        let modifiers = words[..<kind].filter { !$0.hasPrefix("@") }
        let known = [
            "package", "public", "private", "fileprivate", "internal", "final", "indirect",
        ]
        guard modifiers.allSatisfy({ known.contains(String($0)) }), kind + 1 < words.count else {
            return nil
        }
        return String(words[kind + 1].prefix { $0.isLetter || $0.isNumber || $0 == "." })
    }

    /// Whether a type begins and ends in a line.
    private static func isWhole(_ line: Substring) -> Bool {
        line.contains("{") && line.count { $0 == "{" } == line.count { $0 == "}" }
    }

    static func large(in files: [Checkout.File]) -> [String] {
        lengths(in: files).filter { $0.value > most && exceptions[$0.key] == nil }
            .map { "\($0.key) has \($0.value) lines" }.sorted()
    }

    @Test func `no type is large, over all its files`() throws {
        let files = try Checkout.swift(in: "Sources")
        #expect(Self.large(in: files) == [], "look for the second type in it")
        let lengths = Self.lengths(in: files)
        #expect(Self.exceptions.keys.allSatisfy { lengths[$0] ?? 0 > Self.most })
    }

    @Test func `extensions in other rooms count`() {
        let body = String(repeating: "    func f() {}\n", count: 301)
        let file = { (path: String, text: String) in Checkout.File(path: path, text: text) }
        let store = file("Sources/Shells/A/Store.swift", "package final class Store {\n\(body)}\n")
        let other = file(
            "Sources/Business/B/Store+Shifts.swift",
            "/// Shifts: }\nextension Store: Sendable {\n\(body)}\n")
        let small = file("Sources/Shells/A/Kind.swift", "enum Kind {}\nstruct Store2 {\n\(body)}\n")
        #expect(Self.large(in: [store, small]) == [])
        #expect(Self.large(in: [store, other]) == ["Store has 606 lines"])
        #expect(Self.lengths(in: [small]) == ["Kind": 1, "Store2": 303])
    }
}

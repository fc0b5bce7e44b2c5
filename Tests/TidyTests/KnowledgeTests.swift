import Foundation
import Testing

/// How much a part knows of others, and how much others may know of it. Lines are not counted: a room that was cut until
/// it fitted is no simpler, one that needs few others is.
struct KnowledgeTests {
    /// Rooms of ours that a room may import.
    static let mostImports = 13
    /// Those that put others together, each with how many it imports now: a smaller number replaces it.
    static let roots: [String: Int] = [
        "beaconmesh": 28, "Benchmarks": 27, "SiteService": 24, "CoordinatorService": 23,
        "Registry": 15, "Scenarios": 16, "Diagnostics": 15, "Demo": 17, "Calibration": 14,
    ]

    /// Members of a type that other rooms may call or read.
    static let mostMembers = 34
    static let open: [String: Int] = ["Verb": 46, "Pipeline": 36]

    /// Cases of an enum by which one part tells another what to do, or what was decided.
    static let mostCases = 21
    static let effects = ["PipelineEffect", "Fact", "TrainingFact", "Effect", "Live"]

    static func imports(in files: [Checkout.File]) -> [String: Set<String>] {
        let rooms = Set(files.map(\.module))
        var found: [String: Set<String>] = [:]
        for file in files {
            found[file.module, default: []].formUnion(
                rooms.intersection(SwiftText.imports(of: file.text)))
        }
        return found
    }

    /// What is above `most` without being in `known`, and what in `known` is not what it says.
    static func faults(
        _ counts: [String: Int], most: Int, known: [String: Int]
    ) -> [String] {
        let above = counts.filter { $0.value > most && known[$0.key] == nil }
            .map { "\($0.key): \($0.value)" }
        let other = known.filter { counts[$0.key] != $0.value }
            .map { "\($0.key): \(counts[$0.key] ?? 0), not \($0.value)" }
        return (above + other).sorted()
    }

    @Test func `a room needs few others`() throws {
        let counts = Self.imports(in: try Checkout.swift(in: "Sources")).mapValues(\.count)
        #expect(Self.faults(counts, most: Self.mostImports, known: Self.roots) == [])
    }

    /// How many members of each type, declared at four spaces, are `package`; over all its files.
    static func members(in files: [Checkout.File]) -> [String: Int] {
        var found: [String: Int] = [:]
        for file in files {
            var type: String?
            for line in SwiftText.code(of: file.text).split(separator: "\n") {
                if let name = declared(in: line, indent: 0) { type = name }
                guard let type, line.hasPrefix("    "), !line.hasPrefix("     ") else { continue }
                let words = line.split(separator: " ")
                guard words.contains("package"),
                    !words.contains(where: { ["struct", "enum", "class"].contains($0) })
                else { continue }
                found[type, default: 0] += 1
            }
        }
        return found
    }

    /// The type that a line of so many spaces declares or extends.
    static func declared(in line: Substring, indent: Int) -> String? {
        guard line.prefix(while: { $0 == " " }).count == indent else { return nil }
        let words = line.split(separator: " ")
        let kinds = ["struct", "enum", "class", "actor", "extension"]
        guard let kind = words.firstIndex(where: { kinds.contains(String($0)) }),
            kind + 1 < words.count, !words[..<kind].contains("import")
        else { return nil }
        return String(words[kind + 1].prefix { $0.isLetter || $0.isNumber || $0 == "." })
    }

    @Test func `a type shows little`() throws {
        let counts = Self.members(in: try Checkout.swift(in: "Sources"))
        #expect(Self.faults(counts, most: Self.mostMembers, known: Self.open) == [])
    }

    /// How many cases the enums of some names have, each by its file.
    static func cases(of names: [String], in files: [Checkout.File]) -> [String: Int] {
        var found: [String: Int] = [:]
        for file in files {
            for indent in [0, 4] {
                var name: String?
                for line in SwiftText.code(of: file.text).split(separator: "\n") {
                    if let own = declared(in: line, indent: indent) {
                        name = names.contains(own) && line.contains("enum ") ? own : nil
                    }
                    guard let name else { continue }
                    let isCase = line.hasPrefix(String(repeating: " ", count: indent + 4) + "case ")
                    guard isCase, !line.contains(":") || line.contains("(") else { continue }
                    found["\(file.path) \(name)", default: 0] += 1
                }
            }
        }
        return found
    }

    @Test func `an effect has few cases`() throws {
        let counts = Self.cases(of: Self.effects, in: try Checkout.swift(in: "Sources"))
        #expect(counts.count >= 4, "\(counts)")
        #expect(Self.faults(counts, most: Self.mostCases, known: [:]) == [])
    }

    @Test func `too much is noticed`() {
        let many = (1...3).map { "    package func f\($0)() {}\n" }.joined()
        let text = "import B\nimport C\npackage enum Effect {\n    case a(Int)\n    case b\n}\n"
        let file = Checkout.File(
            path: "Sources/Shells/A/X.swift", text: text + "struct S {\n\(many)}\n")
        let others = ["B", "C"].map {
            Checkout.File(path: "Sources/Core/\($0)/Y.swift", text: "extension S {\n\(many)}\n")
        }
        #expect(Self.imports(in: [file] + others) == ["A": ["B", "C"], "B": [], "C": []])
        #expect(Self.members(in: [file] + others) == ["S": 9])
        #expect(Self.cases(of: Self.effects, in: [file]).values.sorted() == [2])
        #expect(Self.faults(["A": 2], most: 1, known: [:]) == ["A: 2"])
        #expect(Self.faults(["A": 2], most: 1, known: ["A": 2]) == [])
        #expect(Self.faults(["A": 1], most: 1, known: ["A": 2]) == ["A: 1, not 2"])
    }
}

import Foundation
import Testing

/// What `docs/where-is.md` names is there: each file once, and in it each symbol.
struct WhereIsTests {
    /// A file and the symbols that the text names after it.
    struct Place: Equatable {
        var file: String
        var symbols: [String]
    }

    /// The places of each numbered row, in order. In the third column a word in backticks that ends
    /// in `.swift` is a file; the words in backticks up to the next file are its symbols, but for
    /// paths of folders.
    static func rows(in text: String) -> [[Place]] {
        text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, Int(cells[0]) != nil else { return nil }
            var places: [Place] = []
            for match in cells[2].matches(of: /`([^`]+)`/) {
                let word = String(match.1)
                if word.hasSuffix(".swift") {
                    places.append(Place(file: word, symbols: []))
                } else if !places.isEmpty, !word.contains("/") {
                    places[places.count - 1].symbols.append(word)
                }
            }
            return places
        }
    }

    /// Whether a file declares a symbol: a type or an extension of it, a function, a property, or the
    /// first case of its line.
    static func declares(_ symbol: String, in text: String) throws -> Bool {
        if symbol == "init" { return text.contains(try Regex(#"\Winit[?(<]"#)) }
        let name = NSRegularExpression.escapedPattern(for: symbol)
        let kinds = "func|var|let|struct|enum|class|actor|protocol|typealias|extension|case"
        return text.contains(try Regex(#"(?:^|\W)(?:\#(kinds))\s+\#(name)(?!\w)"#))
    }

    /// What does not hold in a document.
    static func faults(in document: String, files: [Checkout.File]) throws -> [String] {
        var faults: [String] = []
        for (index, places) in rows(in: document).enumerated() {
            if places.isEmpty { faults.append("row \(index + 1) names no file") }
            for place in places {
                let found = files.filter { $0.path.hasSuffix("/" + place.file) }
                guard found.count == 1, let file = found.first else {
                    faults.append("row \(index + 1): \(found.count) files \(place.file)")
                    continue
                }
                if place.symbols.isEmpty {
                    faults.append("row \(index + 1) names nothing in \(place.file)")
                }
                for symbol in place.symbols {
                    guard try !declares(symbol, in: file.text) else { continue }
                    faults.append("row \(index + 1): no \(symbol) in \(place.file)")
                }
            }
        }
        return faults
    }

    @Test func `every file and symbol of where-is exists`() throws {
        let sources = try Checkout.swift(in: "Sources")
        let files = sources + (try Checkout.swift(in: "Tests"))
        let document = try Checkout.text("docs/where-is.md")
        #expect(Self.rows(in: document).count >= 25)
        let faults = try Self.faults(in: document, files: files)
        #expect(faults == [])
    }

    @Test func `a file or symbol that is not there is noticed`() throws {
        let files = [
            Checkout.File(
                path: "Sources/Core/Wire/Topic.swift",
                text: "struct Topics {\n    package init(a: Int) {}\n    func down() {}\n}\n"),
            Checkout.File(path: "Sources/Core/Wire/Twice.swift", text: ""),
            Checkout.File(path: "Tests/WireTests/Twice.swift", text: ""),
        ]
        let good = "| 1 | … topics? | `Topic.swift` `Topics`, `init`; a schema in `schemas/` |"
        #expect(try Self.faults(in: good, files: files) == [])
        for bad in [
            "| 1 | … topics? | `Topics.swift` `Topics` |",
            "| 1 | … topics? | `Topic.swift` `Topic` |",
            "| 1 | … topics? | `Topic.swift` |",
            "| 1 | … topics? | nowhere |",
            "| 1 | … topics? | `Twice.swift` `Topics` |",
        ] {
            #expect(try Self.faults(in: bad, files: files).count == 1, "\(bad)")
        }
    }
}

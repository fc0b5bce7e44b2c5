import Foundation
import Testing

/// What the documents say of the project holds.
struct PromiseTests {
    struct Feature {
        var id: String
        var state: String
        var proof: String
    }

    static func features(in text: String) -> [Feature] {
        text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
            guard let first = cells.first, first.firstMatch(of: /^[A-Z]\d+$/) != nil else {
                return nil
            }
            return Feature(
                id: first, state: cells.count > 2 ? cells[2] : "",
                proof: cells.dropFirst(3).joined(separator: "|"))
        }
    }

    @Test func `every feature has one row with a state`() throws {
        let features = Self.features(in: try Checkout.text("FEATURES.md"))
        let counts = [("A", 74), ("B", 20), ("C", 72), ("D", 25), ("E", 25), ("F", 12)]
        let ids = counts.flatMap { letter, count in (1...count).map { "\(letter)\($0)" } }
        #expect(features.map(\.id) == ids)
        for feature in features {
            #expect(["works", "partly", "no"].contains(feature.state), "\(feature)")
            #expect(!feature.proof.isEmpty, "\(feature.id) has neither proof nor reason")
        }
    }

    /// What a note beside a proof admits to be missing, or `nil`. Names of tests and commands, which
    /// stand between backticks, admit nothing.
    static func admission(in proof: String) -> String? {
        let note = proof.replacing(/`[^`]*`/, with: "")
        let words = /(?i)\b(no|not|none|yet|nobody|never|missing|lacks|isn't|doesn't|todo)\b/
        return note.firstMatch(of: words).map { String($0.1) }
    }

    /// What works does so without a reservation; with one it works partly.
    @Test func `a feature that works has no note that something is missing`() throws {
        for proof in [
            "`a test`; no kiosk page", "`a test`; not yet", "`a test`; that part is not built",
            "`a test`; (a virtual controller, no run on hardware)", "`a test`; No page",
            "a note; what it costs is not measured", "`a test`; the page lacks it",
        ] {
            #expect(Self.admission(in: proof) != nil, "\(proof)")
        }
        for proof in [
            "`nobody is at two sites`", "`a test` (fails below 85 %)", "`grep x` finds nothing",
            "`no shell may import another`; (they meet in the node)", "another notion",
        ] {
            #expect(Self.admission(in: proof) == nil, "\(proof)")
        }
        for feature in Self.features(in: try Checkout.text("FEATURES.md"))
        where feature.state == "works" {
            let admission = Self.admission(in: feature.proof)
            #expect(
                admission == nil, "\(feature.id) works, and its note says “\(admission ?? "")”")
        }
    }

    /// A proof is the name of a test, or a command; this one looks for the tests.
    @Test func `the tests that prove a feature exist`() throws {
        let swift = try Checkout.swift(in: "Tests").map(\.text).joined()
        let python = try Checkout.files(in: "Tests", ending: ".py").map(\.text).joined()
        let commands = [
            "swift ", "grep ", "deploy/", ".ci/", "beaconmesh ", "mesh-lab ", "sqlite3 ",
        ]
        for feature in Self.features(in: try Checkout.text("FEATURES.md"))
        where feature.state != "no" {
            let proofs = feature.proof.matches(of: /`([^`]+)`/).map { String($0.1) }
            #expect(!proofs.isEmpty, "\(feature.id) proves nothing")
            for proof in proofs where !commands.contains(where: proof.hasPrefix) {
                if proof.hasSuffix(".md") {
                    #expect(throws: Never.self, "\(feature.id)") { try Checkout.text(proof) }
                } else if proof.hasPrefix("test_") {
                    #expect(python.contains("def \(proof)("), "\(feature.id): \(proof)")
                } else {
                    #expect(swift.contains("func `\(proof)`"), "\(feature.id): \(proof)")
                }
            }
        }
    }

    @Test func `every schema has good and bad examples`() throws {
        let schemas = try Checkout.files(in: "schemas", ending: ".v1.json")
        #expect(schemas.count > 20)
        for schema in schemas {
            let name = schema.path.dropFirst("schemas/".count).dropLast(".v1.json".count)
            let folder = Checkout.root.appending(path: "schemas/examples/\(name)")
            let examples = try FileManager.default.contentsOfDirectory(
                atPath: folder.path(percentEncoded: false))
            #expect(examples.contains { $0.hasPrefix("good-") }, "\(name)")
            #expect(examples.contains { $0.hasPrefix("bad-") }, "\(name)")
        }
    }

    /// What the pages have words for is what can be raised.
    @Test func `every alert has a page by its id, and a row in their list`() throws {
        let words = try Checkout.text("Sources/Shells/WebServer/Page/words/en.json")
        let ids = words.matches(of: /"remedy\.([a-z-]+)"/).map { String($0.1) }
        #expect(ids.contains("half-deaf"))
        let list = try Checkout.text("docs/alerts/README.md")
        for id in ids {
            #expect(list.contains("](\(id).md)"), "\(id)")
            #expect(try Checkout.text("docs/alerts/\(id).md").hasPrefix("# "), "\(id)")
        }
    }

    @Test func `every verb is in the document of the command line`() throws {
        let names = try Checkout.swift(in: "Sources").flatMap { file in
            file.text.matches(of: /commandName: "([a-z-]+)"/).map { String($0.1) }
        }.filter { !$0.hasPrefix("beacon") && !["mesh-lab", "set", "run", "seed"].contains($0) }
        #expect(names.contains("demo"))
        let document = try Checkout.text("docs/cli.md")
        for name in names { #expect(document.contains("| `\(name)` |"), "\(name)") }
    }
}

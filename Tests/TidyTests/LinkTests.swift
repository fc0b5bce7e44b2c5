import Foundation
import Testing

/// Links of the documents lead somewhere, and the picture of the package is up to date.
struct LinkTests {
    /// The folders whose documents are looked at, besides the root's own.
    static let folders = ["docs", "deploy", "schemas"]

    static func documents() throws -> [Checkout.File] {
        let root = Checkout.root.path(percentEncoded: false)
        let own = try FileManager.default.contentsOfDirectory(atPath: root)
            .filter { $0.hasSuffix(".md") }.sorted()
        var found: [Checkout.File] = []
        for path in own { found.append(Checkout.File(path: path, text: try Checkout.text(path))) }
        for folder in folders { found += try Checkout.files(in: folder, ending: ".md") }
        return found
    }

    /// The lines outside fenced blocks, without what stands between backticks.
    static func prose(_ text: String) -> [String] {
        var isFenced = false
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isFenced.toggle()
            } else if !isFenced {
                lines.append(String(line))
            }
        }
        return lines
    }

    /// Targets of links that are not addresses of the web.
    static func targets(in text: String) -> [String] {
        prose(text).map { $0.replacing(/`[^`]*`/, with: "x") }.flatMap { line in
            line.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
        }.filter { !$0.hasPrefix("http://") && !$0.hasPrefix("https://") }
    }

    /// The anchors of the headings, as GitHub makes them.
    static func anchors(in text: String) -> Set<String> {
        Set(
            prose(text).filter { $0.hasPrefix("#") }.map { line in
                let heading = line.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
                return String(
                    heading.compactMap { letter -> Character? in
                        if letter == " " { return "-" }
                        return letter.isLetter || letter.isNumber || letter == "-" || letter == "_"
                            ? letter : nil
                    })
            })
    }

    /// Links that lead nowhere. `read` gives the text of a file, `nil` if it is not there; a folder's
    /// text is empty.
    static func faults(in document: Checkout.File, read: (String) -> String?) -> [String] {
        targets(in: document.text).compactMap { target in
            let parts = target.split(
                separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            var path = document.path.split(separator: "/").dropLast().map(String.init)
            for step in parts[0].split(separator: "/") {
                if step == ".." {
                    guard path.popLast() != nil else { return "\(document.path): \(target)" }
                } else if step != "." {
                    path.append(String(step))
                }
            }
            let place = parts[0].isEmpty ? document.path : path.joined(separator: "/")
            let text = parts[0].isEmpty ? document.text : read(place)
            guard let text else { return "\(document.path): \(target)" }
            guard parts.count == 2 else { return nil }
            return anchors(in: text).contains(String(parts[1]))
                ? nil : "\(document.path): \(target)"
        }
    }

    @Test func `every link of a document leads somewhere`() throws {
        let documents = try Self.documents()
        #expect(documents.contains { $0.path == "docs/ARCHITECTURE.md" })
        let faults = documents.flatMap { document in
            Self.faults(in: document) { path in
                let url = Checkout.root.appending(path: path)
                guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
                else { return nil }
                return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
            }
        }
        #expect(faults == [])
    }

    @Test func `a link that leads nowhere is noticed`() {
        let files = ["docs/a.md": "# The `first` part, again\n", "README.md": "# Top\n"]
        func faults(_ text: String) -> Int {
            Self.faults(in: Checkout.File(path: "docs/b.md", text: text)) { files[$0] }.count
        }
        for good in [
            "[a](a.md)", "[a](../README.md#top)", "[a](a.md#the-first-part-again)",
            "# Here\n[a](#here)", "[a](https://example.org/none)", "`[a](none.md)`",
            "```\n[a](none.md)\n```",
        ] {
            #expect(faults(good) == 0, "\(good)")
        }
        for bad in [
            "[a](none.md)", "[a](README.md)", "[a](../../README.md)", "[a](a.md#second)", "[a](#b)",
        ] {
            #expect(faults(bad) == 1, "\(bad)")
        }
    }

    @Test func `the picture shows the package as it is`() throws {
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/env")
        python.arguments = ["python3", "docs/draw-architecture.py", "--check"]
        python.currentDirectoryURL = Checkout.root
        try python.run()
        python.waitUntilExit()
        #expect(python.terminationStatus == 0, "run docs/draw-architecture.py")
    }
}

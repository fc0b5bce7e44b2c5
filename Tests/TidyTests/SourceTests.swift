import Foundation
import Testing

/// What holds for every source file.
struct SourceTests {
    /// A value type that lives only for its machine stands in the machine's file.
    @Test func `few files are tiny, and half of them have a hundred lines`() throws {
        let sizes = try Checkout.swift(in: "Sources").map { file in
            file.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        }.sorted()
        #expect(sizes[sizes.count / 2] >= 100)
        #expect(sizes.count { $0 < 30 } * 20 <= sizes.count)
    }

    /// Pointers stay beside C: a file that speaks of them imports a C library, the C library
    /// itself, or Foundation, which stands for it; and it is no file of the core.
    static func pointers(in files: [Checkout.File]) -> [String] {
        let beside: Set = ["CBlueZ", "CMosquitto", "CCrypto", "CZlib", "Glibc", "Foundation"]
        return files.compactMap { file in
            let names = SwiftText.names(in: SwiftText.code(of: file.text))
            guard
                let name = names.first(where: {
                    $0.contains("Unsafe") || $0 == "OpaquePointer" || $0 == "Unmanaged"
                })
            else { return nil }
            let isBeside = !beside.isDisjoint(with: SwiftText.imports(of: file.text))
            let isCore = file.layer == "Core"
            return isBeside && !isCore ? nil : "\(file.path): \(name)"
        }
    }

    @Test func `pointers stay beside C`() throws {
        #expect(Self.pointers(in: try Checkout.swift(in: "Sources")) == [])
    }

    @Test func `a pointer elsewhere is noticed`() {
        let body = "func f(_ p: UnsafeRawPointer) {}\n"
        let file = { (room: String, text: String) in
            Checkout.File(path: "Sources/\(room)/X.swift", text: text)
        }
        #expect(Self.pointers(in: [file("Shells/Radio", "import Glibc\n" + body)]) == [])
        #expect(Self.pointers(in: [file("Shells/Radio", body)]).count == 1)
        #expect(Self.pointers(in: [file("Core/SiteModel", "import Glibc\n" + body)]).count == 1)
        #expect(Self.pointers(in: [file("Shells/Radio", "// UnsafeRawPointer\n")]) == [])
    }

    /// What the compiler does not check is proved in a comment beside it.
    static func unproved(in files: [Checkout.File]) -> [String] {
        files.flatMap { file in
            let code = SwiftText.code(of: file.text).split(
                separator: "\n", omittingEmptySubsequences: false)
            let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
            return code.indices.filter { index in
                guard code[index].contains("@unchecked") || code[index].contains("(unsafe)") else {
                    return false
                }
                let around = lines[max(0, index - 2)...min(index + 2, lines.count - 1)]
                return !around.contains { $0.contains("//") }
            }.map { "\(file.path):\($0 + 1)" }
        }
    }

    @Test func `what the compiler cannot check is proved in words`() throws {
        #expect(Self.unproved(in: try Checkout.swift(in: "Sources")) == [])
        let bare = Checkout.File(path: "X.swift", text: "final class A: @unchecked Sendable {}\n")
        #expect(Self.unproved(in: [bare]).count == 1)
    }

    @Test func `what is left to do has the number of an issue`() throws {
        let mark = "TO" + "DO"
        let rule = try Regex("\(mark)(?!\\(#[0-9]+\\))")
        #expect("// \(mark): later".contains(rule))
        #expect(!"// \(mark)(#12): later".contains(rule))
        for folder in ["Sources", "Tests", "deploy", "schemas"] {
            for ending in [".swift", ".py", ".sh", ".js", ".md", ".c", ".h"] {
                for file in try Checkout.files(in: folder, ending: ending) {
                    #expect(!file.text.contains(rule), "\(file.path)")
                }
            }
        }
    }

    @Test func `no path of somebody's home`() throws {
        let homes = ["home", "root", "Users"].map { "/\($0)/" }
        for file in try Checkout.swift(in: "Sources") + Checkout.swift(in: "Tests") {
            for home in homes {
                #expect(!file.text.contains(home), "\(file.path) mentions \(home)")
            }
        }
    }
}

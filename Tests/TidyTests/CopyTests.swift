import Foundation
import Testing

/// What stands once: the mark of a copy, and the files that may bear it.
struct CopyTests {
    /// A piece of code that nobody needs who uses what stands already.
    struct Mark: Sendable {
        var what: String
        var code: @Sendable (String) -> Bool
        /// Beginnings of the paths where it belongs.
        var home: [String]
    }

    static let marks = [
        Mark(
            what: "hexadecimal digits (Hex)", code: { $0.contains("radix: 16") },
            home: ["Sources/Core/Basics/Hex.swift"]),
        Mark(
            what: "a binary search (partitioningIndex)",
            code: { $0.contains("while low < high") || $0.contains("while high - low > 1") },
            home: ["Sources/Core/Basics/PartitioningIndex.swift"]),
        Mark(
            what: "mixing of bits (SplitMix64)",
            code: { $0.replacing("_", with: "").uppercased().contains("0XBF58476D1CE4E5B9") },
            home: ["Sources/Core/Basics/SplitMix64.swift"]),
        Mark(
            what: "libcrypto (SHA256, LibCrypto)", code: { $0.contains("EVP_") },
            home: ["Sources/Shells/Ciphers/"]),
        Mark(
            what: "a calendar (SiteCalendar)", code: { $0.contains("Calendar(identifier:") },
            home: []),
        Mark(
            what: "standard error (StandardError)",
            code: { $0.contains("FileHandle.standardError") || $0.contains("write(STDERR_FILENO") },
            home: ["Sources/Shells/Platform/StandardError.swift"]),
        Mark(
            what: "ever rarer lines (LogThrottle.isTold)",
            code: { $0.contains(/(\w+) & \(\1 - 1\) == 0/) },
            home: ["Sources/Shells/Platform/LogThrottle.swift"]),
        Mark(
            what: "a loop around an MQTT client (BrokerSession)",
            code: { $0.contains(".readable()") || $0.contains(".misc()") },
            home: ["Sources/Shells/Broker/"]),
        Mark(
            what: "a filter of hostile text (HarmlessText)",
            code: { $0.contains("case .control") || $0.contains("== .control") },
            home: [
                "Sources/Core/Basics/HarmlessText.swift",
                // What hides a formula, and what a setting may hold: more and less than a screen.
                "Sources/Business/Reporting/CSVText.swift",
                "Sources/Shells/Settings/SettingsReader+Values.swift",
            ]),
    ]

    static func copies(in files: [Checkout.File]) -> [String] {
        files.flatMap { file in
            let code = SwiftText.code(of: file.text)
            return marks.filter { mark in
                !mark.home.contains(where: file.path.hasPrefix) && mark.code(code)
            }.map { "\(file.path) has a copy of \($0.what)" }
        }
    }

    @Test func `what stands once is not written again`() throws {
        #expect(Self.copies(in: try Checkout.swift(in: "Sources")) == [])
    }

    @Test(arguments: [
        "let x = String(y, radix: 16)", "while low < high {}", "x &*= 0xbf58476d1ce4e5b9",
        "EVP_Digest()", "var c = Calendar(identifier: .iso8601)",
        "FileHandle.standardError.write(x)", "guard n <= 3 || n & (n - 1) == 0 else { return }",
        "case .control, .format: false",
    ])
    func `a copy is noticed`(line: String) {
        let file = Checkout.File(path: "Sources/Core/Wire/X.swift", text: "// EVP_\n\(line)\n")
        #expect(Self.copies(in: [file]).count == 1)
    }
}

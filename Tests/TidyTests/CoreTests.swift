import Testing

/// The core must give the same answer twice, so it may not look at the world.
struct CoreTests {
    static let banned: Set<Substring> = [
        // Clocks.
        "Date", "Clock", "ContinuousClock", "SuspendingClock", "DispatchTime", "clock_gettime",
        // Files and the terminal.
        "FileManager", "FileHandle", "fopen", "print", "debugPrint", "dump", "readLine",
        // Dice, and orders that differ from run to run.
        "SystemRandomNumberGenerator", "randomElement", "shuffled", "shuffle", "Hasher",
        "hashValue",
        // Tasks.
        "Task", "TaskGroup", "async", "await", "actor", "Thread", "DispatchQueue",
        // The end of the process.
        "fatalError", "exit", "abort",
    ]

    static func faults(in files: [Checkout.File]) -> [String] {
        files.flatMap { file in
            // What a value adds to a hash is no order yet; asking a hasher for one is.
            let code = SwiftText.code(of: file.text).replacing(
                "hash(into hasher: inout Hasher)", with: "")
            var found = SwiftText.names(in: code).filter(banned.contains)
            // `random` alone is a kind of Bluetooth address.
            if code.contains(".random(") { found.append("random(") }
            return found.map { "\(file.path) mentions \($0)" }
        }
    }

    @Test func `the core has no clock, no files and no dice`() throws {
        #expect(Self.faults(in: try Checkout.swift(in: "Sources/Core")) == [])
    }

    @Test(arguments: [
        "let now = Date()", "let x = Int.random(in: 0..<2)", "Task { work() }", "print(x)",
        "func f() async {}", "let c: any Clock",
    ])
    func `a look at the world is noticed`(line: String) {
        let harmless = "// Date() is not for us.\nlet clocks = \"Clock()\"\ncase random = 1\n"
        let file = { Checkout.File(path: "Sources/Core/SiteModel/X.swift", text: $0) }
        #expect(Self.faults(in: [file(harmless)]) == [])
        #expect(Self.faults(in: [file(harmless + line + "\n")]).count == 1)
    }
}

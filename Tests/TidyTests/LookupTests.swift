import Testing

/// On the path of a message nothing is looked for by its row from the front of a list.
struct LookupTests {
    /// Once a request or once a plan, in lists of a few.
    private static let allowed: Set<String> = [
        "CommandDeduplicator.swift", "OffsetLinks.swift", "Training.swift", "ZoneTable.swift",
    ]

    /// Searches for an element by its own row, or by that of its node.
    static func faults(in file: Checkout.File) -> [String] {
        let name = file.path.split(separator: "/").last.map(String.init) ?? ""
        guard !allowed.contains(name) else { return [] }
        let search =
            /(?:firstIndex|first)\s*(?:\(where:\s*)?\{\s*(?:\w+ in\s*)?\$?\w+(?:\.node)?\.id\s*==/
        return file.text.matches(of: search).map { "\(file.path): \($0.output)" }
    }

    @Test func `rows of a plan are found by its index`() throws {
        #expect(try Checkout.swift(in: "Sources/Core").flatMap(Self.faults) == [])
    }

    @Test(arguments: [
        "plan.nodes.firstIndex(where: { $0.id == node })", "users.firstIndex { $0.id == user }",
        "watches.firstIndex { $0.node.id == node }", "stations.first { $0.id == station }?.room",
    ])
    func `a search is noticed`(line: String) {
        let file = Checkout.File(
            path: "Sources/Core/SiteModel/X.swift", text: "let x = \(line)\n")
        #expect(Self.faults(in: file).count == 1)
        let harmless = Checkout.File(
            path: "Sources/Core/SiteModel/X.swift",
            text: "let x = clocks.first { $0.boot == boot }\n")
        #expect(Self.faults(in: harmless) == [])
    }
}

import Testing

/// How often things are told stands in the programs; the page greys what is three times as old.
struct PageIntervalTests {
    @Test(arguments: [
        ("clock", "Sources/Shells/WebServer/WebServer.swift", "clockInterval"),
        ("heard", "Sources/Core/NodeEngine/NodeCore.swift", "secondsPerBeat"),
        ("presence", "Sources/Core/SiteEngine/Mesh/LiveStates.swift", "glance"),
        ("beacon", "Sources/Core/SiteEngine/Mesh/LiveStates.swift", "beaconRefresh"),
        ("health", "Sources/Core/NodeEngine/NodeCore.swift", "secondsPerHealth"),
    ])
    func `the page knows how often it is told`(what: String, path: String, name: String) throws {
        let code = try Regex("let \(name)[^=\n]* = (?:[A-Za-z.]+seconds\\()?(\\d+)\\)?\n")
        let page = try Regex("\n    \(what): (\\d+),\n")
        let told = try #require(try Checkout.text(path).firstMatch(of: code)?[1].substring)
        let known = try #require(
            try Checkout.text("Sources/Shells/WebServer/Page/data/clock.js").firstMatch(of: page)?[
                1
            ]
            .substring)
        #expect(known == told + "000")
    }

    @Test func `no other number says from when on something is old`() throws {
        let files = try Checkout.files(in: "Sources/Shells/WebServer/Page", ending: ".js")
        #expect(files.count > 10)
        for file in files where !file.path.hasSuffix("data/clock.js") {
            #expect(!file.text.contains("STALE_MS ="), "\(file.path)")
        }
    }
}

import Foundation
import Testing

/// A file that is named and is not there ends every verb alike.
@Suite(.ownThread) struct ProcessMissingFileTests {
    private static let verbs: [[String]] = [
        ["who"], ["why", "x"], ["attendance", "list"], ["attendance", "check-in", "x"],
        ["attendance", "lock", "--through", "2026-01-01", "--reason", "x"], ["audit", "list"],
        ["audit", "verify"], ["export", "u-x"], ["erase", "u-x", "--yes"], ["retain", "--dry-run"],
        ["calibrate", "list"], ["shift", "list"], ["leave", "list", "--from", "2026-01-01"],
        ["feed", "list"], ["account", "list"], ["token", "list"], ["webhook", "list"],
        ["notifications", "show"], ["room", "list"], ["station", "show", "x"],
        ["node", "identify", "x"],
        ["user", "retire", "x"], ["beacon", "bind", "x", "y"], ["api", "GET", "/api/v1/site"],
        ["do", "workout-start", "user=x"],
        ["enrol", "kiosk", "x"], ["revoke", "x"], ["broker", "list"],
    ]

    @Test func `without the file that is named every verb ends with 78, and makes none`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let none = site.file("none")
        let text = try site.write("no database, but longer than nothing\n", to: "text")
        var asked: [[String]] = []
        for verb in Self.verbs {
            asked += [["--database", none], ["--database", text], ["--config", none]].map {
                verb + $0
            }
        }
        asked += [none, text].map { ["backup", "--database", $0] }
        asked += [
            ["import", none, "--database", site.database],
            ["restore", "--from", none, "--database", site.database],
            ["replay", none], ["decode", "--btsnoop", none], ["scan", "--capture", none],
            ["record", "--config", none, "--out", site.file("out"), "--seconds", "1"],
            ["broker", "config", "--out", none, "--database", site.database],
            ["broker", "config", "--out", text, "--database", site.database],
            ["enrol", "kiosk", "x", "--broker-files", none, "--database", site.database],
        ]
        for words in asked {
            let program = try site.run("beaconmesh", words)
            #expect(program.status == 78, "\(words): \(program.errors)")
            #expect(program.errors.contains(none) || program.errors.contains(text), "\(words)")
        }
        #expect(!FileManager.default.fileExists(atPath: none))
        #expect(try site.rows("SELECT count(*) FROM broker_identity") == ["0"])
    }
}

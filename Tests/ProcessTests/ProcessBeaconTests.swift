import Foundation
import Testing

@testable import SiteModel

/// Who carries which beacon, changed while a coordinator runs.
@Suite(.ownThread) struct ProcessBeaconTests {
    @Test func `a beacon given until a moment counts for nobody after it`() throws {
        var text = SiteText()
        text.leave = 1
        let site = try RunningSite(text)
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        site.air = ["n-press": [0: -50]]
        try site.wait("somebody is in") { site.presence(0)?.state == .present }
        func verb(_ words: [String]) throws -> RunningProgram {
            try site.run("beaconmesh", ["beacon"] + words + ["--database", site.database])
        }
        let (beacon, user) = (site.people[0].beaconSlug, site.people[0].slug)
        let until = Date(timeIntervalSinceNow: 4).formatted(.iso8601)
        let bound = try verb(["bind", beacon, site.people[0].name, "--until", until])
        #expect(bound.status == 0 && bound.output.contains(user), "\(bound.errors)")
        try site.wait("it counts no more, though it is heard") {
            site.presence(0)?.state == .notPresent
        }
        #expect(until < Date().formatted(.iso8601))
        // Nobody had to do anything: the plan is the one of the binding.
        #expect(try site.rows("SELECT count(*) FROM revision") == ["2"])
        #expect(try verb(["bind", beacon, user]).status == 0)
        try site.wait("it counts again") { site.presence(0)?.state == .present }
        #expect(try verb(["unbind", beacon]).status == 0)
        try site.wait("it was taken back") { site.presence(0)?.state == .notPresent }
        let history = try verb(["history", beacon, "--json"])
        let whole = try #require(
            try JSONSerialization.jsonObject(with: Data(history.output.utf8)) as? [String: Any])
        let bindings = try #require(whole["bindings"] as? [[String: Any]])
        #expect(bindings.count == 2 && bindings.allSatisfy { $0["to_ms"] is Int })
        #expect((whole["identities"] as? [Any])?.count == 1)
        #expect(try verb(["history", "b-no"]).status == 3)
        #expect(try verb(["bind", beacon, user, "--until", "tomorrow"]).status == 5)
    }
}

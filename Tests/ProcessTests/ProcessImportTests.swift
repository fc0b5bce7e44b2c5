import Foundation
import Testing

@testable import Wire

/// A site that is changed while its coordinator runs.
@Suite(.ownThread) struct ProcessImportTests {
    @Test func `a new revision is in force within three seconds, and sessions stay`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes()
        site.air = ["n-press": [0: -50], "n-row": [1: -50]]
        try site.wait("they are at their stations") {
            site.presence(0)?.station == "press" && site.presence(1)?.station == "row"
        }
        try site.wait("both are in") {
            site.attendance(0)?.state == .checkedIn && site.attendance(1)?.state == .checkedIn
        }
        try site.ask(.startWorkout, user: 1, station: "row")
        let sessions = try site.rows("SELECT session_id, user, check_in_ms, state FROM v_session")
        #expect(sessions.count == 2)

        var text = site.site
        text.rooms.append("sauna")
        text.stations.append(("bench", "sauna"))
        let printed = try site.importSite(text)
        #expect(printed.contains("sauna"), "\(printed)")
        #expect(printed.contains("revision 2 is in force"), "\(printed)")
        let topics = [
            site.topics[.roomInfo, "sauna"], site.topics[.roomState, "sauna"],
            site.topics[.stationInfo, "bench"], site.topics[.stationState, "bench"],
        ]
        try site.wait("the new room is told", within: 3) {
            topics.allSatisfy { site.watcher.latest[$0] != nil }
        }
        #expect(try site.retained()[topics[0]] != nil)
        let desired = site.topics[.nodeConfiguration, "n-press"]
        #expect(
            site.watcher.messages.count { $0.topic == desired } == 1,
            "rooms and stations are of no concern to a node")

        // The station somebody trains at, with its node, and a person who is in.
        text.stations.removeAll { $0.0 == "row" }
        text.nodes = [("n-press", "press"), ("n-row", "bench")]
        try site.importSite(text)
        let gone = [site.topics[.stationInfo, "row"], site.topics[.stationState, "row"]]
        try site.wait("the old station is cleared", within: 3) {
            gone.allSatisfy { site.watcher.latest[$0] == nil }
        }
        let kept = try site.retained()
        #expect(gone.filter { kept[$0] != nil } == [])
        try site.wait("they are at the new station") { site.presence(1)?.station == "bench" }
        try site.ask(.completeWorkout, user: 1)
        #expect(try site.rows("SELECT state, station FROM v_workout") == ["completed -"])
        #expect(
            try site.rows("SELECT session_id, user, check_in_ms, state FROM v_session") == sessions)
        #expect(site.coordinator?.isRunning == true, "\(site.coordinator?.errors ?? "")")
    }

    @Test func `somebody taken out of the site is no longer spoken of`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes()
        site.air = ["n-press": [0: -50, 1: -52]]
        try site.wait("both are in") {
            site.attendance(0)?.state == .checkedIn && site.attendance(1)?.state == .checkedIn
        }
        try site.ask(.startWorkout, user: 0, station: "press")
        let gone = site.people[0]
        var text = site.site
        text.people.removeFirst()
        try site.importSite(text)
        let topics = [
            site.topics[.presence, gone.slug], site.topics[.attendance, gone.slug],
            site.topics[.workout, gone.slug], site.topics[.beaconInfo, gone.beaconSlug],
            site.topics[.beaconState, gone.beaconSlug],
        ]
        try site.wait("their topics are cleared") {
            topics.allSatisfy { site.watcher.latest[$0] == nil }
        }
        let words = [gone.slug, gone.name, gone.beaconSlug]
        try site.wait("the page has forgotten them") {
            let page = try site.page("api/v1/snapshot")
            return !words.contains { page.contains($0) }
        }
        // The other one, who is the first now, goes on.
        site.air = ["n-press": [0: -50]]
        try site.wait("the other is at the press") { site.presence(0)?.station == "press" }
        try #require(site.coordinator).kill()
        try site.startCoordinator()
        let kept = try site.retained()
        #expect(topics.filter { kept[$0] != nil } == [])
        let again = try site.page("api/v1/snapshot")
        #expect(words.filter { again.contains($0) } == [])
    }

    @Test func `who is in is shown to people and to programs`() throws {
        var text = SiteText()
        text.people[1].name = "Eve"
        let site = try RunningSite(text)
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes()
        site.air = ["n-press": [1: -50]]
        try site.wait("she is at the press") { site.presence(1)?.station == "press" }
        try site.wait("she is in") { site.attendance(1)?.state == .checkedIn }
        let table = try site.run("beaconmesh", ["who", "--database", site.database])
        #expect(table.status == 0)
        let lines = table.output.split(separator: "\n")
        #expect(lines.count == 3, "\(table.output)")
        #expect(lines[1].contains("Eve"))
        #expect(lines[1].contains("hall") && lines[1].contains("press"))
        #expect(lines.last == "1 in. Times: UTC")

        let json = try site.run("beaconmesh", ["who", "--database", site.database, "--json"])
        struct Line: Decodable {
            var user: String
            var name: String
            var check_in_ms: Int64
            var room: String?
            var station: String?
        }
        let who = try JSONDecoder().decode([Line].self, from: Data(json.output.utf8))
        #expect(who.map(\.user) == [site.people[1].slug])
        #expect(who.map(\.name) == ["Eve"])
        #expect(who.map(\.station) == ["press"])
        #expect(who.first?.check_in_ms == site.attendance(1)?.checkInMs)
        let nobody = try site.run("beaconmesh", ["who", "--database", site.file("none.sqlite")])
        #expect(nobody.status == 78)
        #expect(!FileManager.default.fileExists(atPath: site.file("none.sqlite")))
    }

    @Test func `a site file with faults changes nothing`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let text = site.site.text.replacingOccurrences(of: "room: annex", with: "room: attic")
        let file = try site.write(text, to: "faulty.yaml")
        let program = try site.run("beaconmesh", ["import", file, "--database", site.database])
        #expect(program.status == 78)
        #expect(program.output == "")
        #expect(program.errors.contains("there is no room \"attic\""), "\(program.errors)")
        #expect(program.errors.contains("faulty.yaml:"), "\(program.errors)")
        #expect(try site.rows("SELECT revision FROM site") == ["1"])

        let other = try site.write(
            site.site.text.replacingOccurrences(of: "The annex", with: "The shed"),
            to: "other.yaml")
        let arguments = ["import", other, "--database", site.database]
        let shown = try site.run("beaconmesh", arguments + ["--dry-run"])
        #expect(shown.status == 0)
        #expect(shown.output.contains("The shed"), "\(shown.output)")
        #expect(try site.rows("SELECT revision FROM site") == ["1"])
        #expect(try site.run("beaconmesh", arguments).status == 0)
        #expect(try site.run("beaconmesh", arguments).output.contains("nothing to change"))
        #expect(try site.rows("SELECT revision FROM site") == ["2"])
    }

    /// Every row of a large file is another one; a kill meets some of the imports between two rows.
    @Test func `an import that a kill meets is there whole or not at all`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        func text(_ name: String) -> String {
            let people = (0..<3000).map { "  - {id: u-many-\($0), name: \(name)}\n" }.joined()
            return site.site.text.replacing("beacons:\n", with: people + "beacons:\n")
        }
        func stored() throws -> [String] {
            try site.rows(
                """
                SELECT (SELECT revision FROM site), count(*), count(DISTINCT name), min(name)
                FROM user WHERE slug LIKE 'u-many-%'
                """)
        }
        let first = try site.write(text("A"), to: "large.yaml")
        #expect(
            try site.run("beaconmesh", ["import", first, "--database", site.database]).status == 0)
        #expect(try stored() == ["2 3000 1 A"])
        var (revision, name, unfinished) = (2, "A", 0)
        for round in 0..<8 {
            try site.startCoordinator()
            let next = "N\(round)"
            let file = try site.write(text(next), to: "large.yaml")
            let program = try RunningProgram(
                "beaconmesh", ["import", file, "--database", site.database], in: site.directory)
            // Each round is killed at a later moment: before, while and after rows are written.
            Thread.sleep(forTimeInterval: 0.4 + Double(round) * 0.25)
            site.coordinator?.kill()
            try site.wait("the import ends") { !program.isRunning }
            if program.status != 0 { unfinished += 1 }
            let found = try stored()
            let (old, new) = ("\(revision) 3000 1 \(name)", "\(revision + 1) 3000 1 \(next)")
            #expect(found == [old] || found == [new], "\(round): \(found)")
            if program.status == 0 { #expect(found == [new]) }
            if found == [new] { (revision, name) = (revision + 1, next) }
        }
        #expect(unfinished > 0, "no kill met an import")
        let audit = try site.run("beaconmesh", ["audit", "verify", "--database", site.database])
        #expect(audit.status == 0, "\(audit.errors)")
    }
}

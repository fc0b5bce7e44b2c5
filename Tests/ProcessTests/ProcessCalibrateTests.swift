import Foundation
import Testing

/// Teaching a running site its places: real nodes, broker, coordinator and command.
@Suite(.ownThread) struct ProcessCalibrateTests {
    private func calibrate(_ site: RunningSite, _ words: [String]) throws -> RunningProgram {
        try site.run("beaconmesh", ["calibrate"] + words)
    }

    @Test func `standing and applying is in force in a running coordinator, and is rolled back`()
        throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes()
        let config = ["--config", site.file("coordinator.yaml")]
        let person = site.people[0]
        let listen = config + ["--beacon", person.beaconSlug, "--seconds", "10"]
        site.air = ["n-press": [0: -50], "n-row": [0: -75]]
        try site.wait("they are at the press") { site.presence(0)?.station == "press" }

        let press = try calibrate(site, ["stand", "press"] + listen)
        #expect(press.status == 0, "\(press.errors)")
        #expect(press.output.contains(" s at press are stored"), "\(press.output)")
        #expect(press.errors.contains("n-press -50 dBm"), "\(press.errors)")
        #expect(try site.rows("SELECT revision FROM site") == ["1"], "nothing changes yet")

        site.air = ["n-press": [0: -76], "n-row": [0: -52]]
        try site.wait("they are at the row") { site.presence(0)?.station == "row" }
        let row = try calibrate(
            site, ["stand", "row", "--user", person.name] + config + ["--seconds", "10"])
        #expect(row.status == 0, "\(row.errors)")
        #expect(
            try site.rows("SELECT stretch, source, carrier, seconds >= 8 FROM survey ORDER BY id")
                == ["1 stand \(person.beaconSlug) 1", "2 stand \(person.beaconSlug) 1"])

        let shown = try calibrate(site, ["show", "--json"] + config)
        #expect(shown.output.contains("\"place\":\"press\""), "\(shown.output)")
        let applied = try calibrate(site, ["apply"] + config)
        #expect(applied.status == 0, "\(applied.errors)")
        #expect(applied.output.contains("model 1 is in force: 2 places"), "\(applied.output)")
        try site.wait("the coordinator has it", within: 5) {
            site.coordinator?.errors.contains("revision 2 of site gym is in force") ?? false
        }
        try site.wait("they are at the row with it") { site.presence(0)?.station == "row" }

        let list = try calibrate(site, ["list", "--database", site.database])
        #expect(list.output.contains("in force"), "\(list.output)")
        let back = try calibrate(site, ["rollback", "0"] + config)
        #expect(back.output.contains("no model is in force"), "\(back.output)")
        try site.wait("the coordinator is back", within: 5) {
            site.coordinator?.errors.contains("revision 3 of site gym is in force") ?? false
        }
        #expect(try calibrate(site, ["rollback", "9"] + config).status == 3)
        #expect(try site.rows("SELECT revision FROM site") == ["3"])
    }

    @Test func `who is not heard, or walks off, teaches nothing`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes()
        let config = ["--config", site.file("coordinator.yaml")]
        let listen = config + ["--beacon", site.people[0].beaconSlug]
        let unheard = try calibrate(site, ["stand", "press"] + listen)
        #expect(unheard.status == 75)
        #expect(unheard.errors.contains("for 10 s"), "\(unheard.errors)")

        site.air = ["n-press": [0: -45], "n-row": [0: -80]]
        let walking = try RunningProgram(
            "beaconmesh", ["calibrate", "stand", "press"] + listen, in: site.directory)
        try site.wait("half a stand") { walking.errors.contains(/1[0-9] of 60 s/) }
        site.air = ["n-press": [0: -80], "n-row": [0: -45]]
        try site.wait("it is noticed") { !walking.isRunning }
        #expect(walking.status == 75)
        #expect(walking.errors.contains("walks"), "\(walking.errors.suffix(300))")
        #expect(try site.rows("SELECT count(*) FROM survey") == ["0"])

        let nowhere = try calibrate(site, ["stand", "attic"] + listen)
        #expect(nowhere.status == 3)
        #expect(nowhere.errors.contains("there is The hall (hall), press,"), "\(nowhere.errors)")
        let nothing = try calibrate(site, ["apply"] + config)
        #expect(nothing.status == 75)
        #expect(try site.rows("SELECT revision FROM site") == ["1"])
    }

    @Test func `who stands at another place is doubted before anything is stored`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes()
        let words = [
            "stand", "row", "--beacon", site.people[0].beaconSlug, "--seconds", "10", "--config",
            site.file("coordinator.yaml"),
        ]
        site.air = ["n-press": [0: -50], "n-row": [0: -75]]
        let doubted = try calibrate(site, words)
        #expect(doubted.status == 75)
        #expect(
            doubted.errors.contains(
                "at row: n-press of press was loudest, -50 dBm against -75 dBm of n-row here"),
            "\(doubted.errors.suffix(400))")
        #expect(doubted.errors.contains("--force"), "\(doubted.errors.suffix(400))")
        #expect(try site.rows("SELECT count(*) FROM survey") == ["0"])

        let forced = try calibrate(site, words + ["--force"])
        #expect(forced.status == 0, "\(forced.errors.suffix(400))")
        #expect(forced.errors.contains("n-press of press was loudest"))
        #expect(try site.rows("SELECT count(*) FROM survey") == ["1"])
    }

    @Test func `a walk is labelled by its route`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes()
        site.air = ["n-press": [0: -50], "n-row": [0: -75]]
        let route = try site.write("t,place\n0,press\n7,\n8,row\n15,\n", to: "route.csv")
        let walk = try calibrate(
            site,
            [
                "walk", "--route", route, "--beacon", site.people[0].beaconSlug, "--config",
                site.file("coordinator.yaml"),
            ])
        #expect(walk.status == 0, "\(walk.errors)")
        let rows = try site.rows(
            """
            SELECT stretch, source, station.slug, seconds >= 4 AND seconds <= 6 FROM survey
            JOIN station ON station.id = survey.station ORDER BY survey.id
            """)
        #expect(rows == ["1 walk press 1", "1 walk row 1"])
    }
}

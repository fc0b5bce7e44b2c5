import Testing

@testable import Wire

/// Who checks people in at the desk goes on when nodes are enrolled at the broker.
@Suite(.ownThread) struct ProcessFrontDeskTests {
    /// What a verb says of the coordinator's machine.
    private func run(_ words: [String], at site: RunningSite) throws -> RunningProgram {
        try site.run("beaconmesh", words + ["--config", site.file("coordinator.yaml")])
    }

    @Test func `after a node is enrolled the desk checks in, and others are told what to do`()
        throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        let people = site.people
        let before = try run(["attendance", "check-in", people[0].name], at: site)
        #expect(before.status == 0, "\(before.errors)")
        let first = try run(["enrol", "node", "n-press"], at: site)
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.errors.contains("first enrolment"), "\(first.errors)")
        let second = try run(["enrol", "node", "n-row", "--json"], at: site)
        #expect(second.status == 0 && second.errors == "", "\(second.errors)")
        let again = try run(["enrol", "node", "n-press"], at: site)
        #expect(again.status == 4)
        #expect(again.errors.contains("enrolled already"), "\(again.errors)")
        #expect(again.errors.contains("revoke n-press"), "\(again.errors)")

        let asked = ["attendance", "check-in", people[1].name, "--request", "once", "--json"]
        let desk = try run(asked, at: site)
        #expect(desk.status == 0, "\(desk.errors)")
        let same = try run(asked, at: site)
        #expect(same.status == 0 && same.output == desk.output, "\(same.errors)")
        let twice = try run(["attendance", "check-in", people[1].name], at: site)
        #expect(twice.status == 4)
        #expect(twice.errors.contains("already_in"), "\(twice.errors)")
        #expect(try site.rows("SELECT count(*) FROM statement") == ["2"])
        let out = try run(
            ["attendance", "check-out", people[1].name, "--at", "2020-03-29 14:30"], at: site)
        #expect(out.status == 5)
        #expect(out.errors.contains("bad_time"), "\(out.errors)")
        let left = try run(["attendance", "check-out", people[1].name], at: site)
        #expect(left.status == 0)
        #expect(left.output.hasSuffix("Times: UTC\n"), "\(left.output)")

        // Over MQTT nobody asks who is not enrolled.
        let other = try site.run(
            "beaconmesh",
            [
                "attendance", "check-out", people[0].slug, "--site", "gym", "--broker",
                "127.0.0.1:\(site.broker.port)",
            ])
        #expect(other.status == 5)
        #expect(other.errors.contains("forbidden"), "\(other.errors)")
        #expect(other.errors.contains("beaconmesh enrol"), "\(other.errors)")
    }

    @Test func `where no coordinator runs nothing is written`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try #require(site.coordinator).kill()
        let alone = try run(["attendance", "check-in", site.people[0].name], at: site)
        #expect(alone.status == 69)
        #expect(alone.errors.contains("no coordinator"), "\(alone.errors)")
        #expect(try site.rows("SELECT count(*) FROM statement") == ["0"])
    }
}

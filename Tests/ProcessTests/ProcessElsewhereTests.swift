import Testing

@testable import SiteModel
@testable import Wire

/// Two sites on one broker, with the same people.
@Suite(.ownThread) struct ProcessElsewhereTests {
    @Test func `who comes up at another site has left this one, at the last heard second`() throws {
        var text = SiteText()
        text.leave = 3600
        let site = try RunningSite(text)
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        site.air = ["n-press": [0: -50, 1: -50]]
        try site.wait("both are in") {
            site.attendance(0)?.state == .checkedIn && site.attendance(1)?.state == .checkedIn
        }
        site.air = ["n-press": [1: -50]]
        let gone = site.now
        try site.wait("a while") { site.now - gone > .seconds(3) }
        let elsewhere = AttendancePayload(
            tMs: site.now.milliseconds, state: .checkedIn, session: 7,
            checkInMs: site.now.milliseconds, checkOutMs: nil)
        for person in site.people.prefix(2) {
            try site.watcher.publish(
                SiteTopics(site: "works")[.attendance, person.slug], elsewhere.json,
                isRetained: true)
        }
        try site.wait("they are out here") { site.attendance(0)?.state == .checkedOut }
        let out = try #require(site.attendance(0)?.checkOutMs)
        #expect(out < elsewhere.tMs)
        // Who is heard here all the same is in at both, until a person has looked.
        try site.wait("the other one is in") {
            try site.rows("SELECT out_cause FROM v_session ORDER BY 1") == ["-", "superseded"]
                && site.attendance(1)?.state == .checkedIn
        }
    }
}

import Testing

@testable import Wire

/// From the bytes of a radio to a retained message and a row of the database, through every process.
@Suite(.ownThread) struct ProcessChainTests {
    @Test func `whoever is near a node is at its station, and in`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes()
        site.air = ["n-press": [0: -50], "n-row": [0: -85, 1: -55]]
        try site.wait("the first is at the press") { site.presence(0)?.station == "press" }
        try site.wait("the second is at the row") { site.presence(1)?.station == "row" }
        try site.wait("both are in") {
            site.attendance(0)?.state == .checkedIn && site.attendance(1)?.state == .checkedIn
        }
        let kept = try site.retained()
        let first = try #require(kept[site.topics[.presence, site.people[0].slug]])
        let presence = try PresencePayload(json: first.span)
        #expect(presence.state == .present)
        #expect(presence.room == "hall")
        #expect(presence.confidence >= 0.9)
        #expect(site.presence(1)?.room == "annex")
        #expect(site.presence(2)?.state == .notPresent)
        #expect(site.attendance(2)?.state == .checkedOut)
        try site.wait("they occupy the press") {
            site.station("press")?.by == [site.people[0].slug]
        }
        let sessions = try site.rows("SELECT user, state FROM v_session ORDER BY session_id")
        #expect(Set(sessions) == Set(site.people.prefix(2).map { "\($0.slug) open" }))
        let stays =
            "SELECT level, place, to_ms FROM v_stay WHERE user = '\(site.people[0].slug)' ORDER BY 1"
        // Where somebody is is told at once, and stored a moment later.
        try site.wait("the stays are stored") {
            try site.rows(stays) == ["room hall -", "station press -"]
        }
    }

    @Test func `whoever leaves was there until last heard`() throws {
        var text = SiteText()
        text.leave = 4
        let site = try RunningSite(text)
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes()
        site.air = ["n-press": [0: -50]]
        try site.wait("they are at the press") { site.presence(0)?.station == "press" }
        try site.wait("they are in") { site.attendance(0)?.state == .checkedIn }
        let attendance = try #require(site.attendance(0))

        site.air = [:]
        let last = site.sent
        try site.wait("they are out") { site.attendance(0)?.state == .checkedOut }
        let out = try #require(site.attendance(0)?.checkOutMs)
        // The end of a second, by the coordinator's clock: not the moment this was decided.
        #expect((-500...2500).contains(out - last.milliseconds))
        #expect(site.now.milliseconds - out >= 3500)
        #expect(site.attendance(0)?.session == attendance.session)
        #expect(try site.rows("SELECT state, check_out_ms FROM v_session") == ["closed \(out)"])
        try site.wait("nobody is at the press") {
            site.presence(0)?.station == nil && site.presence(0)?.state == .notPresent
        }
        let ends = "SELECT to_ms FROM v_stay WHERE to_ms IS NOT NULL"
        try site.wait("both stays are over") { try site.rows(ends).count == 2 }
        for end in try site.rows(ends) {
            #expect((-1500...2500).contains((Int64(end) ?? 0) - last.milliseconds))
        }
        try site.wait("the press is free") { site.station("press")?.state == .free }
    }
}

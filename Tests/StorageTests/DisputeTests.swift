import Records
import Testing

@testable import SiteModel

/// Late evidence asks, as a person would.
struct DisputeTests {
    private let site: BooksSite

    init() throws { site = try BooksSite() }

    private func tell(
        _ from: Double, _ to: Double, user: UserID = cid, kind: Dispute.Kind = .late,
        session: Int64? = nil, heard: Double = 60
    ) throws {
        try site.store.commit([
            .dispute(
                Dispute(
                    user: user, kind: kind, session: session,
                    interval: Interval(from: at(from), to: at(to)), heard: .seconds(heard)))
        ])
    }

    private func pending() throws -> [String] {
        try site.store.texts(
            """
            SELECT source, change, session, user, (new_from_ms - \(start.milliseconds)) / 1000,
                (new_to_ms - \(start.milliseconds)) / 1000, heard_ms / 1000
            FROM correction WHERE state = 'pending' ORDER BY id
            """)
    }

    @Test func `what is told again is asked once, and what follows closely with it`() throws {
        try tell(100, 200)
        try tell(100, 200)
        #expect(try pending() == ["late add - 3 100 200 60"])
        try tell(320, 400, heard: 80)
        #expect(try pending() == ["late add - 3 100 400 140"])
        try tell(521, 600)
        #expect(try pending().count == 2, "121 s are another matter")
        try tell(390, 530, heard: 100)
        #expect(try pending() == ["late add - 3 100 600 300"], "both are one now")
        try tell(100, 200, kind: .locked)
        try tell(100, 200, user: bob)
        #expect(try pending().count == 3)
    }

    @Test func `beside a session it asks for that to grow, within one for nothing`() throws {
        try tell(7100, 7300, user: ann)
        #expect(try pending() == ["late times 1 1 3600 7300 60"])
        try tell(3700, 3800, user: ann, kind: .locked)
        #expect(try pending().count == 1)
    }

    @Test func `once approved the session grows, and it is not asked again`() throws {
        try tell(7100, 7300, user: ann)
        let id = try #require(try Corrections(site.store).all().first).id
        _ = try site.ask(.approve(id, reason: "plausible"))
        #expect(
            try site.store.texts(
                "SELECT to_ms - \(start.milliseconds), rev FROM attendance_session WHERE id = 1")
                == ["7300000 2"])
        try tell(7100, 7300, user: ann)
        #expect(try pending() == [])
    }

    @Test func `what was refused is not asked again, more than that is`() throws {
        try tell(100, 200)
        _ = try site.ask(.refuse(1, reason: "cleaning"))
        try tell(100, 200)
        try tell(120, 180)
        #expect(try pending() == [])
        try tell(100, 300)
        #expect(try pending() == ["late add - 3 100 300 60"])
    }

    @Test func `a locked session nobody was heard in is asked about once`() throws {
        try tell(3600, 3600, user: ann, kind: .locked, session: 1, heard: 0)
        try tell(3600, 3600, user: ann, kind: .locked, session: 1, heard: 0)
        #expect(try pending() == ["locked remove 1 1 - - -"])
        _ = try site.ask(.approve(1, reason: "true"))
        #expect(try site.store.texts("SELECT void FROM attendance_session WHERE id = 1") == ["1"])
    }

    @Test func `in a locked period it waits until the lock is moved back`() throws {
        let boundary = at(10_000)
        _ = try site.ask(
            .lock(through: "2025-10-09", boundary: boundary, reason: "paid", force: false))
        try tell(100, 200, kind: .locked)
        #expect(try site.code(.approve(1, reason: "x")) == "locked_period")
        _ = try site.ask(
            .lock(
                through: "2025-10-08", boundary: at(50), reason: "late node", force: false,
                unlocks: true))
        #expect(try site.code(.approve(1, reason: "x")) == nil)
        #expect(
            try site.store.texts("SELECT count(*) FROM v_session WHERE user = 'u-cid'") == ["1"])
    }
}

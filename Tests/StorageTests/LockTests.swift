import Testing

@testable import Records
@testable import SiteModel
@testable import SiteStore

/// What began in a locked period stands.
struct LockTests {
    private let site: BooksSite
    private let boundary = at(10_000)

    init() throws { site = try BooksSite() }

    private func lock(
        _ moment: Timestamp, _ date: String = "2025-10-09", force: Bool = false,
        unlocks: Bool = false
    ) -> BooksCall {
        .lock(through: date, boundary: moment, reason: "paid", force: force, unlocks: unlocks)
    }

    @Test func `the newest lock is in force, and the machines are told`() throws {
        _ = try site.ask(lock(boundary))
        #expect(try site.store.revisions() == (1, 1), "no configuration changes")
        #expect(try site.store.overrides().lockedThrough == boundary)
        _ = try site.ask(lock(at(5000), "2025-10-08", unlocks: true))
        #expect(try site.store.overrides().lockedThrough == at(5000))
        #expect(
            try PeriodLocks(site.store).all().map(\.throughDate) == ["2025-10-09", "2025-10-08"])
        #expect(
            try AuditTrail(site.store).entries(entity: "period_lock", most: 9).map(\.action)
                == ["lock", "unlock"])
    }

    @Test func `the same date again changes nothing`() throws {
        _ = try site.ask(lock(boundary))
        let before = try site.rows()
        #expect(try site.code(lock(boundary)) == nil)
        #expect(try site.code(lock(boundary, force: true)) == nil)
        #expect(try site.rows() == before)
        #expect(try site.store.revisions().overrides == 1)
        guard case .lock(let row) = try site.ask(lock(boundary, unlocks: true)) else {
            Issue.record("no lock")
            return
        }
        #expect(row.isUnchanged == true && row.id == 1 && row.through == boundary.milliseconds)
    }

    @Test func `an earlier date is refused by name`() throws {
        _ = try site.ask(lock(boundary))
        let before = try site.rows()
        for force in [false, true] {
            #expect(try site.code(lock(at(5000), "2025-10-08", force: force)) == "locked_period")
        }
        #expect(try site.rows() == before)
    }

    @Test func `what is approved and not carried out yet is locked by force only`() throws {
        try site.correct(
            .times(
                2, revision: nil, from: BooksSite.now - .seconds(7000),
                to: BooksSite.now - .seconds(3600)))
        #expect(try site.code(lock(BooksSite.now - .seconds(6000))) == "bad_state")
        #expect(try site.code(lock(boundary)) == nil, "it reaches no further back")
        try site.store.commit([.overrides(try site.store.overrides())])
        #expect(try site.code(lock(BooksSite.now - .seconds(6000))) == nil)
    }

    @Test func `what was written as a row at once does not hold a lock back`() throws {
        try site.correct(
            .add(
                user: "u-ann", from: BooksSite.now - .seconds(40 * 86_400),
                to: BooksSite.now - .seconds(40 * 86_400 - 3600)))
        #expect(try site.code(lock(BooksSite.now - .seconds(6000))) == nil)
    }

    /// The row of a lock by force of all before a moment.
    private func forced(_ moment: Timestamp, _ date: String = "2025-11-08") throws -> LockRow {
        guard case .lock(let row) = try site.ask(lock(moment, date, force: true)) else {
            throw BooksRefusal(.unavailable, "no lock")
        }
        return row
    }

    private func refusal(_ call: BooksCall) throws -> String? {
        switch try Books(site.store).perform(call, by: "mia", via: .cli, at: BooksSite.now) {
        case .success: nil
        case .failure(let refusal): refusal.text
        }
    }

    @Test func `a forced lock names what it overrides, and refuses what nothing came of`() throws {
        let sessions = try site.store.texts(
            "SELECT id, from_ms, to_ms, void FROM attendance_session")
        let change = SessionChange.times(
            2, revision: nil, from: BooksSite.now - .seconds(7000),
            to: BooksSite.now - .seconds(3600))
        let id = try site.correct(change).id
        #expect(
            try refusal(lock(BooksSite.now - .seconds(6000)))?.contains("correction \(id);") == true
        )
        #expect(try refusal(lock(BooksSite.now - .seconds(60)))?.contains("session 3;") == true)
        let row = try forced(BooksSite.now - .seconds(60))
        #expect(row.forcedOver?.corrections == [id] && row.forcedOver?.sessions == [3])
        let correction = try #require(try Corrections(site.store).all().first)
        #expect(correction.state == .refused && correction.decidedBy == "mia")
        #expect(correction.decisionReason == "not carried out: locked by force")
        #expect(try site.store.overrides().amendments == [], "the machines never know of it")
        #expect(
            try site.store.texts("SELECT id, from_ms, to_ms, void FROM attendance_session")
                == sessions)
        let said = try AuditTrail(site.store).entries(entity: "period_lock", most: 1).first?.after
        #expect(
            said?.contains(#""forced_over":{"not_carried_out":[\#(id)],"not_final":[3]}"#) == true)
        #expect(try AuditTrail(site.store).verify().fault == nil)
        #expect(try forced(BooksSite.now - .seconds(60)).forcedOver == nil, "locked already")
        _ = try site.ask(lock(boundary, unlocks: true))
        #expect(try site.code(.request(change, reason: "again")) == nil)
    }

    @Test func `a forced lock over nothing names nothing`() throws {
        #expect(try forced(boundary, "2025-10-09").forcedOver == nil)
    }

    /// The machines were to make what takes its place.
    @Test func `a session that was withdrawn for a correction stands again when a lock is forced`()
        throws
    {
        let id = try site.correct(
            .times(1, revision: nil, from: at(3600), to: BooksSite.now - .seconds(7300))
        ).id
        #expect(try site.store.texts("SELECT void FROM attendance_session WHERE id = 1") == ["1"])
        #expect(try forced(boundary, "2025-10-09").forcedOver?.corrections == [id])
        #expect(
            try site.store.texts("SELECT from_ms, to_ms, void FROM attendance_session WHERE id = 1")
                == ["\(at(3600).milliseconds) \(at(7200).milliseconds) 0"])
        #expect(try AuditTrail(site.store).verify().fault == nil)
    }

    @Test func `what was carried out as a row holds nothing back, whatever else is news`() throws {
        let hour = 3600.0
        try site.correct(
            .add(
                user: "u-cid", from: BooksSite.now - .seconds(50 * hour),
                to: BooksSite.now - .seconds(48 * hour)))
        _ = try site.ask(.excuse(node: "n-hall", reason: "stolen"))
        #expect(try site.store.overrides().amendments.count == 1)
        #expect(try site.code(lock(BooksSite.now - .seconds(40 * hour))) == nil)
    }

    @Test func `no correction reaches into it until the lock is moved back`() throws {
        let pending = try site.request(.remove(1, revision: nil))
        _ = try site.ask(lock(boundary))
        let before = try site.rows()
        let calls: [BooksCall] = [
            .approve(pending.id, reason: "x"),
            .request(.remove(1, revision: nil), reason: "x"),
            .request(.times(1, revision: nil, from: at(3600), to: at(7300)), reason: "x"),
            .request(.add(user: "u-bob", from: at(9999), to: at(20_000)), reason: "x"),
            .request(
                .times(2, revision: nil, from: at(9999.999), to: at(20_000)), reason: "x"),
        ]
        for call in calls {
            #expect(try site.code(call) == "locked_period", "\(call)")
            #expect(try site.rows() == before, "\(call)")
        }
        #expect(
            try site.code(
                .request(.add(user: "u-bob", from: boundary, to: at(20_000)), reason: "x")) == nil,
            "what begins with the first free moment is free")
        _ = try site.ask(lock(at(3600), "2025-10-08", unlocks: true))
        #expect(try site.code(.approve(pending.id, reason: "x")) == nil)
    }

    @Test(arguments: [
        "UPDATE attendance_session SET to_ms = to_ms + 1 WHERE id = 1",
        "UPDATE attendance_session SET from_ms = from_ms + 1 WHERE id = 1",
        "UPDATE attendance_session SET void = 1 WHERE id = 1",
        "UPDATE attendance_session SET from_ms = 1760000009999 WHERE id = 2",
        """
        INSERT INTO attendance_session (id, user, from_ms, to_ms, void, kept)
        VALUES (9, 3, 1760000009999, 1760000020000, 0, 0)
        """,
    ])
    func `the database itself refuses`(sql: String) throws {
        _ = try site.ask(lock(boundary))
        #expect(throws: StoreError.refused(constraint: "the period is locked", fact: nil)) {
            try site.store.write { try $0.execute(sql: sql) }
        }
    }

    @Test func `a fact told again, and one that was open, pass`() throws {
        let open = Session(id: 3, user: bob, from: BooksSite.now - .seconds(1800), to: nil)
        _ = try site.ask(lock(BooksSite.now - .seconds(60), force: true))
        let old = Session(id: 1, user: ann, from: at(3600), to: at(7200))
        var closed = open
        closed.to = BooksSite.now
        try site.store.commit([.session(old), .session(closed)])
        #expect(try site.store.texts("SELECT count(*) FROM v_session") == ["3"])
        #expect(throws: StoreError.self) {
            closed.to = BooksSite.now + .seconds(1)
            try site.store.commit([.session(closed)])
        }
    }

    @Test func `an open session that is locked may be ended by a correction`() throws {
        _ = try site.ask(lock(BooksSite.now - .seconds(60), force: true))
        let begun = BooksSite.now - .seconds(1800)
        #expect(
            try site.code(
                .request(
                    .times(3, revision: nil, from: begun, to: BooksSite.now - .seconds(5)),
                    reason: "x")) == nil)
        #expect(
            try site.code(
                .request(.times(3, revision: nil, from: begun - .seconds(1), to: nil), reason: "x"))
                == "locked_period")
    }

    @Test func `what is not over, not final or not left is locked by force only`() throws {
        let before = try site.rows()
        #expect(try site.code(lock(BooksSite.now + .seconds(1))) == "bad_time")
        #expect(try site.code(lock(BooksSite.now + .seconds(1), force: true)) == "bad_time")
        #expect(try site.code(lock(boundary, "yesterday")) == "bad_request")
        #expect(
            try site.code(.lock(through: "2025-10-09", boundary: boundary, reason: "", force: true))
                == "reason_required")
        // Nodes have told everything up to a minute ago; Bob has been in for half an hour.
        #expect(try site.code(lock(BooksSite.now - .seconds(59))) == "bad_state")
        #expect(try site.code(lock(BooksSite.now - .seconds(1799))) == "bad_state")
        #expect(try site.rows() == before)
        #expect(try site.code(lock(BooksSite.now - .seconds(1800))) == nil)
        #expect(try site.code(lock(BooksSite.now - .seconds(59), force: true)) == nil)
    }
}

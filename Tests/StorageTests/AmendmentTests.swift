import Testing

@testable import SiteEngine
@testable import SiteModel

/// Approved corrections of sessions that the machines hold, carried out by the machines.
struct AmendmentTests {
    private let site: BooksSite

    init() throws { site = try BooksSite() }

    /// Loads what is stored, lets the machines decide until `now`, stores that, and returns the
    /// sessions of a user that stand.
    private func decide(_ user: String, at now: Timestamp = BooksSite.now) throws -> [String] {
        let (plan, _, saved) = try #require(try site.store.load())
        var mesh = Mesh(plan: plan, restoring: saved)
        var decisions: [Decision] = []
        mesh.handle(.overrides(try site.store.overrides()), at: now, into: &decisions)
        mesh.handle(.tick, at: now + .seconds(2), into: &decisions)
        try site.store.commit(
            decisions.compactMap { if case .fact(let fact) = $0 { fact } else { nil } })
        #expect(try site.store.load()?.saved == mesh.saved)
        return try site.store.texts(
            """
            SELECT session_id, (check_in_ms - \(BooksSite.now.milliseconds)) / 1000,
                (check_out_ms - \(BooksSite.now.milliseconds)) / 1000, in_cause, out_cause
            FROM v_session WHERE user = '\(user)' AND session_id <> 1 ORDER BY check_in_ms
            """)
    }

    @Test func `times, removal and addition`() throws {
        let now = BooksSite.now
        let row = try site.correct(
            .times(2, revision: nil, from: now - .seconds(7000), to: now - .seconds(3000)))
        #expect(try decide("u-ann") == ["2 -7000 -3000 corrected corrected"])
        #expect(
            try site.code(.request(.remove(2, revision: row.sessionRevision), reason: "x"))
                == "rev_conflict", "it is another one by now")
        try site.correct(.remove(2, revision: nil))
        #expect(try decide("u-ann") == [])
        try site.correct(
            .add(user: "u-ann", from: now - .seconds(600), to: now - .seconds(500)))
        let added = Session.firstAdded + 3
        #expect(try decide("u-ann") == ["\(added) -600 -500 corrected corrected"])
    }

    @Test func `an open session ends when a correction says so`() throws {
        let now = BooksSite.now
        try site.correct(
            .times(3, revision: nil, from: now - .seconds(1800), to: now - .seconds(60)))
        #expect(try decide("u-bob").map { $0.hasPrefix("3 -1800 -60 ") } == [true])
    }

    /// Bob is heard from half an hour before now on, and goes on being heard.
    private func hearBob() throws {
        let seconds = IntervalSet(
            [Interval(from: BooksSite.now - .seconds(1800), to: BooksSite.now)],
            joining: Ledger.joining)
        let listened = IntervalSet(
            [Interval(from: BooksSite.now - .seconds(9000), to: BooksSite.now + .seconds(9000))],
            joining: Frame.joining)
        let room = RoomID(1)
        try site.store.commit([
            .ledger(LedgerRow(user: bob, heard: [RoomTime(room: room, seconds: seconds)])),
            .site(
                SiteRow(
                    clock: BooksSite.now, next: 4,
                    coverage: [RoomTime(room: room, seconds: listened)], clocks: [])),
        ])
    }

    @Test(arguments: [-2400, -1200, -30])
    func `a session that goes on begins at another moment, and ends as any other`(
        start: Int
    ) throws {
        try hearBob()
        let now = BooksSite.now
        try site.correct(
            .times(3, revision: nil, from: now + .seconds(Double(start)), to: nil))
        #expect(try decide("u-bob") == ["3 \(start) - corrected -"])
        #expect(try decide("u-bob", at: now + .seconds(60)) == ["3 \(start) - corrected -"])
        // Nobody hears him any more.
        #expect(
            try decide("u-bob", at: now + .seconds(600)) == ["3 \(start) 0 corrected last-heard"])
    }

    @Test func `the start of a session that goes on is corrected again and again`() throws {
        try hearBob()
        let now = BooksSite.now
        for start in [-1200.0, -1500, -2400, -1800, -900] {
            try site.correct(.times(3, revision: nil, from: now + .seconds(start), to: nil))
            #expect(try decide("u-bob") == ["3 \(Int(start)) - corrected -"])
        }
        try site.correct(
            .times(3, revision: nil, from: now - .seconds(1000), to: now - .seconds(100)))
        #expect(try decide("u-bob") == ["3 -1000 -100 corrected corrected"])
        try site.correct(.remove(3, revision: nil))
        #expect(try decide("u-bob") == [])
    }

    @Test func `a session that goes on is corrected twice before the machines know of it`() throws {
        try hearBob()
        let now = BooksSite.now
        try site.correct(.times(3, revision: nil, from: now - .seconds(2400), to: nil))
        #expect(
            try site.code(
                .request(
                    .add(
                        user: "u-bob", from: now - .seconds(2300), to: now - .seconds(2200)),
                    reason: "x")) == "overlap", "what is approved and not carried out yet")
        try site.correct(
            .times(3, revision: nil, from: now - .seconds(1200), to: now - .seconds(60)))
        #expect(try decide("u-bob") == ["3 -1200 -60 corrected corrected"])
    }

    @Test func `a lock set before the machines know of it keeps the start`() throws {
        try hearBob()
        let now = BooksSite.now
        try site.correct(.times(3, revision: nil, from: now - .seconds(1200), to: nil))
        _ = try site.ask(
            .lock(
                through: "2025-11-08", boundary: now - .seconds(60), reason: "paid", force: true))
        #expect(try decide("u-bob").map { $0.hasPrefix("3 -1800 - ") } == [true])
    }

    /// The machines hold each user's newest session, however old it is.
    @Test func `a session from beyond the horizon that is held begins later`() throws {
        let later = BooksSite.now + .seconds(5 * 86_400)
        let now = BooksSite.now
        try site.store.commit([
            .site(SiteRow(clock: later, next: 9, coverage: [], clocks: []))
        ])
        try site.correct(
            .times(2, revision: nil, from: now - .seconds(7000), to: now - .seconds(3600)),
            at: later)
        #expect(try decide("u-ann", at: later).map { $0.hasPrefix("2 -7000 -3600 ") } == [true])
        try site.correct(.remove(2, revision: nil), at: later)
        #expect(try decide("u-ann", at: later) == [])
    }
}

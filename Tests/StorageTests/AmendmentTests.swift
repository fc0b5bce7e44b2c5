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
        #expect(try decide("u-ann").map { $0.dropFirst(2) } == ["-600 -500 corrected corrected"])
    }

    @Test func `an open session ends when a correction says so`() throws {
        let now = BooksSite.now
        try site.correct(
            .times(3, revision: nil, from: now - .seconds(1800), to: now - .seconds(60)))
        #expect(try decide("u-bob").map { $0.hasPrefix("3 -1800 -60 ") } == [true])
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

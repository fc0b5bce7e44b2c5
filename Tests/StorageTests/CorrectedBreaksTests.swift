import Testing

@testable import Records
@testable import Registry
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore

/// A break that was recorded stays one, as far as it lies in what a correction states: nobody said anything
/// about it.
struct CorrectedBreaksTests {
    private let site: BooksSite
    private let now = BooksSite.now

    init() throws {
        site = try BooksSite()
        var gym = SiteDocument.gym
        gym.policy.attendance = AttendancePolicy(longestBreak: .seconds(7200))
        try SiteImport(site.store).importDocument(gym, at: now)
    }

    /// Eight hours of Cid's with two breaks, that began `hours` ago.
    private func live(_ hours: Double) throws -> Session {
        let from = now - .seconds(hours * 3600)
        let session = Session(
            id: 60, user: cid, from: from, to: from + .seconds(8 * 3600),
            breaks: [
                Interval(from: from + .seconds(3600), to: from + .seconds(2 * 3600)),
                Interval(from: from + .seconds(4 * 3600), to: from + .seconds(4.5 * 3600)),
            ])
        try site.store.commit([.session(session)])
        try site.hear(session)
        return session
    }

    /// The machines take in what people decided.
    private func decide(at moment: Timestamp) throws {
        let (plan, _, saved) = try #require(try site.store.load())
        var mesh = Mesh(plan: plan, restoring: saved)
        var decisions: [Decision] = []
        mesh.handle(.overrides(try site.store.overrides()), at: moment, into: &decisions)
        mesh.handle(.tick, at: moment + .seconds(2), into: &decisions)
        try site.store.commit(
            decisions.compactMap { if case .fact(let fact) = $0 { fact } else { nil } })
        #expect(try site.store.load()?.saved == mesh.saved)
    }

    /// Cid's session, and its breaks within it in hours after a moment.
    private func stands(since start: Timestamp) throws -> [[Double]] {
        let session = try #require(try site.store.everySession().first { $0.user == cid })
        let whole = Interval(from: session.from, to: session.to ?? now)
        return session.breaks.compactMap { $0.common(with: whole) }.map {
            [($0.from - start).seconds / 3600, ($0.to - start).seconds / 3600]
        }
    }

    /// New ends in hours after the beginning, and what is left of the breaks then.
    static let changes: [(from: Double, to: Double, breaks: [[Double]])] = [
        (0, 8.2, [[1, 2], [4, 4.5]]), (0, 7, [[1, 2], [4, 4.5]]), (-0.5, 8, [[1, 2], [4, 4.5]]),
        (-1, 9, [[1, 2], [4, 4.5]]), (0, 4.25, [[1, 2], [4, 4.25]]),
        (1.5, 8, [[1.5, 2], [4, 4.5]]),
        (3, 8, [[4, 4.5]]), (2, 4, []),
    ]

    @Test(arguments: [9.0, 20, 35, 45, 60, 71, 80, 300], changes.indices)
    func `breaks within what is stated stay, at each age`(age: Double, place: Int) throws {
        let session = try live(age)
        let change = Self.changes[place]
        try decide(at: now)
        let at = { (hours: Double) in session.from + .seconds(hours * 3600) }
        let row = try site.request(
            .times(60, revision: nil, from: at(change.from), to: at(change.to)))
        let lost = 1.5 - change.breaks.reduce(0) { $0 + $1[1] - $1[0] }
        #expect(row.lostBreaks == (lost > 0 ? Int64(lost * 3_600_000) : nil))
        guard case .correction(let approved) = try site.ask(.approve(row.id, reason: "seen")) else {
            Issue.record("no correction")
            return
        }
        #expect(approved.lostBreaks == nil, "it is decided")
        for hours in [0.01, 1, 30, 80] {
            try decide(at: now + .seconds(hours * 3600))
            #expect(try stands(since: session.from) == change.breaks, "\(hours) hours later")
        }
        #expect(try AuditTrail(site.store).verify().fault == nil)
    }

    @Test func `a second correction keeps what the first has left`() throws {
        let session = try live(9)
        let at = { (hours: Double) in session.from + .seconds(hours * 3600) }
        try decide(at: now)
        try site.correct(.times(60, revision: nil, from: at(0), to: at(8.5)))
        try decide(at: now + .seconds(5))
        try site.correct(
            .times(60, revision: nil, from: at(0), to: at(4.25)), at: now + .seconds(9))
        try decide(at: now + .seconds(10))
        #expect(try stands(since: session.from) == [[1, 2], [4, 4.25]])
    }

    @Test func `two corrections before the machines know of them end as the second says`() throws {
        let session = try live(9)
        let at = { (hours: Double) in session.from + .seconds(hours * 3600) }
        try decide(at: now)
        try site.correct(.times(60, revision: nil, from: at(0), to: at(8.1)))
        try site.correct(.times(60, revision: nil, from: at(0), to: at(8.2)))
        try decide(at: now + .seconds(10))
        #expect(try stands(since: session.from) == [[1, 2], [4, 4.5]])
    }

    @Test func `a session that is removed and added anew has none`() throws {
        let session = try live(9)
        try decide(at: now)
        try site.correct(.remove(60, revision: nil))
        try decide(at: now + .seconds(5))
        try site.correct(
            .add(user: "u-cid", from: session.from, to: session.from + .seconds(8 * 3600)),
            at: now + .seconds(9))
        try decide(at: now + .seconds(10))
        #expect(try stands(since: session.from) == [])
    }

    @Test func `what releases took in that knew of no breaks is read`() throws {
        let text = #"{"id":1,"user":3,"stated":{"from":1,"to":2}}"#
        #expect(try JSONText.value(Amendment.self, from: text).breaks == nil)
    }
}

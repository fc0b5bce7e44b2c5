import Testing

@testable import SiteEngine
@testable import SiteModel

/// Stored sessions follow the ledger, and the database never sees an overlap.
struct AttendanceTests {
    static let hour = 3600.0
    let user = MeshSite.users[0]

    /// One user, what is listened to in the hall and the yard, and what was written.
    struct Desk {
        var attendance: Attendance
        /// Both rooms were listened to before anybody came.
        var listened: [IntervalSet] = [1, 2].map { _ in
            IntervalSet([stretch(-500, 0)], joining: Frame.joining)
        }
        var rows = MeshRows()
        var next: Int64 = 1

        init(_ policy: Policy = Policy(), saved: Saved = Saved()) {
            attendance = Attendance(plan: MeshSite.plan(policy), saved: saved)
            next = saved.site.next
        }

        var coverage: [RoomTime] {
            zip([MeshSite.hall, MeshSite.yard], listened).map {
                RoomTime(room: $0.0, seconds: $0.1)
            }
        }

        mutating func listen(_ from: Double, _ to: Double, yard: Bool = false) {
            listened[yard ? 1 : 0].insert(stretch(from, to))
        }

        mutating func hear(_ seconds: ClosedRange<Int>, yard: Bool = false) {
            for second in seconds {
                attendance.heard(
                    user: 0, second: moment(Double(second)),
                    room: yard ? MeshSite.yard : MeshSite.hall)
            }
        }

        /// Returns the facts of one step.
        @discardableResult
        mutating func step(_ now: Double) -> [Fact] {
            let facts = attendance.step(
                user: 0, coverage: coverage, at: moment(now), next: &next)
            rows.apply(facts)
            return facts
        }
    }

    var desk = Desk()

    private mutating func step(_ now: Double) -> [Fact] { desk.step(now) }

    private func session(
        _ id: Int64, _ from: Double, _ to: Double?, isVoid: Bool = false
    ) -> Session {
        Session(id: id, user: user, from: moment(from), to: to.map { moment($0) }, isVoid: isVoid)
    }

    /// Sessions without what they rest on.
    private func plain(_ sessions: [Session]) -> [Session] {
        sessions.map {
            Session(id: $0.id, user: $0.user, from: $0.from, to: $0.to, isVoid: $0.isVoid)
        }
    }

    @Test mutating func `a session opens at the first heard second, once it has lasted`() {
        desk.listen(0, 500)
        desk.hear(0...8)
        #expect(step(9) == [])
        desk.hear(9...9)
        let facts = desk.step(10)
        #expect(plain(facts.sessions) == [session(1, 0, nil)])
        #expect(facts.events.map(\.kind) == [.checkedIn])
        #expect(facts.events.map(\.at) == [moment(0)])
        #expect(step(11) == [])
        #expect(desk.attendance.present == 1)
    }

    @Test mutating func `silence closes it at the last heard second, once`() {
        desk.listen(0, 500)
        desk.hear(0...59)
        _ = desk.step(60)
        #expect(step(149) == [])
        let facts = desk.step(150)
        #expect(plain(facts.sessions) == [session(1, 0, 60)])
        #expect(facts.events.map(\.kind) == [.checkedOut])
        #expect(facts.events.map(\.at) == [moment(60)])
        #expect(step(151) == [])
        #expect(desk.attendance.present == 0)
        #expect(desk.attendance.latest(of: 0).map { plain([$0]) } == [session(1, 0, 60)])
    }

    @Test mutating func `a visit noticed late is told as in and out`() {
        desk.listen(0, 500)
        desk.hear(0...59)
        let facts = desk.step(400)
        #expect(plain(facts.sessions) == [session(1, 0, 60)])
        #expect(facts.events.map(\.kind) == [.checkedIn, .checkedOut])
    }

    @Test mutating func `a late second grows a session that keeps its number`() {
        desk.listen(0, 500)
        desk.hear(100...159)
        _ = desk.step(400)
        desk.hear(60...60)
        let earlier = desk.step(401)
        #expect(plain(earlier.sessions) == [session(1, 60, 160)])
        desk.hear(200...200)
        let facts = desk.step(402)
        #expect(plain(facts.sessions) == [session(1, 60, 201)])
        #expect(facts.events.map(\.kind) == [.corrected])
    }

    @Test mutating func `a filled gap voids the second session before the first grows`() {
        desk.listen(0, 1000)
        desk.hear(0...59)
        desk.hear(200...259)
        let both = desk.step(500)
        #expect(plain(both.sessions) == [session(1, 0, 60), session(4, 200, 260)])
        desk.hear(120...140)
        let facts = desk.step(501)
        #expect(plain(facts.sessions) == [session(4, 200, 260, isVoid: true), session(1, 0, 260)])
        #expect(plain(desk.rows.sessions(of: user)) == [session(1, 0, 260)])
    }

    @Test mutating func `listening that becomes known splits, and shrinks before it opens`() {
        desk.listen(0, 60)
        desk.hear(0...59)
        desk.listen(200, 260)
        desk.hear(200...259)
        let one = desk.step(260)
        #expect(plain(one.sessions) == [session(1, 0, nil)])
        desk.listen(60, 200)
        desk.hear(260...260)
        let facts = desk.step(261)
        #expect(facts.sessions.map(\.to) == [moment(60), nil])
        #expect(facts.sessions.map(\.from) == [moment(0), moment(200)])
        #expect(desk.rows.faults == [])
    }

    /// The second session loses its first part to the first one, and goes on longer than known.
    @Test mutating func `a session that moves is cut before another grows into its place`() {
        desk.listen(0, 60)
        desk.hear(0...9)
        desk.listen(100, 110)
        desk.hear(100...109)
        desk.hear(200...209)
        _ = desk.step(215)
        #expect(desk.rows.sessions(of: user).count == 1)
        desk.listen(10, 100)
        desk.listen(210, 400)
        desk.hear(109...109)
        _ = desk.step(400)
        #expect(
            desk.rows.sessions(of: user).map { [$0.from, $0.to] }
                == [[moment(0), moment(10)], [moment(100), moment(210)]])
        desk.hear(20...95)
        desk.listen(110, 200)
        desk.hear(210...219)
        _ = desk.step(401)
        #expect(desk.rows.faults == [])
        #expect(
            desk.rows.sessions(of: user).map { [$0.from, $0.to] }
                == [[moment(0), moment(110)], [moment(200), moment(220)]])
    }

    @Test mutating func `whoever comes back within the patience never left`() {
        desk.listen(0, 1000)
        desk.hear(0...59)
        _ = desk.step(60)
        desk.hear(149...200)
        #expect(step(201) == [])
        #expect(step(250) == [])
    }

    @Test mutating func `a dead node checks nobody out`() {
        desk.listen(0, 100)
        desk.hear(0...99)
        _ = desk.step(100)
        for second in stride(from: 101.0, to: 7200, by: 60) { #expect(step(second) == []) }
    }

    /// Silence nobody listened to ends nothing; but nobody can say that it was not an absence.
    @Test mutating func `a long hole within a session is a reason to look at it`() {
        desk.listen(0, 100)
        desk.hear(0...99)
        _ = desk.step(100)
        desk.listen(3600, 3800)
        desk.hear(3600...3700)
        let facts = desk.step(3800)
        #expect(plain(facts.sessions) == [session(1, 0, 3701)])
        #expect(facts.sessions.map(\.review) == [[.coverageGap]])
        #expect(facts.events.map(\.kind) == [.checkedOut, .needsReview])
    }

    @Test mutating func `nobody listens for two days: the session ends where it was heard last`() {
        desk.listen(0, 100)
        desk.hear(0...99)
        _ = desk.step(100)
        #expect(step(13 * Self.hour) == [])
        let facts = desk.step(48 * Self.hour)
        #expect(plain(facts.sessions) == [session(1, 0, 100)])
        #expect(facts.events.map(\.kind) == [.checkedOut, .needsReview])
        #expect(facts.sessions.map(\.review) == [[.coverageGap]])
        #expect(step(49 * Self.hour) == [])
    }

    @Test func `a coordinator that was off for two days ends the session where it was heard last`()
    {
        var before = Desk()
        before.listen(0, 100)
        before.hear(0...99)
        let facts =
            before.step(100)
            + before.attendance.changes(coverage: before.coverage, at: moment(100))
        var saved = Saved()
        for fact in facts { saved.apply(fact) }
        saved.site.next = before.next
        var after = Desk(saved: saved)
        after.rows = before.rows
        let late = after.step(48 * Self.hour)
        #expect(plain(late.sessions) == [session(1, 0, 100)])
        #expect(after.rows.faults == [])
    }

    /// What is open is still being made, however long ago it began.
    @Test mutating func `a session open for three days keeps its beginning`() {
        var second = 0.0
        while second < 72 * Self.hour {
            desk.listen(second, second + 600)
            desk.hear(Int(second)...Int(second) + 9)
            // Two and a half minutes in each ten are too few to leave.
            _ = desk.step(second + 10)
            second += 600
            desk.listened[0].forget(before: moment(second - 36 * Self.hour))
            if desk.rows.sessions(of: user).count > 1 { break }
            desk.listened[0] = IntervalSet(
                desk.listened[0].intervals.filter { $0.to <= moment(second - 600) }
                    + [stretch(second - 600, second - 580)], joining: Frame.joining)
        }
        #expect(plain(desk.rows.sessions(of: user)) == [session(1, 0, nil)])
    }

    @Test mutating func `back after 37 hours and a night without power: two sessions`() {
        desk.listen(0, 10 * Self.hour)
        desk.hear(0...99)
        _ = desk.step(100)
        _ = desk.step(10 * Self.hour)
        desk.listen(20 * Self.hour, 38 * Self.hour)
        let start = Int(37 * Self.hour)
        for second in start..<start + 60 {
            desk.hear(second...second)
            _ = desk.step(Double(second) + 1)
            _ = desk.attendance.changes(coverage: desk.coverage, at: moment(Double(second)))
        }
        #expect(
            desk.rows.sessions(of: user).map(\.from) == [moment(0), moment(Double(start))])
        #expect(desk.rows.sessions(of: user).map(\.to) == [moment(100), nil])
        #expect(desk.rows.faults == [])
    }

    @Test mutating func `silence is what somebody listened to`() {
        #expect(desk.attendance.silence(of: 0, coverage: [], at: moment(5)) == nil)
        desk.listen(0, 30)
        desk.hear(0...19)
        let silence = { (desk: Desk, now: Double) in
            desk.attendance.silence(of: 0, coverage: desk.coverage, at: moment(now))
        }
        #expect(silence(desk, 100) == .seconds(10))
        #expect(silence(desk, 10) == .seconds(0))
    }

    /// Seconds and listening become known late and in any order: each prefix of the facts is a
    /// state the database takes, and in the end the rows are the sessions of the ledger.
    @Test(arguments: UInt64(1)...200)
    func `rows follow the ledger and overlap at no moment`(seed: UInt64) {
        var dice = Dice(seed: seed)
        let timing = Policy.Timing(enter: .seconds(5), lost: .seconds(10), leave: .seconds(20))
        var desk = Desk(Policy(site: timing))
        var ledger = Ledger()
        for now in stride(from: 400.0, to: 640, by: 4) {
            for _ in 0..<Int.random(in: 0...2, using: &dice) {
                let from = Int.random(in: 0..<Int(now) - 30, using: &dice)
                let to = from + Int.random(in: 0...25, using: &dice)
                let isYard = Bool.random(using: &dice)
                desk.hear(from...to, yard: isYard)
                for second in from...to {
                    _ = ledger.add(
                        second: moment(Double(second)), room: isYard ? MeshSite.yard : MeshSite.hall
                    )
                }
            }
            let from = Double.random(in: 0..<now - 60, using: &dice).rounded()
            desk.listen(from, from + 60, yard: .random(using: &dice))
            _ = desk.step(now)
        }
        // A last piece of news, so that the last listening is looked at.
        desk.hear(1...1)
        _ = ledger.add(second: moment(1), room: MeshSite.hall)
        _ = desk.step(640)
        let expected = ledger.sessions(
            coverage: desk.coverage, timing: timing,
            policy: AttendancePolicy(mergeGap: .seconds(0)),
            now: moment(640))
        #expect(desk.rows.faults == [])
        #expect(desk.rows.sessions(of: user).map(\.from) == expected.map(\.from))
        #expect(desk.rows.sessions(of: user).map(\.to) == expected.map(\.to))
    }
}

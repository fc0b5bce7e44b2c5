import Testing

@testable import SiteEngine
@testable import SiteModel

/// Check-ins that no evidence follows, and sessions that began by a clock that was wrong.
struct AttendanceAloneTests {
    private let user = MeshSite.users[0]
    private let hour = 3600.0
    private var desk = AttendanceTests.Desk()
    /// What the machines stored so far.
    private var saved = Saved()

    private var sessions: [String] {
        desk.rows.sessions(of: user).map {
            let start = moment(0)
            let to = $0.to.map { "\(($0 - start).milliseconds / 1000)" } ?? "open"
            let codes = $0.review.map { " \($0.rawValue)" }.joined()
            return "\(($0.from - start).milliseconds / 1000)–\(to)\(codes)"
        }
    }

    /// Starts anew from what is stored, as after a restart.
    private mutating func restart(_ now: Double) {
        for fact in desk.attendance.changes(coverage: desk.coverage, at: moment(now)) {
            saved.apply(fact)
        }
        saved.sessions = desk.rows.sessions(of: user)
        desk.attendance = Attendance(plan: MeshSite.plan(), saved: saved)
    }

    private mutating func say(
        _ kind: Statement.Kind, at: Double? = nil, now: Double
    ) -> ProblemCode? {
        let (facts, outcome) = desk.attendance.say(
            kind, user: user, at: at.map { moment($0) }, reason: nil, by: "kiosk",
            coverage: desk.coverage, now: moment(now), next: &desk.next)
        desk.rows.apply(facts)
        if case .refused(let refusal, _) = outcome { return refusal }
        return nil
    }

    @Test mutating func `a check-in alone can be ended by a check-out however old it is`() {
        desk.listen(0, 60 * hour)
        #expect(say(.checkIn, now: 100) == nil)
        for hours in stride(from: 1.0, through: 50, by: 1) {
            desk.step(hours * hour)
            restart(hours * hour)
        }
        #expect(sessions == ["100–open too-long"])
        #expect(say(.checkOut, now: 50 * hour) == nil)
        #expect(sessions == ["100–180000 too-long"])
        for hours in stride(from: 51.0, through: 60, by: 1) {
            restart(hours * hour)
            desk.step(hours * hour)
        }
        #expect(sessions == ["100–180000 too-long"])
        #expect(desk.rows.faults == [])
    }

    @Test mutating func `who forgot to check out yesterday says when, and is in again`() {
        desk.listen(0, 30 * hour)
        #expect(say(.checkIn, now: 0) == nil)
        desk.step(24 * hour)
        #expect(say(.checkIn, now: 24 * hour) == .alreadyIn)
        #expect(say(.checkOut, at: 8 * hour, now: 24 * hour) == nil)
        #expect(say(.checkIn, now: 24 * hour) == nil)
        #expect(sessions == ["0–28800", "86400–open"])
        #expect(desk.rows.faults == [])
    }

    @Test mutating func `a forgotten check-out can be said when they are heard again`() {
        desk.listen(0, 30 * hour)
        #expect(say(.checkIn, now: 0) == nil)
        desk.hear(86_400...86_500)
        desk.step(86_501)
        #expect(sessions == ["0–open too-long"])
        #expect(desk.rows.sessions(of: user).first?.breaks == [stretch(0, 86_400)])
        #expect(say(.checkOut, at: 8 * hour, now: 86_501) == nil)
        #expect(sessions == ["0–28800", "86400–open"])
        #expect(desk.rows.faults == [])
    }

    @Test mutating func `a session in our future can be ended and keeps its length`() {
        desk.listen(7000, 9200)
        desk.hear(7200...9000)
        desk.step(9200)
        #expect(sessions == ["7200–9001"])
        // The clock ran two hours fast; now it is right.
        restart(9200)
        desk.step(2000)
        #expect(sessions == ["7200–open"])
        #expect(say(.checkOut, now: 2000) == nil)
        #expect(sessions == ["7200–9001 wrong-clock"])
        desk.listen(2000, 20_000)
        for second in [2001.0, 7300, 9001, 20_000] { desk.step(second) }
        #expect(sessions == ["7200–9001 wrong-clock"])
        #expect(desk.rows.faults == [])
    }

    @Test mutating func `who checked in by a wrong clock can check out at once`() {
        desk.listen(0, 9200)
        #expect(say(.checkIn, now: 7200) == nil)
        restart(7200)
        #expect(say(.checkOut, now: 1000) == nil)
        #expect(sessions == ["7200–7200 wrong-clock"])
        // Clocks of kiosks may differ by so much.
        #expect(say(.checkIn, now: 20_000) == nil)
        #expect(say(.checkOut, now: 19_950) == .badTime)
        #expect(desk.rows.faults == [])
    }
}

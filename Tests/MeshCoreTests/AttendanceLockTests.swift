import Scheduling
import Testing

@testable import SiteEngine
@testable import SiteModel

/// Locked days, explicit check-ins, and evidence that comes too late.
struct AttendanceLockTests {
    typealias Desk = AttendanceTests.Desk

    let user = MeshSite.users[0]
    var desk = Desk()
    /// What the machines stored so far.
    var saved = Saved()

    private var sessions: [String] {
        desk.rows.sessions(of: user).map {
            let start = moment(0)
            let to = $0.to.map { "\(($0 - start).milliseconds / 1000)" } ?? "open"
            return "\(($0.from - start).milliseconds / 1000)–\(to)"
        }
    }

    /// Goes on from what is stored, with what people decided.
    private mutating func goOn(_ overrides: Overrides) {
        for fact in desk.attendance.changes(
            coverage: desk.coverage, at: moment(0))
        { saved.apply(fact) }
        for session in desk.rows.sessions(of: user) { saved.apply(.session(session)) }
        saved.apply(.overrides(overrides))
        desk.attendance = Attendance(plan: MeshSite.plan(), saved: saved)
    }

    /// Goes on with everything before `seconds` locked.
    private mutating func lock(through seconds: Double) {
        goOn(Overrides(revision: 1, lockedThrough: moment(seconds)))
    }

    /// Goes on with the session 1000–1501 corrected to 900–1600.
    private mutating func correct() {
        let correction = Amendment(
            id: 1, user: user, replaced: stretch(1000, 1501), stated: stretch(900, 1600))
        goOn(Overrides(revision: 1, amendments: [correction]))
    }

    private mutating func say(
        _ kind: Statement.Kind, at: Double? = nil, now: Double
    ) -> Answer.Outcome {
        let (facts, outcome) = desk.attendance.say(
            kind, user: user, at: at.map { moment($0) }, reason: nil, by: "kiosk",
            coverage: desk.coverage, now: moment(now), next: &desk.next)
        desk.rows.apply(facts)
        return outcome
    }

    private func refusal(_ outcome: Answer.Outcome) -> ProblemCode? {
        if case .refused(let refusal, _) = outcome { refusal } else { nil }
    }

    private func disputes(_ facts: [Fact]) -> [Dispute] {
        facts.compactMap { if case .dispute(let dispute) = $0 { dispute } else { nil } }
    }

    // MARK: Locked days

    @Test mutating func `late evidence of a locked day is for a person to decide, once`() {
        desk.listen(0, 5000)
        desk.hear(1000...1500)
        desk.step(2000)
        #expect(sessions == ["1000–1501"])
        lock(through: 3000)
        desk.hear(1502...1600)
        let facts = desk.step(2100)
        #expect(sessions == ["1000–1501"])
        #expect(
            disputes(facts) == [
                Dispute(
                    user: user, kind: .locked, session: 1, interval: stretch(1000, 1601),
                    heard: .seconds(0))
            ])
        desk.attendance.relisten()
        #expect(desk.step(2200) == [])
    }

    @Test mutating func `a day that is not locked changes as ever`() {
        desk.listen(0, 9000)
        desk.hear(1000...1500)
        desk.step(2000)
        lock(through: 3000)
        desk.hear(4000...4500)
        desk.step(5000)
        #expect(sessions == ["1000–1501", "4000–4501"])
    }

    @Test mutating func `a session that was open when its day was locked can still end`() {
        desk.listen(0, 9000)
        desk.hear(1000...1500)
        desk.step(1501)
        #expect(sessions == ["1000–open"])
        lock(through: 1400)
        #expect(disputes(desk.step(1600)) == [])
        #expect(sessions == ["1000–1501"])
    }

    @Test mutating func `a session that was open when its day was locked keeps its start`() {
        desk.listen(0, 9000)
        desk.hear(1000...1500)
        desk.step(1501)
        lock(through: 1400)
        desk.hear(900...999)
        #expect(disputes(desk.step(1502)).map(\.interval) == [stretch(900, 1000)])
        #expect(sessions == ["1000–open"])
        desk.hear(1501...1510)
        #expect(disputes(desk.step(1511)) == [])
        desk.step(1700)
        #expect(sessions == ["1000–1511"])
    }

    @Test mutating func `an addition that touches an open session of a locked day ends it not`() {
        desk.listen(0, 9000)
        #expect(refusal(say(.checkIn, at: 1000, now: 1001)) == nil)
        desk.step(1010)
        let added = Amendment(id: 1, user: user, replaced: nil, stated: stretch(500, 1000))
        goOn(Overrides(revision: 1, amendments: [added], lockedThrough: moment(1400)))
        #expect(disputes(desk.step(1500)).map(\.interval) == [stretch(500, 1000)])
        #expect(sessions == ["1000–open"])
        #expect(desk.step(1501) == [])
        #expect(desk.rows.faults == [])
    }

    @Test mutating func `a later start under a lock adds nothing, and keeps the breaks before it`()
    {
        desk.listen(0, 9000)
        desk.hear(1000...1500)
        desk.step(1501)
        let moved = Amendment(id: 1, user: user, began: moment(1000), opens: moment(1200))
        goOn(Overrides(revision: 1, amendments: [moved], lockedThrough: moment(1400)))
        #expect(disputes(desk.step(1502)) == [])
        #expect(sessions == ["1000–open"])
    }

    @Test mutating func `whoever is in is in, though they came on a locked day`() {
        desk.listen(0, 9000)
        lock(through: 1400)
        desk.hear(1000...1500)
        let facts = desk.step(1501)
        #expect(sessions == ["1400–open"])
        #expect(disputes(facts).map(\.interval) == [stretch(1000, 1501)])
    }

    @Test mutating func `a corrected session is not made again when it is long past`() {
        let days = 200_000.0
        desk.listen(0, days + 5000)
        desk.hear(1000...1500)
        desk.step(2000)
        correct()
        desk.step(2001)
        #expect(sessions == ["900–1600"])
        for second in [100_000, 200_000] {
            desk.hear(second...second + 100)
            desk.step(Double(second) + 500)
            _ = desk.attendance.changes(
                coverage: desk.coverage, at: moment(Double(second) + 500))
        }
        desk.step(days + 600)
        #expect(sessions == ["900–1600", "100000–100101", "200000–200101"])
        #expect(desk.rows.faults == [])
    }

    /// The correction is remembered longer than what was heard on that day.
    @Test(arguments: [135_600, 137_600, 139_600])
    mutating func `a session after a corrected one keeps its times when it is long past`(
        return second: Int
    ) {
        desk.listen(0, 150_000)
        desk.hear(1000...1500)
        desk.hear(5000...6000)
        desk.hear(6015...9000)
        desk.step(10_000)
        correct()
        desk.step(10_001)
        desk.hear(second...second + 100)
        desk.step(Double(second) + 500)
        #expect(sessions == ["900–1600", "5000–9001", "\(second)–\(second + 101)"])
        #expect(desk.rows.faults == [])
    }

    // MARK: Saying

    @Test mutating func `somebody checks in and out`() {
        desk.listen(0, 9000)
        guard case .session(let open) = say(.checkIn, now: 100) else {
            Issue.record("refused")
            return
        }
        #expect((open.from, open.to, open.inCause) == (moment(100), nil, .manual))
        guard case .session(let closed) = say(.checkOut, now: 400) else {
            Issue.record("refused")
            return
        }
        #expect((closed.id, closed.to, closed.outCause) == (open.id, moment(400), .manual))
        #expect(desk.rows.faults == [])
    }

    @Test mutating func `each refusal has a code of its own, and changes nothing`() {
        desk.listen(0, 200_000)
        desk.hear(1000...1500)
        desk.step(1501)
        #expect(refusal(say(.checkIn, now: 1501)) == .alreadyIn)
        #expect(refusal(say(.checkIn, at: 500, now: 1501)) == .overlap)
        #expect(refusal(say(.checkOut, at: 900, now: 1501)) == .badTime)
        #expect(refusal(say(.checkOut, at: 1600, now: 1501)) == .badTime)
        desk.step(2000)
        #expect(refusal(say(.checkOut, now: 2000)) == .notIn)
        #expect(refusal(say(.checkIn, at: 1200, now: 2000)) == .overlap)
        #expect(refusal(say(.checkIn, at: 500, now: 2000)) == .overlap)
        #expect(refusal(say(.checkIn, at: 200, now: 36 * 3600 + 500)) == .badTime)
        lock(through: 3000)
        #expect(refusal(say(.checkIn, at: 2500, now: 4000)) == .lockedPeriod)
        #expect(sessions == ["1000–1501"])
    }

    @Test mutating func `a tag that stays after its check-out is noted when it has gone`() {
        desk.listen(0, 9000)
        desk.hear(100...1000)
        desk.step(1001)
        _ = say(.checkOut, now: 1001)
        var rows = 0
        for second in 1001...1100 {
            desk.hear(second...second)
            rows += desk.step(Double(second + 1)).sessions.count
        }
        #expect(rows == 0)
        for second in 1102...1300 { rows += desk.step(Double(second)).sessions.count }
        #expect(rows == 1)
        #expect(desk.rows.sessions(of: user).last?.lastHeard == moment(1101))
        #expect(sessions == ["100–1001"])
    }

    @Test mutating func `a check-in of the past joins what is heard later`() {
        desk.listen(0, 9000)
        desk.step(1000)
        _ = say(.checkIn, at: 500, now: 1000)
        desk.hear(1100...2000)
        desk.step(2001)
        desk.step(2200)
        #expect(sessions == ["500–2001"])
    }

    // MARK: Late truth

    /// The same evidence in any order, in any portions, some of it twice, with restarts in between:
    /// the same sessions.
    @Test(arguments: UInt64(1)...200)
    mutating func `order, repetition and restarts leave the same sessions`(seed: UInt64) {
        var dice = Dice(seed: seed)
        var minutes: [(heard: ClosedRange<Int>, yard: Bool)] = []
        var second = 0
        while second < 20_000 {
            second += Int.random(in: 30...900, using: &dice)
            for _ in 0..<Int.random(in: 1...8, using: &dice) {
                minutes.append((second...second + 55, Bool.random(using: &dice)))
                second += 60
            }
        }
        let end = Double(second) + 4000
        desk.listen(-600, end)
        desk.listen(-600, end, yard: true)
        var plain = desk
        for minute in minutes { plain.hear(minute.heard, yard: minute.yard) }
        plain.step(end)
        var told = (minutes + minutes.prefix(5)).shuffled(using: &dice)
        while !told.isEmpty {
            for _ in 0..<min(told.count, Int.random(in: 1...10, using: &dice)) {
                guard let minute = told.popLast() else { break }
                desk.hear(minute.heard, yard: minute.yard)
            }
            desk.step(end)
            if Int.random(in: 0..<4, using: &dice) == 0 { lock(through: -1_000_000) }
        }
        let text = { (session: Session) in
            "\(session.from.milliseconds)–\(session.to?.milliseconds ?? -1) \(session.review)"
        }
        #expect(desk.rows.faults == [], "seed \(seed)")
        let stored = desk.rows.sessions(of: user).map(text)
        let wanted = plain.rows.sessions(of: user).map(text)
        #expect(stored.filter { !wanted.contains($0) } == [], "seed \(seed)")
        #expect(wanted.filter { !stored.contains($0) } == [], "seed \(seed)")
    }
}

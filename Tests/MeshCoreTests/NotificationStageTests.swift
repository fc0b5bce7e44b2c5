import Basics
import Foundation
import Scheduling
import Testing

@testable import SiteEngine
@testable import SiteModel

/// What people are to be told of: each once, also after a restart.
struct NotificationStageTests {
    private let ann = UserID(1)

    private func rows(_ decisions: [Decision]) -> [NotificationRow] {
        decisions.facts.compactMap {
            if case .notification(let row) = $0 { row } else { nil }
        }
    }

    private func battery(_ sequence: Int64, of beacon: Int64, at seconds: Double) -> Input {
        .nodeEvent(
            NodeEvent(
                record: Record(log: 1, sequence: sequence, after: sequence - 1), boot: 1,
                at: moment(seconds), kind: NodeEvent.batteryLow, detail: nil,
                beacon: BeaconID(beacon), value: nil), from: NodeID(2))
    }

    /// A site whose people forget to check out after an hour.
    private func run(_ rules: NoticeRules = NoticeRules(forgotten: .seconds(3600))) -> SiteRun {
        var run = SiteRun()
        run.tell(.overrides(Overrides(revision: 1, duties: Duties(rules: rules))), 0)
        return run
    }

    @Test func `who comes and who goes is told once, with the event it follows from`() {
        var run = run()
        run.ask(.attendance(ann, .checkIn(at: nil, reason: nil)), id: "1", 10)
        run.ask(.attendance(ann, .checkOut(at: nil, reason: nil)), id: "2", 700)
        let told = rows(run.decisions)
        #expect(told.map(\.kind) == [.arrival, .departure])
        #expect(told.map(\.at) == [moment(10), moment(700)])
        let events = run.decisions.facts.events.filter {
            [.checkedIn, .checkedOut].contains($0.kind)
        }
        #expect(told.map(\.cause) == events.map { "event-\($0.id)" })
        #expect(told.map(\.subject) == events.map { "\($0.subject)" })
        // Told before, they are no business of a machine that starts anew.
        #expect(run.mesh.saved.notifications == [])
        var again = SiteRun(saved: run.mesh.saved)
        again.tell(.tick, 701)
        again.tell(.tick, 800)
        #expect(rows(again.decisions) == [])
    }

    @Test func `a record is told of to who wants that, with its exercise`() {
        for wants in [true, false] {
            var run = run(NoticeRules(records: wants ? [ann] : []))
            var plan = MeshSite.plan(revision: 2)
            plan.exercises = [Exercise(slug: "row", measure: .reps, load: .weight)]
            run.tell(.plan(plan), 5)
            func set(_ number: Int, _ grams: Int64) -> GivenSet {
                GivenSet(key: "k\(number)", exercise: "row", reps: 5, weight: grams)
            }
            run.ask(.training(ann, .start(nil)), id: "1", 10)
            run.ask(.training(ann, .addSet(set(1, 50_000))), id: "2", 20)
            run.ask(.training(ann, .addSet(set(2, 50_000))), id: "3", 30)
            run.ask(.training(ann, .addSet(set(3, 60_000))), id: "4", 40)
            let told = rows(run.decisions)
            #expect(told.map(\.kind) == (wants ? [.record] : []))
            #expect(told.map(\.subject) == (wants ? ["row"] : []))
            #expect(told.map(\.at) == (wants ? [moment(40)] : []))
        }
    }

    @Test func `a session that does not end is told of once, by the rules in force`() {
        var run = run()
        run.ask(.attendance(ann, .checkIn(at: nil, reason: nil)), id: "1", 10)
        run.tell(.tick, 3610)
        #expect(rows(run.decisions).map(\.kind) == [.arrival])
        let told = rows(run.tell(.tick, 3671))
        #expect(told.map(\.cause) == ["open-\(run.mesh.saved.sessions[0].id)"])
        #expect(told.first?.at == moment(3610))
        #expect(told.first?.since == moment(10))
        #expect(rows(run.tell(.tick, 3740)) == [])
        // Nor by a machine that takes in something anew.
        run.tell(.overrides(Overrides(revision: 2)), 3741)
        run.tell(.plan(MeshSite.plan(revision: 2)), 3742)
        #expect(rows(run.tell(.tick, 3840)) == [])
        var again = SiteRun(saved: run.mesh.saved)
        again.tell(.tick, 3800)
        again.tell(.tick, 3900)
        #expect(rows(again.decisions) == [])
        #expect(again.mesh.saved.notifications == told)
    }

    /// Ann is heard in the hall and says that she left; then her tag goes on being heard from a second
    /// on. What is told of that.
    private func stray(from first: Int, to last: Int) -> [NotificationRow] {
        var run = SiteRun()
        run.stand(at: 2, from: 1, to: 40)
        run.ask(.attendance(ann, .checkOut(at: nil, reason: nil)), id: "1", 41)
        for second in 41..<first { run.second(Double(second)) }
        run.stand(at: 2, from: first, to: last)
        run.tell(.tick, Double(last + 61))
        return rows(run.decisions).filter { $0.kind == .forgottenTag }
    }

    @Test func `a tag heard for half an hour after its check-out is told of once`() {
        let told = stray(from: 41, to: 41 + 1800 + 300)
        #expect(told.count == 1)
        #expect(told.first?.cause.hasPrefix("stray-") == true)
        #expect(told.first?.since == moment(41))
        #expect(stray(from: 41, to: 41 + 1700) == [])
    }

    @Test func `who comes back is no tag left behind`() {
        // At second 1900 a minute begins: they are heard again, and have no session yet.
        #expect(stray(from: 1897, to: 2400) == [])
    }

    @Test func `an empty battery is told of once a week, and to whom it matters`() {
        let day = 86_400.0
        var run = run()
        run.tell(.tick, 0)
        for number in 0...7 {
            let moment = Double(number) * day + 1
            let told = rows(run.tell(battery(Int64(number) + 1, of: 2, at: moment), moment))
            #expect(told.count == (number == 0 || number == 7 ? 1 : 0), "day \(number)")
        }
        let told = rows(run.decisions)
        #expect(told.map(\.user) == [UserID(2), UserID(2)])
        #expect(told.map(\.beacon) == [BeaconID(2), BeaconID(2)])
        // Beacon 5 is nobody's, 99 is none; sent again it is the same.
        #expect(rows(run.tell(battery(9, of: 5, at: 8 * day), 8 * day)).map(\.user) == [nil])
        #expect(rows(run.tell(battery(9, of: 5, at: 8 * day), 8 * day + 1)) == [])
        #expect(rows(run.tell(battery(10, of: 99, at: 8 * day), 8 * day + 2)) == [])
        var again = SiteRun(saved: run.mesh.saved)
        #expect(rows(again.tell(battery(11, of: 2, at: 9 * day), 9 * day)) == [])
    }

    @Test func `what comes in quiet hours waits for their end, unless it is urgent`() throws {
        // 22:13:20 UTC at the start of the tests.
        let quiet = try #require(DailyHours("22:00-07:00"))
        var run = run(NoticeRules(quiet: quiet, urgent: [.departure]))
        run.ask(.attendance(ann, .checkIn(at: nil, reason: nil)), id: "1", 10)
        run.ask(.attendance(ann, .checkOut(at: nil, reason: nil)), id: "2", 700)
        run.tell(battery(1, of: 5, at: 701), 701)
        let told = rows(run.decisions)
        let morning = moment(0) + .seconds(8 * 3600 + 46 * 60 + 40)
        #expect(told.map(\.due) == [morning, moment(700), moment(701)])
    }

    @Test func `a state that was recorded before there were notifications has none`() throws {
        let data = try JSONEncoder().encode(Saved())
        var object = try #require(
            try JSONSerialization.jsonObject(with: data) as? [String: Any])
        try #require(object.removeValue(forKey: "notifications") != nil)
        let old = try JSONSerialization.data(withJSONObject: object)
        #expect(try JSONDecoder().decode(Saved.self, from: old) == Saved())
    }

    @Test func `a notification is remembered for ninety days`() {
        var saved = Saved()
        let row = NotificationRow(
            kind: .noCheckIn, cause: "a", user: ann, at: moment(0), made: moment(0))
        saved.apply(.notification(row))
        saved.apply(.notification(row))
        #expect(saved.notifications == [row])
        saved.apply(.site(SiteRow(clock: moment(90 * 86_400), next: 1, coverage: [], clocks: [])))
        #expect(saved.notifications == [row])
        saved.apply(
            .site(SiteRow(clock: moment(90 * 86_400 + 1), next: 1, coverage: [], clocks: [])))
        #expect(saved.notifications == [])
    }
}

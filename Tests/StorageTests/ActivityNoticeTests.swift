import Basics
import Scheduling
import Testing

@testable import Activities
@testable import ActivityEngine
@testable import Notifications
@testable import Records
@testable import Reporting
@testable import SiteModel
@testable import SiteStore

/// Goals and reminders, each told once.
struct ActivityNoticeTests {
    private static let ann = "u-ann"

    private let scratch: Scratch
    private let store: Store
    private let calendar: SiteCalendar

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        calendar = try ReportDesk(store, now: at(0)).context.calendar
    }

    private func set(
        goal: Int64? = nil, from date: LocalDate, at now: Timestamp, primary: String? = nil,
        reminder: ActivitySettings.Reminder? = nil
    ) throws {
        var settings = ActivitySettings()
        settings.reminder = reminder
        settings.primary = primary
        _ = try ActivityRecords(store).perform(
            .settings(user: Self.ann, settings, goal: .init(from: date, steps: goal)),
            by: Asker(name: "account:ann", via: .rest, at: now))
    }

    private func walk(
        _ id: String, _ steps: Int64, from: Timestamp, at now: Timestamp, source: String = "phone"
    ) throws {
        let sample = ActivitySample(from: from, to: from + .seconds(600), steps: steps)
        let codes = try SampleIntake(store).take(
            [SentSample(id: id, source: source, sample: sample)], of: Self.ann, at: now)
        #expect(codes == [nil])
    }

    private var told: [String] {
        get throws {
            try store.texts(
                "SELECT kind, subject, late FROM notification WHERE kind LIKE '%goal' ORDER BY id")
        }
    }
    private var hits: [String] {
        get throws { try store.texts("SELECT date FROM goal_hit ORDER BY date") }
    }

    @Test func `a goal is hit once a day, by whatever sample, also by a late one`() throws {
        let date = calendar.local(at(0)).date + 10
        let noon = calendar.first(date, .midnight) + .seconds(12 * 3600)
        try set(goal: 1000, from: date + -5, at: noon)
        try walk("a", 999, from: noon - .seconds(7200), at: noon)
        #expect(try hits == [] && told == [])
        // A watch counts the same steps: they are not added.
        try walk("w", 998, from: noon - .seconds(7200), at: noon, source: "watch")
        #expect(try hits == [])
        try walk("b", 1, from: noon - .seconds(3600), at: noon)
        #expect(try hits == ["\(date)"] && told == ["step-goal \(date) 0"])
        try walk("c", 500, from: noon - .seconds(1800), at: noon)
        // A replacement takes nothing back, and what reaches it again tells nothing.
        try walk("a2", 10, from: noon - .seconds(7200), at: noon)
        try walk("a3", 2000, from: noon - .seconds(7200), at: noon)
        #expect(try hits == ["\(date)"] && told.count == 1)
        // Late: said with its date for three days, and noted only before that.
        for (days, isTold) in [(1, true), (3, true), (4, false)] {
            let day = date + Int64(-days)
            try walk(
                "late\(days)", 1000, from: calendar.first(day, .midnight) + .seconds(3600), at: noon
            )
            #expect(try hits.contains("\(day)"))
            #expect(try told.contains("step-goal \(day) 0") == isTold, "\(days)")
        }
        // Before it was set there was none.
        try walk("early", 1000, from: calendar.first(date + -6, .midnight), at: noon)
        #expect(try hits.count == 4)
    }

    /// Where the chosen source is replaced, another one may count.
    @Test func `a goal that a replacement reaches is told`() throws {
        let date = calendar.local(at(0)).date + 10
        let midnight = calendar.first(date, .midnight)
        let noon = midnight + .seconds(12 * 3600)
        try set(goal: 5000, from: date + -5, at: noon, primary: "watch")
        func take(_ id: String, _ source: String, _ from: Double, _ to: Double, _ steps: Int64)
            throws
        {
            let sample = ActivitySample(
                from: midnight + .seconds(from), to: midnight + .seconds(to), steps: steps)
            #expect(
                try SampleIntake(store).take(
                    [SentSample(id: id, source: source, sample: sample)], of: Self.ann, at: noon)
                    == [nil])
        }
        try take("w", "watch", -3600, 3600, 100)
        try take("p", "phone", 600, 1800, 9000)
        #expect(try hits == [])
        // It ends before midnight now: today is the phone's.
        try take("w2", "watch", -3600, -1800, 50)
        #expect(try hits == ["\(date)"] && told == ["step-goal \(date) 0"])
    }

    @Test func `what is made up reaches no goal`() throws {
        let date = calendar.local(at(0)).date
        let noon = calendar.first(date, .midnight) + .seconds(12 * 3600)
        try set(goal: 100, from: date, at: noon)
        let sample = ActivitySample(
            from: noon - .seconds(7200), to: noon - .seconds(3600), steps: 900)
        _ = try SampleIntake(store).take(
            [SentSample(id: "d", source: "demo", sample: sample)], of: Self.ann, at: noon,
            isDemo: true)
        #expect(try hits == [])
        try walk("a", 50, from: noon - .seconds(600), at: noon)
        #expect(try hits == [])
    }

    @Test func `a reminder comes once, at its minute, on its days, also where clocks are changed`()
        throws
    {
        // 2026-03-29 has no 02:30 in Berlin, 2026-10-25 has two.
        for (text, wanted) in [
            ("2026-03-29", "2026-03-29 03:00:00+02:00"),
            ("2026-10-25", "2026-10-25 02:30:00+02:00"),
            ("2026-06-14", "2026-06-14 02:30:00+02:00"),
        ] {
            let date = try #require(LocalDate(text))
            let begin = calendar.first(date, .midnight)
            // A Sunday; nothing on Monday.
            try set(
                from: date, at: begin,
                reminder: .init(at: try #require(LocalTime("02:30")), weekdays: [7]))
            let reminders = MoveReminders(store)
            let next = try #require(try reminders.look(at: begin).next)
            #expect(calendar.text(next) == wanted)
            for second in stride(from: 0.0, through: 30 * 3600, by: 300) {
                let now = begin + .seconds(second)
                // As the notifier does it, and as one that was killed before it was noted.
                if try reminders.look(at: now).isDue { try reminders.tell(at: now) }
                try reminders.tell(at: now)
            }
            let rows = try store.texts(
                "SELECT subject, at_ms, late FROM notification WHERE kind = 'move-reminder' AND subject = '\(date)'"
            )
            #expect(rows == ["\(date) \(next.milliseconds) 0"])
        }
        #expect(
            try store.texts("SELECT count(*) FROM notification WHERE kind = 'move-reminder'") == [
                "3"
            ])
        // After a pause of more than a quarter of an hour it is no reminder any more.
        let date = try #require(LocalDate("2026-07-12"))
        let moment = calendar.first(date, try #require(LocalTime("02:30")))
        #expect(try MoveReminders(store).look(at: moment + .seconds(901)).isDue == false)
        #expect(try MoveReminders(store).look(at: moment + .seconds(900)).isDue)
        #expect(try MoveReminders(store).look(at: moment + .seconds(-1)).isDue == false)
    }

    @Test func `quiet hours hold both back`() throws {
        let date = calendar.local(at(0)).date
        let midnight = calendar.first(date, .midnight)
        try NotificationQueue(store).setNoticeRules(
            NoticeRules(quiet: DailyHours("22:00-07:00")), by: "cli", at: midnight)
        try set(
            goal: 10, from: date, at: midnight,
            reminder: .init(at: try #require(LocalTime("00:30")), weekdays: Array(1...7)))
        let now = midnight + .seconds(1800)
        try walk("a", 20, from: midnight, at: now)
        try MoveReminders(store).tell(at: now)
        let due = midnight + .seconds(7 * 3600)
        #expect(
            try store.texts("SELECT kind, due_ms FROM notification ORDER BY kind")
                == ["move-reminder \(due.milliseconds)", "step-goal \(due.milliseconds)"])
    }

    @Test func `what is made up is the same each time, goes in one step, and is in no export`()
        throws
    {
        let now = at(86_400 * 40)
        let asker = Asker(name: "cli", via: .cli, at: now)
        let records = ActivityRecords(store)
        func rows() throws -> [String] {
            try store.texts(
                "SELECT user, from_ms, steps FROM activity_sample ORDER BY user, from_ms")
        }
        try walk("real", 77, from: now - .seconds(7200), at: now)
        let codes = try records.perform(.demo(user: Self.ann, days: 30, seed: 7), by: asker)
        #expect(codes.count > 29 * 15 && codes.allSatisfy { $0 == nil })
        let first = try rows()
        _ = try records.perform(.demo(user: Self.ann, days: 30, seed: 7), by: asker)
        #expect(try rows() == first)
        _ = try records.perform(.demo(user: Self.ann, days: 30, seed: 8), by: asker)
        #expect(try rows() != first && rows().count == first.count)
        let month = Interval(from: now - .seconds(30 * 86_400), to: now)
        let told = try #require(try records.figures(of: Self.ann, in: month))
        let exported = try #require(try records.figures(of: Self.ann, in: month, withDemo: false))
        #expect(told.sources.map(\.name) == ["(demo)", "phone"])
        #expect(exported.sources.map(\.name) == ["phone"])
        // A phone that calls itself so is not one of them.
        let sample = ActivitySample(from: now - .seconds(60), to: now, steps: 1)
        let strange = SentSample(id: "x", source: "(demo)", sample: sample)
        #expect(try SampleIntake(store).take([strange], of: Self.ann, at: now) == [.schema])
        _ = try records.perform(.removeDemo, by: asker)
        #expect(try store.texts("SELECT steps FROM activity_sample") == ["77"])
        #expect(try store.texts("SELECT name FROM activity_source") == ["phone"])
    }

    @Test func `a sample of a day over a day of 23 hours counts for that one, too`() throws {
        let sunday = try #require(LocalDate("2026-03-29"))
        let from = calendar.first(sunday, .midnight) - .seconds(1800)
        let now = from + .seconds(86_400)
        try set(goal: 20_000, from: sunday + -9, at: from)
        let sample = ActivitySample(from: from, to: now, steps: 24_000)
        #expect(sample.dates(by: calendar).count == 3)
        _ = try SampleIntake(store).take(
            [SentSample(id: "a", source: "phone", sample: sample)], of: Self.ann, at: now)
        #expect(try hits == ["2026-03-29"])
    }

    @Test func `an erasure changes nobody else's settings`() throws {
        let date = calendar.local(at(0)).date
        try store.write { db in
            try db.execute(
                sql:
                    "UPDATE beacon SET title = '18' WHERE id = 2; UPDATE user SET name = 'km' WHERE slug = 'u-bob'"
            )
        }
        var settings = ActivitySettings()
        settings.reminder = .init(at: try #require(LocalTime("18:00")), weekdays: Array(1...7))
        settings.primary = "Bob's km"
        for user in ["u-ann", "u-cid"] {
            _ = try ActivityRecords(store).perform(
                .settings(user: user, settings, goal: .init(from: date, steps: 7)),
                by: Asker(name: "cli", via: .cli, at: at(0)))
        }
        _ = try SampleIntake(store).take(
            [
                SentSample(
                    id: "1", source: "km", sample: ActivitySample(from: at(0), to: at(9), steps: 1)),
                SentSample(
                    id: "2", source: "KM", sample: ActivitySample(from: at(0), to: at(9), steps: 1)),
            ], of: Self.ann, at: at(60))
        var run = try Erasures(store).begin(
            user: "u-bob", reason: "asked", options: ErasureOptions(), by: "cli", via: .cli,
            at: at(99)
        ).get()
        var slices = 0
        while try run.step(on: store) == nil, slices < 10_000 { slices += 1 }
        let kept = try #require(try ActivityRecords(store).figures(of: Self.ann))
        #expect(kept.settings.reminder == settings.reminder && kept.settings.units == .kilometres)
        #expect(kept.names.count == 2 && !kept.names.contains("km"))
        #expect(try MoveReminders(store).look(at: at(0)).next != nil)
    }
}

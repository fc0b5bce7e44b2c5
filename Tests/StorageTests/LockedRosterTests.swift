import Basics
import Reporting
import Scheduling
import TestSupport
import Testing

@testable import Records
@testable import Registry
@testable import SiteModel
@testable import SiteStore

/// A locked day changes by nothing that people plan, unless they say that it is to.
struct LockedRosterTests {
    private let site: BooksSite
    private let asker = Asker(name: "boss", via: .cli, at: BooksSite.now)
    /// The last locked day; the site is in Berlin.
    private let through: LocalDate
    private let boundary: Timestamp

    init() throws {
        site = try BooksSite()
        through = try #require(LocalDate("2025-10-31"))
        let context = try ReportDesk(site.store, now: BooksSite.now).context
        boundary = context.calendar.bounds(of: through).to
    }

    private var roster: Roster { Roster(site.store) }

    private func shift(
        _ slug: String, _ start: String, _ end: String, early: Int = 60, late: Int = 60
    ) throws -> Shift {
        Shift(
            id: 0, slug: slug, name: slug, start: try #require(LocalTime(start)),
            end: try #require(LocalTime(end)), earlyIn: .seconds(Double(early) * 60),
            lateOut: .seconds(Double(late) * 60), pause: .seconds(2700))
    }

    private func lock() throws {
        _ = try site.ask(
            .lock(through: "2025-10-31", boundary: boundary, reason: "wages paid", force: false))
    }

    /// What the locked days come to, of everybody.
    private func report() throws -> [DayRow] {
        let context = try ReportDesk(site.store, now: BooksSite.now).context
        let days = (through + -4)...through
        let asked = context.calendar.bounds(of: days)
        return try ReportRows(site.store).people().flatMap { person in
            let record = try ReportRows(site.store).record(
                of: person.user,
                touching: Interval(
                    from: asked.from - DaySheet.margin, to: asked.to + DaySheet.margin))
            return DaySheet.rows(
                of: PersonRecord(
                    user: person.user, slug: person.slug, name: person.name,
                    sessions: record.sessions, knownThrough: record.knownThrough,
                    assignments: record.assignments, leave: record.leave),
                days: days, context)
        }
    }

    /// The code of a refusal, or `nil` for what is done.
    private func code(_ call: RosterCall, force: Bool = false) throws -> String? {
        do throws(RosterError) {
            _ = try roster.perform(call, force: force, by: asker)
            return nil
        } catch {
            return error.code.rawValue
        }
    }

    private func said() throws -> String {
        try AuditTrail(site.store).entries(most: 1000).last?.after ?? ""
    }

    @Test func `what touches a locked day is refused, and done by force with a word in the audit`()
        throws
    {
        try roster.add(shift("day", "08:00", "16:00"), by: asker)
        let rows = try roster.assign(
            ["u-ann", "u-bob"], to: "day", from: through + -20, to: nil,
            weekdays: [1, 2, 3, 4, 5, 6, 7], by: asker)
        try roster.addLeave(
            "u-cid", from: through, to: through, kind: "holiday", isHalf: false, by: asker)
        try lock()
        let calls: [RosterCall] = [
            .assign(["u-cid"], shift: "day", from: through, to: through, weekdays: [5]),
            .assign(["u-cid"], shift: "day", from: through + -9, to: nil, weekdays: [1]),
            .endAssignment(rows[0], last: through + -1),
            .endAssignment(rows[1], last: through + -30),
            .addLeave("u-ann", from: through, to: through + 3, kind: "sick", isHalf: false),
            .removeLeave("u-cid", through), .removeShift("day", last: through + -1),
        ]
        for call in calls {
            let before = try site.rows() + site.store.texts("SELECT * FROM shift_assignment")
            #expect(try code(call) == "locked_period", "\(call)")
            #expect(
                try site.rows() + site.store.texts("SELECT * FROM shift_assignment") == before,
                "\(call)")
        }
        for call in calls {
            #expect(try code(call, force: true) == nil, "\(call)")
            if case .addLeave = call {
                let all = try AuditTrail(site.store).entries(entity: "leave", most: 1000)
                #expect(
                    all.suffix(4).map { $0.after?.contains("forced_over") ?? false }
                        == [true, false, false, false])
            } else {
                #expect(try said().contains(#""forced_over":"2025-10-31""#), "\(call)")
            }
        }
        #expect(try AuditTrail(site.store).verify().fault == nil)
    }

    @Test func `what touches none is done, and the audit has no word of force`() throws {
        try roster.add(shift("day", "08:00", "16:00"), by: asker)
        let rows = try roster.assign(
            ["u-ann", "u-bob"], to: "day", from: through + -20, to: nil, weekdays: [1], by: asker)
        try lock()
        let before = try report()
        let calls: [RosterCall] = [
            .assign(["u-cid"], shift: "day", from: through + 1, to: nil, weekdays: [1, 2, 6]),
            // A Friday was the last locked day.
            .assign(["u-cid"], shift: "day", from: through + -1, to: through, weekdays: [7]),
            .endAssignment(rows[0], last: through),
            .addLeave("u-ann", from: through + 1, to: through + 3, kind: "sick", isHalf: true),
            .removeLeave("u-ann", through + 1), .removeShift("day", last: through + 7),
        ]
        for call in calls {
            #expect(try code(call, force: false) == nil, "\(call)")
            #expect(try !said().contains("forced_over"), "\(call)")
        }
        #expect(try report() == before)
        #expect(try code(.removeLeave("u-ann", through)) == "not_found")
    }

    @Test func `a lock that is moved back frees the days`() throws {
        try lock()
        let call = RosterCall.addLeave(
            "u-ann", from: through, to: through, kind: "sick", isHalf: false)
        #expect(try code(call) == "locked_period")
        _ = try site.ask(
            .lock(
                through: "2025-10-30", boundary: boundary - .seconds(86_400), reason: "wrong",
                force: false, unlocks: true))
        #expect(try code(call) == nil)
    }

    @Test func `a shift of the next day may not draw a night away from a locked one`() throws {
        try site.store.commit([
            .session(
                Session(
                    id: 70, user: ann, from: boundary - .seconds(7200),
                    to: boundary + .seconds(6 * 3600)))
        ])
        try roster.add(shift("early", "00:00", "08:00"), by: asker)
        try roster.add(shift("noon", "12:00", "20:00"), by: asker)
        try lock()
        func assign(_ user: String, _ shift: String) -> RosterCall {
            .assign(
                [user], shift: shift, from: through + 1, to: nil, weekdays: [1, 2, 3, 4, 5, 6, 7])
        }
        #expect(try code(assign("u-ann", "early")) == "locked_period")
        #expect(try code(assign("u-ann", "noon")) == nil)
        #expect(try code(assign("u-bob", "early")) == nil, "who was not there that night")
    }

    @Test func `a correction may not change the night shift of a locked day`() throws {
        try roster.add(shift("night", "22:00", "06:00"), by: asker)
        try roster.assign(
            ["u-ann"], to: "night", from: through, to: through, weekdays: [5], by: asker)
        try lock()
        let morning = boundary + .seconds(2 * 3600)
        let end = morning + .seconds(3600)
        #expect(
            try site.code(
                .request(.add(user: "u-ann", from: morning, to: end), reason: "was there"))
                == "locked_period")
        #expect(
            try site.code(
                .request(.add(user: "u-bob", from: morning, to: end), reason: "was there"))
                == nil, "he had no shift that night")
        let noon = boundary + .seconds(12 * 3600)
        #expect(
            try site.code(
                .request(
                    .add(user: "u-ann", from: noon, to: noon + .seconds(3600)), reason: "came back")
            )
                == nil)
    }

    @Test(arguments: TestLength.seeds(of: 400))
    func `whatever is planned after it, a locked month comes to the same`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func between(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        var moment = boundary - .seconds(4 * 86_400)
        var sessions: [Session] = []
        while moment < boundary + .seconds(2 * 86_400) {
            let from = moment + .seconds(Double(between(0...20) * 3600 + 60))
            let to = from + .seconds(Double(between(1...16) * 1800))
            sessions.append(Session(id: 100 + Int64(sessions.count), user: ann, from: from, to: to))
            moment = to
        }
        try site.store.commit(sessions.map { .session($0) })
        for number in 0..<4 {
            let start = between(0...23)
            var made = try shift(
                "s-\(number)", "\(start < 10 ? "0" : "")\(start):00", "06:30",
                early: between(0...12) * 60, late: between(0...12) * 60)
            let length = between(1...24) * 60
            made.end = try #require(LocalTime(minutes: (start * 60 + length) % 1440))
            try roster.add(made, by: asker)
            _ = try code(
                .assign(
                    ["u-ann"], shift: "s-\(number)", from: through + Int64(between(-5...2)),
                    to: Bool.random(using: &random) ? nil : through + Int64(between(2...5)),
                    weekdays: (1...7).filter { _ in Bool.random(using: &random) }))
        }
        try lock()
        let before = try report()
        for _ in 0..<12 {
            let day = through + Int64(between(-4...4))
            let number = between(0...3)
            let call: RosterCall =
                switch between(0...4) {
                case 0:
                    .assign(
                        ["u-ann"], shift: "s-\(number)", from: day, to: nil,
                        weekdays: [1, 2, 3, 4, 5, 6, 7].filter { _ in Bool.random(using: &random) })
                case 1: .endAssignment(Int64(number + 1), last: day)
                case 2: .addLeave("u-ann", from: day, to: day + 1, kind: "sick", isHalf: false)
                case 3: .removeLeave("u-ann", day)
                default: .removeShift("s-\(number)", last: day)
                }
            let refusal = try code(call)
            #expect(try report() == before, "seed \(seed): \(call) \(refusal ?? "done")")
        }
        // Not everything is refused, and not everything done.
        func leave(_ day: LocalDate) -> RosterCall {
            .addLeave("u-bob", from: day, to: day, kind: "sick", isHalf: false)
        }
        #expect(try code(leave(through + 1)) == nil)
        #expect(try code(leave(through)) == "locked_period")
    }

    @Test func `another beginning of the day is refused as long as days are locked`() throws {
        var gym = SiteDocument.gym
        gym.dayStart = try #require(LocalTime("04:00"))
        #expect(try SiteImport(site.store).lockedDays(changedBy: gym) == nil, "nothing is locked")
        try lock()
        #expect(try SiteImport(site.store).lockedDays(changedBy: gym) == "2025-10-31")
        #expect(try SiteImport(site.store).lockedDays(changedBy: .gym) == nil)
        try SiteImport(site.store).importDocument(
            gym, at: BooksSite.now, by: "boss", via: .rest, instead: 1, over: "2025-10-31")
        let last = try said()
        #expect(last.contains(#""forced_over": "2025-10-31""#), "\(last)")
        #expect(try SiteImport(site.store).lockedDays(changedBy: gym) == nil, "it is so by now")
    }
}

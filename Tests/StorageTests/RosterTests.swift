import Reporting
import Scheduling
import Testing

@testable import Basics
@testable import Records
@testable import SiteModel
@testable import SiteStore
@testable import Registry

/// Shifts, who works them, leave, zones and feeds.
struct RosterTests {
    private let scratch: Scratch
    private let store: Store
    private let asker = Asker(name: "boss", via: .cli, at: at(10))

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    private func date(_ text: String) throws -> LocalDate { try #require(LocalDate(text)) }

    private func shift(_ slug: String) throws -> Shift {
        Shift(
            id: 0, slug: slug, name: "’; DROP TABLE", start: try #require(LocalTime("22:00")),
            end: try #require(LocalTime("06:00")), earlyIn: .seconds(1800),
            pause: .seconds(2700))
    }

    @Test func `shifts, assignments and leave come back as they were stored`() throws {
        var night = try shift("night")
        night.id = try Roster(store).add(night, by: asker)
        #expect(try Roster(store).shifts(removed: false) == [night])
        let id = try Roster(store).assign(
            ["u-ann"], to: "night", from: date("2026-01-05"), to: nil, weekdays: [7, 1],
            by: asker)[0]
        #expect(
            try Roster(store).assignments() == [
                ShiftAssignment(
                    id: id, user: ann, shift: night.id, from: try date("2026-01-05"), to: nil,
                    weekdays: [1, 7])
            ])
        let sixth = try date("2026-01-06")
        try Roster(store).addLeave(
            "u-ann", from: sixth, to: sixth + 1, kind: "sick", isHalf: false, by: asker)
        try Roster(store).addLeave(
            "u-ann", from: sixth, to: sixth, kind: "holiday", isHalf: true, by: asker)
        try Roster(store).removeLeave("u-ann", sixth + 1, by: asker)
        let leave = LeaveDay(
            user: ann, date: sixth, kind: "holiday", isHalf: true)
        #expect(try Roster(store).leave(sixth...sixth + 1) == [leave])
        let record = try ReportRows(store).record(
            of: ann, touching: Interval(from: at(0), to: at(1)))
        #expect(record.leave == [leave] && record.assignments.count == 1)
        try Roster(store).removeLeave("u-ann", sixth, by: asker)
        #expect(try Roster(store).leave(date("2026-01-01")...date("2026-12-31")) == [])
    }

    @Test func `what cannot be is refused by name, and nothing is written`() throws {
        try Roster(store).add(shift("night"), by: asker)
        let day = try date("2026-01-05")
        try Roster(store).assign(
            ["u-ann"], to: "night", from: day, to: day + 9, weekdays: [1], by: asker)
        let audited = try store.texts("SELECT count(*) FROM audit_log")
        #expect(throws: RosterError.shiftExists("night")) {
            try Roster(store).add(shift("night"), by: asker)
        }
        #expect(throws: RosterError.self) { try Roster(store).add(shift("Night"), by: asker) }
        var long = try shift("long")
        long.pause = .seconds(721 * 60)
        #expect(throws: RosterError.badValue(name: "break", reason: "0 to 720 minutes expected")) {
            try Roster(store).add(long, by: asker)
        }
        var unseen = try shift("unseen")
        for name in ["\u{200B}", "a\u{202E}b", "a\u{1B}b"] {
            unseen.name = name
            #expect(throws: RosterError.self) { try Roster(store).add(unseen, by: asker) }
        }
        #expect(throws: RosterError.unknownUser("u-eve")) {
            try Roster(store).assign(
                ["u-bob", "u-eve"], to: "night", from: day, to: nil, weekdays: [1], by: asker)
        }
        #expect(throws: RosterError.unknownShift("day")) {
            try Roster(store).assign(
                ["u-ann"], to: "day", from: day, to: nil, weekdays: [1], by: asker)
        }
        #expect(throws: RosterError.overlap(user: "u-ann", shift: "night")) {
            try Roster(store).assign(
                ["u-ann"], to: "night", from: day + 9, to: nil, weekdays: [1, 2], by: asker)
        }
        #expect(throws: RosterError.self) {
            try Roster(store).assign(
                ["u-bob"], to: "night", from: day, to: day + -1, weekdays: [1], by: asker)
        }
        for weekdays in [[], [0], [8]] {
            #expect(throws: RosterError.self) {
                try Roster(store).assign(
                    ["u-bob"], to: "night", from: day, to: nil, weekdays: weekdays, by: asker)
            }
        }
        #expect(throws: RosterError.unknownLeave(user: "u-ann", date: "2026-01-05")) {
            try Roster(store).removeLeave("u-ann", day, by: asker)
        }
        #expect(throws: RosterError.unknownAssignment(99)) {
            try Roster(store).endAssignment(99, last: day, by: asker)
        }
        #expect(throws: RosterError.unknownFeed(1)) { try Feeds(store).revoke(1, by: asker) }
        #expect(try store.texts("SELECT count(*) FROM audit_log") == audited)
        #expect(try Roster(store).assignments().count == 1)
        #expect(try Roster(store).shifts(removed: true).count == 1)
    }

    @Test func `a shift that is removed keeps its past`() throws {
        try Roster(store).add(shift("night"), by: asker)
        let day = try date("2026-01-05")
        try Roster(store).assign(
            ["u-ann"], to: "night", from: day, to: nil, weekdays: [1], by: asker)
        try Roster(store).assign(
            ["u-bob"], to: "night", from: day + 30, to: nil, weekdays: [1], by: asker)
        try Roster(store).removeShift("night", last: day + 20, by: asker)
        #expect(try Roster(store).shifts(removed: false) == [])
        #expect(try Roster(store).shifts(removed: true).count == 1)
        #expect(try Roster(store).assignments().map(\.to) == [day + 20])
        // Its id is free for other hours.
        try Roster(store).add(shift("night"), by: asker)
        #expect(try Roster(store).shifts(removed: true).count == 2)
    }

    @Test func `an assignment ends, or goes away before it begins`() throws {
        try Roster(store).add(shift("night"), by: asker)
        let day = try date("2026-01-05")
        let first = try Roster(store).assign(
            ["u-ann"], to: "night", from: day, to: nil, weekdays: [1], by: asker)[0]
        let second = try Roster(store).assign(
            ["u-bob"], to: "night", from: day + 30, to: nil, weekdays: [1], by: asker)[0]
        try Roster(store).endAssignment(first, last: day + 7, by: asker)
        try Roster(store).endAssignment(second, last: day + 7, by: asker)
        #expect(try Roster(store).assignments().map(\.id) == [first])
        #expect(throws: RosterError.unknownAssignment(first)) {
            try Roster(store).endAssignment(first, last: day + 8, by: asker)
        }
    }

    @Test func `whoever changes the roster is in the audit`() throws {
        try Roster(store).add(shift("night"), by: asker)
        try Roster(store).assign(
            ["u-ann"], to: "night", from: date("2026-01-05"), to: nil, weekdays: [1], by: asker)
        let sixth = try date("2026-01-06")
        try Roster(store).addLeave(
            "u-ann", from: sixth, to: sixth, kind: "sick", isHalf: false, by: asker)
        try Feeds(store).add(
            hash: Array(repeating: 7, count: 32), user: "u-ann", kind: .attendance, by: asker)
        try Feeds(store).revoke(1, by: asker)
        let told = try AuditTrail(store).entries(most: 100).filter { $0.actor == "boss" }
        #expect(
            told.map { "\($0.action) \($0.entity)" } == [
                "add shift", "add shift-assignment", "add leave", "add feed", "revoke feed",
            ])
    }

    @Test func `a feed opens by its whole secret until it is revoked`() throws {
        let right = (0..<32).map { UInt8($0) }
        let id = try Feeds(store).add(hash: right, user: "u-ann", kind: .shifts, by: asker)
        let feed = try #require(try Feeds(store).feed(hash: right))
        #expect(feed.id == id && feed.user == ann && feed.kind == .shifts)
        for place in [0, 31] {
            var wrong = right
            wrong[place] ^= 1
            #expect(try Feeds(store).feed(hash: wrong) == nil)
        }
        #expect(try Feeds(store).feed(hash: Array(right.dropLast())) == nil)
        #expect(try Feeds(store).feed(hash: []) == nil)
        try Feeds(store).revoke(id, by: asker)
        #expect(try Feeds(store).feed(hash: right) == nil)
        #expect(try Feeds(store).all().map(\.revoked) == [at(10)])
    }

    @Test func `zones and the start of the day are those of the site, and remembered`() throws {
        #expect(try ReportRows(store).site()?.zones.map(\.name) == ["Europe/Berlin"])
        #expect(try ReportRows(store).site()?.dayStart == .midnight)
        var gym = SiteDocument.gym
        gym.timeZone = "America/New_York"
        gym.dayStart = try #require(LocalTime("04:30"))
        try SiteImport(store).importDocument(gym, at: at(100))
        try SiteImport(store).importDocument(gym, at: at(200))
        let site = try #require(try ReportRows(store).site())
        #expect(site.zones.map(\.name) == ["Europe/Berlin", "America/New_York"])
        #expect(site.zones.map(\.from) == [Timestamp(milliseconds: 0), at(100)])
        #expect(site.dayStart.description == "04:30")
        #expect(try SiteImport(store).document() == gym)
        gym.timeZone = "Europe/Berlin"
        try SiteImport(store).importDocument(gym, at: at(50))
        #expect(try ReportRows(store).site()?.zones.map(\.from).last == at(100) + .milliseconds(1))
    }
}

import Testing

@testable import Records
@testable import SiteModel
@testable import SiteStore
@testable import Registry

/// Shifts, who works them, leave, zones and feeds.
struct RosterTests {
    private let scratch: Scratch
    private let store: Store
    private let asker = RosterAsker(name: "boss", via: .cli, at: at(10))

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
        night.id = try store.add(night, by: asker)
        #expect(try store.shifts(removed: false) == [night])
        let id = try store.assign(
            ["u-ann"], to: "night", from: date("2026-01-05"), to: nil, weekdays: [7, 1],
            by: asker)[0]
        #expect(
            try store.assignments() == [
                ShiftAssignment(
                    id: id, user: ann, shift: night.id, from: try date("2026-01-05"), to: nil,
                    weekdays: [1, 7])
            ])
        let sixth = try date("2026-01-06")
        try store.addLeave("u-ann", sixth...sixth + 1, kind: "sick", isHalf: false, by: asker)
        try store.addLeave("u-ann", sixth...sixth, kind: "holiday", isHalf: true, by: asker)
        try store.removeLeave("u-ann", sixth + 1, by: asker)
        let leave = LeaveDay(
            user: ann, date: sixth, kind: "holiday", isHalf: true)
        #expect(try store.leave(sixth...sixth + 1) == [leave])
        let record = try store.reportRecord(of: ann, touching: Interval(from: at(0), to: at(1)))
        #expect(record.leave == [leave] && record.assignments.count == 1)
        try store.removeLeave("u-ann", sixth, by: asker)
        #expect(try store.leave(date("2026-01-01")...date("2026-12-31")) == [])
    }

    @Test func `what cannot be is refused by name, and nothing is written`() throws {
        try store.add(shift("night"), by: asker)
        let day = try date("2026-01-05")
        try store.assign(["u-ann"], to: "night", from: day, to: day + 9, weekdays: [1], by: asker)
        let audited = try store.texts("SELECT count(*) FROM audit_log")
        #expect(throws: RosterError.shiftExists("night")) {
            try store.add(shift("night"), by: asker)
        }
        #expect(throws: RosterError.self) { try store.add(shift("Night"), by: asker) }
        var long = try shift("long")
        long.pause = .seconds(721 * 60)
        #expect(throws: RosterError.badValue(name: "break", reason: "0 to 720 minutes expected")) {
            try store.add(long, by: asker)
        }
        #expect(throws: RosterError.unknownUser("u-eve")) {
            try store.assign(
                ["u-bob", "u-eve"], to: "night", from: day, to: nil, weekdays: [1], by: asker)
        }
        #expect(throws: RosterError.unknownShift("day")) {
            try store.assign(["u-ann"], to: "day", from: day, to: nil, weekdays: [1], by: asker)
        }
        #expect(throws: RosterError.overlap(user: "u-ann", shift: "night")) {
            try store.assign(
                ["u-ann"], to: "night", from: day + 9, to: nil, weekdays: [1, 2], by: asker)
        }
        #expect(throws: RosterError.self) {
            try store.assign(
                ["u-bob"], to: "night", from: day, to: day + -1, weekdays: [1], by: asker)
        }
        for weekdays in [[], [0], [8]] {
            #expect(throws: RosterError.self) {
                try store.assign(
                    ["u-bob"], to: "night", from: day, to: nil, weekdays: weekdays, by: asker)
            }
        }
        #expect(throws: RosterError.unknownLeave(user: "u-ann", date: "2026-01-05")) {
            try store.removeLeave("u-ann", day, by: asker)
        }
        #expect(throws: RosterError.unknownAssignment(99)) {
            try store.endAssignment(99, last: day, by: asker)
        }
        #expect(throws: RosterError.unknownFeed(1)) { try store.revokeFeed(1, by: asker) }
        #expect(try store.texts("SELECT count(*) FROM audit_log") == audited)
        #expect(try store.assignments().count == 1)
        #expect(try store.shifts(removed: true).count == 1)
    }

    @Test func `a shift that is removed keeps its past`() throws {
        try store.add(shift("night"), by: asker)
        let day = try date("2026-01-05")
        try store.assign(["u-ann"], to: "night", from: day, to: nil, weekdays: [1], by: asker)
        try store.assign(["u-bob"], to: "night", from: day + 30, to: nil, weekdays: [1], by: asker)
        try store.removeShift("night", last: day + 20, by: asker)
        #expect(try store.shifts(removed: false) == [])
        #expect(try store.shifts(removed: true).count == 1)
        #expect(try store.assignments().map(\.to) == [day + 20])
        // Its id is free for other hours.
        try store.add(shift("night"), by: asker)
        #expect(try store.shifts(removed: true).count == 2)
    }

    @Test func `an assignment ends, or goes away before it begins`() throws {
        try store.add(shift("night"), by: asker)
        let day = try date("2026-01-05")
        let first = try store.assign(
            ["u-ann"], to: "night", from: day, to: nil, weekdays: [1], by: asker)[0]
        let second = try store.assign(
            ["u-bob"], to: "night", from: day + 30, to: nil, weekdays: [1], by: asker)[0]
        try store.endAssignment(first, last: day + 7, by: asker)
        try store.endAssignment(second, last: day + 7, by: asker)
        #expect(try store.assignments().map(\.id) == [first])
        #expect(throws: RosterError.unknownAssignment(first)) {
            try store.endAssignment(first, last: day + 8, by: asker)
        }
    }

    @Test func `whoever changes the roster is in the audit`() throws {
        try store.add(shift("night"), by: asker)
        try store.assign(
            ["u-ann"], to: "night", from: date("2026-01-05"), to: nil, weekdays: [1], by: asker)
        let sixth = try date("2026-01-06")
        try store.addLeave("u-ann", sixth...sixth, kind: "sick", isHalf: false, by: asker)
        try store.addFeed(
            hash: Array(repeating: 7, count: 32), user: "u-ann", kind: .attendance, by: asker)
        try store.revokeFeed(1, by: asker)
        let told = try store.audit(most: 100).filter { $0.actor == "boss" }
        #expect(
            told.map { "\($0.action) \($0.entity)" } == [
                "add shift", "add shift-assignment", "add leave", "add feed", "revoke feed",
            ])
    }

    @Test func `a feed opens by its whole secret until it is revoked`() throws {
        let right = (0..<32).map { UInt8($0) }
        let id = try store.addFeed(hash: right, user: "u-ann", kind: .shifts, by: asker)
        let feed = try #require(try store.feed(hash: right))
        #expect(feed.id == id && feed.user == ann && feed.kind == .shifts)
        for place in [0, 31] {
            var wrong = right
            wrong[place] ^= 1
            #expect(try store.feed(hash: wrong) == nil)
        }
        #expect(try store.feed(hash: Array(right.dropLast())) == nil)
        #expect(try store.feed(hash: []) == nil)
        try store.revokeFeed(id, by: asker)
        #expect(try store.feed(hash: right) == nil)
        #expect(try store.feeds().map(\.revoked) == [at(10)])
    }

    @Test func `zones and the start of the day are those of the site, and remembered`() throws {
        #expect(try store.reportSite()?.zones.map(\.name) == ["Europe/Berlin"])
        #expect(try store.reportSite()?.dayStart == .midnight)
        var gym = SiteDocument.gym
        gym.timeZone = "America/New_York"
        gym.dayStart = try #require(LocalTime("04:30"))
        try store.importDocument(gym, at: at(100))
        try store.importDocument(gym, at: at(200))
        let site = try #require(try store.reportSite())
        #expect(site.zones.map(\.name) == ["Europe/Berlin", "America/New_York"])
        #expect(site.zones.map(\.from) == [Timestamp(milliseconds: 0), at(100)])
        #expect(site.dayStart.description == "04:30")
        #expect(try store.document() == gym)
        gym.timeZone = "Europe/Berlin"
        try store.importDocument(gym, at: at(50))
        #expect(try store.reportSite()?.zones.map(\.from).last == at(100) + .milliseconds(1))
    }
}

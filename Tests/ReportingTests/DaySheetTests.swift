import Scheduling
import Testing

@testable import Basics
@testable import Reporting
@testable import SiteModel

/// What a day comes to. 2 November 2026 is a Monday.
struct DaySheetTests {
    var office: Office

    init() throws { office = try Office() }

    @Test func `a day as planned`() throws {
        let person = try office.person(
            [office.session("2026-11-02 05:58", "2026-11-02 14:01")], shifts: [1])
        let row = try #require(try office.rows(person, "2026-11-02").first)
        #expect(row.status == .present && row.shift == "early" && row.isFinal)
        #expect(row.planned == minutes(450))
        #expect(row.present == minutes(483))
        #expect(row.deducted == minutes(30))
        #expect(row.worked == minutes(453))
        #expect(row.before == minutes(2) && row.after == minutes(1))
        #expect(row.late == minutes(0) && row.early == minutes(0))
    }

    @Test func `who is late beyond the grace is late by all of it`() throws {
        let within = try office.person(
            [office.session("2026-11-02 06:05", "2026-11-02 13:55")], shifts: [1])
        let row = try #require(try office.rows(within, "2026-11-02").first)
        #expect(row.late == minutes(0) && row.early == minutes(0))
        let beyond = try office.person(
            [office.session("2026-11-02 06:05:01", "2026-11-02 13:54:59")], shifts: [1])
        let late = try #require(try office.rows(beyond, "2026-11-02").first)
        #expect(late.late == .seconds(301) && late.early == .seconds(301))
    }

    @Test func `absences between sessions make up the break that is taken off`() throws {
        let sessions = [
            try office.session("2026-11-02 06:00", "2026-11-02 10:00", id: 1),
            try office.session("2026-11-02 10:20", "2026-11-02 14:00", id: 2),
        ]
        let row = try #require(
            try office.rows(office.person(sessions, shifts: [1]), "2026-11-02").first)
        #expect(row.present == minutes(460) && row.deducted == minutes(10))
        #expect(row.worked == row.planned)
    }

    @Test func `recorded breaks are no presence`() throws {
        var session = try office.session("2026-11-02 06:00", "2026-11-02 14:00")
        session.breaks = [
            Interval(from: try office.at("2026-11-02 09:00"), to: try office.at("2026-11-02 09:45"))
        ]
        let row = try #require(
            try office.rows(office.person([session], shifts: [1]), "2026-11-02").first)
        #expect(row.breaks == minutes(45) && row.present == minutes(435))
        #expect(row.deducted == minutes(0))
    }

    @Test(arguments: [
        ("06:59", DayRow.Status.absent), ("07:00", .halfDay), ("10:59", .halfDay),
        ("11:00", .present),
    ])
    func `too short a day is half a day or none`(until: String, status: DayRow.Status) throws {
        let person = try office.person(
            [office.session("2026-11-02 06:00", "2026-11-02 \(until)")], shifts: [1])
        #expect(try office.rows(person, "2026-11-02").first?.status == status)
    }

    @Test mutating func `nobody is absent before the shift is over`() throws {
        let person = try office.person([], shifts: [1])
        for (now, status) in [
            ("05:59", DayRow.Status.planned), ("06:00", .ongoing), ("13:59", .ongoing),
            ("14:00", .absent),
        ] {
            office = try Office(now: "2026-11-02 \(now)")
            #expect(try office.rows(person, "2026-11-02").first?.status == status, "\(now)")
        }
    }

    @Test mutating func `what a node may still tell of is provisional`() throws {
        let person = try office.person(
            [office.session("2026-11-02 06:00", "2026-11-02 14:00")], shifts: [1])
        // Late stays of up to an hour belong to the shift.
        office.finalThrough = try office.at("2026-11-02 14:59:59")
        #expect(try office.rows(person, "2026-11-02").first?.isFinal == false)
        office.finalThrough = try office.at("2026-11-02 15:00")
        #expect(try office.rows(person, "2026-11-02").first?.isFinal == true)
        office.finalThrough = nil
        #expect(try office.rows(person, "2026-11-02").first?.isFinal == false)
    }

    @Test mutating func `who is in has no end and is not judged`() throws {
        office = try Office(now: "2026-11-02 09:00")
        let person = try office.person([office.session("2026-11-02 06:30", nil)], shifts: [1])
        let row = try #require(try office.rows(person, "2026-11-02").first)
        #expect(row.status == .ongoing && row.lastOut == nil && !row.isFinal)
        #expect(row.present == minutes(150) && row.late == minutes(30) && row.early == minutes(0))
    }

    @Test func `a night shift belongs to the evening it begins on`() throws {
        let sessions = [
            try office.session("2026-11-03 00:20", "2026-11-03 06:10", id: 1),  // Came late.
            try office.session("2026-11-03 21:50", "2026-11-04 06:00", id: 2),
        ]
        let rows = try office.rows(
            office.person(sessions, shifts: [3]), "2026-11-02", "2026-11-03")
        #expect(rows.map(\.date.description) == ["2026-11-02", "2026-11-03"])
        #expect(rows.map(\.late) == [minutes(140), minutes(0)])
        #expect(rows.map(\.after) == [minutes(10), minutes(0)])
        #expect(rows.map(\.before) == [minutes(0), minutes(10)])
    }

    @Test func `a night shift in the night the clocks are changed`() throws {
        let sessions = [
            try office.session("2026-03-28 22:00", "2026-03-29 06:00", id: 1),
            try office.session("2026-10-24 22:00", "2026-10-25 06:00", id: 2),
        ]
        let person = try office.person(sessions, shifts: [3], weekdays: [6])
        let spring = try #require(try office.rows(person, "2026-03-28").first)
        #expect(spring.planned == minutes(420) && spring.present == minutes(420))
        let autumn = try #require(try office.rows(person, "2026-10-24").first)
        #expect(autumn.planned == minutes(540) && autumn.present == minutes(540))
        #expect(autumn.before == minutes(0) && autumn.after == minutes(0))
    }

    @Test func `two shifts a day, in one session or two`() throws {
        let one = try office.person(
            [office.session("2026-11-02 06:00", "2026-11-02 22:00")], shifts: [1, 2])
        let two = try office.person(
            [
                office.session("2026-11-02 06:00", "2026-11-02 14:00", id: 1),
                office.session("2026-11-02 14:00", "2026-11-02 22:00", id: 2),
            ], shifts: [1, 2])
        for person in [one, two] {
            let rows = try office.rows(person, "2026-11-02")
            #expect(rows.map(\.shift) == ["early", "late"])
            #expect(rows.map(\.present) == [minutes(480), minutes(480)])
            #expect(rows.map(\.status) == [.present, .present])
        }
    }

    @Test func `staying a little longer is not coming to the next shift`() throws {
        let person = try office.person(
            [office.session("2026-11-02 06:00", "2026-11-02 14:40")], shifts: [1, 2])
        let rows = try office.rows(person, "2026-11-02")
        #expect(rows.map(\.status) == [.present, .absent])
        #expect(rows.map(\.after) == [minutes(40), minutes(0)])
    }

    @Test func `leave, and half a day of it`() throws {
        let monday = try #require(LocalDate("2026-11-02"))
        let leave = [
            LeaveDay(user: UserID(1), date: monday, kind: "holiday"),
            LeaveDay(user: UserID(1), date: monday + 1, kind: "sick", isHalf: true),
            LeaveDay(user: UserID(1), date: monday + 2, kind: "sick", isHalf: true),
        ]
        let person = try office.person(
            [office.session("2026-11-03 10:00", "2026-11-03 14:00")], shifts: [1], leave: leave)
        let rows = try office.rows(person, "2026-11-02", "2026-11-04")
        #expect(rows.map(\.status) == [.onLeave, .halfDay, .absent])
        #expect(rows.map(\.planned) == [minutes(0), minutes(225), minutes(225)])
        #expect(rows.map(\.late) == [minutes(0), minutes(0), minutes(0)])
        #expect(rows.map(\.leave) == ["holiday", "sick", "sick"])
    }

    @Test func `days without a shift`() throws {
        let person = try office.person(
            [office.session("2026-11-07 23:00", "2026-11-08 02:00")], shifts: [1])
        let rows = try office.rows(person, "2026-11-07", "2026-11-08")
        #expect(rows.map(\.status) == [.present, .off])
        #expect(rows.map(\.present) == [minutes(180), minutes(0)])
        #expect(rows[0].shift == nil && rows[0].planned == minutes(0))
    }

    @Test func `reasons to look at a session come with its day`() throws {
        var session = try office.session("2026-11-02 06:00", "2026-11-02 14:00")
        session.review = [.coverageGap, .tooLong]
        let row = try #require(
            try office.rows(office.person([session], shifts: [1]), "2026-11-02").first)
        #expect(row.review == ["coverage-gap", "too-long"])
    }

    @Test func `an open session nobody listens to does not count on`() throws {
        let office = try Office(now: "2026-11-03 12:00")
        let open = try office.session("2026-11-02 08:00", nil)
        func row(_ known: String?, shifts: [Int64] = []) throws -> DayRow {
            let person = try office.person([open], shifts: shifts, knownThrough: known)
            return try #require(office.rows(person, "2026-11-02").first)
        }
        let all = try row(nil)
        #expect(all.present == minutes(28 * 60) && all.unknown == minutes(0))
        let late = try row("2026-11-03 11:58")
        #expect(late.present == minutes(28 * 60) && late.unknown == minutes(0))
        let deaf = try row("2026-11-02 10:30")
        #expect(deaf.present == minutes(150) && deaf.unknown == minutes(25 * 60 + 30))
        #expect(deaf.lastOut == nil && deaf.status == .present)
        let shift = try row("2026-11-02 10:30", shifts: [1])
        #expect(shift.present == minutes(150) && shift.after == minutes(0))
        #expect(shift.unknown == minutes(25 * 60 + 30) && shift.status == .ongoing)
    }

    @Test func `who checked in after anybody listened is there for an unknown time`() throws {
        let office = try Office(now: "2026-11-02 12:00")
        let person = try office.person(
            [office.session("2026-11-02 08:00", nil)], knownThrough: "2026-11-02 07:00")
        let row = try #require(try office.rows(person, "2026-11-02").first)
        #expect(row.present == minutes(0) && row.unknown == minutes(240))
    }
}

import Scheduling
import Testing

@testable import Basics
@testable import SiteModel

/// Dates, what the clocks of a site show, and business days.
struct CalendarTests {
    let midnight = LocalTime(millisecondsOfDay: 0)

    private func date(_ text: String) throws -> LocalDate { try #require(LocalDate(text)) }
    private func time(_ text: String) throws -> LocalTime { try #require(LocalTime(text)) }

    @Test func `dates are those of the Gregorian calendar`() throws {
        var day = try date("1896-01-01")
        var expected = (1896, 1, 1)
        while expected.0 < 2104 {
            let parts = day.parts
            #expect((parts.year, parts.month, parts.day) == expected)
            #expect(LocalDate(day.description) == day)
            day = day + 1
            let isLeap = expected.0 % 4 == 0 && expected.0 != 1900 && expected.0 != 2100
            let long = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            if expected.2 < long[expected.1 - 1] {
                expected.2 += 1
            } else {
                expected =
                    expected.1 == 12 ? (expected.0 + 1, 1, 1) : (expected.0, expected.1 + 1, 1)
            }
        }
        #expect(try date("1970-01-01").day == 0)
        #expect(try date("0001-01-01").day == -719_162)
        #expect(try date("9999-12-31").description == "9999-12-31")
    }

    @Test(arguments: [
        "", "2026-1-01", "2026-02-29", "2026-13-01", "2026-00-01", "2026-01-00", "2026-04-31",
        "0000-01-01", "2026-01-01 ", "2026/01/01", "+026-01-01", "2026-01-0１", "20260101--",
    ])
    func `what is no date is refused`(text: String) { #expect(LocalDate(text) == nil) }

    @Test(arguments: ["", "24:00", "7:00", "07:60", "07:00:60", "07-00", "07:00:0", "-1:00"])
    func `what is no time is refused`(text: String) { #expect(LocalTime(text) == nil) }

    @Test func `times print as they are read`() throws {
        for text in ["00:00", "23:59", "23:59:59", "07:05", "00:00:01"] {
            #expect(try time(text).description == text)
        }
        #expect(LocalTime(minutes: 1439)?.description == "23:59")
        #expect(LocalTime(minutes: 1440) == nil)
    }

    /// Week 1 is the one with the year's first Thursday.
    @Test(arguments: [
        ("2026-01-01", 2026, 1), ("2025-12-29", 2026, 1), ("2027-01-03", 2026, 53),
        ("2024-12-30", 2025, 1), ("2026-11-22", 2026, 47),
    ])
    func `weeks are those of ISO 8601`(text: String, year: Int, week: Int) throws {
        let found = try date(text).week
        #expect((found.year, found.week) == (year, week))
    }

    @Test func `months follow one another`() throws {
        #expect(try date("2026-12-31").startOfNextMonth == date("2027-01-01"))
        #expect(try date("2024-02-29").startOfMonth == date("2024-02-01"))
        #expect(try date("2024-02-10").startOfNextMonth == date("2024-03-01"))
        #expect(try date("2024-02-10").month == "2024-02")
        #expect(try date("2026-11-22").weekday == 7)
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-03-29", 23.0), ("Europe/Berlin", "2026-10-25", 25),
        ("Europe/Berlin", "2026-06-01", 24), ("America/New_York", "2026-03-08", 23),
        ("America/New_York", "2026-11-01", 25), ("Australia/Lord_Howe", "2026-04-05", 24.5),
        ("Australia/Lord_Howe", "2026-10-04", 23.5), ("Asia/Kolkata", "2026-03-29", 24),
        ("Pacific/Apia", "2011-12-30", 0), ("Pacific/Apia", "2011-12-29", 24),
    ])
    func `local days have the hours they have`(name: String, day: String, hours: Double) throws {
        let zone = try #require(Zones.all.first { $0.name == name })
        let bounds = SiteCalendar(zone, dayStart: midnight).bounds(of: try date(day))
        #expect(bounds.length == Zones.hours(hours))
    }

    /// Of the wall clock both nights have eight hours.
    @Test(arguments: [("2026-03-28", 7.0), ("2026-10-24", 9), ("2026-10-25", 8)])
    func `a night shift is as long as the night`(evening: String, hours: Double) throws {
        let calendar = SiteCalendar(Zones.berlin, dayStart: midnight)
        let from = calendar.first(try date(evening), try time("22:00"))
        let to = calendar.first(try date(evening) + 1, try time("06:00"))
        #expect(to - from == Zones.hours(hours))
    }

    @Test func `a time that comes twice is told apart, one that never comes refused`() throws {
        let calendar = SiteCalendar(Zones.berlin, dayStart: midnight)
        #expect(
            calendar.moment(of: try date("2026-10-25"), try time("02:30"))
                == .ambiguous(Zones.moment("2026-10-25", 0.5), Zones.moment("2026-10-25", 1.5)))
        #expect(
            calendar.moment(of: try date("2026-10-25"), try time("03:00"))
                == .one(Zones.moment("2026-10-25", 2)))
        #expect(
            calendar.moment(of: try date("2026-10-25"), try time("02:00"))
                == .ambiguous(Zones.moment("2026-10-25", 0), Zones.moment("2026-10-25", 1)))
        #expect(calendar.moment(of: try date("2026-03-29"), try time("02:30")) == .nonexistent)
        #expect(calendar.moment(of: try date("2026-03-29"), try time("02:00")) == .nonexistent)
        #expect(
            calendar.moment(of: try date("2026-03-29"), try time("03:00"))
                == .one(Zones.moment("2026-03-29", 1)))
        #expect(
            calendar.first(try date("2026-03-29"), try time("02:30"))
                == Zones.moment("2026-03-29", 1))
        #expect(
            SiteCalendar(Zones.apia, dayStart: midnight)
                .moment(of: try date("2011-12-30"), try time("12:00")) == .nonexistent)
    }

    @Test func `work before the day starts counts for the day before`() throws {
        let calendar = SiteCalendar(Zones.berlin, dayStart: try time("04:00"))
        let early = Zones.moment("2026-06-02", 1.999)  // 03:59:56 in Berlin
        #expect(calendar.businessDay(of: early) == (try date("2026-06-01")))
        #expect(calendar.businessDay(of: Zones.moment("2026-06-02", 2)) == (try date("2026-06-02")))
        // The clocks go from 02:00 to 03:00: the day that ends at 04:00 then has 23 hours.
        #expect(calendar.bounds(of: try date("2026-03-28")).length == Zones.hours(23))
        #expect(calendar.bounds(of: try date("2026-03-29")).length == Zones.hours(24))
    }

    @Test func `days before a site changed its zone stay what they were`() throws {
        let change = Zones.moment("2026-06-15", 12)
        let old = SiteCalendar(Zones.berlin, dayStart: midnight)
        let both = SiteCalendar(
            zones: [
                .init(from: Timestamp(milliseconds: 0), table: Zones.berlin),
                .init(from: change, table: Zones.newYork),
            ], dayStart: midnight)
        let new = SiteCalendar(Zones.newYork, dayStart: midnight)
        #expect(both.bounds(of: try date("2026-06-14")) == old.bounds(of: try date("2026-06-14")))
        #expect(both.bounds(of: try date("2026-06-15")).length == Zones.hours(30))
        #expect(both.bounds(of: try date("2026-06-16")) == new.bounds(of: try date("2026-06-16")))
        #expect(both.zone(at: change - .milliseconds(1)) == "Europe/Berlin")
        #expect(both.zone(at: change) == "America/New_York")
        #expect(both != old)
        #expect(
            both.moment(of: try date("2026-06-15"), try time("10:00"))
                == .ambiguous(Zones.moment("2026-06-15", 8), Zones.moment("2026-06-15", 14)))
    }

    /// Whatever the clocks do: every moment lies in one business day, and days follow one another.
    @Test(arguments: UInt64(1)...200)
    func `business days tile the time`(seed: UInt64) throws {
        var random = Dice(seed: seed)
        let zones = Zones.all.shuffled(using: &random)
        let begin = Zones.moment("2011-06-01", 0)
        let switched = begin + .seconds(Double(Int.random(in: 0...500_000_000, using: &random)))
        let calendar = SiteCalendar(
            zones: [.init(from: begin, table: zones[0]), .init(from: switched, table: zones[1])],
            dayStart: LocalTime(
                millisecondsOfDay: Int64.random(in: 0..<86_400, using: &random) * 1000))
        let start = calendar.businessDay(
            of: Bool.random(using: &random)
                ? switched - .seconds(86400 * 5)
                : begin + .seconds(Double(Int.random(in: 0...600_000_000, using: &random))))
        for days in 0..<400 {
            let date = start + Int64(days)
            let bounds = calendar.bounds(of: date)
            #expect(bounds.to == calendar.bounds(of: date + 1).from, "seed \(seed), \(date)")
            guard bounds.from < bounds.to else { continue }
            let moments = [
                bounds.from, bounds.to - .milliseconds(1),
                bounds.from
                    + .milliseconds(.random(in: 0..<bounds.length.milliseconds, using: &random)),
            ]
            for moment in moments {
                #expect(calendar.businessDay(of: moment) == date, "seed \(seed), \(date)")
                let (day, time) = calendar.local(moment)
                switch calendar.moment(of: day, time) {
                case .one(let back): #expect(back == moment, "seed \(seed), \(day) \(time)")
                case .ambiguous(let a, let b):
                    #expect(a == moment || b == moment, "seed \(seed), \(day) \(time)")
                case .nonexistent: Issue.record("seed \(seed): \(day) \(time) was shown")
                }
            }
        }
    }
}

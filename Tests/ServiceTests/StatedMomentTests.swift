import Foundation
import Scheduling
import Testing

@testable import Basics
@testable import Records
@testable import SiteModel

/// What people say of times, by the clocks of a site.
struct StatedMomentTests {
    private func clocks(_ zone: String, dayStart: Basics.LocalTime = .midnight) throws
        -> StatedMoment
    {
        StatedMoment(
            calendar: SiteCalendar(try TimeZoneTable(iana: zone), dayStart: dayStart))
    }

    private func utc(_ text: String) throws -> Timestamp {
        let seconds = try Date(text, strategy: .iso8601).timeIntervalSince1970
        return Timestamp(milliseconds: Int64(seconds * 1000))
    }

    private func code(_ text: String, _ zone: String) throws -> String? {
        let clocks = try clocks(zone)
        do throws(BooksRefusal) {
            _ = try clocks.moment(text)
            return nil
        } catch {
            return error.code.rawValue
        }
    }

    @Test(arguments: [
        ("2026-03-28 14:30", "Europe/Berlin", "2026-03-28T13:30:00Z"),
        ("2026-03-29 01:59:59", "Europe/Berlin", "2026-03-29T00:59:59Z"),
        ("2026-03-29 03:00", "Europe/Berlin", "2026-03-29T01:00:00Z"),
        ("2026-10-25 01:59", "Europe/Berlin", "2026-10-24T23:59:00Z"),
        ("2026-10-25 03:00", "Europe/Berlin", "2026-10-25T02:00:00Z"),
        ("2026-07-01 08:00", "America/New_York", "2026-07-01T12:00:00Z"),
        ("2026-01-01 00:00", "Australia/Lord_Howe", "2025-12-31T13:00:00Z"),
        ("2026-03-29T02:30:00+02:00", "UTC", "2026-03-29T00:30:00Z"),
        ("2026-03-29T02:30:00Z", "Europe/Berlin", "2026-03-29T02:30:00Z"),
        ("2026-10-25 02:30:00+01:00", "Europe/Berlin", "2026-10-25T01:30:00Z"),
        ("2026-10-25T03:00", "Europe/Berlin", "2026-10-25T02:00:00Z"),
    ])
    func `a local time is the moment the clocks showed it`(
        text: String, zone: String, moment: String
    ) throws {
        #expect(try clocks(zone).moment(text) == (try utc(moment)))
    }

    @Test(arguments: [
        ("2026-03-29 02:00", "Europe/Berlin", "nonexistent_time"),
        ("2026-03-29 02:59:59", "Europe/Berlin", "nonexistent_time"),
        ("2026-10-25 02:00", "Europe/Berlin", "ambiguous_time"),
        ("2026-10-25 02:30", "Europe/Berlin", "ambiguous_time"),
        ("2026-03-08 02:30", "America/New_York", "nonexistent_time"),
        ("2026-11-01 01:30", "America/New_York", "ambiguous_time"),
        ("2026-10-04 02:15", "Australia/Lord_Howe", "nonexistent_time"),
        ("2026-04-05 01:45", "Australia/Lord_Howe", "ambiguous_time"),
        ("2026-02-30 10:00", "UTC", "bad_request"), ("2026-02-28 24:00", "UTC", "bad_request"),
        ("2026-02-28", "UTC", "bad_request"), ("noon", "UTC", "bad_request"),
        ("", "UTC", "bad_request"), ("2026-02-28 10:00:00.5", "UTC", "bad_request"),
    ])
    func `one that never was, or was twice, is refused`(
        text: String, zone: String, expected: String
    ) throws {
        #expect(try code(text, zone) == expected)
    }

    @Test func `of an hour that was twice both are offered, as they can be given`() throws {
        let clocks = try clocks("Europe/Berlin")
        let error = #expect(throws: BooksRefusal.self) { try clocks.moment("2026-10-25 02:30") }
        let offered = ["2026-10-25 02:30:00+02:00", "2026-10-25 02:30:00+01:00"]
        for text in offered { #expect(error?.text.contains("“\(text)”") == true) }
        #expect(
            try offered.map(clocks.moment) == [
                try utc("2026-10-25T00:30:00Z"), try utc("2026-10-25T01:30:00Z"),
            ])
    }

    @Test(arguments: [
        ("2026-03-29", "Europe/Berlin", "2026-03-29T22:00:00Z", 23),
        ("2026-10-25", "Europe/Berlin", "2026-10-25T23:00:00Z", 25),
        ("2026-11-01", "America/New_York", "2026-11-02T05:00:00Z", 25),
        ("2026-12-31", "UTC", "2027-01-01T00:00:00Z", 24),
    ])
    func `a date ends when the next begins`(
        date: String, zone: String, end: String, hours: Int
    ) throws {
        #expect(try clocks(zone).end(of: date) == (try utc(end)))
        let start = try clocks(zone).moment(date + " 00:00")
        #expect((try utc(end) - start).seconds == Double(hours) * 3600)
    }

    @Test func `a business day ends when the next begins`() throws {
        let four = try #require(LocalTime("04:00"))
        let clocks = try clocks("Europe/Berlin", dayStart: four)
        #expect(clocks.end(of: "2026-06-30") == (try utc("2026-07-01T02:00:00Z")))
    }

    @Test func `what is no date has no end`() throws {
        for text in ["", "2026-13-01", "2026-02-29", "26-01-01", "2026-01-01 00:00"] {
            #expect(try clocks("UTC").end(of: text) == nil, "\(text)")
        }
    }
}

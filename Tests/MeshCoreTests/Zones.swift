import Scheduling
@testable import Basics
@testable import SiteModel

/// Zones by their rules, from 2020 to 2040.
enum Zones {
    static let berlin = TimeZoneTable(
        name: "Europe/Berlin", first: hours(1),
        transitions: changes { year in
            [
                (sunday(-1, year, 3), hours(1), hours(2)),
                (sunday(-1, year, 10), hours(1), hours(1)),
            ]
        })
    static let newYork = TimeZoneTable(
        name: "America/New_York", first: hours(-5),
        transitions: changes { year in
            [
                (sunday(2, year, 3), hours(7), hours(-4)),
                (sunday(1, year, 11), hours(6), hours(-5)),
            ]
        })
    /// The clocks are set by half an hour.
    static let lordHowe = TimeZoneTable(
        name: "Australia/Lord_Howe", first: hours(11),
        transitions: changes { year in
            [
                (sunday(1, year, 4), hours(-9), hours(10.5)),
                (sunday(1, year, 10), hours(-8.5), hours(11)),
            ]
        })
    static let kolkata = TimeZoneTable(name: "Asia/Kolkata", first: hours(5.5), transitions: [])
    /// Went to the other side of the date line: there was no 30 December 2011.
    static let apia = TimeZoneTable(
        name: "Pacific/Apia", first: hours(-10),
        transitions: [.init(at: moment("2011-12-30", 10), offset: hours(14))])
    static let all = [berlin, newYork, lordHowe, kolkata, apia]

    static func hours(_ count: Double) -> Timestamp.Span { .seconds(count * 3600) }

    /// So many hours after midnight UTC of a day.
    static func moment(_ date: String, _ hours: Double) -> Timestamp {
        Timestamp(milliseconds: (LocalDate(date)?.day ?? 0) * 86_400_000) + self.hours(hours)
    }

    /// Changes are given as the day, hours of UTC after its start, and the offset from then on.
    private static func changes(
        _ year: (Int) -> [(LocalDate, Timestamp.Span, Timestamp.Span)]
    ) -> [TimeZoneTable.Transition] {
        (2020...2040).flatMap(year).map { day, after, offset in
            .init(at: Timestamp(milliseconds: day.day * 86_400_000) + after, offset: offset)
        }
    }

    /// The n-th Sunday of a month, or the last.
    private static func sunday(_ n: Int, _ year: Int, _ month: Int) -> LocalDate {
        let first = LocalDate(year: year, month: month, day: 1) ?? LocalDate(day: 0)
        let days = (0..<40).map { first + $0 }.filter {
            $0.weekday == 7 && $0.startOfMonth == first
        }
        return n < 0 ? days[days.count - 1] : days[n - 1]
    }
}

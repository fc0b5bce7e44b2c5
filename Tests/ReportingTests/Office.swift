import Scheduling
import Testing

@testable import Basics
@testable import Reporting
@testable import SiteModel

/// A site in Berlin with shifts, and people who come and go by its clocks.
struct Office {
    static let berlin = try? TimeZoneTable(iana: "Europe/Berlin")

    let calendar: SiteCalendar
    var shifts: [Shift]
    var now: Timestamp
    var finalThrough: Timestamp?

    init(now: String = "2026-12-31 12:00") throws {
        calendar = SiteCalendar(try #require(Self.berlin), dayStart: .midnight)
        shifts = [
            Shift(
                id: 1, slug: "early", name: "Early", start: try #require(LocalTime("06:00")),
                end: try #require(LocalTime("14:00")), lateGrace: .seconds(300),
                exitGrace: .seconds(300), pause: .seconds(1800), halfDay: .seconds(5 * 3600),
                absent: .seconds(3600)),
            Shift(
                id: 2, slug: "late", name: "Late", start: try #require(LocalTime("14:00")),
                end: try #require(LocalTime("22:00"))),
            Shift(
                id: 3, slug: "night", name: "Night", start: try #require(LocalTime("22:00")),
                end: try #require(LocalTime("06:00"))),
        ]
        self.now = Timestamp(milliseconds: 0)
        self.now = try at(now)
        finalThrough = self.now
    }

    /// The moment at which the clocks show `2026-11-02 06:00`.
    func at(_ text: String) throws -> Timestamp {
        let parts = text.split(separator: " ")
        return calendar.first(
            try #require(LocalDate(parts[0])), try #require(LocalTime(parts[1])))
    }

    func session(_ from: String, _ to: String?, id: Int64 = 1, user: Int64 = 1) throws -> Session {
        Session(id: id, user: UserID(user), from: try at(from), to: try to.map(at))
    }

    /// Somebody on the shifts of these rows every day from Monday to Friday of 2026.
    func person(
        _ sessions: [Session], shifts: [Int64] = [], leave: [LeaveDay] = [],
        weekdays: [Int] = [1, 2, 3, 4, 5], knownThrough: String? = nil
    ) throws -> PersonRecord {
        PersonRecord(
            user: UserID(1), slug: "u-ann", name: "Ann", sessions: sessions,
            knownThrough: try knownThrough.map(at),
            assignments: try shifts.enumerated().map { index, shift in
                ShiftAssignment(
                    id: Int64(index), user: UserID(1), shift: shift,
                    from: try #require(LocalDate("2026-01-01")),
                    to: LocalDate("2026-12-31"), weekdays: weekdays)
            }, leave: leave)
    }

    var context: ReportContext {
        ReportContext(calendar: calendar, shifts: shifts, now: now, finalThrough: finalThrough)
    }

    func rows(_ person: PersonRecord, _ from: String, _ to: String? = nil) throws -> [DayRow] {
        let first = try #require(LocalDate(from))
        let last = try to.map { try #require(LocalDate($0)) } ?? first
        return DaySheet.rows(of: person, days: first...last, context)
    }
}

/// Lengths as tests write them.
func minutes(_ count: Double) -> Timestamp.Span { .seconds(count * 60) }

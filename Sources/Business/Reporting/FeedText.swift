import Basics
import Ciphers
import Records
import SiteModel

/// The calendar of a feed, and its secret.
package enum FeedText {
    /// How far back sessions go, in days.
    static let daysBack: Int64 = 90
    /// How far ahead shifts go, in days.
    static let daysAhead: Int64 = 60

    /// A new secret: 256 random bits, as 64 hexadecimal digits.
    package static func secret() -> String {
        Hex.text((0..<32).map { _ in UInt8.random(in: 0...255) })
    }

    /// What is kept of a secret: its SHA-256.
    package static func hash(of secret: String) -> [UInt8] {
        SHA256.digest(of: Array(secret.utf8))
    }

    /// The whole calendar of a feed.
    package static func text(of feed: Feed, _ desk: ReportDesk) throws -> String {
        var text = ""
        let writer = CalendarWriter(
            name: "\(desk.site.name): \(feed.kind.rawValue)", now: desk.context.now,
            to: { text += $0 })
        try writer.begin()
        let today = desk.context.calendar.businessDay(of: desk.context.now)
        let people = try ReportRows(desk.store).people().filter {
            feed.user == nil || $0.user == feed.user
        }
        for person in people {
            let days = today + -daysBack...today + daysAhead
            let record = try ReportRows(desk.store).record(
                of: person.user, touching: desk.context.calendar.bounds(of: days))
            switch feed.kind {
            case .attendance:
                for session in record.sessions { try writer.event(event(session, person, desk)) }
            case .shifts:
                try writeShifts(record, person, days, desk, writer)
            }
        }
        try writer.end()
        return text
    }

    private static func event(
        _ session: Session, _ person: ReportPerson, _ desk: ReportDesk
    ) -> CalendarWriter.Event {
        CalendarWriter.Event(
            id: "session-\(session.id)@\(desk.site.slug)", sequence: session.revision - 1,
            from: session.from, to: session.to, summary: "\(person.name) in \(desk.site.name)",
            note: session.review.map(\.rawValue).joined(separator: ", "))
    }

    private static func writeShifts(
        _ record: ReportRecord, _ person: ReportPerson, _ days: ClosedRange<LocalDate>,
        _ desk: ReportDesk, _ writer: CalendarWriter
    ) throws {
        for day in days.lowerBound.day...days.upperBound.day {
            let date = LocalDate(day: day)
            if let leave = record.leave.first(where: { $0.date == date }), !leave.isHalf {
                continue
            }
            for assignment in record.assignments where assignment.covers(date) {
                guard let shift = desk.context.shifts[assignment.shift] else { continue }
                let hours = shift.hours(on: date, desk.context.calendar)
                try writer.event(
                    CalendarWriter.Event(
                        id: "shift-\(assignment.id)-\(date)@\(desk.site.slug)", sequence: 0,
                        from: hours.from, to: hours.to,
                        summary: "\(person.name): \(shift.name)"))
            }
        }
    }
}

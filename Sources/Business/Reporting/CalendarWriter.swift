import Basics
import Ciphers
import Scheduling
import SiteModel

/// Writes events as iCalendar has them (RFC 5545): times in UTC, so that no zone needs describing.
package struct CalendarWriter {
    /// One event.
    package struct Event: Sendable {
        /// Stays the same when the event changes, and is no other event's: `session-12@gym`.
        package var id: String
        /// Grows with each change, from 0.
        package var sequence: Int64
        /// When it begins.
        package var from: Timestamp
        /// When it ends, or `nil` if it goes on.
        package var to: Timestamp?
        /// One line about it. Hostile text.
        package var summary: String
        /// More about it; empty: nothing.
        package var note: String

        package init(
            id: String, sequence: Int64, from: Timestamp, to: Timestamp?, summary: String,
            note: String = ""
        ) {
            self.id = id
            self.sequence = sequence
            self.from = from
            self.to = to
            self.summary = summary
            self.note = note
        }
    }

    /// No line is longer, in bytes without its end; longer ones are folded.
    static let longestLine = 75

    private let name: String
    private let now: Timestamp
    private let output: (String) throws -> Void

    /// A writer that gives its text to `output`.
    ///
    /// - Parameters:
    ///   - name: What calendar programs show. Hostile text.
    ///   - now: When the text was made.
    package init(name: String, now: Timestamp, to output: @escaping (String) throws -> Void) {
        self.name = name
        self.now = now
        self.output = output
    }

    /// Writes what comes before the events.
    ///
    /// - Throws: What `output` throws.
    package func begin() throws {
        try output(
            Self.lines([
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Beaconmesh//Attendance//EN",
                "CALSCALE:GREGORIAN", "METHOD:PUBLISH", "X-WR-CALNAME:" + Self.text(name),
            ]))
    }

    /// Writes an event. One that goes on ends now, and says so.
    ///
    /// - Throws: What `output` throws.
    package func event(_ event: Event) throws {
        var lines = [
            "BEGIN:VEVENT", "UID:" + Self.text(event.id), "DTSTAMP:" + Self.moment(now),
            "SEQUENCE:\(event.sequence)", "DTSTART:" + Self.moment(event.from),
            "DTEND:" + Self.moment(event.to ?? max(event.from, now)),
            "STATUS:" + (event.to == nil ? "TENTATIVE" : "CONFIRMED"), "TRANSP:TRANSPARENT",
            "SUMMARY:" + Self.text(event.summary),
        ]
        if !event.note.isEmpty { lines.append("DESCRIPTION:" + Self.text(event.note)) }
        try output(Self.lines(lines + ["END:VEVENT"]))
    }

    /// Writes what comes after the events.
    ///
    /// - Throws: What `output` throws.
    package func end() throws { try output(Self.lines(["END:VCALENDAR"])) }

    /// `20260329T060005Z`.
    package static func moment(_ moment: Timestamp) -> String {
        let calendar = SiteCalendar(.utc, dayStart: .midnight)
        let (date, time) = calendar.local(moment)
        return date.description.filter { $0 != "-" } + "T"
            + time.withSeconds.filter { $0 != ":" } + "Z"
    }

    /// A value of type TEXT. Of the control characters only line feed and tab have a place in it.
    package static func text(_ text: String) -> String {
        var result = ""
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "\\", ";", ",":
                result += "\\"
                result.unicodeScalars.append(scalar)
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": result += "\\n"
            case _ where scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F: break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Lines with their ends, folded between characters.
    package static func lines(_ lines: [String]) -> String {
        var result = ""
        for line in lines {
            var length = 0
            for scalar in line.unicodeScalars {
                let size = UTF8.width(scalar)
                if length + size > longestLine {
                    result += "\r\n "
                    length = 1
                }
                result.unicodeScalars.append(scalar)
                length += size
            }
            result += "\r\n"
        }
        return result
    }
}

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
    ///
    /// - Throws: A reader's `StoreError`.
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

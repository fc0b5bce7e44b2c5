import Foundation
import SiteModel

/// A moment as a person writes it: `14:03`, `14:03:05` (the latest such time), `2026-11-21T14:03:05Z`,
/// or milliseconds since 1970.
package enum WhyMoment {
    /// The moment, or `nil` if `text` is none. Times of day are those of `calendar`.
    package static func parse(_ text: String, now: Timestamp, calendar: SiteCalendar) -> Timestamp?
    {
        if let milliseconds = Int64(text) {
            return (0...253_402_300_799_999).contains(milliseconds)
                ? Timestamp(milliseconds: milliseconds) : nil
        }
        if let date = try? Date(text, strategy: .iso8601) { return timestamp(date) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.filter(isNumber).compactMap { Int($0) }
        guard (2...3).contains(parts.count), numbers.count == parts.count else { return nil }
        let second = numbers.count == 3 ? numbers[2] : 59
        guard let time = LocalTime(hour: numbers[0], minute: numbers[1], second: second) else {
            return nil
        }
        let today = calendar.local(now).date
        let moment = calendar.first(today, time)
        // A minute that is not over yet began before now.
        let begun = numbers.count == 3 ? moment : moment - .seconds(59)
        return end(of: begun <= now ? moment : calendar.first(today + -1, time))
    }

    /// One or two digits; `Int` alone would take a sign, too.
    private static func isNumber(_ text: Substring) -> Bool {
        (1...2).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Whatever was decided within that second counts.
    private static func end(of second: Timestamp) -> Timestamp { second + .milliseconds(999) }

    private static func timestamp(_ date: Date) -> Timestamp {
        Timestamp(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
}

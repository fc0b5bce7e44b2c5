import Basics
import Foundation
import Scheduling
import SiteModel

/// A moment as somebody states it: `2026-03-29T02:30:00+02:00`, also with a blank for the T, as reports
/// have it, or `2026-03-29 14:30` as the clocks of the site show it.
package struct StatedMoment {
    private let calendar: SiteCalendar

    /// By the clocks of a site.
    package init(calendar: SiteCalendar) { self.calendar = calendar }

    /// The moment of a text. Throws `badRequest` for anything else, `ambiguousTime` where the clocks
    /// were set back over it, `nonexistentTime` where they were set forward.
    package func moment(_ text: String) throws(BooksRefusal) -> Timestamp {
        if let exact = Self.exact(text) { return exact }
        let parts = text.split(
            separator: text.contains("T") ? "T" : " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let date = LocalDate(parts[0]),
            let time = Basics.LocalTime(parts[1])
        else {
            throw BooksRefusal(
                .badRequest,
                "\(TerminalText.harmless(text)): expected 2026-03-29 14:30 or"
                    + " 2026-03-29T14:30:00+02:00")
        }
        switch calendar.moment(of: date, time) {
        case .one(let moment): return moment
        case .nonexistent:
            throw BooksRefusal(
                .nonexistentTime, "\(text) never was: the clocks were set forward over it")
        case .ambiguous(let first, let second):
            let both = [first, second].map(calendar.text)
            throw BooksRefusal(
                .ambiguousTime, "\(text) was twice: give “\(both[0])” or “\(both[1])”")
        }
    }

    /// The moment of a text that names its offset from UTC, or `nil` for any other.
    package static func exact(_ text: String) -> Timestamp? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        let joined = parts.count == 2 ? parts.joined(separator: "T") : text
        guard let date = try? Date(joined, strategy: .iso8601) else { return nil }
        return Timestamp(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }

    /// The first moment after the business day of a date like `2026-03-31`, or `nil` for any other
    /// text.
    package func end(of date: String) -> Timestamp? {
        LocalDate(date).map { calendar.bounds(of: $0).to }
    }
}

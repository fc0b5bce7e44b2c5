import Foundation
import MeshCore
import Storage

/// A moment as somebody states it: `2026-03-29T02:30:00+02:00`, or `2026-03-29 14:30` as the clocks
/// of the site show it.
struct StatedMoment {
    private let calendar: SiteCalendar

    /// By the clocks of a site.
    init(calendar: SiteCalendar) { self.calendar = calendar }

    /// The moment of a text. Throws `badRequest` for anything else, `ambiguousTime` where the clocks
    /// were set back over it, `nonexistentTime` where they were set forward.
    func moment(_ text: String) throws(BooksRefusal) -> Timestamp {
        if let exact = try? Date(text, strategy: .iso8601) {
            return Timestamp(
                milliseconds: Int64((exact.timeIntervalSince1970 * 1000).rounded()))
        }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let date = LocalDate(parts[0]),
            let time = MeshCore.LocalTime(parts[1])
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
            let both = [first, second].map { moment in
                Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000).formatted(.iso8601)
            }
            throw BooksRefusal(
                .ambiguousTime, "\(text) was twice, at \(both[0]) and \(both[1]): give one of these"
            )
        }
    }

    /// The first moment after the business day of a date like `2026-03-31`, or `nil` for any other
    /// text.
    func end(of date: String) -> Timestamp? { LocalDate(date).map { calendar.bounds(of: $0).to } }
}

import Foundation
import MeshCore
import Storage

/// A moment as somebody states it: `2026-03-29T02:30:00+02:00`, or `2026-03-29 14:30` as the clocks
/// of the site show it.
struct StatedMoment {
    private let zone: TimeZone

    /// Of a site in this zone.
    init(zone: TimeZone) { self.zone = zone }

    /// The moment of a text. Throws `badRequest` for anything else, `ambiguousTime` where the clocks
    /// were set back over it, `nonexistentTime` where they were set forward.
    func moment(_ text: String) throws(BooksRefusal) -> Timestamp {
        if let exact = try? Date(text, strategy: .iso8601) { return Timestamp(exact) }
        guard let wall = Self.wall(text) else {
            throw BooksRefusal(
                .badRequest,
                "\(TerminalText.harmless(text)): expected 2026-03-29 14:30 or"
                    + " 2026-03-29T14:30:00+02:00")
        }
        // No zone is a day from UTC, and none changes its clocks twice in two days.
        let offsets = Set([-86_400.0, 86_400].map { zone.secondsFromGMT(for: wall + $0) })
        let moments = offsets.map { wall - Double($0) }.filter { moment in
            moment + Double(zone.secondsFromGMT(for: moment)) == wall
        }.sorted()
        switch moments.count {
        case 1: return Timestamp(moments[0])
        case 0:
            throw BooksRefusal(
                .nonexistentTime,
                "\(text) never was: the clocks of \(zone.identifier) were set forward over it")
        default:
            let both = moments.map { $0.formatted(.iso8601) }.joined(separator: " and ")
            throw BooksRefusal(
                .ambiguousTime,
                "\(text) was twice in \(zone.identifier): at \(both); give one of these")
        }
    }

    /// The first moment after a date like `2026-03-31`, or `nil` for any other text.
    func end(of date: String) -> Timestamp? {
        guard let start = Self.wall(date + " 00:00") else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let noon = start + 43_200 - Double(zone.secondsFromGMT(for: start + 43_200))
        return calendar.dateInterval(of: .day, for: noon).map { Timestamp($0.end) }
    }

    /// What a clock that shows UTC would make of it.
    private static func wall(_ text: String) -> Date? {
        let form = /[0-9]{4}-[0-9]{2}-[0-9]{2} ([0-9]{2}:[0-9]{2})(:[0-9]{2})?/
        guard let match = text.wholeMatch(of: form) else { return nil }
        let seconds = match.2 == nil ? ":00" : ""
        let iso = text.replacingOccurrences(of: " ", with: "T") + seconds + "Z"
        guard let date = try? Date(iso, strategy: .iso8601),
            // 31 February would roll over.
            date.formatted(.iso8601) == iso
        else { return nil }
        return date
    }
}

extension Timestamp {
    /// A date, to the millisecond.
    fileprivate init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
}

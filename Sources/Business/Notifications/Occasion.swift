import Foundation
import SiteModel
import Wire

/// Something stored that people are to be told of, before anybody is.
package struct Occasion {
    /// What it is about.
    var kind: NotificationPayload.Kind
    /// What it stems from: of one cause there is one notification at most.
    var cause: String
    /// The row of whom it is about, or `nil` if it is about nobody.
    var user: Int64?
    /// The row or slug of what it is about.
    var subject: String
    /// When it happened.
    var at: Timestamp
    /// A few words.
    var title: String
    /// A sentence. Pseudonyms only.
    var body: String
}

/// The clocks of a site.
package struct SiteClock {
    /// The site's zone, or UTC where the system does not know its name.
    let zone: TimeZone
    private let calendar: Calendar

    init(zone name: String) {
        zone = TimeZone(identifier: name) ?? .gmt
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// Hours and minutes, `08:02`.
    func time(_ moment: Timestamp) -> String {
        let parts = parts(moment)
        return "\(Self.two(parts.hour)):\(Self.two(parts.minute))"
    }

    /// The date, `2026-11-22`.
    func date(_ moment: Timestamp) -> String {
        let parts = parts(moment)
        return "\(parts.year ?? 0)-\(Self.two(parts.month))-\(Self.two(parts.day))"
    }

    /// A date of the site.
    struct Day {
        /// As in `2026-11-22`.
        var text: String
        /// 0 is Monday.
        var weekday: Int
        fileprivate var noon: Date
    }

    /// The date that the clocks show at a moment, or one so many days later.
    func day(of moment: Timestamp, plus days: Int) -> Day {
        let parts = parts(moment)
        // Noon exists on every day, and is the same day for whoever is off by an hour.
        let noon = DateComponents(
            year: parts.year, month: parts.month, day: (parts.day ?? 1) + days, hour: 12)
        let date = calendar.date(from: noon) ?? Date(timeIntervalSince1970: 0)
        let shown = Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1000))
        let weekday = calendar.component(.weekday, from: date)
        return Day(text: self.date(shown), weekday: (weekday + 5) % 7, noon: date)
    }

    /// When the clocks show so many minutes after midnight on a day, or on the next from 1,440 on; the
    /// moment after where they skip it, the first where they show it twice.
    func moment(of day: Day, minute: Int) -> Timestamp? {
        var parts = calendar.dateComponents([.year, .month, .day], from: day.noon)
        parts.day = (parts.day ?? 1) + minute / 1440
        parts.hour = minute % 1440 / 60
        parts.minute = minute % 60
        return calendar.date(from: parts).map {
            Timestamp(milliseconds: Int64(($0.timeIntervalSince1970 * 1000).rounded()))
        }
    }

    private func parts(_ moment: Timestamp) -> DateComponents {
        calendar.dateComponents(
            [.year, .month, .day, .hour, .minute],
            from: Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000))
    }

    private static func two(_ number: Int?) -> String {
        let text = "\(number ?? 0)"
        return text.count < 2 ? "0" + text : text
    }
}

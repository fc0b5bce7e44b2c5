import Foundation
import MeshCore
import MeshWire

/// Something stored that people are to be told of, before anybody is.
struct Occasion {
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
struct SiteClock {
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

import Foundation
import MeshCore

/// Moments as hours and minutes of this machine's own zone.
struct LocalTime {
    private let formatter: DateFormatter
    private let day: DateFormatter

    init() {
        formatter = DateFormatter()
        formatter.dateFormat = "HH:mm:ss"
        day = DateFormatter()
        day.dateFormat = "yyyy-MM-dd"
    }

    /// Hours, minutes and seconds, with the date if that is another day than `now`.
    func text(_ moment: Timestamp, from now: Timestamp) -> String {
        let days = [moment, now].map {
            day.string(from: Date(timeIntervalSince1970: Double($0.milliseconds) / 1000))
        }
        return days[0] == days[1] ? text(moment) : "\(text(moment)) on \(days[0])"
    }

    /// Hours, minutes and seconds.
    func text(_ moment: Timestamp) -> String {
        formatter.string(from: Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000))
    }
}

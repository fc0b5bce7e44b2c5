import Foundation
import MeshCore

/// Moments as hours and minutes of this machine's own zone.
struct LocalTime {
    private let formatter: DateFormatter

    init() {
        formatter = DateFormatter()
        formatter.dateFormat = "HH:mm:ss"
    }

    /// Hours, minutes and seconds.
    func text(_ moment: Timestamp) -> String {
        formatter.string(from: Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000))
    }
}

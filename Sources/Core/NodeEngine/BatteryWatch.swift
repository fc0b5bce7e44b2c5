import BeaconDecoding
import SiteModel

/// Whether a beacon's battery is low, told once a day.
struct BatteryWatch: Sendable {
    /// How many readings in a row must be low: voltage dips while a tag sends.
    static let confirmations = 3
    /// The time after which it is reported again.
    static let pause = Timestamp.Span.seconds(24 * 3600)

    private var low = 0
    private var toldAt: Timestamp?

    /// The beacon said how its battery is. Returns whether that is to be told; never while
    /// `isYoung`.
    mutating func heard(_ battery: Telemetry.Battery, isYoung: Bool, at now: Timestamp) -> Bool {
        guard battery.isLow else {
            low = 0
            return false
        }
        low = min(low + 1, Self.confirmations)
        guard low == Self.confirmations, !isYoung,
            toldAt.map({ now - $0 >= Self.pause }) ?? true
        else { return false }
        toldAt = now
        return true
    }
}

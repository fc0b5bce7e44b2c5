import Foundation
import Records
import SiteModel
import SiteStore

/// Deletes what is older than it may be, once a day after three by the site's clocks; at the start
/// if that was missed. A batch at a time, so that nothing decided waits for it.
struct NightlyRetention {
    private static let hour = 3
    /// How often it is looked whether it is time.
    private static let pause = Timestamp.Span.seconds(60)

    private let store: Store
    private var run: Retention?
    private var nextLook: Timestamp?

    init(store: Store) { self.store = store }

    /// Deletes a batch if it is time to. Called about once a second.
    mutating func step(at now: Timestamp) throws(StoreError) {
        if run == nil {
            guard nextLook.map({ $0 <= now }) ?? true else { return }
            nextLook = now + Self.pause
            guard try isDue(at: now) else { return }
            run = Retention(at: now)
        }
        // Given up after an error; begun anew at the next look.
        var current = run
        run = nil
        if try current?.step(on: store) == true { run = current }
    }

    private func isDue(at now: Timestamp) throws(StoreError) -> Bool {
        guard let name = try store.timeZone() else { return false }
        guard let last = try store.lastRetention() else { return true }
        return last < Self.latest(before: now, in: TimeZone(identifier: name) ?? .gmt)
    }

    /// The last moment the clocks of a zone showed three, or would have.
    static func latest(before now: Timestamp, in zone: TimeZone) -> Timestamp {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
        let three = calendar.nextDate(
            after: date + 0.001, matching: DateComponents(hour: hour, minute: 0, second: 0),
            matchingPolicy: .nextTime, direction: .backward)
        return Timestamp(
            milliseconds: Int64(((three ?? .distantPast).timeIntervalSince1970 * 1000).rounded()))
    }
}

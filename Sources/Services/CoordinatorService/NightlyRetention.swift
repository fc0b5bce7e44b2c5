import Records
import SiteModel
import SiteStore
import Platform

/// Deletes what is older than it may be, once a day after three by the site's clocks; at the start
/// if that was missed. A batch at a time, so that nothing decided waits for it.
struct NightlyRetention {
    private static let hour = LocalTime(hour: 3, minute: 0) ?? .midnight
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
        guard let name = try Books(store).timeZone() else { return false }
        guard let last = try Retention.last(on: store) else { return true }
        return last < Self.latest(before: now, by: SiteCalendar(zone: name))
    }

    /// The last moment the clocks showed three, or would have.
    static func latest(before now: Timestamp, by calendar: SiteCalendar) -> Timestamp {
        let today = calendar.local(now).date
        let three = calendar.first(today, hour)
        return three <= now ? three : calendar.first(today + -1, hour)
    }
}

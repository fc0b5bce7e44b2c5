import Basics
import Records
import Scheduling
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

/// Goes on with the erasures that were owed when the coordinator started and those that were begun on the page, a slice
/// at a time, and begins those that a restored backup has undone as soon as who came back is not there any more. Those
/// that the command line begins are done by it.
struct OwedErasures {
    /// After an error.
    private static let pause = Timestamp.Span.seconds(60)
    /// Before the log is tried again, which somebody reads.
    private static let logPause = Timestamp.Span.seconds(1)

    private let store: Store
    /// `nil` before the first look.
    private var runs: [ErasureRun]?
    private var next = Timestamp(milliseconds: .min / 4)
    /// When it was due last.
    private var now = Timestamp(milliseconds: 0)
    private var isUnderWay = false
    /// Whether one began while others were under way.
    private var hasMore = false
    /// Whether somebody who is to be erased again is still there.
    private var isAwaiting = false

    init(store: Store) { self.store = store }

    /// An erasure may have begun: the next slices are due at once, its among them.
    mutating func lookAgain() {
        guard !isUnderWay else { return hasMore = true }
        runs = nil
        next = Timestamp(milliseconds: .min / 4)
    }

    /// Whether slices are to be done from now on. Called about once a second.
    mutating func isDue(at now: Timestamp) -> Bool {
        guard !isUnderWay, runs?.isEmpty != true || isAwaiting, next <= now else { return false }
        next = now + Self.pause
        self.now = now
        isUnderWay = true
        return true
    }

    /// Does a slice. Returns whether the next one may follow at once.
    mutating func step() throws(StoreError) -> Bool {
        isUnderWay = false
        if runs?.isEmpty ?? true { try look() }
        var left = runs ?? []
        guard !left.isEmpty else { return false }
        let isDone: Bool
        do throws(StoreError) {
            isDone = try left[0].step(on: store) != nil
        } catch {
            // It holds up none of the others.
            runs = Array(left.dropFirst() + left.prefix(1))
            throw error
        }
        if isDone {
            left.removeFirst()
        } else if left[0].pause > 0 {
            runs = left
            next = now + Self.logPause
            return false
        }
        runs = left
        isUnderWay = !left.isEmpty
        if !isUnderWay, hasMore {
            hasMore = false
            lookAgain()
        }
        return isUnderWay
    }

    private mutating func look() throws(StoreError) {
        let repetition = try Erasures(store).eraseListed(at: now)
        isAwaiting = !repetition.refused.isEmpty
        runs = runs == nil ? try Erasures(store).owed() : repetition.runs
    }
}

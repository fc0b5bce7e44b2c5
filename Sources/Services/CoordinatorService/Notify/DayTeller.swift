import Activities
import Basics
import Foundation
import Logging
import Platform
import SiteModel
import SiteStore
import SiteService
import Synchronization
import Wire

/// The thread that tells what people walked today: at the start and at midnight of everybody, else of those who have
/// sent something, set something or moved. It reads by itself; the loop publishes.
final class DayTeller: Sendable {
    /// So often, in seconds, it is looked who has moved and whether it is another day.
    private static let interval = 15.0
    /// After a fault, or where the loop is too busy, it tries again so much later, in seconds.
    private static let afterFault = 1.0

    private let store: Store
    private let mailbox: LoopMailbox
    private let clock: AnchoredClock
    private let logger: Logger
    private let ended = MonotonicSemaphore()
    private let isStopping = Atomic(false)

    /// Begins to work at once.
    init(store: Store, mailbox: LoopMailbox, clock: AnchoredClock, logger: Logger) {
        self.store = store
        self.mailbox = mailbox
        self.clock = clock
        self.logger = logger
        Thread.detachNewThread { self.run() }
    }

    /// Ends the thread and waits for it so many seconds at most.
    func stop(within seconds: Double) {
        isStopping.store(true, ordering: .releasing)
        mailbox.days.wake()
        ended.wait(seconds: seconds)
    }

    /// What the thread remembers from one look to the next.
    private struct Turn {
        var date: LocalDate?
        /// Of whom something was told.
        var told: Set<String> = []
        /// Who is to be told of.
        var due: Set<String> = []
        var lookedAt: ContinuousClock.Instant?
        /// The last row of `stay` then.
        var stay: Int64 = 0
        var fault: String?
    }

    private func run() {
        var turn = Turn()
        while !isStopping.load(ordering: .acquiring) {
            var wait = Self.interval
            do {
                if try !work(&turn, at: clock.now) { wait = Self.afterFault }
                turn.fault = nil
            } catch {
                wait = Self.afterFault
                let text = "days of activity wait: \(error)"
                if turn.fault != text { logger.warning("\(text)") }
                turn.fault = text
            }
            mailbox.days.wait(seconds: wait)
        }
        ended.signal()
    }

    /// Returns whether everything is told.
    private func work(_ turn: inout Turn, at now: Timestamp) throws -> Bool {
        let report = TodayReport(store)
        let (some, areAll) = mailbox.days.take()
        turn.due.formUnion(some)
        let isTime = turn.lookedAt.map { .now - $0 >= .seconds(Self.interval) } ?? true
        if areAll || isTime {
            let (all, moved, stay) = try report.people(movedAfter: turn.stay)
            let date = try report.date(at: now)
            turn.due.formUnion(
                areAll || date != turn.date ? all : moved + all.filter { !turn.told.contains($0) })
            turn.told = turn.told.intersection(all)
            (turn.date, turn.stay) = (date, stay)
            turn.lookedAt = .now
        }
        guard !turn.due.isEmpty else { return true }
        let days = try report.days(of: turn.due.sorted(), at: now)
        let payloads = Dictionary(uniqueKeysWithValues: days.map { ($0.user, DayPayload($0)) })
        guard mailbox.put(payloads) else { return false }
        turn.told.formUnion(payloads.keys)
        turn.due = []
        return true
    }
}

extension DayPayload {
    init(_ day: TodayReport.Day) {
        self.init(
            date: "\(day.date)", steps: day.total.steps,
            distanceM: Double(day.total.distance) / 1e6,
            kcal: day.total.energy.map { ($0 * 1000).rounded() / 1000 }, goal: day.goal,
            movingS: day.total.moving, source: day.total.source)
    }
}

extension ChangedDays {
    /// Whoever was not in an older plan is told of.
    func noteNewcomers(of plan: Plan, since old: Plan, names: Names) {
        let known = RowIndex(old.users.map(\.id))
        for user in plan.users where known[user.id] == nil { changed(names.users.slug(user.id)) }
    }
}

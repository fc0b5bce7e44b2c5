import Activities
import Foundation
import Logging
import Notifications
import Platform
import SiteModel
import SiteStore
import SiteService
import Synchronization

/// The thread that delivers stored notifications to MQTT and webhooks.
///
/// It works when somebody rings (`NotifierBell`) or when the next delivery is due, and sleeps
/// otherwise. Its state is in the database: it may be ended at any moment, and the next process goes on.
/// It reads by itself, and has what it writes written by the loop's mailbox, as everybody has. Each
/// attempt at a webhook blocks a thread of its own, so that a slow receiver holds up nobody else.
final class Notifier: Sendable {
    /// So many webhooks are tried at the same time.
    private static let most = 16
    /// So many notifications are under way to the broker at a time.
    private static let mostUnderWay = 32
    /// A notification the broker has not acknowledged after so long is sent again.
    private static let again = Timestamp.Span.seconds(10)
    /// It looks at the database at least so often, in seconds, although nobody rings: a machine may have slept.
    private static let interval = 600.0
    /// After a fault, or where the loop is too busy, it tries again so much later, in seconds.
    private static let afterFault = 1.0
    /// After a fault of reminders these are looked at again so much later.
    private static let afterReminderFault = Timestamp.Span.seconds(60)
    /// So long a write is waited for, in seconds.
    private static let patience = 10.0

    private let store: Store
    private let mailbox: LoopMailbox
    private let clock: AnchoredClock
    private let status: SharedStatus
    private let logger: Logger
    private let services: PushServices
    private let courier: @Sendable (Delivery, Timestamp) -> DeliveryOutcome
    private let results = Mutex<[(Delivery, DeliveryOutcome)]>([])
    private let pushed = Mutex<[(Push, DeliveryOutcome)]>([])
    private let ended = MonotonicSemaphore()
    private let isStopping = Atomic(false)

    /// Begins to work at once.
    init(
        store: Store, mailbox: LoopMailbox, clock: AnchoredClock, status: SharedStatus,
        logger: Logger,
        services: PushServices = PushServices(),
        courier: @escaping @Sendable (Delivery, Timestamp) -> DeliveryOutcome = {
            WebhookClient().carry($0, at: $1)
        }
    ) {
        self.services = services
        self.store = store
        self.mailbox = mailbox
        self.clock = clock
        self.status = status
        self.logger = logger
        self.courier = courier
        Thread.detachNewThread { self.run() }
    }

    /// Ends the thread and waits for it so many seconds at most. Attempts under way are not waited
    /// for: they are made again.
    func stop(within seconds: Double) {
        isStopping.store(true, ordering: .releasing)
        mailbox.notifier.ring()
        ended.wait(seconds: seconds)
    }

    private func run() {
        var turn = Turn()
        while !isStopping.load(ordering: .acquiring) {
            var wait = Self.afterFault
            do {
                let now = clock.now
                try work(&turn, at: now)
                turn.fault = nil
                wait = try rest(turn, since: now)
            } catch LoopMailbox.Unanswered.refused where isStopping.load(ordering: .acquiring) {
                break
            } catch {
                // A full disk is told once, not once a second.
                let text = "notifications wait: \(error)"
                if turn.fault != text { logger.warning("\(text)") }
                turn.fault = text
            }
            mailbox.notifier.wait(seconds: wait)
        }
        ended.signal()
    }

    /// What the thread remembers from one look to the next, all of which may be lost.
    private struct Turn {
        /// Webhooks that are being tried.
        var busy: [Int64] = []
        /// Who is being told, browsers and readers of mail.
        var pushing: [Push.Target] = []
        /// When notifications were given to the loop.
        var handed: [Int64: Timestamp] = [:]
        var fault: String?
        /// The same of reminders, whose faults hold up nothing else.
        var reminderFault: String?
        /// When the next reminder is, or reminders are looked at again.
        var reminder: Timestamp?
        /// The loop's mailbox was full.
        var isHeldUp = false
    }

    private func work(_ turn: inout Turn, at now: Timestamp) throws {
        // What is wrong with reminders must not hold up what others are told.
        do {
            turn.reminder = try remind(at: now)
            turn.reminderFault = nil
        } catch let error as LoopMailbox.Unanswered {
            throw error
        } catch {
            let text = "reminders wait: \(error)"
            if turn.reminderFault != text { logger.warning("\(text)") }
            turn.reminderFault = text
            turn.reminder = now + Self.afterReminderFault
        }
        try tell(&turn, at: now)
        try deliver(&turn, at: now)
        try push(&turn, at: now)
    }

    /// For how long there is nothing to do unless somebody rings, in seconds, after all was done that was
    /// due at `moment`: what became due while that was written is due now.
    private func rest(_ turn: Turn, since moment: Timestamp) throws -> Double {
        guard !turn.isHeldUp else { return Self.afterFault }
        let due = try NotificationQueue(store).next(after: moment)
        let again = turn.handed.values.min().map { $0 + Self.again }
        let message = try Pushes(store).next(after: moment)
        let next = [due, again, turn.reminder, message].compactMap(\.self).min()
        let wait = next.map { ($0 - clock.now).seconds } ?? Self.interval
        return min(max(wait, 0.01), Self.interval)
    }

    /// One transaction, after which it is stored. What is not answered is done again the next time:
    /// every write here may be.
    private func write<Value: Sendable>(
        _ work: @escaping @Sendable (Store) throws -> Value
    ) throws -> Value {
        try mailbox.wait(within: Self.patience, storing: .together, work)
    }

    /// Stores the reminders that are due, each once, also if this process ends here. Returns when the next one is.
    private func remind(at now: Timestamp) throws -> Timestamp? {
        let (isDue, next) = try MoveReminders(store).look(at: now)
        if isDue { try write { try MoveReminders($0).tell(at: now) } }
        return next
    }

    private func tell(_ turn: inout Turn, at now: Timestamp) throws {
        let arrived = mailbox.takeArrived()
        if !arrived.isEmpty { try write { try NotificationQueue($0).told(arrived, at: now) } }
        for id in arrived { turn.handed[id] = nil }
        turn.isHeldUp = false
        if mailbox.takeConnected() { turn.handed = [:] }
        turn.handed = turn.handed.filter { now - $0.value < Self.again }
        for notice in try NotificationQueue(store).untold(at: now, most: Self.mostUnderWay)
        where turn.handed[notice.id] == nil {
            guard mailbox.put(notice) else {
                turn.isHeldUp = true
                break
            }
            turn.handed[notice.id] = now
        }
    }

    private func deliver(_ turn: inout Turn, at now: Timestamp) throws {
        let done = results.withLock { results in
            defer { results = [] }
            return results
        }
        // Also of those that cannot be written now: what is not noted is tried again.
        for (delivery, _) in done { turn.busy.removeAll { $0 == delivery.webhook } }
        for (delivery, outcome) in done {
            guard let state = try write({ try Deliveries($0).tried(delivery, outcome, at: now) })
            else {
                continue
            }
            status.update { $0.deliveries[state.rawValue, default: 0] += 1 }
            if state == .failed {
                logger.warning(
                    "webhook \(delivery.webhook): gave up \(delivery.notice.payload.id)")
            }
        }
        let room = Self.most - turn.busy.count
        for delivery in try Deliveries(store).due(at: now, busy: turn.busy).prefix(max(0, room)) {
            turn.busy.append(delivery.webhook)
            Thread.detachNewThread { [self] in
                let outcome = courier(delivery, now)
                results.withLock { $0.append((delivery, outcome)) }
                mailbox.notifier.ring()
            }
        }
    }

    /// What accounts are told while no page is open: one after the other for each, several at a time.
    private func push(_ turn: inout Turn, at now: Timestamp) throws {
        let done = pushed.withLock { pushed in
            defer { pushed = [] }
            return pushed
        }
        for (push, _) in done { turn.pushing.removeAll { $0 == push.target } }
        for (index, (push, outcome)) in done.enumerated() {
            do {
                try write { try Pushes($0).tried(push, outcome, at: now) }
            } catch {
                // What is not noted would be told twice.
                let rest = done[index...]
                turn.pushing += rest.map(\.0.target)
                pushed.withLock { $0.insert(contentsOf: rest, at: 0) }
                throw error
            }
            let result = outcome.isDelivered ? "delivered" : "refused"
            status.update {
                switch push.target.way {
                case .push: $0.pushes[result, default: 0] += 1
                case .mail: $0.mails[result, default: 0] += 1
                }
            }
        }
        guard turn.pushing.count < Self.most else { return }
        let due = try Pushes(store).due(
            at: now, busy: turn.pushing, most: Self.most - turn.pushing.count)
        guard !due.isEmpty else { return }
        let ways = try Ways(
            services, key: Pushes(store).key(), server: MailServers(store).current())
        for push in due {
            turn.pushing.append(push.target)
            Thread.detachNewThread { [self] in
                let outcome = ways.carry(push, at: now)
                pushed.withLock { $0.append((push, outcome)) }
                mailbox.notifier.ring()
            }
        }
    }
}

import Foundation
import Logging
import Notifications
import Platform
import SiteModel
import SiteStore
import Synchronization

/// The thread that turns stored events into notifications and delivers them to MQTT and webhooks.
///
/// Its state is in the database: it may be ended at any moment, and the next process goes on. It
/// reads by itself, and has what it writes written by the loop's mailbox, as everybody has. Each
/// attempt at a webhook blocks a thread of its own, so that a slow receiver holds up nobody else.
final class Notifier: Sendable {
    /// So many webhooks are tried at the same time.
    private static let most = 16
    /// So many notifications are under way to the broker at a time.
    private static let mostUnderWay = 32
    /// A notification the broker has not acknowledged after so long is sent again.
    private static let again = Timestamp.Span.seconds(10)
    /// Between two looks at the database, in seconds.
    private static let interval = 1.0
    /// So long a write is waited for, in seconds.
    private static let patience = 10.0

    private let store: Store
    private let mailbox: LoopMailbox
    private let clock: AnchoredClock
    private let status: SharedStatus
    private let logger: Logger
    private let courier: @Sendable (Delivery, Timestamp) -> DeliveryOutcome
    private let results = Mutex<[(Delivery, DeliveryOutcome)]>([])
    private let waiting = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let isStopping = Atomic(false)

    /// Begins to work at once.
    init(
        store: Store, mailbox: LoopMailbox, clock: AnchoredClock, status: SharedStatus,
        logger: Logger,
        courier: @escaping @Sendable (Delivery, Timestamp) -> DeliveryOutcome = {
            WebhookClient().carry($0, at: $1)
        }
    ) {
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
        waiting.signal()
        _ = ended.wait(timeout: .now() + seconds)
    }

    private func run() {
        var turn = Turn()
        while !isStopping.load(ordering: .acquiring) {
            do {
                try work(&turn, at: clock.now)
                turn.fault = nil
            } catch LoopMailbox.Unanswered.refused where isStopping.load(ordering: .acquiring) {
                break
            } catch {
                // A full disk is told once, not once a second.
                let text = "notifications wait: \(error)"
                if turn.fault != text { logger.warning("\(text)") }
                turn.fault = text
            }
            _ = waiting.wait(timeout: .now() + Self.interval)
        }
        ended.signal()
    }

    /// What the thread remembers from one look to the next, all of which may be lost.
    private struct Turn {
        /// Webhooks that are being tried.
        var busy: [Int64] = []
        /// When notifications were given to the loop.
        var handed: [Int64: Timestamp] = [:]
        var fault: String?
    }

    private func work(_ turn: inout Turn, at now: Timestamp) throws {
        while try NotificationQueue(store).hasNews(at: now) {
            let kinds = try write { try NotificationQueue($0).notice(at: now) }
            guard !kinds.isEmpty else { break }
            status.update { figures in
                for kind in kinds { figures.notifications[kind.rawValue, default: 0] += 1 }
            }
        }
        try tell(&turn, at: now)
        try deliver(&turn, at: now)
    }

    /// One transaction, after which it is stored. What is not answered is done again the next time:
    /// every write here may be.
    private func write<Value: Sendable>(
        _ work: @escaping @Sendable (Store) throws -> Value
    ) throws -> Value {
        try mailbox.wait(within: Self.patience, work)
    }

    private func tell(_ turn: inout Turn, at now: Timestamp) throws {
        let arrived = mailbox.takeArrived()
        if !arrived.isEmpty { try write { try NotificationQueue($0).told(arrived, at: now) } }
        for id in arrived { turn.handed[id] = nil }
        turn.handed = turn.handed.filter { now - $0.value < Self.again }
        for notice in try NotificationQueue(store).untold(at: now, most: Self.mostUnderWay)
        where turn.handed[notice.id] == nil {
            guard mailbox.put(notice) else { break }
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
                waiting.signal()
            }
        }
    }
}

/// Carries a notification to a webhook, once, and says what came of it.
package struct WebhookClient: Sendable {

    package init() {}
    /// The longest time of one attempt, in seconds.
    package static let patience = 10

    /// Signs and posts. Blocks for at most `patience`, on a thread of its own.
    package func carry(_ delivery: Delivery, at now: Timestamp) -> DeliveryOutcome {
        let body = delivery.notice.payload.json
        return Curl.run(
            Self.configuration(
                url: delivery.url, body: body, id: delivery.notice.payload.id,
                signature: Signature.value(secret: delivery.secret, at: now, body: body)))
    }

    /// What curl is told, on its standard input: neither addresses nor secrets may stand in the list
    /// of processes. No redirects: an address is what somebody entered.
    package static func configuration(
        url: String, body: [UInt8], id: String, signature: String
    ) -> String {
        """
        url = \(quoted(url))
        data-binary = \(quoted(String(decoding: body, as: UTF8.self)))
        header = "Content-Type: application/json"
        header = \(quoted("Beaconmesh-Id: \(id)"))
        header = \(quoted("\(Signature.header): \(signature)"))
        user-agent = "beaconmesh/\(CoreVersion.text)"
        proto = "=http,https"
        noproxy = "localhost,127.0.0.0/8,::1"
        max-time = \(patience)
        max-filesize = 65536
        output = "/dev/null"
        write-out = "%{http_code} %{errormsg}"
        globoff
        silent

        """
    }

    /// A value of curl's configuration, in which only these two mean anything.
    private static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}

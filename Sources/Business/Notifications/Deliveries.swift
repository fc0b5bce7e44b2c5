import Basics
import GRDB
import SiteModel
import SiteStore

/// One notification on its way to one webhook.
package struct Delivery: Equatable, Sendable {
    /// The row of the webhook.
    package var webhook: Int64
    package var url: String
    /// What it is signed with, 64 hexadecimal digits.
    package var secret: String
    package var notice: Notice
    /// How often it was tried before.
    package var attempts: Int

    package init(webhook: Int64, url: String, secret: String, notice: Notice, attempts: Int) {
        self.webhook = webhook
        self.url = url
        self.secret = secret
        self.notice = notice
        self.attempts = attempts
    }
}

/// What came of an attempt.
package enum DeliveryOutcome: Equatable, Sendable {
    /// The receiver answered with this HTTP status; 200 to 299 is an acceptance.
    case answered(Int)
    /// There was no answer, and why.
    case unreachable(String)

    /// Whether the receiver has it now.
    package var isDelivered: Bool {
        if case .answered(200...299) = self { true } else { false }
    }

    /// What this means at `now` for a delivery that was due at a moment.
    package func state(due: Timestamp, at now: Timestamp) -> DeliveryState {
        if isDelivered { return .delivered }
        return now - due >= Deliveries.deliveryLife ? .failed : .retried
    }
}

/// What became of a delivery.
package enum DeliveryState: String, Sendable, CaseIterable {
    /// The receiver has it.
    case delivered
    /// It is tried again.
    case retried
    /// It was tried for as long as anybody tries.
    case failed
}

/// Deliveries to webhooks: at least once, in order for each webhook.
package struct Deliveries: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// A delivery that was tried and is older than this is given up.
    package static let deliveryLife = Timestamp.Span.seconds(86_400)

    /// What is to be tried now: of each webhook not in `busy` its oldest waiting delivery, if its
    /// time has come. A later one waits for it, so that the receiver hears of all in order.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func due(
        at now: Timestamp, busy: [Int64]
    ) throws(StoreError) -> [Delivery] {
        let all = try store.read { db in
            try db.rows(
                """
                SELECT notification.*, user.slug AS user_slug, site.slug AS site_slug, time_zone,
                    webhook.id AS webhook, url, secret, attempts
                FROM webhook JOIN delivery ON delivery.webhook = webhook.id
                    JOIN notification ON notification.id = delivery.notification
                    LEFT JOIN user ON user.id = notification.user CROSS JOIN site
                WHERE revoked_ms IS NULL AND state = 'waiting' AND next_ms <= ?1
                    AND delivery.notification = (
                        SELECT notification FROM delivery AS head
                        WHERE head.webhook = webhook.id AND head.state = 'waiting'
                            AND head.due_ms <= ?1
                        ORDER BY head.due_ms, head.notification LIMIT 1)
                ORDER BY webhook.id
                """, [now.milliseconds]
            ) {
                Delivery(
                    webhook: $0["webhook"], url: $0["url"], secret: $0["secret"],
                    notice: try NotificationQueue(store).notice($0), attempts: $0["attempts"])
            }
        }
        return all.filter { !busy.contains($0.webhook) }
    }

    /// Writes down what came of an attempt. Returns what that means, or `nil` if nothing waited for
    /// it any more.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func tried(
        _ delivery: Delivery, _ outcome: DeliveryOutcome, at now: Timestamp
    ) throws(StoreError) -> DeliveryState? {
        let (status, fault): (Int?, String?) =
            switch outcome {
            case .answered(let status): (status, nil)
            case .unreachable(let reason): (nil, String(reason.prefix(200)).storable)
            }
        return try store.write { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT due_ms, attempts FROM delivery
                    WHERE webhook = ? AND notification = ? AND state = 'waiting'
                    """, arguments: [delivery.webhook, delivery.notice.id])
            guard let row else { return nil }
            let attempts = (row["attempts"] as Int) + 1
            let state = outcome.state(due: row["due_ms"], at: now)
            let wait = Backoff.wait(
                after: attempts, webhook: delivery.webhook, notification: delivery.notice.id)
            try db.run(
                """
                UPDATE delivery SET attempts = ?, state = ?, last_status = ?, last_fault = ?,
                    next_ms = ?, done_ms = ?
                WHERE webhook = ? AND notification = ?
                """,
                [
                    attempts, state == .retried ? "waiting" : state.rawValue, status, fault,
                    (now + wait).milliseconds, state == .retried ? nil : now.milliseconds,
                    delivery.webhook, delivery.notice.id,
                ])
            return state
        }
    }
}

/// How long to wait between attempts.
enum Backoff {
    /// Waits double from a second to an hour. A part of up to a half is taken off, the same for the
    /// same attempt, so that many that failed together do not come back together.
    static func wait(after attempts: Int, webhook: Int64, notification: Int64) -> Timestamp.Span {
        let longest: Int64 = min(3_600_000, 1000 << Int64(min(max(0, attempts - 1), 12)))
        let names = [webhook, notification, Int64(max(0, attempts))]
        let mixed = names.reduce(0) { SplitMix64.mixed($0 ^ UInt64(bitPattern: $1)) &+ 1 }
        return .milliseconds(longest - Int64(mixed % UInt64(longest / 2)))
    }
}

import Basics
import Ciphers
import Foundation
import GRDB
import Records
import SiteModel
import SiteStore
import Wire

/// Somebody else's address at which notifications are delivered.
package struct Webhook: Equatable, Sendable {
    /// Its row.
    package var id: Int64
    /// Where it listens.
    package var url: String
    /// What it wants to know.
    package var kinds: [NotificationPayload.Kind]
    /// Whether it gets what is about people after quiet hours only.
    package var keepsQuiet: Bool
    /// When it was added.
    package var created: Timestamp
    /// How many deliveries wait, arrived, and were given up.
    package var waiting: Int
    /// How many arrived.
    package var delivered: Int
    /// How many were given up.
    package var failed: Int
    /// What came of the latest attempt: the HTTP status, or why there was none.
    package var lastAnswer: String?
}

/// Where a webhook may be.
package struct WebhookAddress: Equatable, Sendable {
    /// Why there can be no webhook.
    package enum Fault: Refusing, Equatable, Sendable, CustomStringConvertible {
        /// Not `https://host/…` or `http://host/…` in at most 2,048 visible characters of ASCII,
        /// or with a user in it.
        case notAnAddress
        /// What is sent could be read and changed on its way.
        case notEncrypted(host: String)

        package var code: ProblemCode { .badRequest }

        package var text: String {
            switch self {
            case .notAnAddress:
                """
                a webhook is https://HOST[:PORT]/PATH in visible ASCII, 2,048 characters at most, \
                without a user or password
                """
            case .notEncrypted(let host):
                """
                http:// to \(host) would send who comes and goes in the clear: use https://, or \
                --insecure ("insecure": true) if the line is safe by other means
                """
            }
        }
    }

    /// As curl understands it.
    package let url: String

    /// Whether an address has to prove by a certificate who answers there. What else it answers is told at
    /// the machine only: it may be any port of this one, or of its network.
    package static func isProven(_ url: String) -> Bool {
        url.lowercased().hasPrefix("https://")
    }

    /// Refuses what is no address; with `allowsInsecure` not what is unencrypted.
    ///
    /// - Throws: `.notAnAddress`, or `.notEncrypted` with the host; both texts are for whoever
    ///   typed it.
    package init(_ text: String, allowsInsecure: Bool = false) throws(Fault) {
        let isPlain = text.utf8.allSatisfy {
            (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C
        }
        guard isPlain, (1...2048).contains(text.utf8.count),
            let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil
        else { throw .notAnAddress }
        guard scheme == "https" || allowsInsecure || Loopback.isHost(host) else {
            throw .notEncrypted(host: host)
        }
        url = text
    }
}

package struct Webhooks: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Adds a webhook. From now on it is told what is noticed; nothing from before. Returns its row.
    ///
    /// - Parameters:
    ///   - secret: 64 hexadecimal digits, with which deliveries are signed. The audit does not get it.
    ///   - actor: Who adds it, for the audit.
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func add(
        _ address: WebhookAddress, secret: String, kinds: [NotificationPayload.Kind],
        keepsQuiet: Bool, by actor: String, via: AuditEntry.Via = .cli, at now: Timestamp
    ) throws(StoreError) -> Int64 {
        try store.write { db in
            try db.run(
                """
                INSERT INTO webhook (url, secret, kinds, keeps_quiet, created_ms)
                VALUES (?, ?, ?, ?, ?)
                """,
                [
                    address.url, secret, try JSONText.text(of: kinds), keepsQuiet, now.milliseconds,
                ])
            let id = db.lastInsertedRowID
            try AuditTrail.append(
                AuditEntry(
                    at: now, actor: actor, via: via, action: "add", entity: "webhook",
                    entityID: "\(id)",
                    after: try JSONText.text(of: [address.url] + kinds.map(\.rawValue))), db)
            return id
        }
    }

    /// Forgets a webhook's secret and what waits for it. `false` if there is no such webhook.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func revoke(
        _ id: Int64, by actor: String, via: AuditEntry.Via = .cli, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try store.write { db in
            try db.run(
                """
                UPDATE webhook SET revoked_ms = ?, secret = '' WHERE id = ? AND revoked_ms IS NULL
                """, [now.milliseconds, id])
            guard db.changesCount == 1 else { return false }
            try db.run(
                """
                UPDATE delivery SET state = 'revoked', done_ms = ?
                WHERE webhook = ? AND state = 'waiting'
                """, [now.milliseconds, id])
            try AuditTrail.append(
                AuditEntry(
                    at: now, actor: actor, via: via, action: "remove", entity: "webhook",
                    entityID: "\(id)"), db)
            return true
        }
    }

    /// All webhooks that are not revoked, oldest first.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func all() throws(StoreError) -> [Webhook] {
        try store.read { db in
            try db.rows(
                """
                SELECT webhook.*,
                    count(*) FILTER (WHERE state = 'waiting') AS waiting,
                    count(*) FILTER (WHERE state = 'delivered') AS delivered,
                    count(*) FILTER (WHERE state = 'failed') AS failed,
                    (SELECT coalesce(last_status, last_fault) FROM delivery AS latest
                        WHERE latest.webhook = webhook.id AND attempts > 0
                        ORDER BY coalesce(done_ms, next_ms) DESC, notification DESC LIMIT 1)
                        AS last_answer
                FROM webhook LEFT JOIN delivery ON delivery.webhook = webhook.id
                WHERE revoked_ms IS NULL GROUP BY webhook.id ORDER BY webhook.id
                """
            ) {
                Webhook(
                    id: $0["id"], url: $0["url"],
                    kinds: try JSONText.value([NotificationPayload.Kind].self, from: $0["kinds"]),
                    keepsQuiet: $0["keeps_quiet"], created: $0["created_ms"],
                    waiting: $0["waiting"], delivered: $0["delivered"], failed: $0["failed"],
                    lastAnswer: $0["last_answer"])
            }
        }
    }

    /// A trial for a webhook, which is stored nowhere; `nil` if there is no such webhook.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func trial(of id: Int64, at now: Timestamp) throws(StoreError) -> Delivery? {
        try store.read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT webhook.url, webhook.secret, site.slug FROM webhook CROSS JOIN site
                    WHERE webhook.id = ? AND revoked_ms IS NULL
                    """, arguments: [id])
            guard let row else { return nil }
            let site: String = row["slug"]
            let payload = NotificationPayload(
                id: "\(site)-test-\(now.milliseconds)", site: site, kind: .test, user: nil,
                title: "Test", body: "Somebody tries this webhook out.", tMs: now.milliseconds,
                madeMs: now.milliseconds, late: false, subject: "\(id)")
            return Delivery(
                webhook: id, url: row["url"], secret: row["secret"],
                notice: Notice(id: 0, payload: payload), attempts: 0)
        }
    }
}

/// Proves to a receiver that a delivery is ours and new.
package enum Signature {
    /// The header it travels in.
    package static let header = "Beaconmesh-Signature"

    /// `t=<ms>,v1=<64 hexadecimal digits>`: the moment of the attempt, and HMAC-SHA-256 of
    /// `<ms>.<body>` under the bytes of the secret's text. A receiver that refuses old moments cannot
    /// be told the same twice by an eavesdropper.
    package static func value(secret: String, at now: Timestamp, body: [UInt8]) -> String {
        let signed = Array("\(now.milliseconds).".utf8) + body
        let code = SHA256.code(of: signed, key: Array(secret.utf8))
        return "t=\(now.milliseconds),v1=\(Hex.text(code))"
    }
}

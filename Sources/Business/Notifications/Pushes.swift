import Ciphers
import Foundation
import GRDB
import Permissions
import Records
import SiteModel
import SiteStore

/// A browser of an account, as its owner sees it.
package struct PushSubscription: Equatable, Sendable {
    package var id: Int64
    package var made: Timestamp
    /// Where its messages go.
    package var endpoint: String
}

/// What an account does not want to be told, by channel.
package struct NoticeChoice: Equatable, Sendable {
    /// Not by a word on an open page.
    package var page: [NotificationRow.Kind] = []
    /// Not by a message while none is open.
    package var push: [NotificationRow.Kind] = []
    /// Not by mail.
    package var mail: [NotificationRow.Kind] = []

    package init(
        page: [NotificationRow.Kind], push: [NotificationRow.Kind],
        mail: [NotificationRow.Kind] = []
    ) {
        self.page = page
        self.push = push
        self.mail = mail
    }
}

/// A way by which an account is told while it looks at no page.
package enum PushWay: String, Sendable, CaseIterable {
    /// By the push service of a browser.
    case push
    /// By mail.
    case mail

    /// Where those stand who are told so; of `push_subscription` and `mail_reader` the same columns are looked at.
    fileprivate var table: String { self == .push ? "push_subscription" : "mail_reader" }
}

/// A message on its way.
package struct Push: Equatable, Sendable {
    /// A browser, or the mail of an account.
    package struct Target: Hashable, Sendable {
        package var way: PushWay
        package var row: Int64
    }

    package enum Content: Equatable, Sendable {
        case notice(PushedNotice)
        /// What proves that whoever types it reads the mail of an address.
        case code(String, site: String)
    }

    package var target: Target
    /// An address of a push service, or of mail.
    package var endpoint: String
    package var theirs: [UInt8]
    package var auth: [UInt8]
    package var language: String
    /// How often it was tried before.
    package var failures: Int
    package var content: Content

    /// `nil`: it is a code.
    package var notice: PushedNotice? {
        if case .notice(let notice) = content { notice } else { nil }
    }
}

/// What a message is about, by the names that its reader may see.
package struct PushedNotice: Equatable, Sendable {
    package var id: Int64
    package var kind: NotificationRow.Kind
    /// Whether it is about the reader.
    package var isOwn: Bool
    package var who: String
    package var user: String?
    package var what: String
    package var subject: String
    package var site: String
    package var due: Timestamp
}

/// Messages to browsers and by mail: what is about whoever reads, and what whoever runs the site should do something about.
package struct Pushes: Sendable {
    /// So many browsers has an account; then the oldest goes.
    package static let most = 10
    /// What could not be told for so long is no news any more.
    package static let life = Timestamp.Span.seconds(3600)

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// The key by which push services know the site; `nil`: there is none yet.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func key() throws(StoreError) -> PushKey? {
        try store.read { db in try Self.key(db) }
    }

    /// The key, which the first who asks makes.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func makeKey(at now: Timestamp) throws(StoreError) -> PushKey {
        try store.write { db in
            if let key = try Self.key(db) { return key }
            let key = PushKey()
            try db.run(
                "INSERT INTO push_key (id, own, shared, made_ms) VALUES (1, ?, ?, ?)",
                [Data(key.own), Data(key.shared), now.milliseconds])
            return key
        }
    }

    private static func key(_ db: Database) throws -> PushKey? {
        try db.rows("SELECT own, shared FROM push_key") {
            PushKey(shared: Array($0["shared"] as Data), own: Array($0["own"] as Data))
        }.first
    }

    /// Has a browser told what comes from now on; what it was told before, and by whose account, is forgotten.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func add(_ new: NewPush, of account: String, at now: Timestamp) throws(StoreError) {
        try store.write { db in
            try db.run("DELETE FROM push_subscription WHERE endpoint = ?", [new.endpoint])
            try db.run(
                """
                INSERT INTO push_subscription
                    (account, endpoint, p256dh, auth, language, made_ms, through_ms, through,
                    failures, next_ms)
                SELECT id, ?, ?, ?, ?, ?, ?, 0, 0, 0
                FROM account WHERE name = ?
                """,
                [
                    new.endpoint, Data(new.theirs), Data(new.auth), new.language, now.milliseconds,
                    now.milliseconds, account,
                ])
            try db.run(
                """
                DELETE FROM push_subscription WHERE account = (SELECT id FROM account WHERE name = ?1)
                    AND id NOT IN (SELECT id FROM push_subscription
                        WHERE account = (SELECT id FROM account WHERE name = ?1)
                        ORDER BY id DESC LIMIT ?2)
                """, [account, Self.most])
        }
    }

    /// The browsers of an account, the newest first.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func all(of account: String) throws(StoreError) -> [PushSubscription] {
        try store.read { db in
            try db.rows(
                """
                SELECT push_subscription.* FROM push_subscription
                    JOIN account ON account.id = push_subscription.account
                WHERE account.name = ? ORDER BY push_subscription.id DESC
                """, [account]
            ) {
                PushSubscription(id: $0["id"], made: $0["made_ms"], endpoint: $0["endpoint"])
            }
        }
    }

    /// Tells a browser of an account nothing more; `false` if the account has no such one.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func remove(_ id: Int64, of account: String) throws(StoreError) -> Bool {
        try store.write { db in
            try db.run(
                """
                DELETE FROM push_subscription
                WHERE id = ? AND account = (SELECT id FROM account WHERE name = ?)
                """, [id, account])
            return db.changesCount > 0
        }
    }

    /// What an account does not want.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func choice(of account: String) throws(StoreError) -> NoticeChoice {
        try store.read { db in
            try db.rows(
                """
                SELECT notice_choice.* FROM notice_choice JOIN account ON account.id = account
                WHERE name = ?
                """, [account]
            ) {
                NoticeChoice(
                    page: try JSONText.value([NotificationRow.Kind].self, from: $0["page"]),
                    push: try JSONText.value([NotificationRow.Kind].self, from: $0["push"]),
                    mail: try JSONText.value([NotificationRow.Kind].self, from: $0["mail"]))
            }.first ?? NoticeChoice(page: [], push: [])
        }
    }

    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func choose(_ choice: NoticeChoice, of account: String) throws(StoreError) {
        try store.write { db in
            try db.run(
                """
                INSERT INTO notice_choice (account, page, push, mail)
                SELECT id, ?, ?, ? FROM account WHERE name = ?
                ON CONFLICT (account) DO UPDATE SET page = excluded.page, push = excluded.push,
                    mail = excluded.mail
                """,
                [
                    try JSONText.text(of: choice.page.map(\.rawValue).sorted()),
                    try JSONText.text(of: choice.push.map(\.rawValue).sorted()),
                    try JSONText.text(of: choice.mail.map(\.rawValue).sorted()), account,
                ])
        }
    }

    /// Quiet hours hold back for less than a day, in ms: what was made earlier was due earlier, too.
    private static let longestQuiet = 86_400_000

    /// What somebody is to be told and was not yet, joined to where they are. `:office` and `:payers` are lists of kinds and
    /// of roles.
    private static func waiting(_ way: PushWay) -> String {
        """
        FROM \(way.table) AS push
            JOIN account ON account.id = push.account
            JOIN notification ON (notification.due_ms, notification.id) > (push.through_ms, push.through)
                AND notification.due_ms > :now - \(life.milliseconds)
                AND notification.made_ms > :now - \(life.milliseconds) - \(longestQuiet)
                AND notification.late = 0
            LEFT JOIN user ON user.id = notification.user
            LEFT JOIN notice_choice AS choice ON choice.account = push.account
        WHERE \(Departures.shutSince) IS NULL
            AND (notification.user = account.user
                OR notification.kind IN (SELECT value FROM json_each(:office))
                    AND account.role IN (SELECT value FROM json_each(:payers)))
            AND notification.kind NOT IN (
                SELECT value FROM json_each(coalesce(choice.\(way.rawValue), '[]')))
        """
            + (way == .mail
                ? " AND push.confirmed_ms IS NOT NULL AND EXISTS (SELECT 1 FROM mail_server)" : "")
    }

    /// The codes that were not sent yet.
    private static let unsent = """
        FROM mail_reader WHERE code IS NOT NULL AND is_sent = 0
            AND made_ms > :now - \(MailReaders.life.milliseconds) AND EXISTS (SELECT 1 FROM mail_server)
        """

    private func arguments(_ more: [String: (any DatabaseValueConvertible)?]) throws
        -> StatementArguments
    {
        let payers = Role.allCases.filter { Right.attendanceRead.reach(of: $0) == .site }
        let office = NotificationRow.Kind.allCases.filter(\.isForOffice)
        return StatementArguments(
            more.merging([
                "office": try JSONText.text(of: office.map(\.rawValue)),
                "payers": try JSONText.text(of: payers.map(\.rawValue)),
            ]) { $1 })
    }

    /// Of each that is not `busy` the first message that is due, of codes before that.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func due(at now: Timestamp, busy: [Push.Target], most count: Int) throws(StoreError)
        -> [Push]
    {
        try store.read { db in
            func busyRows(_ way: PushWay) throws -> String {
                try JSONText.text(of: busy.filter { $0.way == way }.map(\.row))
            }
            let codes = try db.rows(
                """
                SELECT *, (SELECT name FROM site) AS site \(Self.unsent) AND next_ms <= :now
                    AND id NOT IN (SELECT value FROM json_each(:busy)) ORDER BY id LIMIT :most
                """, ["now": now.milliseconds, "busy": try busyRows(.mail), "most": count]
            ) { row in
                Push(
                    target: .init(way: .mail, row: row["id"]), endpoint: row["address"], theirs: [],
                    auth: [],
                    language: row["language"], failures: row["failures"],
                    content: .code(row["code"], site: row["site"]))
            }
            let notices = try PushWay.allCases.flatMap { way in
                try self.notices(way, at: now, busy: try busyRows(way), most: count, db)
            }
            return Array((codes + notices).prefix(count))
        }
    }

    private func notices(
        _ way: PushWay, at now: Timestamp, busy: String, most count: Int, _ db: Database
    ) throws -> [Push] {
        let address =
            way == .push
            ? "endpoint, p256dh, auth" : "address AS endpoint, x'' AS p256dh, x'' AS auth"
        return try db.rows(
            """
            SELECT * FROM (
                SELECT push.id AS push, \(address), language, failures,
                    notification.id AS id, notification.kind AS kind, subject, due_ms, user.slug AS user,
                    notification.user IS account.user AND account.user IS NOT NULL AS own,
                    coalesce(user.name, '') AS who,
                    coalesce(
                        (SELECT title FROM beacon WHERE slug = notification.subject AND notification.kind
                            IN ('battery-low', 'tag-seen', 'tag-gone')),
                        iif(notification.kind IN ('device-seen', 'device-beside'), subject, NULL),
                        (SELECT name FROM exercise WHERE slug = notification.subject AND notification.kind = 'record'),
                        (SELECT name FROM station WHERE slug = notification.subject AND notification.kind = 'queue-offer'),
                        '') AS what,
                    (SELECT name FROM site) AS site,
                    row_number() OVER (PARTITION BY push.id ORDER BY due_ms, notification.id) AS place
                \(Self.waiting(way)) AND due_ms <= :now AND next_ms <= :now
                    AND push.id NOT IN (SELECT value FROM json_each(:busy)))
            WHERE place = 1 ORDER BY push LIMIT :most
            """, arguments(["now": now.milliseconds, "busy": busy, "most": count])
        ) { row in
            guard let kind = NotificationRow.Kind(rawValue: row["kind"]) else {
                throw DamagedRow("notification.kind", row)
            }
            return Push(
                target: .init(way: way, row: row["push"]), endpoint: row["endpoint"],
                theirs: Array(row["p256dh"] as Data), auth: Array(row["auth"] as Data),
                language: row["language"], failures: row["failures"],
                content: .notice(
                    PushedNotice(
                        id: row["id"], kind: kind, isOwn: row["own"], who: row["who"],
                        user: row["user"], what: row["what"], subject: row["subject"],
                        site: row["site"], due: row["due_ms"])))
        }
    }

    /// When the next message is due or tried again after `now`; `nil`: none waits.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func next(after now: Timestamp) throws(StoreError) -> Timestamp? {
        try store.read { db in
            let code = try Int64.fetchOne(
                db, sql: "SELECT min(next_ms) \(Self.unsent) AND next_ms > :now",
                arguments: ["now": now.milliseconds])
            let notices = try PushWay.allCases.map { way in
                try Int64.fetchOne(
                    db,
                    sql: """
                        SELECT min(max(due_ms, next_ms)) \(Self.waiting(way)) AND max(due_ms, next_ms) > :now
                        """, arguments: try arguments(["now": now.milliseconds]))
            }
            return ([code] + notices).compactMap(\.self).min()
        }.map(Timestamp.init(milliseconds:))
    }

    /// Notes what came of an attempt: told; or the browser is gone (404, 410); or it is tried again, until it is no news.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func tried(
        _ push: Push, _ outcome: DeliveryOutcome, at now: Timestamp
    ) throws(StoreError) {
        let (way, row) = (push.target.way, push.target.row)
        let isTriedAgain = !outcome.isDelivered && outcome.isWorthAnother(by: way)
        try store.write { db in
            if way == .mail {
                // Who was given another address meanwhile has nothing to do with what came of this one.
                let fault: MailReader.Fault? =
                    outcome.isDelivered ? nil : isTriedAgain ? .delayed : .refused
                try db.run(
                    "UPDATE mail_reader SET fault = ? WHERE id = ? AND address = ?",
                    [fault?.rawValue, row, push.endpoint])
                guard db.changesCount == 1 else { return }
            }
            switch (push.content, outcome) {
            case (.notice, .answered(404)) where way == .push,
                (.notice, .answered(410)) where way == .push:
                try db.run("DELETE FROM push_subscription WHERE id = ?", [row])
            case (.notice(let notice), _) where !isTriedAgain || now - notice.due >= Self.life:
                try db.run(
                    """
                    UPDATE \(way.table) SET through_ms = ?, through = ?, failures = 0, next_ms = 0
                    WHERE id = ?
                    """, [notice.due.milliseconds, notice.id, row])
            case (.code(let code, _), _) where !isTriedAgain:
                try db.run(
                    "UPDATE mail_reader SET is_sent = 1, failures = 0, next_ms = 0 WHERE id = ? AND code = ?",
                    [row, code])
            default:
                let wait = Backoff.wait(
                    after: push.failures + 1, webhook: row, notification: push.notice?.id ?? 0)
                try db.run(
                    "UPDATE \(way.table) SET failures = failures + 1, next_ms = ? WHERE id = ?",
                    [(now + wait).milliseconds, row])
            }
        }
    }
}

extension DeliveryOutcome {
    /// Whether the same may be taken later: the service is busy (of HTTP 429 and 5xx, of SMTP 4xx), or was not reached.
    fileprivate func isWorthAnother(by way: PushWay) -> Bool {
        switch self {
        case .answered(429), .answered(500...599): way == .push
        case .answered(400...499): way == .mail
        case .unreachable: true
        case .answered: false
        }
    }
}

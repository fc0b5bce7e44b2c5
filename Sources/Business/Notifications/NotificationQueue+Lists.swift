import GRDB
import SiteModel
import SiteStore

/// Who looks at notifications, and what of them they may see.
package struct NoticeReader: Sendable {
    /// The name of their account; `nil`: a program's, which has no marks.
    package var account: String?
    /// The slug of whom they are; `nil`: nobody who is registered.
    package var user: String?
    /// Whether they see what is about others.
    package var seesOthers: Bool
    /// What of others they do not see all the same.
    package var hidden: Set<NotificationRow.Kind>

    package init(
        account: String?, user: String?, seesOthers: Bool, hidden: Set<NotificationRow.Kind>
    ) {
        self.account = account
        self.user = user
        self.seesOthers = seesOthers
        self.hidden = hidden
    }
}

/// Where a notification stands in a list.
package struct NoticePlace: Equatable, Sendable {
    package var due: Timestamp
    package var id: Int64

    package init(due: Timestamp, id: Int64) {
        self.due = due
        self.id = id
    }
}

/// A notification as it is listed.
package struct ListedNotice: Equatable, Sendable {
    package var id: Int64
    package var kind: NotificationRow.Kind
    /// The slug of whom it is about; `nil`: nobody.
    package var user: String?
    /// The row or slug of what it is about.
    package var subject: String
    /// When it happened.
    package var at: Timestamp
    /// When it was to be told: later, where quiet hours held it back.
    package var due: Timestamp
    /// Whether it was noticed too late to be news.
    package var isLate: Bool
    /// Whether the reader has seen it.
    package var isRead: Bool
}

extension NotificationQueue {
    /// More are not counted.
    package static let mostUnread = 100

    /// What of all notifications somebody sees that were due by then. The arguments are of `seen(by:)`.
    private static let seen = """
        notification.due_ms <= :now AND (user.slug IS :own AND :own IS NOT NULL
            OR :others AND notification.kind NOT IN (SELECT value FROM json_each(:hidden)))
        """

    private func seen(by reader: NoticeReader, at now: Timestamp) throws -> [String:
        (any DatabaseValueConvertible)?]
    {
        [
            "now": now.milliseconds, "own": reader.user, "others": reader.seesOthers,
            "hidden": try JSONText.text(of: reader.hidden.map(\.rawValue).sorted()),
            "account": reader.account,
        ]
    }

    /// Up to when an account has seen what was due, at first since when there is that account.
    private static let mark = """
        coalesce((SELECT coalesce(notice_mark.through_ms, account.made_ms) FROM account
            LEFT JOIN notice_mark ON notice_mark.account = account.id
            WHERE account.name = :account), 0)
        """

    /// Notifications that somebody may see, those that were due last first, at most so many; only of one person, and only
    /// those before another one, if that is said.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func listed(
        for reader: NoticeReader, of user: String? = nil, before last: NoticePlace? = nil,
        most count: Int, at now: Timestamp
    ) throws(StoreError) -> [ListedNotice] {
        try store.read { db in
            var arguments = try seen(by: reader, at: now)
            arguments.updateValue(user, forKey: "user")
            arguments["due"] = last?.due.milliseconds ?? .max
            arguments["before"] = last?.id ?? .max
            arguments["most"] = count
            return try db.rows(
                """
                SELECT notification.id, kind, subject, at_ms, due_ms, late, user.slug AS user,
                    due_ms <= \(Self.mark) AS is_read
                FROM notification LEFT JOIN user ON user.id = notification.user
                WHERE \(Self.seen) AND (due_ms, notification.id) < (:due, :before)
                    AND (:user IS NULL OR user.slug = :user)
                ORDER BY due_ms DESC, notification.id DESC LIMIT :most
                """, StatementArguments(arguments)
            ) { row in
                guard let kind = NotificationRow.Kind(rawValue: row["kind"]) else {
                    throw DamagedRow("notification.kind", row)
                }
                return ListedNotice(
                    id: row["id"], kind: kind, user: row["user"], subject: row["subject"],
                    at: row["at_ms"], due: row["due_ms"], isLate: row["late"],
                    isRead: row["is_read"])
            }
        }
    }

    /// How many somebody has not seen of those that are about them, and of others that somebody should do something
    /// about; at most `mostUnread`.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func unread(by reader: NoticeReader, at now: Timestamp) throws(StoreError) -> Int {
        guard reader.account != nil else { return 0 }
        return try store.read { db in
            var arguments = try seen(by: reader, at: now)
            arguments["pressing"] = try JSONText.text(
                of: NotificationRow.Kind.allCases.filter(\.isForOffice).map(\.rawValue))
            arguments["most"] = Self.mostUnread
            return try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM (
                        SELECT 1 FROM notification LEFT JOIN user ON user.id = notification.user
                        WHERE due_ms > \(Self.mark) AND \(Self.seen)
                            AND (user.slug IS :own AND :own IS NOT NULL
                                OR kind IN (SELECT value FROM json_each(:pressing)))
                        LIMIT :most)
                    """, arguments: StatementArguments(arguments)) ?? 0
        }
    }

    /// Notes up to when an account has seen what was due, at most until now. Never goes back.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func mark(
        through moment: Timestamp, by account: String, at now: Timestamp
    ) throws(StoreError) {
        try store.write { db in
            try db.run(
                """
                INSERT INTO notice_mark (account, through_ms) SELECT id, ? FROM account WHERE name = ?
                ON CONFLICT (account) DO UPDATE
                    SET through_ms = max(through_ms, excluded.through_ms)
                """, [min(moment, now).milliseconds, account])
        }
    }
}

extension NotificationRow.Kind {
    /// Whether whoever runs a site should do something about it.
    package var isForOffice: Bool {
        [.noCheckIn, .forgottenTag, .batteryLow, .tagSeen, .tagGone, .deviceSeen].contains(self)
    }
}

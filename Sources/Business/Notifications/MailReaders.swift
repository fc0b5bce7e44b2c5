import GRDB
import Records
import SiteModel
import SiteStore

/// Where an account wants mail, as its owner sees it.
package struct MailReader: Equatable, Sendable {
    /// What came of the last mail, if it did not arrive.
    package enum Fault: String, Sendable, CaseIterable {
        /// The server took it not, and never will.
        case refused
        /// It was not reached, or asks for patience: it is tried again.
        case delayed
    }

    package var address: String
    /// Whether they have proved that they read it.
    package var isConfirmed: Bool
    package var fault: Fault?
}

/// Addresses of mail, each of which is used once its owner has typed the code that was sent to it.
package struct MailReaders: Sendable {
    /// So long a code is good.
    package static let life = Timestamp.Span.seconds(1800)
    /// So many codes may be tried.
    package static let tries = 5
    /// A code is sent so long after the one before at the earliest.
    package static let pause = Timestamp.Span.seconds(60)

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func reader(of account: String) throws(StoreError) -> MailReader? {
        try store.read { db in
            try db.rows(
                "SELECT mail_reader.* FROM mail_reader JOIN account ON account.id = account WHERE name = ?",
                [account]
            ) { row in
                MailReader(
                    address: row["address"], isConfirmed: row["confirmed_ms"] as Int64? != nil,
                    fault: (row["fault"] as String?).flatMap(MailReader.Fault.init))
            }.first
        }
    }

    /// Has a code sent to an address, which takes the place of the one before.
    ///
    /// - Throws: A `BooksRefusal` with `.badState` without a server, with `.rateLimited` soon after another code; else a
    ///   writer's `StoreError`.
    package func set(
        _ address: MailAddress, language: String, of account: String, at now: Timestamp
    ) throws {
        try store.transaction { db in
            guard try Int64.fetchOne(db, sql: "SELECT id FROM mail_server") != nil else {
                throw BooksRefusal(.badState, "this site sends no mail")
            }
            try Self.refuseSoon("", of: account, at: now, db)
            let code = String(Int.random(in: 0..<1_000_000))
            try db.run(
                """
                INSERT INTO mail_reader
                    (account, address, language, code, made_ms, tries, is_sent, through_ms, through, failures, next_ms)
                SELECT id, ?1, ?2, ?3, ?4, 0, 0, ?4, 0, 0, 0 FROM account WHERE name = ?5
                ON CONFLICT (account) DO UPDATE SET address = excluded.address,
                    language = excluded.language, code = excluded.code, made_ms = excluded.made_ms,
                    confirmed_ms = NULL, fault = NULL, tries = 0, is_sent = 0, failures = 0, next_ms = 0
                """,
                [
                    address.text, language, String(repeating: "0", count: 6 - code.count) + code,
                    now.milliseconds, account,
                ])
        }
    }

    /// Whether that is the code that was sent; the address is used from now on then. After `tries` wrong ones, or after
    /// `life`, none is.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func confirm(_ code: String, of account: String, at now: Timestamp) throws(StoreError)
        -> Bool
    {
        try store.write { db in
            try db.run(
                """
                UPDATE mail_reader SET confirmed_ms = ?1, code = NULL, fault = NULL, through_ms = ?1, through = 0
                WHERE account = (SELECT id FROM account WHERE name = ?2) AND code = ?3 AND tries < ?4
                    AND made_ms > ?1 - ?5
                """, [now.milliseconds, account, code, Self.tries, Self.life.milliseconds])
            if db.changesCount == 1 { return true }
            try db.run(
                "UPDATE mail_reader SET tries = tries + 1 WHERE account = (SELECT id FROM account WHERE name = ?)",
                [account])
            return false
        }
    }

    /// Sends an account no more mail. Without an address nothing changes.
    ///
    /// - Throws: A `BooksRefusal` with `.rateLimited` soon after a code that was not typed: else anybody's address could be
    ///   sent one code after the other. Else a writer's `StoreError`.
    package func remove(of account: String, at now: Timestamp) throws {
        try store.transaction { db in
            try Self.refuseSoon("AND confirmed_ms IS NULL", of: account, at: now, db)
            try db.run(
                "DELETE FROM mail_reader WHERE account = (SELECT id FROM account WHERE name = ?)",
                [account])
        }
    }

    /// - Throws: A `BooksRefusal` if a code was sent less than `pause` ago to the address of an account, of which `condition`
    ///   holds.
    private static func refuseSoon(
        _ condition: String, of account: String, at now: Timestamp, _ db: Database
    ) throws {
        let isSoon = try Bool.fetchOne(
            db,
            sql: """
                SELECT 1 FROM mail_reader WHERE account = (SELECT id FROM account WHERE name = ?1)
                    AND made_ms <= ?2 AND made_ms > ?2 - ?3 \(condition)
                """, arguments: [account, now.milliseconds, pause.milliseconds])
        guard isSoon == nil else {
            throw BooksRefusal(.rateLimited, "a code was sent just now: try again in a minute")
        }
    }
}

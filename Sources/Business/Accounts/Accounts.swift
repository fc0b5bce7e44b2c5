import Foundation
import GRDB
import Permissions
import Records
import SiteModel
import SiteStore

/// The accounts of a site, their sessions and tokens, as they are stored.
package struct Accounts: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Does what is asked, with its line in the audit, in one transaction. `actor` is who asks, `via`
    /// which way. Returns the name of the account or token it was about.
    ///
    /// - Throws: An `AccountRefusal`, after which nothing was written, or a writer's `StoreError`.
    @discardableResult
    package func perform(
        _ call: AccountCall, by actor: String, via: AuditEntry.Via, at now: Timestamp
    ) throws -> String {
        do {
            return try store.transaction { db in
                try AccountWriting(db: db, actor: actor, via: via, now: now).perform(call)
            }
        } catch let refusal as AccountRefusal {
            throw refusal
        } catch {
            throw StoreError(error, path: store.path)
        }
    }

    /// Everything that decides who is let in, in one reading.
    package func all() throws(StoreError) -> Everything {
        try store.read { db in
            Everything(
                accounts: try db.rows(
                    """
                    SELECT account.*, user.slug AS user_slug, password.account AS with_password,
                        invitation.expires_ms AS invited_ms, \(Departures.shutSince) AS shut_ms
                    FROM account LEFT JOIN user ON user.id = account.user
                        LEFT JOIN account_password AS password ON password.account = account.id
                        LEFT JOIN invitation ON invitation.account = account.id
                    ORDER BY account.name
                    """, as: Self.account),
                sessions: try db.rows("SELECT * FROM web_session") {
                    WebSession(
                        hash: Array($0["hash"] as Data), account: $0["account"],
                        made: $0["made_ms"], seen: $0["seen_ms"])
                },
                tokens: try db.rows(
                    """
                    SELECT token.*, user.slug AS user_slug,
                        coalesce(revoked_ms, retired_ms) AS ended_ms FROM token
                        LEFT JOIN user ON user.id = token.user ORDER BY token.id
                    """, as: Self.token),
                sharing: Dictionary(
                    grouping: try db.rows(
                        "SELECT slug, kind FROM sharing JOIN user ON user.id = sharing.user"
                    ) { (slug: $0["slug"] as String, kind: $0["kind"] as String) },
                    by: \.kind
                ).reduce(into: [:]) { sharing, rows in
                    guard let part = Shared(rawValue: rows.key) else { return }
                    sharing[part] = Set(rows.value.map(\.slug))
                })
        }
    }

    /// What is stored of an account's password; `nil` where there is none.
    package func password(of name: String) throws(StoreError) -> String? {
        try store.read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT hash FROM account_password JOIN account ON account.id = account
                    WHERE name = ? AND \(Departures.shutSince) IS NULL
                    """, arguments: [name])
        }
    }

    /// Whose account an invitation is, by its digest.
    ///
    /// - Throws: An `AccountRefusal`, as its acceptance would, or a reader's `StoreError`.
    package func invitee(of invitation: [UInt8], at now: Timestamp) throws -> Invitee {
        do {
            return try store.snapshot { db in
                let row = try AccountWriting.invitation(invitation, db, at: now)
                return Invitee(
                    name: row["name"], role: try Self.role(row),
                    site: try String.fetchOne(db, sql: "SELECT name FROM site") ?? "")
            }
        } catch let refusal as AccountRefusal {
            throw refusal
        } catch {
            throw StoreError(error, path: store.path)
        }
    }

    /// Who is invited, and where.
    package struct Invitee: Equatable, Sendable {
        /// What they will sign in with.
        package var name: String
        package var role: Role
        /// What the site is called; empty before the first import.
        package var site: String
    }

    /// What the directory holds.
    package struct Everything: Sendable {
        package var accounts: [Account]
        package var sessions: [WebSession]
        package var tokens: [Token]
        /// Who shares what, by slug.
        package var sharing: [Shared: Set<String>]
    }

    private static func account(_ row: Row) throws -> Account {
        Account(
            id: row["id"], name: row["name"], role: try role(row), user: row["user_slug"],
            made: row["made_ms"], signedIn: row["signed_in_ms"],
            disabled: row["shut_ms"],
            hasPassword: (row["with_password"] as Int64?) != nil,
            invitedUntil: row["invited_ms"])
    }

    private static func role(_ row: Row) throws -> Role {
        guard let role = Role(rawValue: row["role"]) else {
            throw StoreError.other(code: 0, message: "an account or token of unknown role")
        }
        return role
    }

    private static func token(_ row: Row) throws -> Token {
        let scopes = try JSONDecoder().decode(
            [String].self, from: Data((row["scopes"] as String).utf8))
        let known = Set(scopes.compactMap { Scope(rawValue: $0) })
        let role = try role(row)
        // One that was narrowed by a word of another release opens nothing.
        let isStrange = role == .member && known.count < scopes.count
        return Token(
            id: row["id"], name: row["name"], hash: Array(row["hash"] as Data),
            role: role, scopes: known, user: row["user_slug"],
            made: row["made_ms"], expires: row["expires_ms"],
            used: row["used_ms"], revoked: isStrange ? row["made_ms"] : row["ended_ms"])
    }
}

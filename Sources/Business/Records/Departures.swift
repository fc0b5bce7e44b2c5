import Basics
import GRDB
import SiteModel
import SiteStore

/// The end of what speaks for a person who is retired: account, tokens, phones at the broker, calendars and
/// what they share. Whoever is added under the same id later begins without.
package enum Departures {
    /// Since when an account of a query lets nobody in, `NULL` while it does: it was disabled, or its person
    /// was retired.
    package static let shutSince = """
        coalesce(account.disabled_ms,
            (SELECT retired_ms FROM user AS person WHERE person.id = account.user))
        """

    /// What is ended, by table: the column that says since when, what else is set, the word of the audit, and
    /// the column that it tells.
    private static let ended = [
        (table: "account", since: "disabled_ms", more: "", action: "disable", told: "name"),
        (table: "token", since: "revoked_ms", more: "", action: "revoke", told: "name"),
        (
            table: "broker_identity", since: "revoked_ms", more: ", password_hash = ''",
            action: "revoke", told: "name"
        ),
        (table: "feed", since: "revoked_ms", more: "", action: "revoke", told: "kind"),
    ]

    /// Ends all of it, each with its line in the audit, in the transaction that retires them. Of an account
    /// that is enabled again somebody must be invited: no old password opens it.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func end(of user: UserID, by asker: Asker, _ db: Database) throws {
        for (table, since, more, action, told) in ended {
            let open = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, \(told) AS told FROM \(table)
                    WHERE user = ? AND \(since) IS NULL ORDER BY id
                    """, arguments: [user.row])
            for row in open {
                let id: Int64 = row["id"]
                try db.run(
                    "UPDATE \(table) SET \(since) = ?\(more) WHERE id = ?",
                    [asker.at.milliseconds, id])
                try Roster.note(
                    action, table, "\(id)", user: user, [told: row["told"]], by: asker, db)
            }
        }
        for table in [
            "web_session", "invitation", "account_password", "mail_reader", "push_subscription",
        ] {
            try db.run(
                """
                DELETE FROM \(table)
                WHERE account IN (SELECT id FROM account WHERE user = ?)
                """, [user.row])
        }
        for table in ["sharing", "activity_sharing"] {
            try db.run("DELETE FROM \(table) WHERE user = ?", [user.row])
        }
    }

    /// Ends what a node signs in at the broker with: whatever machine has it, it is nobody when a node of this name comes
    /// again.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func end(ofNode slug: String, by asker: Asker, _ db: Database) throws {
        let open = try Int64.fetchOne(
            db,
            sql: """
                SELECT id FROM broker_identity
                WHERE name = ? AND kind = 'node' AND revoked_ms IS NULL
                """, arguments: [slug])
        guard let open else { return }
        try db.run(
            "UPDATE broker_identity SET revoked_ms = ?, password_hash = '' WHERE id = ?",
            [asker.at.milliseconds, open])
        try Roster.note(
            "revoke", "broker_identity", "\(open)", user: nil, ["name": slug], by: asker, db)
    }

    /// Why people may not go, in words about the site's rows: of its owners one must stay who can sign in.
    /// `isLeaving` says of a person's id whether they go.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func faults(
        without isLeaving: (String) -> Bool, _ db: Database
    ) throws -> [String] {
        let owners = try db.rows(
            """
            SELECT account.name, slug AS person, account_password.account AS with_password
            FROM account LEFT JOIN user ON user.id = account.user
                LEFT JOIN account_password ON account_password.account = account.id
            WHERE role = 'owner' AND \(shutSince) IS NULL
            ORDER BY account.name
            """
        ) { row in
            (
                name: row["name"] as String, person: row["person"] as String?,
                signsIn: (row["with_password"] as Int64?) != nil
            )
        }
        var leaving: [(name: String, person: String)] = []
        for owner in owners {
            if let person = owner.person, isLeaving(person) {
                leaving.append((owner.name, person))
            } else if owner.signsIn {
                return []
            }
        }
        return leaving.map {
            "user \($0.person.quoted): owns the site as \($0.name), and no other owner stays: make one first"
        }
    }
}

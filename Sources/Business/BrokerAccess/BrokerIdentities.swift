import Foundation
import GRDB
import Permissions
import Records
import SiteModel
import SitePipeline
import SiteStore
import Wire

/// An identity that is to be enrolled, as it goes over the coordinator's socket.
package struct NewBrokerIdentity: Codable, Sendable {
    package var identity: BrokerIdentity
    /// What mosquitto keeps of the password, which itself stays with who made it.
    package var hash: String

    package init(_ identity: BrokerIdentity, hash: String) {
        self.identity = identity
        self.hash = hash
    }
}

/// An identity as it stands in the database.
package struct EnrolledIdentity: Equatable, Sendable {
    /// Its row.
    package var id: Int64
    package var identity: BrokerIdentity
    /// Empty once it is revoked.
    package var hash: String
    package var made: Timestamp
    package var revoked: Timestamp?

    package init(
        id: Int64, identity: BrokerIdentity, hash: String, made: Timestamp, revoked: Timestamp?
    ) {
        self.id = id
        self.identity = identity
        self.hash = hash
        self.made = made
        self.revoked = revoked
    }
}

/// Who signs in at the site's broker: rows of `broker_identity`. Each change is a line of the audit.
package struct BrokerIdentities: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Enrols an identity. Returns its row.
    ///
    /// - Throws: A `BooksRefusal`: `.badRequest` for what cannot be, `.notFound` for a person or node who
    ///   is not registered, `.overlap` for a name in use; a `StoreError` if the database failed.
    package func enrol(_ new: NewBrokerIdentity, by asker: Asker) throws -> Int64 {
        let scopes = try Self.checked(new)
        return try change { db in try Self.add(new, scopes: scopes, by: asker, db) }
    }

    /// Enrols an identity in the place of the one of its name, if there is one: another password, nothing else. Returns
    /// its row; throws as `enrol` does.
    func replace(_ new: NewBrokerIdentity, by asker: Asker) throws -> Int64 {
        let scopes = try Self.checked(new)
        return try change { db in
            let isThere = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM broker_identity
                        WHERE name = ? AND kind = ? AND revoked_ms IS NULL)
                    """, arguments: [new.identity.name, new.identity.kind.rawValue])
            if isThere == true { try Self.end(new.identity.name, by: asker, db) }
            return try Self.add(new, scopes: scopes, by: asker, db)
        }
    }

    /// The scopes as they are stored. Throws what cannot be whatever is stored.
    private static func checked(_ new: NewBrokerIdentity) throws -> String {
        if let fault = new.identity.fault { throw BooksRefusal(.badRequest, fault) }
        guard new.hash.wholeMatch(of: /\$7\$\d+\$[A-Za-z0-9+\/=]+\$[A-Za-z0-9+\/=]+/) != nil else {
            throw BooksRefusal(.badRequest, "no line of a password file of mosquitto 2.0")
        }
        return try text(of: new.identity.scopes)
    }

    private static func add(
        _ new: NewBrokerIdentity, scopes: String, by asker: Asker, _ db: Database
    ) throws -> Int64 {
        let identity = new.identity
        let user = try identity.person.map { try Self.row($0, in: "user", db) }
        // What is sent of a person is answered by their name: nobody else reads there.
        let isOthers = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM user WHERE slug = ? AND id IS NOT ?)",
            arguments: [identity.name, user])
        guard isOthers != true else {
            throw BooksRefusal(
                .overlap, "\(identity.name) is another person: take another name")
        }
        if identity.kind == .node { _ = try Self.row(identity.name, in: "node", db) }
        let isTaken = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM broker_identity
                    WHERE name = ? AND revoked_ms IS NULL)
                """, arguments: [identity.name])
        guard isTaken != true else {
            throw BooksRefusal(
                .overlap,
                """
                \(identity.name) is enrolled already, and its password stands. For another \
                password or other rights revoke \(identity.name), then enrol it again
                """)
        }
        try db.run(
            """
            INSERT INTO broker_identity (name, kind, user, password_hash, scopes, made_ms)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                identity.name, identity.kind.rawValue, user, new.hash, scopes,
                asker.at.milliseconds,
            ])
        let row = db.lastInsertedRowID
        try Roster.note(
            "enrol", "broker_identity", "\(row)", user: user.map { UserID($0) },
            ["name": identity.name, "kind": identity.kind.rawValue, "scopes": scopes],
            by: asker, db)
        return row
    }

    /// Revokes the identity of a name: its password is forgotten, and it may ask for nothing any more.
    ///
    /// - Throws: A `BooksRefusal` `.notFound` if there is none; a `StoreError` if the database failed.
    package func revoke(_ name: String, by asker: Asker) throws {
        try change { db in try Self.end(name, by: asker, db) }
    }

    private static func end(_ name: String, by asker: Asker, _ db: Database) throws {
        guard
            let found = try Row.fetchOne(
                db,
                sql: """
                    SELECT id, user FROM broker_identity
                    WHERE name = ? AND revoked_ms IS NULL
                    """, arguments: [name])
        else { throw BooksRefusal(.notFound, "nobody is enrolled as \(name)") }
        let row: Int64 = found["id"]
        try db.run(
            "UPDATE broker_identity SET revoked_ms = ?, password_hash = '' WHERE id = ?",
            [asker.at.milliseconds, row])
        try Roster.note(
            "revoke", "broker_identity", "\(row)",
            user: (found["user"] as Int64?).map { UserID($0) }, ["name": name], by: asker, db)
    }

    /// All of them, revoked ones too, in the order of enrolment; whose person is retired counts as revoked. And
    /// whether nobody ever was enrolled, as far as those go who were erased since.
    ///
    /// - Throws: A reader's `StoreError`.
    package func all() throws(StoreError) -> (identities: [EnrolledIdentity], isUnused: Bool) {
        let (rows, last) = try store.read { db in
            let rows = try db.rows(
                """
                SELECT broker_identity.*, user.slug AS person,
                    coalesce(revoked_ms, retired_ms) AS ended_ms
                FROM broker_identity LEFT JOIN user ON user.id = broker_identity.user
                ORDER BY broker_identity.id
                """, as: enrolled)
            // Numbers are never used again.
            let last = try Int64.fetchOne(
                db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'broker_identity'")
            return (rows, last)
        }
        return (rows, (last ?? 0) == 0)
    }

    /// Who may ask for what, by who is enrolled now. Only an account with a password gives its person's phone
    /// a role: not before its invitation was accepted, nor while another one is open. One that is disabled
    /// takes it everything.
    ///
    /// - Throws: A reader's `StoreError`.
    package func policy() throws(StoreError) -> RequestPolicy {
        let (rows, isUnused) = try all()
        let (accounts, sharing) = try store.read { db in
            let sharing = try db.rows(
                "SELECT slug FROM sharing JOIN user ON user.id = sharing.user WHERE kind = 'training'"
            ) { $0["slug"] as String }
            let accounts = try db.rows(
                """
                SELECT user.slug, role, disabled_ms, password.account AS accepted
                FROM account JOIN user ON user.id = account.user
                    LEFT JOIN account_password AS password ON password.account = account.id
                """
            ) { row in
                (
                    person: row["slug"] as String,
                    role: (row["accepted"] as Int64?).flatMap { _ in Role(rawValue: row["role"]) },
                    isDisabled: row["disabled_ms"] != nil
                )
            }
            return (accounts, Set(sharing))
        }
        var roles: [String: Role] = [:]
        for account in accounts { roles[account.person] = account.role }
        return RequestPolicy(
            identities: rows.filter { $0.revoked == nil }.map(\.identity), isOpen: isUnused,
            roles: roles, disabled: Set(accounts.filter(\.isDisabled).map(\.person)),
            sharing: sharing)
    }

    /// Who asks at a site is held against that. Throws a reader's `StoreError`.
    package func gate(of site: String) throws(StoreError) -> RequestGate {
        RequestGate(try policy(), site: site)
    }

    private func enrolled(_ row: Row) throws -> EnrolledIdentity {
        let texts = try? JSONDecoder().decode(
            [String].self, from: Data((row["scopes"] as String).utf8))
        guard let kind = BrokerIdentity.Kind(rawValue: row["kind"]), let texts else {
            throw DamagedRow("broker_identity.kind", row["id"])
        }
        return EnrolledIdentity(
            id: row["id"],
            identity: BrokerIdentity(
                name: row["name"], kind: kind, person: row["person"],
                scopes: texts.compactMap { BrokerIdentity.Scope(rawValue: $0) }),
            hash: row["password_hash"], made: row["made_ms"],
            revoked: row["ended_ms"])
    }

    private static func row(_ slug: String, in table: String, _ db: Database) throws -> Int64 {
        guard
            let row = try Int64.fetchOne(
                db, sql: "SELECT id FROM \(table) WHERE slug = ? AND retired_ms IS NULL",
                arguments: [slug])
        else { throw BooksRefusal(.notFound, "there is no \(table) \(slug)") }
        return row
    }

    private static func text(of scopes: [BrokerIdentity.Scope]) throws -> String {
        String(decoding: try JSONEncoder().encode(scopes), as: UTF8.self)
    }

    /// Writes in one transaction; a refusal stays what it is.
    private func change<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try store.transaction(body)
        } catch let refusal as BooksRefusal {
            throw refusal
        } catch {
            throw StoreError(error, path: store.path)
        }
    }
}

/// A change of who may sign in at the broker that a person asks for.
package enum BrokerCall: Codable, Sendable {
    case enrol(NewBrokerIdentity)
    /// In the place of the one of its name, if there is one.
    case replace(NewBrokerIdentity)
    /// By its name.
    case revoke(String)
}

extension BrokerIdentities {
    /// Does what is asked for. Returns the row of what was added.
    ///
    /// - Throws: A `BooksRefusal` for what can be corrected, a `StoreError` if the database failed. Nothing was
    ///   written.
    package func perform(_ call: BrokerCall, by asker: Asker) throws -> [Int64] {
        switch call {
        case .enrol(let new): return [try enrol(new, by: asker)]
        case .replace(let new): return [try replace(new, by: asker)]
        case .revoke(let name):
            try revoke(name, by: asker)
            return []
        }
    }
}

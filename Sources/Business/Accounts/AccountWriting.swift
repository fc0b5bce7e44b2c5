import Foundation
import GRDB
import Permissions
import Records
import SiteModel
import SiteStore

/// One change of accounts inside its transaction.
struct AccountWriting {
    /// A person has few devices; the oldest session gives way.
    static let mostSessions = 20

    let db: Database
    let actor: String
    let via: AuditEntry.Via
    let now: Timestamp

    func perform(_ call: AccountCall) throws -> String {
        switch call {
        case .claim(let name, let password): return try claim(name, password)
        case .invite(let name, let role, let user, let invitation, let expires):
            try add(name, role, user)
            try invite(name, invitation, expires)
            try note("invite", "account", name, ["role": role.rawValue])
            return name
        case .renew(let name, let invitation, let expires):
            try invite(name, invitation, expires)
            // If an only owner lost the invitation, nobody could sign in as one any more.
            if try !isOnlyOwner(name) {
                try db.run("DELETE FROM account_password WHERE account = ?", [try row(name)])
            }
            try endSessions(name)
            try endPhones(name)
            try note("renew", "account", name)
            return name
        case .accept(let invitation, let password): return try accept(invitation, password)
        case .setPassword(let name, let password, let keeping):
            try put(password, of: try row(name))
            try endSessions(name, but: keeping)
            try note("set-password", "account", name)
            return name
        case .rehash(let name, let password):
            try put(password, of: try row(name))
            return name
        case .changeRole(let name, let role):
            if role != .owner { try keepAnOwner(without: name) }
            try change(name, "role = ?", [role.rawValue])
            try endSessions(name)
            try note("change-role", "account", name, ["role": role.rawValue])
            return name
        case .disable(let name):
            try keepAnOwner(without: name)
            try change(name, "disabled_ms = coalesce(disabled_ms, ?)", [now.milliseconds])
            try endSessions(name)
            try note("disable", "account", name)
            return name
        case .enable(let name):
            try refuseRetired(name)
            try change(name, "disabled_ms = NULL", [])
            try note("enable", "account", name)
            return name
        default: return try performSession(call)
        }
    }

    private func performSession(_ call: AccountCall) throws -> String {
        switch call {
        case .openSession(let name, let hash, let instead):
            try open(name, hash, instead)
            return name
        case .endSession(let hash):
            try db.run("DELETE FROM web_session WHERE hash = ?", [Data(hash)])
            return ""
        case .endSessions(let name):
            try endSessions(name)
            try endPhones(name)
            try note("sign-out", "account", name)
            return name
        case .addToken(let name, let hash, let role, let scopes, let user, let expires):
            try addToken(name, hash, role, scopes, user, expires)
            return name
        case .revokeToken(let name):
            try db.run(
                "UPDATE token SET revoked_ms = ? WHERE name = ? AND revoked_ms IS NULL",
                [now.milliseconds, name])
            guard db.changesCount == 1 else {
                throw AccountRefusal(.notFound, "there is no token \(name) in use")
            }
            try note("revoke", "token", name)
            return name
        case .touch(let sessions, let tokens):
            for used in sessions {
                try db.run(
                    "UPDATE web_session SET seen_ms = max(seen_ms, ?) WHERE hash = ?",
                    [used.at.milliseconds, Data(used.hash)])
            }
            for used in tokens {
                try db.run(
                    "UPDATE token SET used_ms = max(coalesce(used_ms, 0), ?) WHERE hash = ?",
                    [used.at.milliseconds, Data(used.hash)])
            }
            return ""
        case .share(let user, let part, let isShared):
            try share(user, part, isShared)
            return user
        default: preconditionFailure("done by perform")
        }
    }

    // MARK: Accounts

    private func claim(_ name: String, _ password: String) throws -> String {
        let owners = try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM account WHERE role = 'owner' AND \(Departures.shutSince) IS NULL
                """)
        guard owners == 0 else {
            throw AccountRefusal(.badState, "this site has an owner: ask them for an invitation")
        }
        try add(name, .owner, nil)
        try put(password, of: try row(name))
        try note("claim", "account", name)
        return name
    }

    private func add(_ name: String, _ role: Role, _ user: String?) throws {
        guard Account.isName(name) else {
            throw AccountRefusal(.badRequest, "name: 1 to 64 of a-z, 0-9, dot, _ and - expected")
        }
        guard role.signsIn else {
            throw AccountRefusal(.badRequest, "nobody signs in as \(role.rawValue): make a token")
        }
        let taken = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM account WHERE name = ?", arguments: [name])
        guard taken == 0 else {
            throw AccountRefusal(.alreadyExists, "there is an account \(name) already")
        }
        let person = try user.map { try row(of: $0) }
        if let person, let user {
            let other = try String.fetchOne(
                db, sql: "SELECT name FROM account WHERE user = ?", arguments: [person])
            if let other {
                throw AccountRefusal(.alreadyExists, "\(user) has the account \(other)")
            }
        }
        try db.run(
            "INSERT INTO account (name, role, user, made_ms) VALUES (?, ?, ?, ?)",
            [name, role.rawValue, person, now.milliseconds])
    }

    private func row(of slug: String) throws -> Int64 {
        let found = try Int64.fetchOne(
            db, sql: "SELECT id FROM user WHERE slug = ? AND retired_ms IS NULL",
            arguments: [slug])
        guard let found else { throw AccountRefusal(.notFound, "there is no user \(slug)") }
        return found
    }

    private func row(_ name: String) throws -> Int64 {
        let found = try Int64.fetchOne(
            db, sql: "SELECT id FROM account WHERE name = ?", arguments: [name])
        guard let found else { throw AccountRefusal(.notFound, "there is no account \(name)") }
        return found
    }

    private func change(_ name: String, _ what: String, _ values: StatementArguments) throws {
        let account = try row(name)
        try db.run(
            "UPDATE account SET \(what) WHERE id = ?", values + StatementArguments([account]))
    }

    private func keepAnOwner(without name: String) throws {
        guard try !isOnlyOwner(name) else {
            throw AccountRefusal(.badState, "\(name) is the only owner: make another one first")
        }
    }

    /// Whether an account is an owner's, and no other owner can sign in.
    private func isOnlyOwner(_ name: String) throws -> Bool {
        let others = try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM account JOIN account_password ON account = account.id
                WHERE role = 'owner' AND \(Departures.shutSince) IS NULL AND name <> ?
                """, arguments: [name])
        let isOwner = try Bool.fetchOne(
            db,
            sql: """
                SELECT role = 'owner' AND \(Departures.shutSince) IS NULL FROM account WHERE name = ?
                """, arguments: [name])
        return isOwner == true && others == 0
    }

    /// An account stays shut while its person is retired.
    private func refuseRetired(_ name: String) throws {
        let isRetired = try Bool.fetchOne(
            db,
            sql: """
                SELECT retired_ms IS NOT NULL FROM account JOIN user ON user.id = account.user
                WHERE account.name = ?
                """, arguments: [name])
        guard isRetired != true else {
            throw AccountRefusal(
                .badState, "the person of \(name) is retired: add them again first")
        }
    }

    private func invite(_ name: String, _ hash: [UInt8], _ expires: Timestamp) throws {
        let account = try row(name)
        try db.run("DELETE FROM invitation WHERE account = ?", [account])
        try db.run(
            "INSERT INTO invitation (hash, account, made_ms, expires_ms) VALUES (?, ?, ?, ?)",
            [Data(hash), account, now.milliseconds, expires.milliseconds])
    }

    /// The row of an invitation that can be used, with `name` and `role` of its account. Throws an
    /// `AccountRefusal` if it cannot.
    static func invitation(_ hash: [UInt8], _ db: Database, at now: Timestamp) throws -> Row {
        let found = try Row.fetchOne(
            db,
            sql: """
                SELECT invitation.*, name, role, \(Departures.shutSince) AS shut_ms FROM invitation
                    JOIN account ON account.id = account WHERE hash = ?
                """, arguments: [Data(hash)])
        guard let found, found["shut_ms"] == nil else {
            throw AccountRefusal(.notFound, "there is no such invitation, or it was used")
        }
        guard now < found["expires_ms"] else {
            throw AccountRefusal(.expired, "the invitation is too old: ask for another one")
        }
        return found
    }

    private func accept(_ invitation: [UInt8], _ password: String) throws -> String {
        let found = try Self.invitation(invitation, db, at: now)
        let name: String = found["name"]
        try put(password, of: found["account"])
        try db.run("DELETE FROM invitation WHERE hash = ?", [Data(invitation)])
        try endSessions(name)
        try note("accept", "account", name)
        return name
    }

    private func put(_ password: String, of account: Int64) throws {
        try db.run(
            """
            INSERT INTO account_password (account, hash, set_ms) VALUES (?, ?, ?)
            ON CONFLICT (account) DO UPDATE SET hash = excluded.hash, set_ms = excluded.set_ms
            """, [account, password, now.milliseconds])
    }

    // MARK: Sessions and tokens

    private func open(_ name: String, _ hash: [UInt8], _ instead: [UInt8]?) throws {
        let account = try row(name)
        if let instead { try db.run("DELETE FROM web_session WHERE hash = ?", [Data(instead)]) }
        try db.run(
            """
            DELETE FROM web_session WHERE account = ? AND hash NOT IN (
                SELECT hash FROM web_session WHERE account = ? ORDER BY seen_ms DESC LIMIT ?)
            """, [account, account, Self.mostSessions - 1])
        try db.run(
            "INSERT INTO web_session (hash, account, made_ms, seen_ms) VALUES (?, ?, ?, ?)",
            [Data(hash), account, now.milliseconds, now.milliseconds])
        try db.run(
            "UPDATE account SET signed_in_ms = ? WHERE id = ?", [now.milliseconds, account])
        try note("sign-in", "account", name)
    }

    private func endSessions(_ name: String, but keeping: [UInt8]? = nil) throws {
        try db.run(
            "DELETE FROM web_session WHERE account = ? AND hash IS NOT ?",
            [try row(name), keeping.map { Data($0) }])
        // Where somebody is signed out, they are told nothing any more.
        try db.run("DELETE FROM push_subscription WHERE account = ?", [try row(name)])
    }

    /// Ends what the person of an account made for their phones, each with its line in the audit.
    private func endPhones(_ account: String) throws {
        let personal = Scope.allCases.filter(\.isPersonal).map { "[\"\($0.rawValue)\"]" }
        let phones = try String.fetchAll(
            db,
            sql: """
                SELECT name FROM token
                WHERE revoked_ms IS NULL AND user = (SELECT user FROM account WHERE name = ?)
                    AND scopes IN (\(databaseQuestionMarks(count: personal.count)))
                ORDER BY id
                """, arguments: [account] + StatementArguments(personal))
        for phone in phones { _ = try perform(.revokeToken(name: phone)) }
    }

    private func addToken(
        _ name: String, _ hash: [UInt8], _ role: Role, _ scopes: [Scope], _ user: String?,
        _ expires: Timestamp?
    ) throws {
        guard Account.isName(name) else {
            throw AccountRefusal(.badRequest, "name: 1 to 64 of a-z, 0-9, dot, _ and - expected")
        }
        guard role != .node else {
            throw AccountRefusal(.badRequest, "nodes speak over MQTT only: see beaconmesh enrol")
        }
        let isFitting =
            switch role {
            case .integration: !scopes.isEmpty && !scopes.contains(where: \.isPersonal)
            case .member: scopes.allSatisfy(\.isPersonal)
            default: scopes.isEmpty
            }
        guard isFitting else {
            throw AccountRefusal(
                .badRequest,
                "scopes: an integration has some, a member activity or none, no other role any")
        }
        guard role != .member || user != nil else {
            throw AccountRefusal(.badRequest, "user: a member's token is somebody's")
        }
        guard expires.map({ now < $0 }) ?? true else {
            throw AccountRefusal(.badRequest, "a token that has expired is of no use")
        }
        let taken = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM token WHERE name = ? AND revoked_ms IS NULL",
            arguments: [name])
        guard taken == 0 else {
            throw AccountRefusal(.alreadyExists, "there is a token \(name) already")
        }
        let words = scopes.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
        try db.run(
            """
            INSERT INTO token (name, hash, role, scopes, user, made_ms, expires_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                name, Data(hash), role.rawValue, "[\(words)]", try user.map { try row(of: $0) },
                now.milliseconds, expires?.milliseconds,
            ])
        try note(
            "add", "token", name,
            [
                "role": role.rawValue, "scopes": scopes.map(\.rawValue).joined(separator: " "),
            ])
    }

    private func share(_ user: String, _ part: Shared, _ isShared: Bool) throws {
        let person = try row(of: user)
        if isShared {
            try db.run(
                "INSERT INTO sharing (user, kind, since_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [person, part.rawValue, now.milliseconds])
        } else {
            try db.run(
                "DELETE FROM sharing WHERE user = ? AND kind = ?", [person, part.rawValue])
        }
        guard db.changesCount > 0 else { return }
        try AuditTrail.append(
            AuditEntry(
                at: now, actor: actor, via: via, action: isShared ? "share" : "stop-sharing",
                entity: "user", entityID: "\(person)", user: UserID(person),
                after: try JSONText.text(of: ["kind": part.rawValue])), db)
    }

    /// A line in the audit. What is never rewritten has the row's number; the name stands in the part
    /// that an erasure reaches.
    private func note(
        _ action: String, _ entity: String, _ name: String, _ more: [String: String] = [:]
    ) throws {
        let row = try Row.fetchOne(
            db, sql: "SELECT id, user FROM \(entity) WHERE name = ? ORDER BY id DESC LIMIT 1",
            arguments: [name])
        try AuditTrail.append(
            AuditEntry(
                at: now, actor: actor, via: via, action: action, entity: entity,
                entityID: (row?["id"] as Int64?).map { "\($0)" } ?? "",
                user: (row?["user"] as Int64?).map { UserID($0) },
                after: try JSONText.text(of: more.merging(["name": name]) { a, _ in a })), db)
    }
}

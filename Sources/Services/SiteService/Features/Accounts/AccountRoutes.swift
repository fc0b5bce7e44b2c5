import Accounts
import Foundation
import JSON
import Permissions
import Records
import SiteModel
import SiteStore
import WebServer
import Wire

/// Accounts, tokens and the audit.
package struct AccountRoutes: Sendable {
    private let desk: WriteDesk

    package init(_ desk: WriteDesk) { self.desk = desk }

    /// How long an invitation can be used.
    package static let invitationDays = 7

    private static let signingIn = Role.allCases.filter(\.signsIn).map(\.rawValue)

    package var all: [Route] { accounts + tokens + [audit] }

    private var accounts: [Route] {
        [
            Route(
                .get, "/api/v1/accounts", .accounts,
                about: RouteText(
                    "Everybody who can sign in, by name.",
                    answer: [.always("accounts", .list(.object(AccountLine.answer)))])
            ) { request in
                try Self.refuseQuery(request)
                let lines = desk.directory.accounts.map(line)
                return try Reading.answer(["accounts": lines])
            },
            Route(
                .post, "/api/v1/accounts", .accounts,
                about: RouteText(
                    "Makes an account; the answer has its invitation, shown once.",
                    body: [
                        .init("name", .text(1...64), isNeeded: true),
                        .init("role", .word(Self.signingIn), isNeeded: true),
                        .init("user", .slug, "Whose it is."),
                    ], answer: Invitation.answer, status: 201,
                    refusals: [.alreadyExists, .notFound], isShownOnce: true)
            ) { try await invite($0) },
            Route(
                .get, "/api/v1/accounts/{name}", .accounts,
                about: RouteText("One account.", answer: AccountLine.answer, refusals: [.notFound])
            ) { request in
                try Self.refuseQuery(request)
                return try Reading.answer(line(try known(request)))
            },
            Route(
                .patch, "/api/v1/accounts/{name}", .accounts,
                about: RouteText(
                    "Changes the role, or lets nobody in any more; the sessions end with it.",
                    body: [.init("role", .word(Self.signingIn)), .init("disabled", .flag)],
                    answer: AccountLine.answer, refusals: [.notFound, .badState])
            ) { try await change($0) },
            Route(
                .post, "/api/v1/accounts/{name}/invitation", .accounts,
                about: RouteText(
                    "Another invitation, for who forgot the password; ends it and the sessions. "
                        + "The only owner's password opens until the invitation is accepted.",
                    answer: Invitation.answer, status: 201, refusals: [.notFound], isShownOnce: true
                )
            ) { request in
                let account = try known(request)
                let secret = OneTimeSecret.make()
                let expires = desk.clock.now + .seconds(Double(Self.invitationDays) * 86_400)
                return try await desk.perform(
                    .accounts(
                        .renew(
                            name: account.name, invitation: OneTimeSecret.hash(of: secret),
                            expires: expires)), for: request
                ) { _, _ in try Self.invitation(account.name, secret, expires) }
            },
            Route(
                .delete, "/api/v1/accounts/{name}/sessions", .accounts,
                about: RouteText(
                    "Signs somebody out everywhere.", status: 204, type: nil,
                    refusals: [.notFound])
            ) { request in
                try Self.refuseQuery(request)
                let account = try known(request)
                _ = try await desk.perform(
                    .accounts(.endSessions(name: account.name)), for: request)
                return Reading.nothing
            },
        ]
    }

    private var tokens: [Route] {
        [
            Route(
                .get, "/api/v1/tokens", .accounts,
                about: RouteText(
                    "Every token, also those that open nothing any more.",
                    answer: [.always("tokens", .list(.object(TokenLine.answer)))])
            ) { request in
                try Self.refuseQuery(request)
                return try Reading.answer(["tokens": desk.directory.tokens.map(TokenLine.init)])
            },
            Route(
                .post, "/api/v1/tokens", .accounts,
                about: RouteText(
                    "Makes a token; the answer has it, shown once.",
                    body: [
                        .init("name", .text(1...64), isNeeded: true),
                        .init(
                            "role",
                            .word(Role.allCases.filter { $0 != .node }.map(\.rawValue)),
                            isNeeded: true),
                        .init("scopes", .list(.word(Scope.allCases.map(\.rawValue)))),
                        .init("user", .slug), .init("days", .integer(1...3650)),
                    ], answer: [.always("name", .anyText), .always("token", .anyText)], status: 201,
                    refusals: [.alreadyExists, .notFound], isShownOnce: true)
            ) { try await addToken($0) },
            Route(
                .delete, "/api/v1/tokens/{name}", .accounts,
                about: RouteText(
                    "Revokes a token; what it reads now ends within a second.", status: 204,
                    type: nil, refusals: [.notFound])
            ) { request in
                try Self.refuseQuery(request)
                _ = try await desk.perform(
                    .accounts(.revokeToken(name: request.parameters["name"] ?? "")), for: request)
                return Reading.nothing
            },
        ]
    }

    private var audit: Route {
        Route(
            .get, "/api/v1/audit", .audit,
            about: RouteText(
                "Who did what, oldest first.",
                query: [
                    .init("entity", .text(1...64), "Only of this kind of thing."),
                    .init("after", .integer(0...Int64.max), "Only after this row."),
                    .init("limit", .integer(1...500)),
                ],
                answer: [
                    .always("entries", .list(.object(AuditLine.answer))),
                    .init("next", .count, "What to ask for after; not there at the end."),
                ])
        ) { try await audit($0) }
    }

    // MARK: Accounts

    private struct AccountLine: Encodable {
        var name: String
        var role: Role
        var user: String?
        var madeMs: Int64
        var signedInMs: Int64?
        var disabledMs: Int64?
        var invitedUntilMs: Int64?
        var hasPassword: Bool
        var sessions: Int

        static let answer: [RouteText.Field] = [
            .always("name", .anyText), .always("role", .oneOf(Role.self)), .init("user", .slug),
            .always("made_ms", .time), .init("signed_in_ms", .time), .init("disabled_ms", .time),
            .init("invited_until_ms", .time), .always("has_password", .flag),
            .always("sessions", .count),
        ]
    }

    private func line(_ account: Account) -> AccountLine {
        AccountLine(
            name: account.name, role: account.role, user: account.user,
            madeMs: account.made.milliseconds, signedInMs: account.signedIn?.milliseconds,
            disabledMs: account.disabled?.milliseconds,
            invitedUntilMs: account.invitedUntil?.milliseconds, hasPassword: account.hasPassword,
            sessions: desk.directory.sessions(of: account.id))
    }

    private func known(_ request: RouteRequest) throws(RouteProblem) -> Account {
        guard let account = desk.directory.account(request.parameters["name"] ?? "") else {
            throw RouteProblem(.notFound, "There is no such account.")
        }
        return account
    }

    private func invite(_ request: RouteRequest) async throws -> RouteAnswer {
        let (name, role, user) = try Reading.body(request, known: ["name", "role", "user"]) {
            (object, json) throws(PayloadError) in
            (
                try object.required("name", json).text(json, limit: 64),
                try object.required("role", json).choice(json, of: Role.self),
                try object.optional("user", json)?.slug(json)
            )
        }
        let secret = OneTimeSecret.make()
        let expires = desk.clock.now + .seconds(Double(Self.invitationDays) * 86_400)
        return try await desk.perform(
            .accounts(
                .invite(
                    name: name, role: role, user: user,
                    invitation: OneTimeSecret.hash(of: secret), expires: expires)), for: request
        ) { _, _ in try Self.invitation(name, secret, expires) }
    }

    private struct Invitation: Encodable {
        var name: String
        var invitation: String
        var path: String
        var expiresMs: Int64

        static let answer: [RouteText.Field] = [
            .always("name", .anyText), .always("invitation", .anyText), .always("path", .anyText),
            .always("expires_ms", .time),
        ]
    }

    private static func invitation(
        _ name: String, _ secret: String, _ expires: Timestamp
    ) throws -> RouteAnswer {
        try Reading.answer(
            Invitation(
                name: name, invitation: secret, path: "/signin#invite=\(secret)",
                expiresMs: expires.milliseconds), status: 201)
    }

    private func change(_ request: RouteRequest) async throws -> RouteAnswer {
        let (role, isDisabled) = try Reading.body(request, known: ["role", "disabled"]) {
            (object, json) throws(PayloadError) in
            (
                try object.optional("role", json)?.choice(json, of: Role.self),
                try object.optional("disabled", json)?.flag(json)
            )
        }
        let name = try known(request).name
        if let role {
            guard role.signsIn else {
                throw RouteProblem(.badRequest, "role: nobody signs in as \(role.rawValue).")
            }
            _ = try await desk.perform(
                .accounts(.changeRole(name: name, role)), for: request)
        }
        if let isDisabled {
            _ = try await desk.perform(
                .accounts(isDisabled ? .disable(name: name) : .enable(name: name)), for: request)
        }
        return try Reading.answer(line(try known(request)))
    }

    // MARK: Tokens

    private struct TokenLine: Encodable {
        var name: String
        var role: Role
        var scopes: [String]
        var user: String?
        var madeMs: Int64
        var expiresMs: Int64?
        var usedMs: Int64?
        var revokedMs: Int64?

        static let answer: [RouteText.Field] = [
            .always("name", .anyText), .always("role", .oneOf(Role.self)),
            .always("scopes", .list(.oneOf(Scope.self))), .init("user", .slug),
            .always("made_ms", .time), .init("expires_ms", .time), .init("used_ms", .time),
            .init("revoked_ms", .time),
        ]

        init(_ token: Token) {
            name = token.name
            role = token.role
            scopes = token.scopes.map(\.rawValue).sorted()
            user = token.user
            madeMs = token.made.milliseconds
            expiresMs = token.expires?.milliseconds
            usedMs = token.used?.milliseconds
            revokedMs = token.revoked?.milliseconds
        }
    }

    private struct NewToken: Encodable {
        var name: String
        var token: String
    }

    private func addToken(_ request: RouteRequest) async throws -> RouteAnswer {
        let known: Set = ["name", "role", "scopes", "user", "days"]
        let (name, role, scopes, user, days) = try Reading.body(request, known: known) {
            (object, json) throws(PayloadError) in
            (
                try object.required("name", json).text(json, limit: 64),
                try object.required("role", json).choice(json, of: Role.self),
                try object.optional("scopes", json)?.list(json) {
                    (value, json) throws(PayloadError) in
                    try value.choice(json, of: Scope.self)
                } ?? [],
                try object.optional("user", json)?.slug(json),
                try object.optional("days", json)?.integer(json, from: 1, through: 3650)
            )
        }
        let secret = "bm_" + OneTimeSecret.make()
        return try await desk.perform(
            .accounts(
                .addToken(
                    name: name, hash: OneTimeSecret.hash(of: secret), role: role, scopes: scopes,
                    user: user,
                    expires: days.map { desk.clock.now + .seconds(Double($0) * 86_400) })),
            for: request
        ) { _, _ in try Reading.answer(NewToken(name: name, token: secret), status: 201) }
    }

    // MARK: People and the audit

    private struct AuditLine: Encodable {
        var id: Int64
        var atMs: Int64
        var via: String
        var action: String
        var entity: String
        var entityId: String
        var actor: String?
        var before: String?
        var after: String?
        var digest: String

        static let answer: [RouteText.Field] = [
            .always("id", .count), .always("at_ms", .time), .always("via", .anyText),
            .always("action", .anyText), .always("entity", .anyText),
            .always("entity_id", .anyText), .init("actor", .anyText), .init("before", .anyText),
            .init("after", .anyText), .always("digest", .anyText),
        ]
    }

    private struct AuditPage: Encodable {
        var entries: [AuditLine]
        var next: Int64?
    }

    private func audit(_ request: RouteRequest) async throws -> RouteAnswer {
        let asked = try AskedQuery(request, allowed: ["entity", "after", "limit"])
        let after = try asked.number("after", 0...Int64.max) ?? 0
        let limit = Int(try asked.number("limit", 1...500) ?? 100)
        let entity = asked.values["entity"]
        let rows = try await Blocking.run { [store = desk.store] in
            try AuditTrail(store).entries(entity: entity, after: after, most: limit)
        }
        let lines = rows.map { row in
            AuditLine(
                id: row.id, atMs: row.at.milliseconds, via: row.via, action: row.action,
                entity: row.entity, entityId: row.entityID, actor: row.actor, before: row.before,
                after: row.after, digest: row.digest)
        }
        return try Reading.answer(
            AuditPage(entries: lines, next: lines.count == limit ? lines.last?.id : nil))
    }

    static func refuseQuery(_ request: RouteRequest) throws(RouteProblem) {
        _ = try AskedQuery(request, allowed: [])
    }
}

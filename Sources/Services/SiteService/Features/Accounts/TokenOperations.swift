import Accounts
import Operations
import Permissions
import Records
import SiteModel
import SiteStore

// What programs sign in with, and who did what.

extension Operation {
    static let tokens = [
        Operation(
            "token-list", "/api/v1/tokens", .accounts,
            "Every token, also those that open nothing any more.", .of(Nothing.self),
            answer: .rows("tokens")
        ) { _, _, store in
            try Accounts(store).all().tokens.map {
                TokenLine(token: $0, scopes: $0.scopes.sorted { $0.rawValue < $1.rawValue })
            }
        },
        Operation(
            "token-add", .post, "/api/v1/tokens", .accounts,
            "Makes a token; the answer has it, shown once.", .of(NewToken.self), answer: .added,
            refusals: [.alreadyExists, .notFound], isShownOnce: true
        ) { new, caller, store in
            let secret = Token.prefix + OneTimeSecret.make()
            let call = AccountCall.addToken(
                name: new.name, hash: OneTimeSecret.hash(of: secret), role: new.role,
                scopes: new.scopes, user: new.user,
                expires: new.days.map { caller.moment + .seconds(Double($0) * 86_400) })
            _ = try Accounts(store).perform(
                call, by: caller.name, via: caller.via, at: caller.moment)
            let page: String? =
                switch new.role {
                case .screen: "/wall"
                case .kiosk: "/kiosk"
                default: nil
                }
            return TokenSecret(name: new.name, token: secret, path: page.map { "\($0)#\(secret)" })
        },
        Operation(
            "token-revoke", .delete, "/api/v1/tokens/{name}", .accounts,
            "Revokes a token; what it reads now ends within a second.", .of(Named.self),
            answer: .nothing, refusals: [.notFound]
        ) { token, caller, store in
            _ = try Accounts(store).perform(
                .revokeToken(name: token.name), by: caller.name, via: caller.via, at: caller.moment)
        },
        Operation(
            "audit-list", "/api/v1/audit", .audit, "Who did what, oldest first.",
            .of(AuditQuery.self), answer: .row
        ) { asked, _, store in
            let rows = try AuditTrail(store).entries(
                entity: asked.entity, after: asked.after, most: asked.limit)
            return AuditPage(
                entries: rows, next: rows.count == asked.limit ? rows.last?.id : nil)
        },
    ]
}

private struct TokenLine: OperationOutput {
    var token: Token
    var scopes: [Scope]

    static let members: [Member<TokenLine>] = [
        .needed("name", .anyText, \.token.name), .needed("role", .word, \.token.role),
        .needed("scopes", .list(.word), \.scopes), .optional("user", .slug, \.token.user),
        .needed("made_ms", .time, \.token.made), .optional("expires_ms", .time, \.token.expires),
        .optional("used_ms", .time, \.token.used), .optional("revoked_ms", .time, \.token.revoked),
    ]
}

private struct NewToken: OperationInput {
    var name = ""
    var role = Role.integration
    var scopes: [Scope] = []
    var user: String?
    var days: Int64?

    static let members: [Member<NewToken>] = [
        .needed("name", .text(1...64), \.name),
        .needed("role", .word(among: Role.allCases.filter { $0 != .node }), \.role),
        .preset("scopes", .list(.word), \.scopes),
        .optional("user", .reference("users"), \.user),
        .optional("days", .integer(1...3650), \.days),
    ]
}

private struct TokenSecret: OperationOutput {
    var name: String
    var token: String
    var path: String?

    static let members: [Member<TokenSecret>] = [
        .needed("name", .anyText, \.name), .needed("token", .anyText, \.token),
        .optional(
            "path", .anyText, \.path,
            "Of a screen or kiosk: what its browser opens once, below the server's address."),
    ]
}

private struct AuditQuery: OperationInput {
    var entity: String?
    var after: Int64 = 0
    var limit = 100

    static let members: [Member<AuditQuery>] = [
        .optional("entity", .text(1...64), \.entity, "Only of this kind of thing."),
        .preset("after", .count, \.after, "Only after this row."),
        .preset("limit", .integer(1...500), \.limit),
    ]
}

extension AuditRow: OperationOutput {
    package static let members: [Member<AuditRow>] = [
        .needed("id", .count, \.id), .needed("at_ms", .time, \.at), .needed("via", .anyText, \.via),
        .needed("action", .anyText, \.action), .needed("entity", .anyText, \.entity),
        .needed("entity_id", .anyText, \.entityID), .optional("actor", .anyText, \.actor),
        .optional("before", .anyText, \.before), .optional("after", .anyText, \.after),
        .needed("digest", .anyText, \.digest),
    ]
}

private struct AuditPage: OperationOutput {
    var entries: [AuditRow]
    var next: Int64?

    static let members: [Member<AuditPage>] = [
        .needed("entries", .list(.object), \.entries),
        .optional("next", .count, \.next, "What to ask for after; not there at the end."),
    ]
}

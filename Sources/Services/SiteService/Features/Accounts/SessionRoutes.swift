import Accounts
import Ciphers
import Foundation
import JSON
import Permissions
import SiteModel
import WebServer
import Wire

/// Signing in and out, invitations, and the claim of a site nobody owns.
package struct SessionRoutes: Sendable {
    private let desk: WriteDesk
    private let signIn: SignIn
    /// What guesses at invitations are counted under.
    private static let invitation = "invitation"
    /// And guesses at tokens of boards.
    private static let board = "board"

    package init(_ desk: WriteDesk, _ signIn: SignIn) {
        self.desk = desk
        self.signIn = signIn
    }

    package var all: [Route] {
        let password = RouteText.Field(
            "password", .text(10...256), isNeeded: true,
            "At least 10 characters, no pattern or common word, and not the account's name.")
        let name = RouteText.Field("name", .text(1...64), isNeeded: true, "The account's name.")
        return [
            Route(
                .get, "/api/v1/session", .session, whose: .each,
                about: RouteText(
                    "Who asks: name, role, person, and what they may do.", answer: Answer.members)
            ) { try answer(of: $0.visitor) },
            Route(
                .post, "/api/v1/session", nil,
                about: RouteText(
                    "Signs in: sets the session's cookie.",
                    body: [name, .init("password", .text(1...256), isNeeded: true)],
                    answer: Answer.members, status: 201, refusals: [.unauthorised, .rateLimited])
            ) { try await open($0) },
            Route(
                .post, "/api/v1/session/token", nil,
                about: RouteText(
                    "Has a browser keep the token of a screen or kiosk, in place of a session.",
                    body: [.init("token", .text(1...256), isNeeded: true)],
                    answer: Answer.members, status: 201, refusals: [.unauthorised, .rateLimited])
            ) { try await openBoard($0) },
            Route(
                .delete, "/api/v1/session", .session, whose: .each,
                about: RouteText(
                    "Signs out, on every device; with `here` only on this one.",
                    query: [.init("here", .word(["true"]))], status: 204, type: nil,
                    refusals: [.badState])
            ) { try await close($0) },
            Route(
                .put, "/api/v1/session/password", .session, whose: .each,
                about: RouteText(
                    "Sets another password and signs out everywhere else.",
                    body: [.init("old", .text(1...256), isNeeded: true), password], status: 204,
                    type: nil, refusals: [.unauthorised, .rateLimited, .badState])
            ) { try await setPassword($0) },
            Route(
                .post, "/api/v1/session/invitation", nil,
                about: RouteText(
                    "Accepts an invitation: sets the password and signs in.",
                    body: [.init("invitation", .text(43...43), isNeeded: true), password],
                    answer: Answer.members, status: 201,
                    refusals: [.notFound, .expired, .rateLimited])
            ) { try await accept($0) },
            Route(
                .post, "/api/v1/session/invitee", nil,
                about: RouteText(
                    "Whose account an invitation is: name, role and the site's name. Uses nothing up.",
                    body: [.init("invitation", .text(43...43), isNeeded: true)],
                    answer: [
                        .always("name", .anyText), .always("role", .oneOf(Role.self)),
                        .always("site", .anyText),
                    ],
                    refusals: [.notFound, .expired, .rateLimited])
            ) { try await look($0) },
            Route(
                .get, "/api/v1/claim", nil,
                about: RouteText(
                    "Whether the site waits for its first owner.", answer: [.always("open", .flag)])
            ) { _ in .json("{\"open\":\(desk.directory.isUnclaimed)}\n") },
            Route(
                .post, "/api/v1/claim", nil,
                about: RouteText(
                    "Makes the first owner, with the code the coordinator's log shows.",
                    body: [.init("code", .text(8...9), isNeeded: true), name, password],
                    answer: Answer.members, status: 201,
                    refusals: [.badState, .rateLimited, .unauthorised])
            ) { try await claim($0) },
        ]
    }

    // MARK: Who am I

    private struct Answer: Encodable {
        var name: String
        var role: Role
        var user: String?
        var expiresMs: Int64?
        var rights: [String: String]

        static let members: [RouteText.Field] = [
            .always("name", .anyText), .always("role", .oneOf(Role.self)), .init("user", .slug),
            .init("expires_ms", .time, "When the session ends; not there of a token."),
            .always("rights", .map(.word(Reach.allCases.map(\.word))), "How far each reaches."),
        ]
    }

    private func answer(of visitor: Visitor?) throws -> RouteAnswer {
        guard let visitor else { throw RouteProblem(.unauthorised, "Sign in.") }
        let principal = visitor.principal
        let rights = Right.allCases.map { ($0.rawValue, principal.reach($0)) }
            .filter { $0.1 != .nothing }
            .map { ($0.0, $0.1.word) }
        var expires: Int64?
        if case .session(let hash) = visitor.credential {
            expires = desk.directory.end(ofSession: hash)?.milliseconds
        }
        return try Reading.answer(
            Answer(
                name: principal.name, role: principal.role, user: principal.user,
                expiresMs: expires,
                rights: Dictionary(rights) { first, _ in first }))
    }

    // MARK: In

    private func open(_ request: RouteRequest) async throws -> RouteAnswer {
        let (name, password) = try Reading.body(request, known: ["name", "password"]) {
            (object, json) throws(PayloadError) in
            (
                try object.required("name", json).text(json, limit: 64).lowercased(),
                try object.required("password", json).text(json, limit: 256)
            )
        }
        try signIn.begin(name, request.client, at: desk.clock.now)
        let stored = try await Blocking.run { [store = desk.store] in
            try Accounts(store).password(of: name)
        }
        // An account there is not takes as long to refuse as a wrong password.
        let (isRight, isOutdated) = try await signIn.compare(name, request.client) {
            Password.check(password, against: stored ?? "")
        }
        guard isRight else {
            throw RouteProblem(.unauthorised, "Name or password are wrong.")
        }
        signIn.succeed(name, request.client)
        if isOutdated {
            let hash = try await signIn.work { Password.hash(password) }
            _ = try await desk.perform(.accounts(.rehash(name: name, password: hash)), for: request)
        }
        return try await enter(name, request)
    }

    /// A screen or a kiosk shows pages by its token, which the cookie holds as it is: revoked, it opens nothing any more.
    private func openBoard(_ request: RouteRequest) async throws -> RouteAnswer {
        let token = try Reading.body(request, known: ["token"]) {
            (object, json) throws(PayloadError) in
            try object.required("token", json).text(json, limit: 256)
        }
        try signIn.begin(Self.board, request.client, at: desk.clock.now)
        guard let proof = desk.directory.token(token, at: desk.clock.now),
            proof.principal.role.isBoard
        else { throw RouteProblem(.unauthorised, "This is no token of a screen or a kiosk.") }
        signIn.succeed(Self.board, request.client)
        // Whoever set the board up is signed out there: nobody could do it later.
        if case .session(let hash)? = request.visitor?.credential {
            _ = try await desk.perform(.accounts(.endSession(hash: hash)), for: request)
        }
        var answer = try answer(of: Visitor(proof.principal, by: .token(proof.hash)))
        answer.status = 201
        answer.headers.append(SessionCookie.setting(token: token, request.client))
        return answer
    }

    /// A new session, also for who had one: nobody else can know its secret.
    private func enter(_ name: String, _ request: RouteRequest) async throws -> RouteAnswer {
        let secret = OneTimeSecret.make()
        var instead: [UInt8]?
        if case .session(let hash)? = request.visitor?.credential { instead = hash }
        var asked = request
        asked.visitor = Visitor(
            Principal(name: "account:\(name)", role: .member), by: .place)
        _ = try await desk.perform(
            .accounts(
                .openSession(
                    name: name, hash: OneTimeSecret.hash(of: secret), instead: instead)),
            for: asked)
        guard let proof = desk.directory.session(secret, at: desk.clock.now) else {
            throw RouteProblem(.unavailable, "The session could not be opened. Try again.")
        }
        var answer = try answer(
            of: Visitor(proof.principal, by: .session(proof.hash)))
        answer.status = 201
        answer.headers.append(
            SessionCookie.setting(secret, of: proof.principal.role, request.client))
        return answer
    }

    private struct Invitee: Encodable {
        var name: String
        var role: Role
        var site: String
    }

    /// Told to whoever holds the secret, and slowed down as its use is.
    private func look(_ request: RouteRequest) async throws -> RouteAnswer {
        let secret = try Reading.body(request, known: ["invitation"]) {
            (object, json) throws(PayloadError) in
            try Self.invitation(object, json)
        }
        let invitee = try await invitee(of: secret, request.client)
        return try Reading.answer(
            Invitee(name: invitee.name, role: invitee.role, site: invitee.site))
    }

    /// The secret of an invitation.
    private static func invitation(
        _ object: JSONObject, _ json: Span<UInt8>
    ) throws(PayloadError) -> String {
        let secret = try object.required("invitation", json).text(json, limit: 43)
        guard secret.count == 43 else { throw .unknownValue(field: "invitation") }
        return secret
    }

    /// Whose account an invitation is; what is none counts as a guess.
    private func invitee(
        of secret: String, _ client: Client
    ) async throws -> Accounts.Invitee {
        let now = desk.clock.now
        try signIn.begin(Self.invitation, client, at: now)
        do {
            let invitee = try await Blocking.run { [store = desk.store] in
                try Accounts(store).invitee(of: OneTimeSecret.hash(of: secret), at: now)
            }
            signIn.succeed(Self.invitation, client)
            return invitee
        } catch let refusal as any Refusing {
            throw RouteProblem(refusal)
        }
    }

    private func accept(_ request: RouteRequest) async throws -> RouteAnswer {
        let (secret, password) = try Reading.body(request, known: ["invitation", "password"]) {
            (object, json) throws(PayloadError) in
            (
                try Self.invitation(object, json),
                try object.required("password", json).text(json, limit: 256)
            )
        }
        let invitee = try await invitee(of: secret, request.client)
        try Self.check(password, of: invitee.name)
        let hash = try await signIn.work { Password.hash(password) }
        let name = try await desk.perform(
            .accounts(.accept(invitation: OneTimeSecret.hash(of: secret), password: hash)),
            for: request
        ).name
        return try await enter(name, request)
    }

    private func claim(_ request: RouteRequest) async throws -> RouteAnswer {
        let (code, name, password) = try Reading.body(
            request, known: ["code", "name", "password"]
        ) { (object, json) throws(PayloadError) in
            (
                try object.required("code", json).text(json, limit: 16),
                try object.required("name", json).text(json, limit: 64).lowercased(),
                try object.required("password", json).text(json, limit: 256)
            )
        }
        try signIn.begin("claim", request.client, at: desk.clock.now)
        guard desk.directory.isUnclaimed else {
            throw RouteProblem(.badState, "This site has an owner. Ask them for an invitation.")
        }
        guard signIn.isClaim(code) else {
            throw RouteProblem(.unauthorised, "This is not the code in the coordinator's log.")
        }
        try Self.check(password, of: name)
        let hash = try await signIn.work { Password.hash(password) }
        _ = try await desk.perform(
            .accounts(.claim(name: name, password: hash)), for: request)
        signIn.succeed("claim", request.client)
        return try await enter(name, request)
    }

    // MARK: Out

    private func close(_ request: RouteRequest) async throws -> RouteAnswer {
        let asked = try AskedQuery(request, allowed: ["here"])
        guard case .session(let hash)? = request.visitor?.credential,
            let name = request.visitor?.principal.accountName
        else { throw RouteProblem(.badState, "There is no session to end: this is a token.") }
        let call: AccountCall =
            asked.values["here"] == "true" ? .endSession(hash: hash) : .endSessions(name: name)
        _ = try await desk.perform(.accounts(call), for: request)
        var answer = Reading.nothing
        answer.headers.append(SessionCookie.removing(request.client))
        return answer
    }

    private func setPassword(_ request: RouteRequest) async throws -> RouteAnswer {
        let (old, password) = try Reading.body(request, known: ["old", "password"]) {
            (object, json) throws(PayloadError) in
            (
                try object.required("old", json).text(json, limit: 256),
                try object.required("password", json).text(json, limit: 256)
            )
        }
        guard case .session(let session)? = request.visitor?.credential,
            let name = request.visitor?.principal.accountName
        else { throw RouteProblem(.badState, "A token has no password.") }
        try signIn.begin(name, request.client, at: desk.clock.now)
        let stored = try await Blocking.run { [store = desk.store] in
            try Accounts(store).password(of: name)
        }
        guard try await signIn.work({ Password.check(old, against: stored ?? "") }).isRight else {
            throw RouteProblem(.unauthorised, "The old password is wrong.")
        }
        signIn.succeed(name, request.client)
        try Self.check(password, of: name)
        let hash = try await signIn.work { Password.hash(password) }
        _ = try await desk.perform(
            .accounts(.setPassword(name: name, password: hash, keeping: session)), for: request)
        return Reading.nothing
    }

    private static func check(_ password: String, of name: String) throws(RouteProblem) {
        guard let fault = Account.fault(in: password, of: name) else { return }
        throw RouteProblem(.badRequest, "The password \(fault).")
    }
}

extension Principal {
    /// The account they signed in with, or `nil`.
    var accountName: String? {
        name.hasPrefix("account:") ? String(name.dropFirst("account:".count)) : nil
    }
}

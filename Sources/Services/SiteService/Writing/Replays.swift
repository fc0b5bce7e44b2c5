import Accounts
import Ciphers
import JSON
import Records
import SiteModel
import SiteStore
import WebServer

/// Requests that carry an `Idempotency-Key`: each is done once, and answered alike for 24 hours.
///
/// What was done is looked up first, before the route reads anything. The row of the key is stored in the transaction
/// of what is done (`WriteDesk.answer`): a coordinator that dies leaves both or neither.
package struct Replays: Sendable {
    private struct Asked: Hashable {
        var asker: String
        var key: String
    }

    private let desk: WriteDesk
    private let turns = Turns<Asked>()

    package init(_ desk: WriteDesk) { self.desk = desk }

    /// The routes, of which those that add or do something keep to it.
    package func keep(_ routes: [Route]) -> [Route] {
        routes.map { route in
            guard route.method == .post, route.right != nil, !route.about.isPure else {
                return route
            }
            var kept = route
            kept.answer = { request in
                try await once(request.caller, keepsBody: !route.about.isShownOnce) {
                    Self.bytes(of: request, to: route)
                } _: { caller in
                    var asked = request
                    asked.once = caller.claim.map {
                        RouteRequest.Once(digest: $0.digest, keepsBody: caller.keepsBody)
                    }
                    return try await route.answer(asked)
                }
            }
            return kept
        }
    }

    /// Does what somebody asks for with a key once; without one as often as it is asked for. `bytes` are what tells it
    /// from other requests.
    ///
    /// - Throws: A `RouteProblem` if the key is none, was used for something else, or is one too many; else what `work`
    ///   throws.
    func once(
        _ caller: Caller, keepsBody: Bool, _ bytes: @escaping @Sendable () -> [UInt8],
        _ work: @escaping @Sendable (Caller) async throws -> RouteAnswer
    ) async throws -> RouteAnswer {
        guard caller.key != nil else { return try await work(caller) }
        return try await inTurn(caller) {
            let claiming = try caller.claiming(bytes(), keepsBody: keepsBody)
            if let answer = try await answered(claiming) { return answer }
            do {
                return try await work(claiming)
            } catch let problem as RouteProblem
                where problem.code.isRemembered && problem.code != .expired
            {
                // Nothing was looked at of what came too late: with another end it is asked for the first time.
                await remember(problem, of: claiming)
                throw problem
            }
        }
    }

    /// The routes of the machines, which know themselves what was asked with a key: of requests with one key, one
    /// after the other is put to them, as the answer to another would be taken for its own.
    package func inTurn(_ routes: [Route]) -> [Route] {
        routes.map { route in
            var kept = route
            kept.answer = { request in
                try await inTurn(request.caller) { try await route.answer(request) }
            }
            return kept
        }
    }

    /// Notes that a request was refused: asked again with its key it is refused alike. A refusal has no secret.
    private func remember(_ problem: RouteProblem, of caller: Caller) async {
        var refused = caller
        refused.keepsBody = true
        var json = JSONWriter()
        json.beginObject()
        json.field("code", problem.code.rawValue)
        json.field("detail", problem.detail)
        json.endObject()
        _ = await desk.note(
            RouteAnswer(
                status: problem.code.status, contentType: "application/json",
                body: .bytes(json.bytes)), to: refused)
    }

    /// Who asks again with a key while the first is at work waits for its answer.
    private func inTurn(
        _ caller: Caller, _ work: @escaping @Sendable () async throws -> RouteAnswer
    ) async throws -> RouteAnswer {
        guard let key = caller.key else { return try await work() }
        return try await turns.inTurn(Asked(asker: caller.name, key: key), work)
    }

    /// What a request that claims its key was answered before, or `nil`.
    ///
    /// - Throws: A `RouteProblem` if the key was used for something else, or is one too many.
    func answered(_ caller: Caller) async throws -> RouteAnswer? {
        guard let claim = caller.claim else { return nil }
        let (store, now) = (desk.store, desk.clock.now)
        do {
            return try await Blocking.run {
                try AnsweredRequests(store).known(claim, at: now).answer()
            }
        } catch let error as StoreError {
            throw WriteDesk.problem(error)
        }
    }

    /// What tells a request from others: its path and body; other headers make no other request.
    static func bytes(of request: RouteRequest, to route: Route) -> [UInt8] {
        let path = request.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let query = request.query.map { "\($0.name)=\($0.value)" }
        let head = ([route.method.rawValue, route.path] + path + query).joined(separator: "\n")
        return Array((head + "\n\n").utf8) + request.body
    }
}

extension Caller {
    /// The same, asking for something once.
    ///
    /// - Throws: A `RouteProblem` if the key is none.
    func claiming(_ bytes: [UInt8], keepsBody: Bool) throws(RouteProblem) -> Caller {
        guard let key = try checkedKey() else { return self }
        var claiming = self
        claiming.claim = AnsweredRequests.Claim(
            asker: client, key: key, digest: SHA256.digest(of: bytes))
        claiming.keepsBody = keepsBody
        return claiming
    }

    /// The key, if there is one.
    ///
    /// - Throws: A `RouteProblem` if it is none.
    func checkedKey() throws(RouteProblem) -> String? {
        guard let key else { return nil }
        guard (1...64).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw RouteProblem(
                .badRequest, "Idempotency-Key: 1 to 64 visible characters of ASCII.")
        }
        return key
    }
}

extension RouteRequest {
    /// Who asks.
    package var caller: Caller {
        let via: AuditEntry.Via =
            switch visitor?.credential {
            case .broker: .mqtt
            case .terminal: .cli
            default: .rest
            }
        var caller = Caller(
            visitor?.principal, via: via, key: idempotencyKey, tag: ifMatch)
        if let idempotencyKey, let once {
            caller.claim = AnsweredRequests.Claim(
                asker: caller.client, key: idempotencyKey, digest: once.digest)
            caller.keepsBody = once.keepsBody
        }
        return caller
    }
}

extension AnsweredRequests.Known {
    /// What is answered for it; `nil`: it is to be done.
    package func answer() throws(RouteProblem) -> RouteAnswer? {
        switch self {
        case .nothing: return nil
        case .answered(let status, let body?) where status >= 400:
            throw Self.refusal(body) ?? RouteProblem(.inDoubt, "It was refused before.")
        case .answered(let status, let body?):
            return RouteAnswer(
                status: status, contentType: status == 204 ? nil : "application/json",
                headers: [RouteAnswer.replayed], body: .bytes(Array(body.utf8)))
        case .answered(ProblemCode.inDoubt.status, nil):
            // An older release began it, and ended before it was answered.
            throw RouteProblem(
                .inDoubt, "It was asked before, and what came of it is not known. Look for it.")
        case .answered(_, nil):
            throw RouteProblem(
                .badState, "It was done before; its secret is shown only once.")
        case .other:
            throw RouteProblem(
                .idempotencyMismatch, "This Idempotency-Key was used for another request.")
        case .tooMany:
            throw RouteProblem(
                .rateLimited, "You have used too many keys within a day.", retryAfter: 3600)
        }
    }

    /// A refusal as it was stored; `nil` if it cannot be read.
    private static func refusal(_ body: String) -> RouteProblem? {
        let json = Array(body.utf8)
        guard let object = try? JSONObject(document: json.span, limit: .max),
            let code = try? object.required("code", json.span).text(json.span),
            let detail = try? object.required("detail", json.span).text(json.span)
        else { return nil }
        var problem = ProblemCode.problem(code, detail)
        problem.isReplayed = true
        return problem
    }
}

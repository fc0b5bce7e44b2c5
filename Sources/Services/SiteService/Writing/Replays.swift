import Accounts
import Ciphers
import JSON
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
                try await inTurn(request) {
                    guard request.idempotencyKey != nil else {
                        return try await route.answer(request)
                    }
                    let asked = try Self.claiming(request, by: route)
                    if let answer = try await answered(asked) { return answer }
                    do {
                        return try await route.answer(asked)
                    } catch let problem as RouteProblem where problem.code.isRemembered {
                        await remember(problem, of: asked)
                        throw problem
                    }
                }
            }
            return kept
        }
    }

    /// The routes of the machines, which know themselves what was asked with a key: of requests with one key, one
    /// after the other is put to them, as the answer to another would be taken for its own.
    package func inTurn(_ routes: [Route]) -> [Route] {
        routes.map { route in
            var kept = route
            kept.answer = { request in
                try await inTurn(request) { try await route.answer(request) }
            }
            return kept
        }
    }

    /// Notes that a request was refused: asked again with its key it is refused alike. A refusal has no secret.
    private func remember(_ problem: RouteProblem, of request: RouteRequest) async {
        var refused = request
        refused.once?.keepsBody = true
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
        _ request: RouteRequest, _ work: @escaping @Sendable () async throws -> RouteAnswer
    ) async throws -> RouteAnswer {
        guard let key = request.idempotencyKey else { return try await work() }
        return try await turns.inTurn(Asked(asker: request.asker, key: key), work)
    }

    /// What a request that claims its key was answered before, or `nil`.
    ///
    /// - Throws: A `RouteProblem` if the key was used for something else, or is one too many.
    package func answered(_ request: RouteRequest) async throws -> RouteAnswer? {
        guard let claim = request.claim else { return nil }
        let (store, now) = (desk.store, desk.clock.now)
        do {
            return try await Blocking.run {
                try AnsweredRequests(store).known(claim, at: now).answer()
            }
        } catch let error as StoreError {
            throw WriteDesk.problem(error)
        }
    }

    /// The request as one that is done once. What tells it from others is its path and body; other headers make no
    /// other request.
    ///
    /// - Throws: A `RouteProblem` if its key is none.
    package static func claiming(
        _ request: RouteRequest, by route: Route
    ) throws(RouteProblem) -> RouteRequest {
        _ = try request.checkedKey()
        let path = request.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let query = request.query.map { "\($0.name)=\($0.value)" }
        let head = ([route.method.rawValue, route.path] + path + query).joined(separator: "\n")
        var asked = request
        asked.once = RouteRequest.Once(
            digest: SHA256.digest(of: Array((head + "\n\n").utf8) + request.body),
            keepsBody: !route.about.isShownOnce)
        return asked
    }
}

extension RouteRequest {
    /// What is stored of it if it is to be done once.
    package var claim: AnsweredRequests.Claim? {
        guard let idempotencyKey, let once else { return nil }
        return AnsweredRequests.Claim(
            asker: machineClient, key: idempotencyKey, digest: once.digest)
    }

    /// The key, if there is one.
    ///
    /// - Throws: A `RouteProblem` if it is none.
    package func checkedKey() throws(RouteProblem) -> String? {
        guard let key = idempotencyKey else { return nil }
        guard (1...64).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw RouteProblem(
                .badRequest, "Idempotency-Key: 1 to 64 visible characters of ASCII.")
        }
        return key
    }

    /// What the machines call whoever asks: the client's level on MQTT, past it no slug, so that nobody on MQTT can be
    /// mistaken for it.
    package var machineClient: String {
        let prefix = "mqtt:"
        guard visitor?.credential == .broker, asker.hasPrefix(prefix) else {
            return "http:\(asker)"
        }
        return String(asker.dropFirst(prefix.count))
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

import Accounts
import Ciphers
import ReadRoutes
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
            guard route.method == .post, route.right != nil else { return route }
            var kept = route
            kept.answer = { request in
                guard let key = request.idempotencyKey else {
                    return try await route.answer(request)
                }
                // Who asks again while the first is at work waits for its answer.
                return try await turns.inTurn(Asked(asker: request.asker, key: key)) {
                    if let answer = try await answered(request, by: route) { return answer }
                    var asked = request
                    asked.once = Self.once(request, route)
                    return try await route.answer(asked)
                }
            }
            return kept
        }
    }

    /// What a request was answered before, or `nil`.
    ///
    /// - Throws: A `RouteProblem` if the key is none, was used for something else, or is one too many.
    func answered(_ request: RouteRequest, by route: Route) async throws -> RouteAnswer? {
        guard let key = request.idempotencyKey, (1...64).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw RouteProblem(
                .badRequest, "Idempotency-Key: 1 to 64 visible characters of ASCII.")
        }
        var asked = request
        asked.once = Self.once(request, route)
        guard let claim = asked.claim else { return nil }
        let (store, now) = (desk.store, desk.clock.now)
        do {
            return try await Blocking.run {
                try AnsweredRequests(store).known(claim, at: now).answer()
            }
        } catch let error as StoreError {
            throw WriteDesk.problem(error)
        }
    }

    /// Of the path and the body; other headers make no other request.
    private static func once(_ request: RouteRequest, _ route: Route) -> RouteRequest.Once {
        let path = request.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let query = request.query.map { "\($0.name)=\($0.value)" }
        let head = ([route.method.rawValue, route.path] + path + query).joined(separator: "\n")
        return RouteRequest.Once(
            digest: SHA256.digest(of: Array((head + "\n\n").utf8) + request.body),
            keepsBody: !route.about.isShownOnce)
    }
}

extension RouteRequest {
    /// What is stored of it if it is to be done once.
    var claim: AnsweredRequests.Claim? {
        guard let idempotencyKey, let once else { return nil }
        return AnsweredRequests.Claim(
            asker: machineClient, key: idempotencyKey, digest: once.digest)
    }

    /// What the machines call whoever asks: the client's level on MQTT, past it no slug, so that nobody on MQTT can be
    /// mistaken for it.
    var machineClient: String {
        let prefix = "mqtt:"
        guard visitor?.credential == .broker, asker.hasPrefix(prefix) else {
            return "http:\(asker)"
        }
        return String(asker.dropFirst(prefix.count))
    }
}

extension AnsweredRequests.Known {
    /// What is answered for it; `nil`: it is to be done.
    func answer() throws(RouteProblem) -> RouteAnswer? {
        switch self {
        case .nothing: return nil
        case .answered(let status, let body?):
            return RouteAnswer(
                status: status, contentType: status == 204 ? nil : "application/json",
                headers: [RouteAnswer.replayed], body: .bytes(Array(body.utf8)))
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
}

extension RouteAnswer {
    /// The header of an answer that was given before.
    static let replayed = (name: "Idempotency-Replayed", value: "true")

    /// Whether it was given before: nothing was done for it now.
    var isReplayed: Bool { headers.contains { $0 == Self.replayed } }
}

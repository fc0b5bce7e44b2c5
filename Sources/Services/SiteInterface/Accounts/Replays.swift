import Accounts
import Ciphers
import SiteModel
import SiteStore
import WebServer

/// Requests that carry an `Idempotency-Key`: each is done once, and answered alike for 24 hours.
package struct Replays: Sendable {
    private struct Asked: Hashable {
        var asker: String
        var key: String
    }

    private let desk: WriteDesk
    private let turns = Turns<Asked>()

    package init(_ desk: WriteDesk) { self.desk = desk }

    /// The routes, of which those that add or do something keep to it. `areRepeatable`: those that do the same key
    /// only once by themselves, so that what is in doubt may be asked of them again.
    package func keep(_ routes: [Route], areRepeatable: Bool = false) -> [Route] {
        routes.map { route in
            guard route.method == .post, route.right != nil else { return route }
            var kept = route
            kept.answer = { request in
                guard let key = request.idempotencyKey else {
                    return try await route.answer(request)
                }
                // Who asks again while the first is at work waits for its answer.
                return try await turns.inTurn(Asked(asker: request.asker, key: key)) {
                    try await answer(request, key, route, isRepeatable: areRepeatable)
                }
            }
            return kept
        }
    }

    private func answer(
        _ request: RouteRequest, _ key: String, _ route: Route, isRepeatable: Bool
    ) async throws -> RouteAnswer {
        guard (1...64).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw RouteProblem(
                .badRequest, "Idempotency-Key: 1 to 64 visible characters of ASCII.")
        }
        let asked = Self.digest(of: request, route)
        let (asker, now) = (request.asker, desk.clock.now)
        switch try await ask({ try AnsweredRequests($0).begin(asker, key, asked, at: now) }) {
        case .nothing: break
        case .answered(let status, let body?):
            return RouteAnswer(
                status: status, contentType: status == 204 ? nil : "application/json",
                headers: [("Idempotency-Replayed", "true")], body: .bytes(Array(body.utf8)))
        case .answered(_, nil):
            throw RouteProblem(
                .badState, "It was done before; its secret is shown only once.")
        case .begun where isRepeatable: break
        case .begun:
            throw RouteProblem(
                .inDoubt,
                "It was asked before, and what came of it is not known. Look whether it is done.")
        case .tooMany:
            throw RouteProblem(
                .rateLimited, "You have used too many keys within a day.", retryAfter: 3600)
        case .other:
            throw RouteProblem(
                .idempotencyMismatch, "This Idempotency-Key was used for another request.")
        }
        do {
            let answer = try await route.answer(request)
            var body: String?
            if case .bytes(let bytes) = answer.body, !route.about.isShownOnce {
                body = String(decoding: bytes, as: UTF8.self)
            }
            let (status, text) = (answer.status, body)
            // If this fails it stays in doubt, which is true for whoever asks again.
            try? await ask {
                try AnsweredRequests($0).finish(asker, key, status: status, body: text)
            }
            return answer
        } catch let problem as RouteProblem where problem.code != .inDoubt {
            // Nothing was done: the same key may be used again.
            try? await ask { try AnsweredRequests($0).forget(asker, key) }
            throw problem
        }
    }

    /// Unsynced: that a key is used is in the log before what it is used for, which is synced. After a power cut the
    /// answer may be forgotten; then the key is in doubt.
    private func ask<Value: Sendable>(
        _ work: @escaping @Sendable (Store) throws -> Value
    ) async throws -> Value {
        do {
            return try await desk.mailbox.ask(within: 10, storing: .unsynced, work)
        } catch is LoopMailbox.Unanswered {
            throw RouteProblem(.unavailable, "The coordinator is busy. Ask again.")
        } catch let stopping as LoopMailbox.Stopping {
            throw RouteProblem(.unavailable, stopping.message)
        }
    }

    /// Of the path and the body; other headers make no other request.
    private static func digest(of request: RouteRequest, _ route: Route) -> [UInt8] {
        let path = request.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let query = request.query.map { "\($0.name)=\($0.value)" }
        let head = ([route.method.rawValue, route.path] + path + query).joined(separator: "\n")
        return SHA256.digest(of: Array((head + "\n\n").utf8) + request.body)
    }
}

import Foundation
import SiteModel
import WebServer
import Wire

/// Checking in and out over HTTP: the same requests as on MQTT, answered after they are stored.
struct AttendanceRoutes: Sendable {
    /// Who asks over HTTP. A slug cannot be this, so that nobody on MQTT can be mistaken for it.
    static let client = "http:token"
    /// The longest body, in bytes: that of a request on MQTT.
    private static let longestBody = RequestPayload.limit
    /// The longest wait for an answer, in seconds.
    private static let patience = 10.0

    let mailbox: LoopMailbox

    /// `POST /api/v1/attendance/check-in` and `…/check-out`, body `{"user":…,"at_ms":…,"reason":…}`,
    /// of which the first is needed. `Idempotency-Key` is the request's id: the same key with the same
    /// body is answered alike for 24 hours.
    var all: [Route] {
        [("check-in", Wire.Operation.checkIn), ("check-out", .checkOut)].map {
            name, operation in
            Route(.post, "/api/v1/attendance/\(name)") { request in
                try await answer(request, operation)
            }
        }
    }

    private func answer(
        _ request: RouteRequest, _ operation: Wire.Operation
    ) async throws -> RouteAnswer {
        guard request.query.isEmpty else {
            throw ProblemCode.problem("bad_request", "This path takes no query.")
        }
        let question = RequestPayload(
            id: try Self.id(request.idempotencyKey), args: try Self.arguments(request.body))
        guard let response = try await ask(operation, question) else {
            throw ProblemCode.problem(
                "unavailable",
                "There is no answer yet. Ask again with the same Idempotency-Key.")
        }
        switch response.outcome {
        case .session(let session):
            return .json(session.text + "\n")
        case .error(let code, let message):
            throw ProblemCode.problem(code, message)
        case .workout:
            throw ProblemCode.problem("bad_request", Answer.Refusal.badRequest.message)
        }
    }

    /// Puts a request to the loop. `nil` if there is no answer in time; what it asks for may be done
    /// all the same.
    private func ask(
        _ operation: Wire.Operation, _ payload: RequestPayload
    ) async throws -> ResponsePayload? {
        let (answers, answer) = AsyncStream.makeStream(of: ResponsePayload.self)
        let question = LoopMailbox.Question(
            operation: operation, payload: payload, client: Self.client
        ) { response in
            answer.yield(response)
            answer.finish()
        }
        guard mailbox.put(question) else {
            throw ProblemCode.problem("unavailable", Answer.Refusal.unavailable.message)
        }
        defer { mailbox.isOver() }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { answer.finish() }
        for await response in answers { return response }
        return nil
    }

    /// The request's id: the header's, or one of our own, which nobody can ask for again.
    private static func id(_ key: String?) throws -> String {
        guard let key else { return UUID().uuidString.lowercased() }
        guard (1...64).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw ProblemCode.problem(
                "bad_request", "Idempotency-Key: 1 to 64 visible characters of ASCII.")
        }
        return key
    }

    private static func arguments(_ body: [UInt8]) throws -> RequestPayload.Arguments {
        let json = body.span
        do throws(PayloadError) {
            let object = try JSONObject(document: json, limit: longestBody)
            return RequestPayload.Arguments(
                user: try object.required("user", json).slug(json),
                atMs: try object.optional("at_ms", json)?.time(json),
                reason: try object.optional("reason", json)?.text(
                    json, limit: RequestPayload.longestReason))
        } catch {
            throw ProblemCode.problem("schema", "The body is refused: \(error.words).")
        }
    }
}

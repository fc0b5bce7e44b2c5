import Foundation
import JSON
import Operations
import SiteModel
import SitePipeline
import WebServer
import Wire

/// What is asked of the machines over HTTP: the same requests as on MQTT, answered after they are stored.
package struct MachineRoutes: Sendable {
    /// The longest wait for an answer, in seconds.
    private static let patience = 10.0

    private let mailbox: LoopMailbox

    package init(mailbox: LoopMailbox) { self.mailbox = mailbox }

    /// A route for each verb of the machines. `Idempotency-Key` is the request's id: the same key with
    /// the same body is answered alike for 24 hours.
    package var all: [Route] {
        Verb.all.filter(\.isOfMachines).map { verb in
            Route(verb) { try await answer($0, verb) }
        }
    }

    private func answer(_ request: RouteRequest, _ verb: Verb) async throws -> RouteAnswer {
        let question = RequestPayload(
            // Nobody can ask again for one of our own.
            id: try request.checkedKey() ?? UUID().uuidString.lowercased(), json: request.body)
        guard question.json.count <= RequestPayload.limit else {
            throw RouteProblem(.schema, "The body is too long.")
        }
        guard let (response, isRepeated) = try await ask(verb, question, of: request) else {
            throw ProblemCode.problem(
                "unavailable",
                "There is no answer yet. Ask again with the same Idempotency-Key.")
        }
        var answer: RouteAnswer
        switch response.outcome {
        case .session(let session): answer = .json(session.text + "\n")
        case .error(let code, let message): throw ProblemCode.problem(code, message)
        case .workout(let workout):
            answer = .json(String(decoding: workout.json, as: UTF8.self) + "\n")
        case .result(let json): answer = .json(String(decoding: json, as: UTF8.self) + "\n")
        }
        if isRepeated { answer.headers.append(RouteAnswer.replayed) }
        return answer
    }

    /// Puts a request to the loop. `nil` if there is no answer in time; what it asks for may be done
    /// all the same.
    private func ask(
        _ verb: Verb, _ payload: RequestPayload, of request: RouteRequest
    ) async throws -> (ResponsePayload, isRepeated: Bool)? {
        let (answers, answer) = AsyncStream.makeStream(
            of: (ResponsePayload, isRepeated: Bool).self)
        let question = LoopMailbox.Question(
            verb: verb, payload: payload,
            client: request.machineClient
        ) { response, isRepeated in
            answer.yield((response, isRepeated))
            answer.finish()
        }
        guard mailbox.put(question) else {
            throw ProblemCode.problem("unavailable", ProblemCode.unavailable.message)
        }
        defer { mailbox.isOver() }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { answer.finish() }
        for await response in answers { return response }
        return nil
    }
}

extension Verb {
    /// Refuses a request whose body is not as declared.
    fileprivate func check(_ request: RouteRequest) throws {
        guard request.query.isEmpty else {
            throw ProblemCode.problem("bad_request", "This path takes no query.")
        }
        do throws(PayloadError) {
            _ = try read(body: request.body.span)
        } catch {
            throw ProblemCode.problem("schema", "The body is refused: \(error.words).")
        }
    }
}

extension Route {
    /// The route of a verb, which answers only what is asked as the verb declares it. `members` are those of
    /// its answer, if the verb does not say them.
    init(
        _ verb: Verb, members: [Parameter] = [],
        answer: @escaping @Sendable (RouteRequest) async throws -> RouteAnswer
    ) {
        self.init(
            verb.method, verb.path, verb.right, whose: verb.subject,
            about: RouteText(
                verb.summary, body: verb.bodyParameters, answer: verb.answer.members + members,
                refusals: verb.refusals), answer: answer)
        check = { try verb.check($0) }
    }
}

import Accounts
import Foundation
import JSON
import Operations
import SiteModel
import SitePipeline
import SiteStore
import WebServer
import Wire
import Workouts

/// What is asked of the machines over HTTP: the same requests as on MQTT, answered after they are stored.
package struct MachineRoutes: Sendable {
    /// The longest wait for an answer, in seconds.
    private static let patience = 10.0

    private let mailbox: LoopMailbox
    private let store: Store
    private let rows: RowBudget
    /// The slugs of those who let trainers see what they train.
    private let sharing: @Sendable () -> Set<String>

    package init(
        _ desk: WriteDesk, sharing: @escaping @Sendable () -> Set<String>
    ) {
        (mailbox, store, rows) = (desk.mailbox, desk.store, desk.rows)
        self.sharing = sharing
    }

    /// A route for each verb of the machines. `Idempotency-Key` is the request's id: the same key with
    /// the same body is answered alike for 24 hours.
    package var all: [Route] {
        Verb.all.filter(\.isOfMachines).flatMap { verb in
            let route = Route(verb) { try await answer($0, verb) }
            guard let path = verb.formerPath else { return [route] }
            var former = route
            former.path = path
            return [route, former]
        }
    }

    private func answer(_ request: RouteRequest, _ verb: Verb) async throws -> RouteAnswer {
        let question = RequestPayload(
            // Nobody can ask again for one of our own.
            id: try request.caller.checkedKey() ?? UUID().uuidString.lowercased(),
            json: try await arguments(of: request, for: verb))
        guard question.json.count <= RequestPayload.limit else {
            throw RouteProblem(.schema, "The body is too long.")
        }
        if let principal = request.visitor?.principal, let name = verb.subject.parameter,
            let user = try? JSONObject(document: question.args.span, limit: .max)
                .optional(name, question.args.span)?.slug(question.args.span),
            principal.needsConsent(of: user, for: verb.right), !sharing().contains(user)
        {
            throw Executor.notAgreed
        }
        let budget: RowBudget.Kind = verb.isEnding ? .endings : .requests
        do throws(RouteProblem) {
            try rows.check(budget, of: request.caller.payer)
        } catch {
            // What was done before is answered alike, and stores nothing.
            guard try await isKnown(request) else { throw error }
        }
        guard let (response, isRepeated) = try await ask(verb, question, of: request) else {
            throw ProblemCode.problem(
                "unavailable",
                "There is no answer yet. Ask again with the same Idempotency-Key.")
        }
        if !isRepeated { rows.use(RowBudget.ofRequest, budget, of: request.caller.payer) }
        var answer: RouteAnswer
        switch response.outcome {
        case .session(let session): answer = .json(session.text + "\n")
        case .error(let code, let message):
            var problem = ProblemCode.problem(code, message)
            problem.isReplayed = isRepeated
            throw problem
        case .workout(let workout): answer = Self.named("workout", workout)
        case .set(let set):
            var writer = JSONWriter()
            writer.beginObject()
            set.writeAnswer(to: &writer)
            writer.endObject()
            answer = .json(String(decoding: writer.bytes, as: UTF8.self) + "\n")
        case .station(let station): answer = Self.named("station", station)
        case .result(let json): answer = .json(String(decoding: json, as: UTF8.self) + "\n")
        }
        if isRepeated { answer.headers.append(RouteAnswer.replayed) }
        return answer
    }

    private static func named(_ name: String, _ payload: some Payload) -> RouteAnswer {
        .json("{\"\(name)\":\(String(decoding: payload.json, as: UTF8.self))}\n")
    }

    /// What is asked as over MQTT. Of which workout it is says whose it is; if somebody is named beside, it must be
    /// theirs.
    private func arguments(of request: RouteRequest, for verb: Verb) async throws -> [UInt8] {
        let json = try verb.arguments(path: request.parameters, body: request.body.span)
        guard verb.namesWorkout,
            let id = request.parameters["id"].flatMap({ Int64($0) }),
            let name = verb.subject.parameter
        else { return json }
        let owner = try await Blocking.run { [store] in try WorkoutHistory(store).owner(of: id) }
        if let owner { return verb.subject.filled(json.span, with: owner) ?? json }
        // The machines do not find it either, where they are told whose it would be.
        let isNamed = try JSONObject(document: json.span, limit: RequestPayload.limit)
            .members(json.span).contains { $0.name == name }
        guard isNamed else {
            throw RouteProblem(.notFound, "There is no such workout.")
        }
        return json
    }

    /// Whether a request comes again that was answered.
    private func isKnown(_ request: RouteRequest) async throws -> Bool {
        guard let key = request.idempotencyKey else { return false }
        let client = request.caller.client
        return try await Blocking.run { [store] in
            try AnsweredRequests(store).isAnswered(key, of: client)
        }
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
            client: request.caller.client
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
        for parameter in pathParameters where isOfMachines {
            let given = request.parameters[parameter.name] ?? ""
            let kind = parameter.name == wraps ? .uuid : parameter.kind
            guard given == Self.current || kind.refusal(of: given) == nil else {
                throw ProblemCode.problem("not_found", ProblemCode.notFound.message)
            }
        }
        do throws(PayloadError) {
            guard isOfMachines else {
                _ = try read(body: request.body.span)
                return
            }
            let json = try arguments(path: request.parameters, body: request.body.span)
            let isKnown = namesWorkout && request.parameters["id"] != Verb.current
            // Of which workout it is says whose it is.
            _ = try read((isKnown ? subject.filled(json.span, with: "x") ?? json : json).span)
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

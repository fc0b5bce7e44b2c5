import JSON
import Permissions
import Records
import SiteModel
import SitePipeline
import WebServer
import Wire

/// What is asked of the books over MQTT: each request is the same as one over HTTP, so that rows, codes
/// and rights are the same.
struct BooksRequests: Sendable {
    private let routes: [Route]

    /// `routes` are those of the books, which do each request once.
    init(_ routes: [Route]) { self.routes = routes }

    /// The answer to a request, after it is stored.
    func answer(_ request: BooksRequest, at now: Timestamp) async -> Publication {
        if let end = request.expMs, now.milliseconds > end {
            return request.answer(
                .error(code: ProblemCode.expired.rawValue, message: "It came too late."))
        }
        do {
            let (route, asked) = try self.asked(request)
            guard let right = route.right, request.principal.reach(right) >= route.whose.least
            else {
                return request.refusal(.forbidden)
            }
            guard case .bytes(let json) = try await route.answer(asked).body else {
                return request.refusal(.unavailable)
            }
            let line = Array(json.prefix { $0 != UInt8(ascii: "\n") })
            return request.answer(.result(try Self.told(line, to: request.operation)))
        } catch let problem as RouteProblem {
            return request.answer(.error(code: problem.code.rawValue, message: problem.detail))
        } catch {
            return request.refusal(.unavailable)
        }
    }

    /// The route, and the request as it takes it.
    private func asked(_ request: BooksRequest) throws -> (Route, RouteRequest) {
        let root = "/api/v1/attendance/"
        let path =
            switch request.operation {
            case .correct: root + "corrections"
            case .decide: root + "corrections/{id}/decision"
            case .lock: root + "locks"
            }
        guard let route = routes.first(where: { $0.method == .post && $0.path == path }) else {
            preconditionFailure("no route \(path)")
        }
        var asked = RouteRequest(
            body: request.arguments, idempotencyKey: request.id,
            visitor: Visitor(request.principal, by: .broker))
        if request.operation == .decide {
            let (correction, rest) = try Self.split(request.arguments)
            asked.parameters["id"] = "\(correction)"
            asked.body = rest
        }
        return (route, asked)
    }

    /// What is told over MQTT of what HTTP answers: of a correction neither what people are called nor what
    /// they wrote.
    private static func told(
        _ answer: [UInt8], to operation: BooksOperation
    ) throws(PayloadError) -> [UInt8] {
        switch operation {
        case .lock: return answer
        case .correct, .decide:
            let json = answer.span
            let words: [CorrectionRow.CodingKeys] = [
                .name, .reason, .requestedBy, .decidedBy, .decisionReason,
            ]
            return try without(
                words.map(\.rawValue), JSONObject(document: json, limit: .max), json)
        }
    }

    /// An object without some members.
    private static func without(
        _ names: [String], _ object: JSONObject, _ json: Span<UInt8>
    ) throws(PayloadError) -> [UInt8] {
        var rest = JSONWriter()
        rest.beginObject()
        for member in try object.all(json) where !names.contains(member.name) {
            rest.key(member.name)
            rest.raw(try member.bytes(json))
        }
        rest.endObject()
        return rest.bytes
    }

    /// The member `correction`, and the object without it.
    private static func split(_ arguments: [UInt8]) throws -> (Int64, [UInt8]) {
        let json = arguments.span
        do throws(PayloadError) {
            let object = try JSONObject(document: json, limit: Route.largestBody)
            let correction = try object.required("correction", json).integer(json, from: 1)
            return (correction, try without(["correction"], object, json))
        } catch {
            throw ProblemCode.problem("schema", "The arguments are refused: \(error.words).")
        }
    }
}

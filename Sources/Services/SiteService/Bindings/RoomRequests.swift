import JSON
import Operations
import Permissions
import SiteModel
import SitePipeline
import WebServer
import Wire

/// What is asked of the rooms over MQTT: each request is the same as one over HTTP, so that rows, codes
/// and rights are the same.
struct RoomRequests: Sendable {
    private let routes: [Route]
    private let once: Replays

    /// `routes` are those of the rooms; `once` has each request done once.
    init(_ routes: [Route], once: Replays) {
        self.routes = once.keep(routes)
        self.once = once
    }

    /// The answer to a request, after it is stored.
    func answer(_ request: RoomRequest, at now: Timestamp) async -> Publication {
        do {
            guard let verb = Verb.named(request.name),
                let route = routes.first(where: {
                    $0.method == verb.method && $0.path == verb.path
                })
            else { preconditionFailure("no route for \(request.name)") }
            guard request.principal.reach(verb.right) >= verb.subject.least else {
                return request.refusal(.forbidden)
            }
            let asked = try Self.asked(request, verb)
            var answer: RouteAnswer?
            if let end = request.payload.expMs, now.milliseconds > end {
                // What was done in time is answered alike whenever it is asked again.
                answer = try await once.answered(
                    try asked.caller.claiming(
                        Replays.bytes(of: asked, to: route),
                        keepsBody: !route.about.isShownOnce))
                if answer == nil { throw RouteProblem(.expired, "It came too late.") }
            }
            if answer == nil { answer = try await route.answer(asked) }
            guard case .bytes(let json)? = answer?.body else {
                return request.refusal(.unavailable)
            }
            let line = Array(json.prefix { $0 != UInt8(ascii: "\n") })
            return request.answer(.result(try Self.without(verb.withheld, line.span)))
        } catch let problem as RouteProblem {
            return request.answer(.error(code: problem.code.rawValue, message: problem.detail))
        } catch {
            return request.refusal(.unavailable)
        }
    }

    /// The request as the route takes it: what stands in the path there is taken out of the arguments.
    private static func asked(
        _ request: RoomRequest, _ verb: Verb
    ) throws(PayloadError) -> RouteRequest {
        let json = request.payload.args.span
        let arguments = try verb.read(json)
        var asked = RouteRequest(
            idempotencyKey: request.payload.id,
            visitor: Visitor(request.principal, by: .broker))
        for parameter in verb.pathParameters {
            asked.parameters[parameter.name] =
                arguments.text(parameter.name) ?? arguments.integer(parameter.name).map { "\($0)" }
        }
        asked.body = try without(verb.pathParameters.map(\.name), json)
        return asked
    }

    /// An object without some members.
    private static func without(
        _ names: [String], _ json: Span<UInt8>
    ) throws(PayloadError) -> [UInt8] {
        guard !names.isEmpty else { return json.indices.map { json[$0] } }
        var rest = JSONWriter()
        rest.beginObject()
        for member in try JSONObject(document: json, limit: .max).all(json)
        where !names.contains(member.name) {
            rest.key(member.name)
            rest.raw(try member.bytes(json))
        }
        rest.endObject()
        return rest.bytes
    }
}

import Operations
import SiteModel
import SitePipeline
import WebServer
import Wire

/// Operations over MQTT: all that is given stands in one object, and the id of the request is its key.
struct MQTTBinding: Sendable {
    private let executor: Executor

    init(_ executor: Executor) { self.executor = executor }

    /// The answer to a request, after it is stored.
    func answer(_ request: RoomRequest) async -> Publication {
        guard let operation = Operation.named(request.name) else {
            preconditionFailure("no operation \(request.name)")
        }
        do {
            let answer = try await executor.perform(
                operation, Given(body: request.payload.args),
                by: Caller(request.principal, via: .mqtt, key: request.payload.id),
                until: request.payload.expMs.map { Timestamp(milliseconds: $0) })
            guard case .bytes(let json) = answer.body else { return request.refusal(.unavailable) }
            return request.answer(.result(json.filter { $0 != UInt8(ascii: "\n") }))
        } catch let problem as RouteProblem {
            return request.answer(.error(code: problem.code.rawValue, message: problem.detail))
        } catch {
            return request.refusal(.unavailable)
        }
    }
}

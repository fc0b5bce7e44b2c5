import Operations
import WebServer

extension Route {
    /// An operation over HTTP: what is not in the path stands in the query of what is read or taken away, else in the
    /// body.
    init(_ operation: Operation, _ executor: Executor) {
        let isInQuery = operation.method == .get || operation.method == .delete
        let rest = operation.parameters.filter { !operation.isInPath($0) }
        self.init(
            operation.method, operation.path, operation.right,
            whose: operation.subject.whose(in: operation, isInQuery: isInQuery),
            longestBody: max(Route.largestBody, operation.longest),
            about: RouteText(
                operation.summary, query: isInQuery ? rest.map(\.inQuery) : [],
                body: isInQuery ? [] : rest, answer: operation.answer, status: operation.status,
                type: operation.type,
                refusals: operation.refusals, isList: operation.isList,
                isShownOnce: operation.isShownOnce, isPure: operation.isPure)
        ) { request in
            let path = request.parameters.map { (name: $0.key, value: $0.value) }
            return try await executor.perform(
                operation,
                isInQuery
                    ? Given(path: path, query: request.query)
                    : Given(path: path, body: request.body), by: request.caller)
        }
        isOperation = true
    }
}

extension Operation.Subject {
    fileprivate func whose(in operation: Operation, isInQuery: Bool) -> Route.Whose {
        switch self {
        case .everybody: return .anybody
        case .each, .found: return .each
        case .member(let name):
            let isInPath = operation.path.contains("{\(name)}")
            return isInPath ? .path(name) : isInQuery ? .query(name) : .body(name)
        }
    }
}

extension Parameter {
    /// As text of a query.
    fileprivate var inQuery: Parameter {
        guard case .flag = kind else { return self }
        return Parameter(name, .word(["true", "false"]), isNeeded: isNeeded, text)
    }
}

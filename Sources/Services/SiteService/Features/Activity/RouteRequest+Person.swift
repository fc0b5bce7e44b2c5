import Operations
import WebServer

extension Parameter {
    /// Of whom something is asked.
    static let whose = Parameter(
        "user", .slug, "Whose; only of oneself it may be left out.")
}

extension RouteRequest {
    /// Of whom is asked: of whom the query names, else of whoever asks.
    func person() throws(RouteProblem) -> String {
        try person(query.first { $0.name == Parameter.whose.name }?.value)
    }

    /// The same where the body may name somebody.
    func person(_ named: String?) throws(RouteProblem) -> String {
        guard let user = named ?? visitor?.principal.user else {
            throw RouteProblem(.badRequest, "user: whose is missing.")
        }
        return user
    }

    /// A phone that is lost must not open the way for others, change what its person set, nor delete anything.
    func refusePhones() throws(RouteProblem) {
        guard visitor?.principal.scopes.isEmpty ?? true else {
            throw RouteProblem(.forbidden, "A phone's token sends and reads, and no more.")
        }
    }
}

import Activities
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

extension RouteProblem {
    static let unknownPerson = RouteProblem(.notFound, "There is no such user.")
}

extension WriteDesk {
    /// What is known of somebody besides their days: what they set, and what they share.
    ///
    /// - Throws: A `RouteProblem` if there is nobody of that slug.
    func figures(of user: String) async throws -> ActivityRecords.Figures {
        let figures = try await Blocking.run { [store] in
            try ActivityRecords(store).figures(of: user)
        }
        guard let figures else { throw RouteProblem.unknownPerson }
        return figures
    }
}

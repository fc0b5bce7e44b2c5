import Accounts
import JSON
import Permissions
import Records
import SiteModel
import SiteStore
import WebServer
import Wire

/// What people let others see of themselves.
struct SharingRoutes: Sendable {
    private let desk: WriteDesk

    init(_ desk: WriteDesk) { self.desk = desk }

    var all: [Route] {
        [
            Route(
                .get, "/api/v1/users/{id}/sharing", .sharing, whose: .path("id"),
                about: RouteText(
                    "What somebody lets others see.", answer: Self.sharing, refusals: [.notFound])
            ) { request in
                try AccountRoutes.refuseQuery(request)
                return shared(try await person(request))
            },
            Route(
                .put, "/api/v1/users/{id}/sharing", .sharing, whose: .path("id"),
                about: RouteText(
                    "Lets others see something of somebody, or not; what is left out stays as it is.",
                    body: [
                        .init("shares", .flag, "Members see where they are."),
                        .init("training", .flag, "Trainers see what they train, also from before."),
                    ], answer: Self.sharing, refusals: [.notFound])
            ) { request in
                let (place, training) = try Reading.body(request, known: ["shares", "training"]) {
                    (object, json) throws(PayloadError) in
                    (
                        try object.optional("shares", json)?.flag(json),
                        try object.optional("training", json)?.flag(json)
                    )
                }
                let user = try await person(request)
                // What is taken back first: that is taken in any case.
                let wishes = [(Shared.place, place), (.training, training)]
                for (part, wish) in wishes.filter({ $0.1 == false })
                    + wishes.filter({ $0.1 == true })
                {
                    guard let isShared = wish else { continue }
                    _ = try await desk.perform(
                        .accounts(.share(user: user, part, isShared)), for: request)
                }
                return shared(user)
            },
        ]
    }

    private static let sharing: [RouteText.Field] = [
        .always("shares", .flag, "Members see where they are."),
        .always("training", .flag, "Trainers see what they train."),
    ]

    private func shared(_ user: String) -> RouteAnswer {
        let (place, training) = (
            desk.directory.sharing(.place).contains(user),
            desk.directory.sharing(.training).contains(user)
        )
        return .json("{\"shares\":\(place),\"training\":\(training)}\n")
    }

    private func person(_ request: RouteRequest) async throws -> String {
        let slug = request.parameters["id"] ?? ""
        let isKnown = try await Blocking.run { [store = desk.store] in
            try Books(store).userID(slug) != nil
        }
        guard isKnown else { throw RouteProblem(.notFound, "There is no such user.") }
        return slug
    }
}

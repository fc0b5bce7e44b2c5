import Activities
import ActivityEngine
import Basics
import JSON
import Operations
import WebServer
import Wire

/// What people share with trainers of their activity, each part by itself.
package struct SharedRoutes: Sendable {
    private static let path = "/api/v1/activity/shared"
    private static let choice = "/api/v1/activity/sharing"
    private static let items = Parameter.always("items", .list(.oneOf(ActivityItem.self)))

    private let desk: WriteDesk

    package init(_ desk: WriteDesk) { self.desk = desk }

    package var all: [Route] {
        [
            Route(
                .get, Self.choice, .activityRead, whose: .query("user"),
                about: RouteText(
                    "What somebody shares with trainers.", query: [Parameter.whose],
                    answer: [Self.items], refusals: [.notFound])
            ) { request in
                let user = try request.person()
                return Self.answer(try await desk.figures(of: user).shared)
            },
            Route(
                .put, Self.choice, .activityWrite, whose: .body("user"),
                about: RouteText(
                    "Shares these parts with trainers, and nothing else.",
                    body: [Parameter.whose, Self.items], answer: [Self.items],
                    refusals: [.notFound])
            ) { try await share($0) },
            Route(
                .get, Self.path, .activityShared,
                about: RouteText(
                    "Who shares something, and what.",
                    answer: [
                        .always(
                            "people", .list(.object([.always("user", .slug), Self.items])),
                            "By slug.")
                    ])
            ) { request in
                _ = try AskedQuery(request, allowed: [])
                let people = try await Blocking.run { [store = desk.store] in
                    try ActivityRecords(store).sharing()
                }
                var writer = JSONWriter()
                writer.beginObject()
                writer.key("people")
                writer.beginArray()
                for one in people {
                    writer.beginObject()
                    writer.field("user", one.user)
                    writer.field("items", one.items.map(\.rawValue))
                    writer.endObject()
                }
                writer.endArray()
                writer.endObject()
                return .json(String(decoding: writer.bytes, as: UTF8.self) + "\n")
            },
            Route(
                .get, Self.path + "/{user}", .activityShared, whose: .path("user"),
                about: RouteText(
                    "What somebody walked, as far as they share it.",
                    query: AskedDays.query,
                    answer: ActivityText.sharedAnswer, refusals: [.notFound, .consentRequired])
            ) { request in
                let days = try AskedDays(request)
                let user = request.parameters["user"] ?? ""
                return try await days.told(of: user, by: desk) { told in
                    // Read with the figures: what somebody no longer shares is not told a moment later.
                    guard !told.figures.shared.isEmpty else { throw Self.notShared }
                    return ActivityText.text(
                        told, only: ActivityItem.allCases.filter(told.figures.shared.contains))
                }
            },
        ]
    }

    private func share(_ request: RouteRequest) async throws -> RouteAnswer {
        try request.refusePhones()
        let (named, items) = try Reading.body(request, known: ["user", "items"], limit: .max) {
            (object, json) throws(PayloadError) in
            let most = ActivityItem.allCases.count
            return (
                try object.optional("user", json)?.slug(json),
                try object.required("items", json).list(json, atMost: most) {
                    (item, json) throws(PayloadError) in
                    try item.choice(json, of: ActivityItem.self)
                }
            )
        }
        let user = try request.person(named)
        let call = ActivityCall.share(user: user, Set(items))
        return try await desk.perform(.activity(call), for: request) { _, _ in
            Self.answer(Set(items))
        }
    }

    private static func answer(_ items: Set<ActivityItem>) -> RouteAnswer {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("items", ActivityItem.allCases.filter(items.contains).map(\.rawValue))
        writer.endObject()
        return .json(String(decoding: writer.bytes, as: UTF8.self) + "\n")
    }

    private static let notShared = RouteProblem(
        .consentRequired, "They share nothing of their activity with trainers.")
}

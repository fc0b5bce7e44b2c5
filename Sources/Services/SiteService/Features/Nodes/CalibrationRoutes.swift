import Foundation
import JSON
import Permissions
import Registry
import SiteModel
import SiteStore
import WebServer
import Wire

/// What was taught about places: models, and what is gathered for the next one. Gathering and learning
/// take minutes and are verbs, `beaconmesh calibrate`.
package struct CalibrationRoutes: Sendable {
    private let desk: WriteDesk

    package init(_ desk: WriteDesk) { self.desk = desk }

    private struct ModelLine: Encodable {
        var revision: Int64
        var atMs: Int64
        var inForce: Bool
        var places: Int
        var seconds: Int
        var expectedAccuracy: Double?

        static let answer: [RouteText.Field] = [
            .always("revision", .count), .always("at_ms", .time), .always("in_force", .flag),
            .always("places", .count), .always("seconds", .count),
            .init("expected_accuracy", .number, "From 0 to 1."),
        ]
    }

    private struct PlaceLine: Encodable {
        var room: String
        var station: String?
        var seconds: Int

        static let answer: [RouteText.Field] = [
            .always("room", .slug), .init("station", .slug), .always("seconds", .count),
        ]
    }

    private struct Whole: Encodable {
        var models: [ModelLine]
        var survey: [PlaceLine]
    }

    private static let dropped: [RouteText.Field] = [.always("seconds", .count, "So many.")]

    package var all: [Route] {
        [
            Route(
                .get, "/api/v1/calibration", .calibrationRead,
                about: RouteText(
                    "Models, newest first, and the seconds that are gathered of each place.",
                    answer: [
                        .always("models", .list(.object(ModelLine.answer))),
                        .always("survey", .list(.object(PlaceLine.answer))),
                    ])
            ) { request in
                _ = try AskedQuery(request, allowed: [])
                return try await Blocking.run { [store = desk.store] in try Self.whole(store) }
            },
            Route(
                .post, "/api/v1/calibration/rollback", .calibrationWrite,
                about: RouteText(
                    "Puts an older model back in force; 0 is none.",
                    body: [.init("revision", .integer(0...Int64.max), isNeeded: true)],
                    status: 204, type: nil, refusals: [.notFound])
            ) { request in
                let revision = try Reading.body(request, known: ["revision"]) {
                    (object, json) throws(PayloadError) in
                    try object.required("revision", json).integer(json, from: 0)
                }
                return try await desk.perform(
                    .models(.rollBack(revision)), for: request
                ) { _, _ in Reading.nothing }
            },
            Route(
                .post, "/api/v1/calibration/discard", .calibrationWrite,
                about: RouteText(
                    "Drops what was gathered since the model in force was learned.",
                    answer: Self.dropped)
            ) { request in
                _ = try AskedQuery(request, allowed: [])
                return try await desk.perform(.models(.discardSurvey), for: request) { written, _ in
                    try Reading.answer(["seconds": written.number])
                }
            },
            Route(
                .post, "/api/v1/calibration/forget", .calibrationWrite,
                about: RouteText(
                    "Drops what was gathered at one place; the model in force stays.",
                    body: [
                        .init("room", .slug, isNeeded: true),
                        .init("station", .slug, "The floor away from the stations if not given."),
                    ], answer: Self.dropped, refusals: [.notFound])
            ) { try await forget($0) },
        ]
    }

    private func forget(_ request: RouteRequest) async throws -> RouteAnswer {
        let (room, station) = try Reading.body(request, known: ["room", "station"]) {
            (object, json) throws(PayloadError) in
            (
                try object.required("room", json).slug(json),
                try object.optional("station", json)?.slug(json)
            )
        }
        let place = try await Blocking.run { [store = desk.store] in
            try ModelTable(store).place(room: room, station: station)
        }
        guard let place else { throw RouteProblem(.notFound, "There is no such place.") }
        return try await desk.perform(.models(.forgetSurvey(place)), for: request) { written, _ in
            try Reading.answer(["seconds": written.number])
        }
    }

    private static func whole(_ store: Store) throws -> RouteAnswer {
        try Reading.answer(
            Whole(
                models: try ModelTable(store).models().map { row in
                    ModelLine(
                        revision: row.revision, atMs: row.at.milliseconds, inForce: row.isApplied,
                        places: row.places, seconds: row.seconds, expectedAccuracy: row.accuracy)
                },
                survey: try ModelTable(store).gathered().map { row in
                    PlaceLine(room: row.room, station: row.station, seconds: row.seconds)
                }))
    }
}

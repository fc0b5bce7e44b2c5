import Activities
import ActivityEngine
import Basics
import JSON
import Operations
import Permissions
import Reporting
import SiteModel
import WebServer
import Wire

/// Steps, distance and energy of people, from their phones and watches; what they set for them.
package struct ActivityRoutes: Sendable {
    /// The most samples of one request.
    static let mostSamples = 1000
    /// The longest body, in bytes.
    private static let longestBody = 1 << 20
    private static let path = "/api/v1/activity"

    private let desk: WriteDesk
    private let budget: SampleBudget

    package init(_ desk: WriteDesk, _ budget: SampleBudget) {
        self.desk = desk
        self.budget = budget
    }

    package var all: [Route] {
        [
            Route(
                .post, Self.path + "/samples", .activityWrite, whose: .body("user"),
                longestBody: Self.longestBody,
                about: RouteText(
                    "Takes steps that a phone or a watch counted, each sample by itself. Sent twice, a sample is "
                        + "stored once; one with the same source and beginning replaces the one before.",
                    body: [
                        Parameter.whose,
                        .init(
                            "samples", .list(.value), isNeeded: true,
                            "At most \(Self.mostSamples) objects of \(SampleBody.names.joined(separator: ", ")); "
                                + "what is wrong with one refuses that one alone."),
                    ],
                    answer: [
                        .always(
                            "results",
                            .list(
                                .object([
                                    .always("id", .anyText),
                                    .init("code", .anyText, "Why it is refused."),
                                    .init("detail", .anyText, "What is wrong with it."),
                                ])), "In the order of the samples.")
                    ], refusals: [.notFound, .rateLimited, .tooLarge])
            ) { try await take($0) },
            Route(
                .get, Self.path, .activityRead, whose: .query("user"),
                about: RouteText(
                    "What somebody walked: a day by hours, a week by days, a month by ISO weeks.",
                    query: [Parameter.whose] + AskedDays.query,
                    answer: ActivityText.answer, refusals: [.notFound])
            ) { request in
                let days = try AskedDays(request, allowed: [Parameter.whose.name])
                let user = try request.person()
                return try await days.told(of: user, by: desk) { ActivityText.text($0) }
            },
            Route(
                .post, Self.path + "/begin", .activityWrite, whose: .body("user"),
                about: RouteText(
                    "Begins something by hand. Without an end it ends with the last that tells of it: steps, a "
                        + "heart rate, a change of place.",
                    body: [
                        Parameter.whose, .init("kind", .oneOf(ActivityKind.self), isNeeded: true),
                    ],
                    answer: [.always("activity", .object(ActivityText.done))],
                    refusals: [.notFound, .alreadyActive])
            ) { request in
                let (user, kind) = try Self.begun(request)
                return try await hand(.begin(user: user, kind), of: user, for: request)
            },
            Route(
                .post, Self.path + "/end", .activityWrite, whose: .body("user"),
                about: RouteText(
                    "Ends what goes on.", body: [Parameter.whose],
                    answer: [.always("activity", .object(ActivityText.done))],
                    refusals: [.notFound, .badState])
            ) { request in
                let named = try Reading.body(request, known: ["user"], limit: .max) {
                    (object, json) throws(PayloadError) in
                    try object.optional("user", json)?.slug(json)
                }
                let user = try request.person(named)
                return try await hand(.end(user: user), of: user, for: request)
            },
            Route(
                .get, Self.path + "/export", .activityRead, whose: .query("user"),
                about: RouteText(
                    "Every day with a count, as CSV.", query: [Parameter.whose], type: "text/csv",
                    refusals: [.notFound])
            ) { try await export($0) },
            Route(
                .get, Self.path + "/settings", .activityRead, whose: .query("user"),
                about: RouteText(
                    "What somebody has set, and the goals that they had.", query: [Parameter.whose],
                    answer: SettingsText.answer, refusals: [.notFound])
            ) { request in
                let user = try request.person()
                return .json(SettingsText.text(try await desk.figures(of: user)) + "\n")
            },
            Route(
                .put, Self.path + "/settings", .activityWrite, whose: .body("user"),
                about: RouteText(
                    "Sets all of it anew; what is left out has its default.",
                    body: [Parameter.whose] + SettingsBody.members, answer: SettingsText.answer,
                    refusals: [.notFound])
            ) { try await set($0) },
            Route(
                .delete, Self.path, .activityWrite, whose: .query("user"),
                about: RouteText(
                    "Deletes every sample of somebody, and the days on which they reached a goal.",
                    query: [Parameter.whose], status: 204, type: nil, refusals: [.notFound])
            ) { request in
                try request.refusePhones()
                let user = try request.person()
                _ = try await desk.perform(.activity(.reset(user: user)), for: request)
                return Reading.nothing
            },
        ]
    }

    private func take(_ request: RouteRequest) async throws -> RouteAnswer {
        let (named, bodies) = try SampleBody.all(in: request, most: Self.mostSamples)
        let user = try request.person(named)
        if let seconds = budget.wait(for: bodies.count, of: user) {
            throw RouteProblem(
                .rateLimited,
                "More than \(SampleBudget.aMinute) samples of one person came within a minute. Nothing of this "
                    + "request is stored: send it again in \(seconds) s.", retryAfter: seconds)
        }
        let good = bodies.compactMap(\.sample)
        let order = good.intakeOrder()
        let call = ActivityCall.samples(user: user, order.map { good[$0] })
        return try await desk.perform(.activity(call), for: request) { written, _ in
            let answers = zip(order, try written.codes).sorted { $0.0 < $1.0 }
            var codes = answers.map(\.1)[...]
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("results")
            writer.beginArray()
            for body in bodies {
                let code = body.sample == nil ? .schema : codes.popFirst() ?? nil
                writer.beginObject()
                writer.field("id", body.id)
                if let code { writer.field("code", code.rawValue) }
                if let fault = body.fault { writer.field("detail", fault) }
                writer.endObject()
            }
            writer.endArray()
            writer.endObject()
            return .json(String(decoding: writer.bytes, as: UTF8.self) + "\n")
        }
    }

    private static func begun(
        _ request: RouteRequest
    ) throws -> (user: String, kind: ActivityKind) {
        let (named, kind) = try Reading.body(request, known: ["user", "kind"], limit: .max) {
            (object, json) throws(PayloadError) in
            (
                try object.optional("user", json)?.slug(json),
                try object.required("kind", json).choice(json, of: ActivityKind.self)
            )
        }
        let user = try request.person(named)
        return (user, kind)
    }

    private func hand(
        _ call: ActivityCall, of user: String, for request: RouteRequest
    ) async throws -> RouteAnswer {
        let now = desk.clock.now
        return try await desk.perform(.activity(call), for: request) { _, store in
            guard let last = try ActivityRecords(store).newestByHand(of: user, at: now) else {
                throw RouteProblem.unknownPerson
            }
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("activity")
            ActivityText.write(last, to: &writer)
            writer.endObject()
            return .json(String(decoding: writer.bytes, as: UTF8.self) + "\n")
        }
    }

    private func export(_ request: RouteRequest) async throws -> RouteAnswer {
        let user = try request.person()
        let (store, now) = (desk.store, desk.clock.now)
        let text = try await Blocking.run { () throws -> String? in
            let calendar = try ReportDesk(store, now: now).context.calendar
            let oldest = now - .seconds(Double(ActivitySample.keptDays + 1) * 86_400)
            let all = Interval(from: oldest, to: now + ActivitySample.longest)
            return try ActivityRecords(store).figures(of: user, in: all, withDemo: false).map {
                ActivityText.csv($0, calendar)
            }
        }
        guard let text else { throw RouteProblem.unknownPerson }
        return RouteAnswer(
            contentType: "text/csv; charset=utf-8; header=present",
            headers: [("Content-Disposition", "attachment; filename=\"activity-\(user).csv\"")],
            body: .bytes(Array(text.utf8)))
    }

    private func set(_ request: RouteRequest) async throws -> RouteAnswer {
        try request.refusePhones()
        let (store, now) = (desk.store, desk.clock.now)
        let today = try await Blocking.run {
            try ReportDesk(store, now: now).context.calendar.local(now).date
        }
        let body = try SettingsBody(request, today: today)
        let user = try request.person(body.user)
        let call = ActivityCall.settings(user: user, body.settings, goal: body.goal)
        return try await desk.perform(.activity(call), for: request) { _, store in
            guard let figures = try ActivityRecords(store).figures(of: user) else {
                throw RouteProblem.unknownPerson
            }
            return .json(SettingsText.text(figures) + "\n")
        }
    }
}

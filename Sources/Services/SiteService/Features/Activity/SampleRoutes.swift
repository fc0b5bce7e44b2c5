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

/// Takes steps that phones and watches counted.
package struct SampleRoutes: Sendable {
    /// The most samples of one request.
    static let mostSamples = 1000
    /// The longest body, in bytes.
    private static let longestBody = 1 << 20

    private let desk: WriteDesk
    private let budget: SampleBudget

    package init(_ desk: WriteDesk, _ budget: SampleBudget) {
        self.desk = desk
        self.budget = budget
    }

    package var all: [Route] {
        [
            Route(
                .post, "/api/v1/activity/samples", .activityWrite, whose: .body("user"),
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
            ) { try await take($0) }
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
}

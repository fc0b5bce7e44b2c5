import Foundation
import JSON
import SiteModel
import SitePipeline
import WebServer
import Wire

/// Checking in and out, and workouts, over HTTP: the same requests as on MQTT, answered after they are stored.
package struct AttendanceRoutes: Sendable {
    /// The longest wait for an answer, in seconds.
    private static let patience = 10.0

    private let mailbox: LoopMailbox

    package init(mailbox: LoopMailbox) { self.mailbox = mailbox }

    /// Check-ins and workouts, each `POST`ed. `Idempotency-Key` is the request's id: the same key with
    /// the same body is answered alike for 24 hours.
    package var all: [Route] { attendance + workouts }

    private static let user = RouteText.Field(
        "user", .slug, "Who; only of oneself it may be left out.")

    private var attendance: [Route] {
        [("check-in", Wire.Operation.checkIn), ("check-out", .checkOut)].map {
            name, operation in
            Route(
                .post, "/api/v1/attendance/\(name)", .check, whose: .body("user"),
                about: RouteText(
                    name == "check-in" ? "Checks somebody in." : "Checks somebody out.",
                    body: [
                        Self.user, .init("at_ms", .time, "When it was, if not now."),
                        .init(
                            "reason", .text(1...RequestPayload.longestReason),
                            "Why it is said by hand."),
                    ],
                    refusals: [.alreadyIn, .notIn, .overlap, .lockedPeriod, .badTime, .notFound])
            ) { request in
                try await answer(request, operation, known: ["user", "at_ms", "reason"])
            }
        }
    }

    private var workouts: [Route] {
        let verbs: [(String, Wire.Operation, String)] = [
            ("start", .startWorkout, "Starts a workout, at a station or not."),
            ("pause", .pauseWorkout, "Pauses the open workout."),
            ("resume", .resumeWorkout, "Goes on with it."),
            ("complete", .completeWorkout, "Ends it."),
        ]
        return verbs.map { name, operation, text in
            let isStart = operation == .startWorkout
            return Route(
                .post, "/api/v1/workouts/\(name)", .workoutsWrite, whose: .body("user"),
                about: RouteText(
                    text,
                    body: [Self.user] + (isStart ? [.init("station", .slug, "Where.")] : []),
                    refusals: [
                        .alreadyActive, .alreadyCompleted, .badState, .stationInUse, .notFound,
                        .consentRequired,
                    ])
            ) { request in
                try await answer(
                    request, operation, known: isStart ? ["user", "station"] : ["user"])
            }
        }
    }

    private func answer(
        _ request: RouteRequest, _ operation: Wire.Operation, known: Set<String>
    ) async throws -> RouteAnswer {
        let question = RequestPayload(
            id: try Self.id(request.idempotencyKey), args: try Self.arguments(request, known))
        guard let response = try await ask(operation, question, of: request) else {
            throw ProblemCode.problem(
                "unavailable",
                "There is no answer yet. Ask again with the same Idempotency-Key.")
        }
        switch response.outcome {
        case .session(let session):
            return .json(session.text + "\n")
        case .error(let code, let message):
            throw ProblemCode.problem(code, message)
        case .workout(let workout):
            return .json(String(decoding: workout.json, as: UTF8.self) + "\n")
        case .result(let json): return .json(String(decoding: json, as: UTF8.self) + "\n")
        }
    }

    /// Puts a request to the loop. `nil` if there is no answer in time; what it asks for may be done
    /// all the same.
    private func ask(
        _ operation: Wire.Operation, _ payload: RequestPayload, of request: RouteRequest
    ) async throws -> ResponsePayload? {
        let (answers, answer) = AsyncStream.makeStream(of: ResponsePayload.self)
        let question = LoopMailbox.Question(
            operation: operation, payload: payload,
            // A slug cannot be this, so that nobody on MQTT can be mistaken for it.
            client: "http:\(request.asker)"
        ) { response in
            answer.yield(response)
            answer.finish()
        }
        guard mailbox.put(question) else {
            throw ProblemCode.problem("unavailable", Answer.Refusal.unavailable.message)
        }
        defer { mailbox.isOver() }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { answer.finish() }
        for await response in answers { return response }
        return nil
    }

    /// The request's id: the header's, or one of our own, which nobody can ask for again.
    private static func id(_ key: String?) throws -> String {
        guard let key else { return UUID().uuidString.lowercased() }
        guard (1...64).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw ProblemCode.problem(
                "bad_request", "Idempotency-Key: 1 to 64 visible characters of ASCII.")
        }
        return key
    }

    private static func arguments(
        _ request: RouteRequest, _ known: Set<String>
    ) throws -> RequestPayload.Arguments {
        try Reading.body(request, known: known) {
            (object, json) throws(PayloadError) in
            RequestPayload.Arguments(
                user: try object.required("user", json).slug(json),
                station: try object.optional("station", json)?.slug(json),
                atMs: try object.optional("at_ms", json)?.time(json),
                reason: try object.optional("reason", json)?.words(
                    json, limit: RequestPayload.longestReason))
        }
    }
}

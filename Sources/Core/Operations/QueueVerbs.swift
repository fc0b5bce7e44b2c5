import SiteModel
import Wire

/// What can be asked about the queue of a station.
enum QueueVerbs {
    static let leave = verb("queue-leave", .leave, .delete, "", "Waits no longer.", [.badState])

    static let all = [
        verb(
            "queue-join", .join, .post, "",
            "Waits for a station. Where a slot is free it is offered at once.",
            [.consentRequired, .alreadyExists, .badState, .outOfOrder]),
        leave,
        verb(
            "offer-accept", .accept, .post, "/accept",
            "Takes the slot that is offered: starts a workout there, or moves the open one.",
            [.rateLimited, .badState, .expired]),
    ]

    private static func verb(
        _ name: String, _ verb: Request.Queue, _ method: Verb.Method, _ path: String,
        _ summary: String,
        _ refusals: [ProblemCode]
    ) -> Verb {
        Verb(
            name, method, "/api/v1/stations/{station}/queue" + path, .workoutsWrite,
            about: .body("user"), summary + " Of people the answer names only them.",
            [Verb.user, Parameter("station", .slug, isNeeded: true, "Which.")], answer: .station,
            refusals: [.notFound] + refusals,
            act: .machine { given, names in
                guard let user = given.user(in: names),
                    let station = given.text("station").flatMap({ names.stations.id($0) })
                else { return nil }
                return .queue(user, verb, station)
            })
    }
}

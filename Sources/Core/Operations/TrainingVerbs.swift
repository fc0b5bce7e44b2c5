import SiteModel
import Wire

// Workouts.
extension Verb {
    package static let startWorkout = Verb(
        "workout-start", .post, "/api/v1/workouts", .workoutsWrite, about: .body("user"),
        "Starts a workout, at a station or not; or logs one that is over.",
        [
            user, Parameter("station", .slug, "Where."),
            Parameter("plan_day", .slug, "A day of a plan that is assigned to them."),
            Parameter(
                "started_ms", .time,
                "When it began, of one that is over: it takes no slot, and its cause is `stated`."),
            Parameter("ended_ms", .time, "When it ended, of one that is over."),
            Parameter(
                "sets", .list(.object(.setMembers(needing: ["id", "exercise"]))),
                "What was done in one that is over."),
        ], answer: .workout,
        refusals: [
            .notFound, .consentRequired, .alreadyActive, .outOfOrder, .stationInUse, .badTime,
            .overlap,
        ],
        formerPath: "/api/v1/workouts/start",
        act: .machine { given, names in
            guard let user = given.user(in: names) else { return nil }
            return given.start(in: names).map { .training(user, $0) }
        })
    package static let pauseWorkout = training(
        "pause", "Pauses the open workout.", [], [.rateLimited]
    ) { _, _ in .pause }
    package static let resumeWorkout = training("resume", "Goes on with it.") { _, _ in .resume }
    package static let moveWorkout = training(
        "move", "Goes to another station, or gives the one away.",
        [
            Parameter(
                "station", .slug, isNeeded: true, isNullable: true, "Where; null: at none.")
        ], [.rateLimited, .outOfOrder, .stationInUse]
    ) { given, names in
        guard let slug = given.text("station") else { return .move(nil) }
        return names.stations.id(slug).map { .move($0) }
    }
    package static let completeWorkout = training(
        "complete", "Ends it.", [Parameter("ended_ms", .time, "When it ended, if not now.")],
        [.alreadyCompleted, .badTime]
    ) { given, _ in .complete(at: given.moment("ended_ms")) }
    package static let cancelWorkout = training(
        "cancel", "Ends it as one that counts nowhere; it is kept."
    ) { _, _ in .cancel }
    package static let reopenWorkout = training(
        "reopen", "Goes on with the newest one, which ended at most 24 hours ago.",
        [], [.rateLimited, .alreadyActive, .expired]
    ) { _, _ in .reopen }

    package static let serveStation = Verb(
        "station-service", .post, "/api/v1/stations/{station}/service", .placesWrite,
        "Says that a station is out of order, or can be used again. Who is at it may stay.",
        [
            Parameter("station", .slug, isNeeded: true, "Which."),
            Parameter("out_of_order", .flag, isNeeded: true),
            Parameter("note", .freeText(1...longestReason), "Why."),
        ], answer: .station, refusals: [.notFound],
        act: .machine { given, names in
            guard let station = given.text("station").flatMap({ names.stations.id($0) }),
                let isOutOfOrder = given.flag("out_of_order")
            else { return nil }
            return .service(station, isOutOfOrder: isOutOfOrder, note: given.text("note"))
        })

    static let trainingVerbs = [
        startWorkout, pauseWorkout, resumeWorkout, moveWorkout, completeWorkout, cancelWorkout,
        reopenWorkout, addSet, changeSet, deleteSet, serveStation,
    ]

    /// A verb about a workout that is there: the one of the row, else the open or newest one of the user.
    private static func training(
        _ word: String, _ summary: String, _ parameters: [Parameter] = [],
        _ refusals: [ProblemCode] = [],
        act: @escaping @Sendable (Arguments, Names) -> Request.Training?
    ) -> Verb {
        let id = Parameter(
            "id", .integer(1...Int64.max), "Which workout, if not the open or newest one.")
        return Verb(
            "workout-" + word, .post, "/api/v1/workouts/{id}/" + word, .workoutsWrite,
            about: .body("user"), summary, [user, id] + parameters, answer: .workout,
            refusals: [.notFound, .badState] + refusals,
            act: .machine { given, names in
                guard let user = given.user(in: names) else { return nil }
                return act(given, names).map {
                    .training(user, $0, workout: given.integer("id"))
                }
            })
    }
}

extension Arguments {
    /// A workout that begins, or one that is over; `nil` if a station is none, or a day of a plan is named: there are
    /// no plans yet, so that none is assigned to anybody.
    fileprivate func start(in names: Names) -> Request.Training? {
        guard text("plan_day") == nil else { return nil }
        var station: StationID?
        if let slug = text("station") {
            station = names.stations.id(slug)
            guard station != nil else { return nil }
        }
        guard ["started_ms", "ended_ms", "sets"].contains(where: has) else {
            return .start(station)
        }
        var sets: [GivenSet] = []
        for item in list("sets") ?? [] {
            guard let set = item.givenSet(in: names) else { return nil }
            sets.append(set)
        }
        return .past(
            .init(
                from: moment("started_ms"), to: moment("ended_ms"), station: station, sets: sets))
    }
}

import SiteModel
import Wire

// Workouts.
extension Verb {
    package static let startWorkout = training(
        "start", "Starts a workout, at a station or not.", [Parameter("station", .slug, "Where.")],
        refusals: [.notFound, .alreadyActive, .stationInUse]
    ) { arguments, names in
        guard let slug = arguments.text("station") else { return .start(nil) }
        return names.stations.id(slug).map { .start($0) }
    }
    package static let pauseWorkout = training("pause", "Pauses the open workout.") { .pause }
    package static let resumeWorkout = training("resume", "Goes on with it.") { .resume }
    package static let completeWorkout = training(
        "complete", "Ends it.", [.alreadyCompleted]
    ) { .complete }
    package static let cancelWorkout = training(
        "cancel", "Ends it as one that counts nowhere; it is kept."
    ) { .cancel }

    static let trainingVerbs = [
        startWorkout, pauseWorkout, resumeWorkout, completeWorkout, cancelWorkout,
    ]

    private static func training(
        _ word: String, _ summary: String, _ refusals: [ProblemCode] = [],
        act: @escaping @Sendable () -> Request.Training
    ) -> Verb {
        training(word, summary, [], refusals: [.notFound, .badState] + refusals) { _, _ in act() }
    }

    private static func training(
        _ word: String, _ summary: String, _ parameters: [Parameter], refusals: [ProblemCode],
        act: @escaping @Sendable (Arguments, Names) -> Request.Training?
    ) -> Verb {
        Verb(
            "workout-" + word, .post, "/api/v1/workouts/" + word, .workoutsWrite,
            about: .body("user"), summary, [user] + parameters,
            answer: .workout,
            refusals: refusals,
            act: .machine { given, names in
                guard let user = given.user(in: names) else { return nil }
                return act(given, names).map { .training(user, $0) }
            })
    }
}

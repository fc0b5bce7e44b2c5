import JSON
import Operations
import Permissions
import Records
import SiteModel
import SiteStore
import Wire
import Workouts

// What was trained: workouts with their stations, pauses and sets; and who waits for a station.

extension Operation {
    private static let path = "/api/v1/workouts"

    static let workouts = [
        Operation(
            "workout-list", path, .workoutsRead, about: .member("user"),
            "Workouts, the newest first, each with its stations, pauses and sets.",
            .of(WorkoutsAsked.self), answer: .row, refusals: [.notFound, .consentRequired]
        ) { asked, caller, store in
            _ = try asked.user.map { try String?($0).known(in: store) }
            let (lines, hasMore) = try WorkoutHistory(store).workouts(
                try asked.query(visible: caller.visible))
            return WorkoutPage(workouts: lines.map { WorkoutTold(line: $0) }, hasMore: hasMore)
        },
        Operation(
            "workout-show", path + "/{id}", .workoutsRead, about: .found,
            "One workout, by its row.", .of(Numbered.self), answer: .row,
            refusals: [.notFound, .consentRequired],
            owner: { try owner(ofWorkout: $0.id, $1, $2) }
        ) { workout, _, store in
            guard let line = try WorkoutHistory(store).workout(workout.id) else {
                throw BooksRefusal(.notFound, "there is no such workout")
            }
            return OneWorkout(
                workout: WorkoutTold(
                    line: line, records: try TrainingStatistics(store).records(in: line)))
        },
        Operation(
            "wait-list", "/api/v1/waits", .workoutsRead, about: .member("user"),
            "Who waits for which station, and how many are before them.", .of(WhoseWaits.self),
            answer: .rows("waits", "One a user at most."), refusals: [.notFound, .consentRequired]
        ) { asked, caller, store in
            let user = try asked.user.map { try String?($0).known(in: store) }
            return try WorkoutHistory(store).waits(of: user.map { [$0] } ?? caller.visible)
        },
    ]
}

private struct WorkoutsAsked: OperationInput {
    var user: String?
    var state: String?
    var station: String?
    var from: Timestamp?
    var to: Timestamp?
    var cursor: String?
    var limit: Int = 20

    static let members: [Member<WorkoutsAsked>] = [
        .optional("user", .reference("users"), \.user, "Whose."),
        .optional(
            "state", .text(1...16).told(as: states), \.state, "`open`: active or paused."),
        .optional(
            "station", .reference("stations"), \.station,
            "A station that was used."),
        .optional(
            "from_ms", Form.time.told(as: times), \.from, "Begun then or later."),
        .optional("to_ms", Form.time.told(as: times), \.to, "Begun before."),
        .optional("cursor", .text(1...64), \.cursor, "`next` of the answer before."),
        .preset("limit", .integer(1...100), \.limit),
    ]

    private static let states = Parameter.Kind.word(
        ["open"] + Workout.State.allCases.map(\.rawValue))
    private static let times = Parameter.Kind.integer(0...JSONValue.latestTime)

    func query(visible: [String]?) throws(BooksRefusal) -> WorkoutQuery {
        let states: [Workout.State] =
            state == "open"
            ? [.active, .paused] : state.flatMap { Workout.State(rawValue: $0) }.map { [$0] } ?? []
        var query = WorkoutQuery(
            user: user, visible: visible, states: states, station: station, from: from, to: to,
            limit: limit)
        guard let cursor else { return query }
        let parts = cursor.split(separator: "-").map { Int64($0) }
        guard parts.count == 2, let from = parts[0], let id = parts[1] else {
            throw BooksRefusal(.badRequest, "cursor: what `next` of an answer said expected")
        }
        query.after = (Timestamp(milliseconds: from), id)
        return query
    }
}

private struct WhoseWaits: OperationInput {
    var user: String?

    static let members: [Member<WhoseWaits>] = [
        .optional(
            "user", .reference("users"), \.user,
            "Whose; else all that whoever asks may see.")
    ]
}

private struct WorkoutPage: OperationOutput {
    var workouts: [WorkoutTold]
    var hasMore: Bool

    static let members: [Member<WorkoutPage>] = [
        .told("workouts", .list(.object), from: \.workouts),
        .toldOrNull("next", .anyText, "The cursor of the next page.") { page in
            let last = page.workouts.last?.line.workout
            return page.hasMore ? last.map { "\($0.from.milliseconds)-\($0.id)" } : nil
        },
    ]
}

private struct OneWorkout: OperationOutput {
    var workout: WorkoutTold

    static let members: [Member<OneWorkout>] = [.told("workout", .object, from: \.workout)]
}

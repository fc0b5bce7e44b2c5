import SiteModel
import Wire

// What is answered of what the machines are asked, as on MQTT.

extension SessionPayload {
    static let answer: [Parameter] = [
        .always("id", .count), .always("user", .slug), .always("check_in_ms", .time),
        .always("check_out_ms", .time, isNullable: true, "null while it is open."),
        .always("in_cause", .oneOf(Session.InCause.self)),
        .always("out_cause", .oneOf(Session.OutCause.self), isNullable: true),
        .always("review", .list(.oneOf(Review.self)), "Why a person should look at it."),
        .always("rev", .count),
    ]
}

extension WorkoutPayload {
    static let answer: [Parameter] = [
        .always("t_ms", .time),
        .always("state", .word([none] + Workout.State.allCases.map(\.rawValue))),
        .always("id", .count, isNullable: true), .always("station", .slug, isNullable: true),
        .always("started_ms", .time, isNullable: true),
        .always("ended_ms", .time, isNullable: true, "null while it is open."),
        .always("paused_s", .number), .always("paused_since_ms", .time, isNullable: true),
        .always("cause", .oneOf(Workout.Cause.self), isNullable: true, "What began it."),
        .always("rev", .count, isNullable: true, "One more with each change."),
        .always(
            "stations",
            .list(
                .object([
                    .always("station", .slug), .always("from_ms", .time),
                    .always("to_ms", .time, isNullable: true),
                ])), "Where it was, oldest first."),
        .always("sets", .count, "How many, warm-ups included."),
        .always("volume_kg", .number, "Repetitions × weight, without warm-ups."),
        .always("exercise", .slug, isNullable: true, "Of the latest set."),
        .always("rest_until_ms", .time, isNullable: true),
    ]
}

extension StationStatePayload {
    static let answer: [Parameter] = [
        .always("t_ms", .time), .always("state", .oneOf(StationState.State.self)),
        .always("slots", .count), .always("by", .list(.slug), "Who holds a slot, or is there."),
        .always("here", .list(.slug), "Who is there.").optional, .always("since_ms", .time),
        .always("queue", .count, "How many wait, those with an offer included."),
        .always(
            "offered", .list(.object([.always("user", .slug), .always("until_ms", .time)])),
            "For whom a slot is kept."),
        .always("free_est_ms", .time, isNullable: true, "When a slot will be free."),
    ]
}

extension SetPayload {
    /// The members of an answer.
    package static let answer: [Parameter] = [
        .always("set", .object(members)), .always("rev", .count, "The one that a change names."),
        .always("rest_until_ms", .time, isNullable: true, "null if the workout has ended."),
        .always(
            "records", .list(.oneOf(WorkoutSet.Record.self)), "What it is the best of so far."),
    ]

    /// The members of a set.
    package static let members: [Parameter] =
        [Parameter].setMembers.map { member in
            var told = member
            told.isNullable = false
            told.isNeeded = ["id", "exercise"].contains(member.name)
            return told
        } + [Parameter("deleted", .flag, "That it is.")]
}

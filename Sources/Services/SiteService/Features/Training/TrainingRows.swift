import JSON
import Operations
import SiteModel
import Wire
import Workouts

// What is answered of training. Weights are stored in grams, and told in kilograms.

/// What somebody trained, and how stations were used meanwhile.
struct Training: OperationOutput {
    var exercises: [TrainingStatistics.ExerciseWeek] = []
    var muscles: [TrainingStatistics.MuscleWeek] = []
    var days: [TrainingStatistics.Day] = []
    var stations: [StationStatistics.Use] = []

    static let members: [Member<Training>] = [
        .told("exercises", .list(.object), from: \.exercises),
        .told(
            "muscles", .list(.object),
            "1 for each set of an exercise whose main muscle it is, else ½.", from: \.muscles),
        .told(
            "days", .list(.object),
            "Of days with a workout that has ended and was not cancelled.", from: \.days),
        .told(
            "stations", .list(.object),
            "How stations were used by everybody; only for who reads reports.", from: \.stations),
    ]
}

extension TrainingStatistics.ExerciseWeek: OperationOutput {
    package static let members: [Member<TrainingStatistics.ExerciseWeek>] = [
        .told("exercise", .slug, from: \.exercise),
        .told("week", .anyText, "Such as 2026-W48.", from: \.week),
        .told("sets", .count, "Without warm-ups.", from: \.sets),
        .told("reps", .count, from: \.reps),
        .told("volume_kg", .number) { Double($0.volume) / 1000 },
        .toldOrNull("weight_kg", .number, "The heaviest.") { $0.weight.map { Double($0) / 1000 } },
        .toldOrNull("e1rm_kg", .number) { $0.oneRepMax.map { $0.rounded() / 1000 } },
        .toldOrNull("e1rm_low_kg", .number, "The best of low confidence.") {
            $0.lowOneRepMax.map { $0.rounded() / 1000 }
        }, .told("records", .count, from: \.records),
    ]
}

extension TrainingStatistics.MuscleWeek: OperationOutput {
    package static let members: [Member<TrainingStatistics.MuscleWeek>] = [
        .told("muscle", .anyText, from: \.muscle), .told("week", .anyText, from: \.week),
        .told("sets", .number) { Double($0.halves) / 2 },
    ]
}

extension TrainingStatistics.Day: OperationOutput {
    package static let members: [Member<TrainingStatistics.Day>] = [
        .told("date", .date, from: \.date), .told("workouts", .count, from: \.workouts),
        .told("minutes", .number, "Without pauses.") {
            (Double($0.time.milliseconds) / 6000).rounded() / 10
        }, .told("sets", .count, from: \.sets),
    ]
}

extension StationStatistics.Use: OperationOutput {
    package static let members: [Member<StationStatistics.Use>] = [
        .told("station", .slug, from: \.station), .told("uses", .count, from: \.uses),
        .told("minutes", .number, "All its slots together.") {
            (Double($0.time.milliseconds) / 600).rounded() / 100
        },
        .toldOrNull(
            "utilisation", .number,
            "Of its opening hours; null while nobody has said what these are."
        ) { _ in nil },
        .toldOrNull(
            "peak_hour", Form<Int>.integer(0...23),
            "By the clocks on the wall: when it is used most.", from: \.peakHour),
        .told("waits", .count, "How often somebody began to wait.", from: \.waits),
        .toldOrNull("wait_median_s", .number, "How long those waited who got it.") {
            $0.medianWait.map { Double($0.milliseconds) / 1000 }
        },
    ]
}

extension TrainingStatistics.Best: OperationOutput {
    package static let members: [Member<TrainingStatistics.Best>] = [
        .told("exercise", .slug, from: \.exercise), .told("kind", .word, from: \.kind),
        .toldIfAny("weight_kg", .number) { $0.set.weight.map { Double($0) / 1000 } },
        .toldIfAny("reps", Form<Int>.count) {
            if case .reps(let count) = $0.set.measure { count } else { nil }
        },
        .toldIfAny("e1rm_kg", .number) {
            $0.kind == .oneRepMax ? $0.set.oneRepMax.map { $0.rounded() / 1000 } : nil
        }, .toldIfAny("volume_kg", .number) { $0.volume.map { Double($0) / 1000 } },
        .toldIfAny("duration_s", Form<Int>.count) {
            if case .duration(let seconds) = $0.set.measure { seconds } else { nil }
        },
        .toldIfAny("distance_m", Form<Int>.count) {
            if case .distance(let metres) = $0.set.measure { metres } else { nil }
        },
        .told("set", Form.anyText.told(as: .uuid), "The first that reached it.") { $0.set.key },
        .told("workout", .count) { $0.set.workout }, .told("at_ms", .time) { $0.set.at },
    ]
}

extension StationDay: OperationOutput {
    package static let members: [Member<StationDay>] = [
        .told("from_ms", .time) { $0.day.from }, .told("to_ms", .time) { $0.day.to },
        .told("parts", .list(.object), "By beginning.", from: \.parts),
    ]
}

extension StationDay.Part: OperationOutput {
    package static let members: [Member<StationDay.Part>] = [
        .toldOrNull(
            "slot", Form<Int>.count, "From 1; null: the station was out of order.", from: \.slot),
        .told("from_ms", .time, from: \.from), .toldOrNull("to_ms", .time, from: \.to),
        .toldOrNull("note", .anyText, from: \.note),
    ]
}

/// A workout with its stations, pauses and sets.
struct WorkoutTold: OperationOutput {
    var line: WorkoutLine
    /// Those of its sets, by row, where they were looked up.
    var records: [Int64: [WorkoutSet.Record]]?

    private var pauses: [PauseTold] {
        var pauses = line.workout.pauses.map {
            PauseTold(from: $0.from, to: $0.to, cause: $0.cause)
        }
        if let since = line.workout.pausedSince, let cause = line.workout.pausedCause {
            pauses.append(PauseTold(from: since, to: nil, cause: cause))
        }
        return pauses
    }

    static let members: [Member<WorkoutTold>] = [
        .told("id", .count) { $0.line.workout.id }, .told("user", .slug) { $0.line.user },
        .told("state", .word) { $0.line.workout.state },
        .told("cause", .word) { $0.line.workout.cause },
        .toldOrNull("station", .slug, "Where it is, or was last.") { $0.line.station },
        .toldIfAny("title", .anyText, "What the program called it that it was imported from.") {
            $0.line.title
        }, .told("started_ms", .time) { $0.line.workout.from },
        .toldOrNull("ended_ms", .time, "null while it is open.") { $0.line.workout.to },
        .toldOrNull(
            "duration_ms", Form<Int64>.count, "Without pauses; null while it is open."
        ) {
            let workout = $0.line.workout
            return workout.to.map { ($0 - workout.from).milliseconds - workout.paused.milliseconds }
        }, .told("rev", .count) { $0.line.workout.revision },
        .told("volume_kg", .number, "Repetitions × weight, without warm-ups.") {
            Double($0.line.sets.reduce(0) { $0 + $1.set.volume }) / 1000
        },
        .told("stations", .list(.object)) {
            $0.line.stations.map { UseTold(station: $0.station, from: $0.from, to: $0.to) }
        }, .told("pauses", .list(.object), from: \.pauses),
        .told("sets", SetTold.form) { told in
            told.line.sets.map { set, station in
                SetTold(
                    set: set, station: station,
                    records: told.records.map { $0[set.id] ?? [] })
            }
        },
    ]
}

/// A station that a workout was at.
struct UseTold: OperationOutput {
    var station: String
    var from: Timestamp
    var to: Timestamp?

    static let members: [Member<UseTold>] = [
        .told("station", .slug, from: \.station), .told("from_ms", .time, from: \.from),
        .toldOrNull("to_ms", .time, from: \.to),
    ]
}

struct PauseTold: OperationOutput {
    var from: Timestamp
    var to: Timestamp?
    var cause: Workout.Pause.Cause

    static let members: [Member<PauseTold>] = [
        .told("from_ms", .time, from: \.from), .toldOrNull("to_ms", .time, from: \.to),
        .told("cause", .word, from: \.cause),
    ]
}

/// A set of a workout, with what its topic says.
struct SetTold: Sendable {
    var set: WorkoutSet
    var station: String?
    var records: [WorkoutSet.Record]?

    static let form = Form<[SetTold]>.answered(.list(.object(members))) { sets, writer in
        writer.beginArray()
        for told in sets { told.write(to: &writer) }
        writer.endArray()
    }

    private static let members =
        SetPayload.members + [
            .always("rev", .count),
            Parameter("e1rm_kg", .number, "The estimated one-repetition maximum (Brzycki)."),
            Parameter("e1rm_confidence", .word(["low"]), "At 11 or 12 repetitions."),
            Parameter(
                "records", .list(.oneOf(WorkoutSet.Record.self)),
                "Which it was when it was done; where one workout is asked for."),
        ]

    private func write(to writer: inout JSONWriter) {
        writer.beginObject()
        SetPayload(set, station: station, records: []).writeSet(to: &writer)
        writer.field("rev", set.revision)
        if let records { writer.field("records", records.map(\.rawValue)) }
        if let estimate = set.oneRepMax {
            writer.field("e1rm_kg", estimate.rounded() / 1000)
            if !set.isEstimateSound { writer.field("e1rm_confidence", "low") }
        }
        writer.endObject()
    }
}

/// Who waits.
extension OpenWait: OperationOutput {
    package static let members: [Member<OpenWait>] = [
        .told("user", .slug, from: \.user), .told("station", .slug, from: \.station),
        .told("joined_ms", .time, from: \.joined),
        .toldOrNull("offered_until_ms", .time, "Until when a slot is kept.", from: \.offeredUntil),
        .told("ahead", .count, "How many joined earlier.", from: \.ahead),
    ]
}

import Basics
import GRDB
import SiteModel
import SiteStore
import TrainingEngine

/// What somebody's sets come to: derived from them whenever it is asked for, and never stored.
package struct TrainingStatistics: Sendable {
    /// What was done of an exercise in a week.
    package struct ExerciseWeek: Equatable, Sendable {
        package var exercise: String
        package var week: String
        /// Those that are no warm-ups.
        package var sets = 0
        package var reps = 0
        /// Repetitions × weight, in grams.
        package var volume: Int64 = 0
        /// The heaviest, in grams.
        package var weight: Int64?
        /// The greatest sound estimate of a one-repetition maximum, in grams.
        package var oneRepMax: Double?
        /// The greatest of low confidence, in grams.
        package var lowOneRepMax: Double?
        /// How many sets were the best so far, counted once for each kind of record.
        package var records = 0
    }

    /// What was trained on a day.
    package struct Day: Equatable, Sendable {
        package var date: LocalDate
        /// Those that ended and were not cancelled.
        package var workouts = 0
        /// Without pauses.
        package var time = Timestamp.Span.milliseconds(0)
        package var sets = 0
    }

    /// Sets of a muscle in a week: 1 for each set of an exercise whose main muscle it is, ½ where it is another.
    package struct MuscleWeek: Equatable, Sendable {
        package var muscle: String
        package var week: String
        package var halves: Int
    }

    /// The best of a kind that somebody has done, and when first.
    package struct Best: Equatable, Sendable {
        package var exercise: String
        package var kind: WorkoutSet.Record
        /// The set; of a volume the one that crossed what was the best before.
        package var set: WorkoutSet
        /// In grams, if it is a volume.
        package var volume: Int64?
    }

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// What somebody did by exercise and week, sorted by both. `week` names the week of a moment.
    package func weeks(
        of user: String, in asked: Interval, week: (Timestamp) -> String
    ) throws(StoreError) -> (exercises: [ExerciseWeek], muscles: [MuscleWeek]) {
        try store.read { db in
            var weeks: [ExerciseWeek] = []
            try Self.walk(of: user, in: nil, before: asked.to, db) { set, records, _ in
                guard set.at >= asked.from else { return }
                let name = week(set.at)
                if weeks.last?.exercise != set.exercise || weeks.last?.week != name {
                    weeks.append(ExerciseWeek(exercise: set.exercise, week: name))
                }
                weeks[weeks.count - 1].take(set, records: records.count)
            }
            return (weeks, try Self.muscles(in: weeks, db))
        }
    }

    /// What somebody trained by day, of days on which they did; `date` tells the day of a moment.
    package func days(
        of user: String, in asked: Interval, date: (Timestamp) -> LocalDate
    ) throws(StoreError) -> [Day] {
        try store.read { db in
            var days: [Day] = []
            let rows = try db.rows(
                """
                SELECT started_ms, ended_ms - started_ms - paused_ms AS net_ms, (
                    SELECT count(*) FROM workout_set WHERE workout = workout.id AND deleted = 0
                ) AS sets
                FROM workout
                WHERE user = (SELECT id FROM user WHERE slug = ?) AND started_ms >= ?
                    AND started_ms < ? AND state IN ('completed', 'abandoned')
                ORDER BY started_ms
                """, [user, asked.from, asked.to]
            ) {
                (
                    at: $0["started_ms"] as Timestamp, net: $0["net_ms"] as Int64,
                    sets: $0["sets"] as Int
                )
            }
            for row in rows {
                let day = date(row.at)
                if days.last?.date != day { days.append(Day(date: day)) }
                days[days.count - 1].workouts += 1
                days[days.count - 1].time = days[days.count - 1].time + .milliseconds(row.net)
                days[days.count - 1].sets += row.sets
            }
            return days
        }
    }

    /// The best somebody has done, by exercise, kind and, for repetitions, weight.
    package func records(
        of user: String, in exercise: String? = nil
    ) throws(StoreError) -> [Best] {
        try store.read { db in
            var found: [Best] = []
            var holders = Holders()
            var current: String?
            try Self.walk(of: user, in: exercise, before: nil, db) { set, _, volume in
                if current != set.exercise {
                    found += holders.all
                    (holders, current) = (Holders(), set.exercise)
                }
                holders.take(set, volume: volume)
            }
            found += holders.all
            // What stands in the walk is without the keys.
            for place in found.indices {
                let key = try String.fetchOne(
                    db.cachedStatement(sql: "SELECT client_key FROM workout_set WHERE id = ?"),
                    arguments: [found[place].set.id])
                found[place].set.key = key ?? ""
            }
            return found
        }
    }

    /// The records that the sets of a workout were when they were done, by the row of the set.
    package func records(
        in line: WorkoutLine
    ) throws(StoreError) -> [Int64: [WorkoutSet.Record]] {
        guard let last = line.sets.last?.set.at else { return [:] }
        let end = last + .milliseconds(1)
        return try store.read { db in
            var found: [Int64: [WorkoutSet.Record]] = [:]
            for exercise in Set(line.sets.map(\.set.exercise)).sorted() {
                try Self.walk(of: line.user, in: exercise, before: end, db) { set, records, _ in
                    if set.workout == line.workout.id { found[set.id] = records }
                }
            }
            return found
        }
    }

    /// Goes through the sets that count, by exercise, then time. `body` gets each with the records it was, and
    /// the volume of its exercise in its workout up to it.
    private static func walk(
        of user: String, in exercise: String?, before end: Timestamp?, _ db: Database,
        _ body: (WorkoutSet, [WorkoutSet.Record], Int64) throws -> Void
    ) throws {
        let cursor = try Row.fetchCursor(
            db, sql: walked(isOfExercise: exercise != nil),
            arguments: StatementArguments([user, exercise].compactMap(\.self))
                + [end ?? Timestamp(milliseconds: .max)])
        var bests = ExerciseBests()
        var workout: (id: Int64, volume: Int64) = (0, 0)
        var current = ""
        while let row = try cursor.next() {
            let set = try WorkoutSet(walked: row)
            if set.exercise != current {
                (bests, workout, current) = (ExerciseBests(), (0, 0), set.exercise)
            }
            if set.workout != workout.id {
                bests.take(volume: workout.volume)
                workout = (set.workout, 0)
            }
            let records = bests.records(of: set, before: workout.volume)
            bests.take(set)
            workout.volume += set.volume
            try body(set, records, workout.volume)
        }
    }

    /// The statement of the walk, which goes by the index `set_of_exercise`.
    package static func walked(isOfExercise: Bool) -> String {
        """
        SELECT one.id, one.workout, one.user, exercise, at_ms, reps, duration_s, distance_m,
            weight_g, rir
        FROM workout_set AS one
        WHERE one.user = (SELECT id FROM user WHERE slug = ?1)
            \(isOfExercise ? "AND exercise = ?2" : "")
            AND deleted = 0 AND kind <> 'warm-up' AND at_ms < \(isOfExercise ? "?3" : "?2")
            AND workout NOT IN (SELECT id FROM workout
                WHERE user = (SELECT id FROM user WHERE slug = ?1) AND state = 'cancelled')
        ORDER BY exercise, at_ms, one.id
        """
    }

    private static func muscles(
        in weeks: [ExerciseWeek], _ db: Database
    ) throws -> [MuscleWeek] {
        var muscles: [String: [String]] = [:]
        for (slug, list) in try db.rows(
            "SELECT slug, muscles FROM exercise WHERE muscles IS NOT NULL",
            as: { ($0["slug"] as String, $0["muscles"] as String) })
        {
            muscles[slug] = try JSONText.value([String].self, from: list)
        }
        var halves: [String: [String: Int]] = [:]
        for week in weeks {
            for (place, muscle) in (muscles[week.exercise] ?? []).enumerated() {
                halves[muscle, default: [:]][week.week, default: 0] +=
                    week.sets * (place == 0 ? 2 : 1)
            }
        }
        return halves.flatMap { muscle, weeks in
            weeks.map { MuscleWeek(muscle: muscle, week: $0.key, halves: $0.value) }
        }.sorted { ($0.muscle, $0.week) < ($1.muscle, $1.week) }
    }
}

extension TrainingStatistics.ExerciseWeek {
    fileprivate mutating func take(_ set: WorkoutSet, records more: Int) {
        sets += 1
        if case .reps(let count) = set.measure { reps += count }
        volume += set.volume
        if let heavy = set.weight { weight = max(weight ?? heavy, heavy) }
        if let estimate = set.oneRepMax {
            if set.isEstimateSound {
                oneRepMax = max(oneRepMax ?? estimate, estimate)
            } else {
                lowOneRepMax = max(lowOneRepMax ?? estimate, estimate)
            }
        }
        records += more
    }
}

/// Who holds each record of an exercise: of equal ones the first.
private struct Holders {
    private var bests: [WorkoutSet.Record: (value: Double, best: TrainingStatistics.Best)] = [:]
    private var reps: [Int64: TrainingStatistics.Best] = [:]

    mutating func take(_ set: WorkoutSet, volume: Int64) {
        if let weight = set.weight { offer(.weight, Double(weight), set) }
        if let estimate = set.oneRepMax, set.isEstimateSound { offer(.oneRepMax, estimate, set) }
        if set.volume > 0 { offer(.volume, Double(volume), set, volume: volume) }
        switch set.measure {
        case .duration(let seconds): offer(.duration, Double(seconds), set)
        case .distance(let metres): offer(.distance, Double(metres), set)
        case .reps(let count):
            let weight = set.weight ?? 0
            if case .reps(let known)? = reps[weight]?.set.measure, known >= count { return }
            reps[weight] = .init(exercise: set.exercise, kind: .reps, set: set)
        }
    }

    private mutating func offer(
        _ kind: WorkoutSet.Record, _ value: Double, _ set: WorkoutSet, volume: Int64? = nil
    ) {
        if let known = bests[kind], known.value >= value { return }
        bests[kind] = (
            value, .init(exercise: set.exercise, kind: kind, set: set, volume: volume)
        )
    }

    /// By kind, then weight.
    var all: [TrainingStatistics.Best] {
        WorkoutSet.Record.allCases.flatMap { kind in
            kind == .reps
                ? reps.sorted { $0.key < $1.key }.map(\.value)
                : [bests[kind]?.best].compactMap(\.self)
        }
    }
}

extension WorkoutSet {
    /// A row of the walk; what the walk leaves out is empty.
    fileprivate init(walked row: Row) throws {
        let measure: Measure
        if let count: Int = row[5] {
            measure = .reps(count)
        } else if let seconds: Int = row[6] {
            measure = .duration(seconds)
        } else {
            measure = .distance(row[7])
        }
        self.init(
            id: row[0], workout: row[1], user: row[2], key: "", number: 1, exercise: row[3],
            kind: .working, measure: measure, weight: row[8], rir: row[9], at: row[4], digest: 0)
    }
}

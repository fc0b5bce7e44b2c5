import GRDB
import SiteModel
import TrainingEngine

/// What the machines have forgotten of somebody's training.
extension Store {
    /// What is stored for each question, all of one moment.
    package func recall(_ recalls: [Recall]) throws(StoreError) -> [Recalled] {
        try read { db in try recalls.map { try Recalled($0, in: db) } }
    }
}

extension Recalled {
    fileprivate init(_ recall: Recall, in db: Database) throws {
        self.init()
        if let workout = recall.workout {
            hasWorkout =
                try Bool.fetchOne(
                    db.cachedStatement(sql: "SELECT 1 FROM workout WHERE id = ? AND user = ?"),
                    arguments: [workout, recall.user]) ?? false
            stated = try Workout.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT * FROM workout
                        WHERE id = ? AND user = ? AND stated = 1 AND state = 'completed'
                        """), arguments: [workout, recall.user]
            ).map { workout in
                let sets = try WorkoutSet.fetchAll(
                    db, sql: "SELECT * FROM workout_set WHERE workout = ? ORDER BY id",
                    arguments: [workout.id])
                return WorkoutLog(workout, sets: sets, isNewest: false)
            }
        }
        if let key = recall.set {
            set = try WorkoutSet.fetchOne(
                db.cachedStatement(
                    sql: "SELECT * FROM workout_set WHERE user = ? AND client_key = ?"),
                arguments: [recall.user, key])
        }
        if let exercise = recall.exercise {
            bests = try ExerciseBests(
                of: recall.user, in: exercise, but: try JSONText.text(of: recall.except), db)
        }
        if let keys = recall.sets {
            knowsSets =
                try Bool.fetchOne(
                    db.cachedStatement(
                        sql: """
                            SELECT 1 FROM workout_set WHERE user = ? AND client_key IN (
                                SELECT value FROM json_each(?)) LIMIT 1
                            """), arguments: [recall.user, try JSONText.text(of: keys)]) ?? false
        }
        if let span = recall.span {
            isTaken =
                try Bool.fetchOne(
                    db.cachedStatement(sql: Self.meeting),
                    arguments: [recall.user, span.to, span.from]) ?? false
        }
    }

    /// A workout that counts and takes a part of a time. By the index `workout_of_user`.
    private static let meeting = """
        SELECT 1 FROM workout
        WHERE user = ? AND started_ms < ? AND (ended_ms IS NULL OR ended_ms > ?)
            AND state <> 'cancelled'
        LIMIT 1
        """
}

extension ExerciseBests {
    /// The sets that count of a user, an exercise, and workouts that are not on a JSON list. By the index
    /// `set_of_exercise`.
    package static let counted = """
        FROM workout_set AS one
        WHERE one.user = ?1 AND exercise = ?2 AND deleted = 0 AND kind <> 'warm-up'
            AND workout NOT IN (SELECT id FROM workout WHERE user = ?1 AND state = 'cancelled')
            AND workout NOT IN (SELECT value FROM json_each(?3))
        """

    fileprivate init(
        of user: UserID, in exercise: String, but except: String, _ db: Database
    ) throws {
        self.init()
        let arguments: StatementArguments = [user, exercise, except]
        let greatest = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT max(weight_g) AS weight, max(duration_s) AS duration,
                        max(distance_m) AS distance,
                        max(iif(reps + coalesce(rir, 0) <= 10,
                            weight_g * 36.0 / (37 - reps - coalesce(rir, 0)), NULL)) AS estimate
                    \(Self.counted)
                    """), arguments: arguments)
        if let greatest {
            (weight, oneRepMax) = (greatest["weight"], greatest["estimate"])
            (duration, distance) = (greatest["duration"], greatest["distance"])
        }
        reps = try db.rows(
            """
            SELECT coalesce(weight_g, 0) AS weight, max(reps) AS reps \(Self.counted)
                AND reps IS NOT NULL
            GROUP BY 1 ORDER BY 1
            """, arguments
        ) { Reps(weight: $0["weight"], reps: $0["reps"]) }
        volume = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT max(volume) FROM (SELECT sum(reps * weight_g) AS volume \(Self.counted)
                        GROUP BY one.workout) WHERE volume > 0
                    """), arguments: arguments)
    }
}

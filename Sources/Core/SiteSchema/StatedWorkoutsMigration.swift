/// Workouts that were logged when they were over.
enum StatedWorkoutsMigration {
    /// The words that `cause` may be were settled with its table: that one was stated is a column of its own, and
    /// its `cause` is `request`.
    static let sql = """
        ALTER TABLE workout ADD COLUMN stated INTEGER NOT NULL DEFAULT 0 CHECK (stated IN (0, 1));
        DROP VIEW v_workout;
        CREATE VIEW v_workout AS
        SELECT workout.id AS workout_id, user.slug AS user, station.slug AS station, state,
            started_ms, ended_ms, paused_ms / 1000.0 AS paused_s,
            (ended_ms - started_ms - paused_ms) / 1000.0 AS duration_s, site.demo,
            iif(stated, 'stated', cause) AS cause
        FROM workout JOIN user ON user.id = workout.user
            LEFT JOIN station ON station.id = workout.station CROSS JOIN site;

        """
}

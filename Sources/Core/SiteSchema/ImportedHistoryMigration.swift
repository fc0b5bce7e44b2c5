/// What an imported training history needs, and long ones to be looked through quickly.
enum ImportedHistoryMigration {
    /// `title` is what another program called a workout, NULL of our own. Rows of `workout` and `workout_set` after
    /// 2⁵² were imported. The index has all that records are derived from, so that no row is read for them.
    static let sql = """
        ALTER TABLE workout ADD COLUMN title TEXT;
        DROP INDEX set_of_exercise;
        CREATE INDEX set_of_exercise ON workout_set (user, exercise, at_ms, id, workout, reps,
            weight_g, rir, duration_s, distance_m) WHERE deleted = 0 AND kind <> 'warm-up';
        CREATE INDEX cancelled_workout ON workout (user) WHERE state = 'cancelled';

        """
}

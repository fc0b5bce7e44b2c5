/// What people write to a workout as a whole.
enum WorkoutNotesMigration {
    /// `by` is whoever wrote it, as the audit names them.
    static let sql = """
        CREATE TABLE workout_note (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            workout INTEGER NOT NULL REFERENCES workout (id),
            at_ms INTEGER NOT NULL,
            by TEXT NOT NULL,
            text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX workout_note_of_workout ON workout_note (workout, id);

        """
}

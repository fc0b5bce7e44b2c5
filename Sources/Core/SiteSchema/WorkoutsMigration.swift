/// What whole workouts need beside the tables of the gym.
enum WorkoutsMigration {
    /// `rev` of a workout grows with each change of it, of its sets and of its stations. `first_at_ms` and
    /// `first_station` are what the first answer of a set told, `rest_s` of a set is how
    /// long its answer told to rest, NULL if its workout had ended; `told` are the records that its answer told of,
    /// words with a comma between them: what was said then, however it is now.
    static let sql = """
        ALTER TABLE workout ADD COLUMN rev INTEGER NOT NULL DEFAULT 1 CHECK (rev >= 1);
        DROP INDEX workout_of_user;
        CREATE INDEX workout_of_user ON workout (user, started_ms);
        CREATE INDEX workout_by_start ON workout (started_ms);
        CREATE INDEX workout_by_end ON workout (ended_ms);
        ALTER TABLE workout_set ADD COLUMN first_at_ms INTEGER;
        UPDATE workout_set SET first_at_ms = at_ms;
        ALTER TABLE workout_set ADD COLUMN first_station INTEGER REFERENCES station (id);
        UPDATE workout_set SET first_station = station;
        ALTER TABLE workout_set ADD COLUMN rest_s INTEGER CHECK (rest_s BETWEEN 1 AND 3600);
        ALTER TABLE workout_set ADD COLUMN told TEXT NOT NULL DEFAULT ''
            CHECK (told NOT GLOB '*[^a-z0-9,]*');

        """
}

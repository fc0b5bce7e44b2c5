/// What is trained, and what stations are for.
enum ExercisesMigration {
    /// `names` (by language) and `muscles` (the main one first) are JSON. `auto_start_s` NULL: no workout begins
    /// by itself; `auto_pause_s` NULL: none pauses by itself. `v_set` is as before: stations have a `kind`, too, by now.
    static let sql = """
        CREATE TABLE exercise (
            id INTEGER PRIMARY KEY,
            slug TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            names TEXT CHECK (names IS NULL OR json_valid(names)),
            measure TEXT NOT NULL CHECK (measure IN ('reps', 'time', 'distance')),
            load TEXT NOT NULL CHECK (load IN ('weight', 'bodyweight', 'none')),
            increment_g INTEGER NOT NULL CHECK (increment_g BETWEEN 1 AND 100000),
            rest_s INTEGER NOT NULL CHECK (rest_s BETWEEN 1 AND 3600),
            muscles TEXT CHECK (muscles IS NULL OR json_valid(muscles)),
            met REAL CHECK (met BETWEEN 0.5 AND 30),
            note TEXT,
            retired_ms INTEGER
        ) STRICT;

        ALTER TABLE station ADD COLUMN kind TEXT NOT NULL DEFAULT 'other' CHECK (kind IN
            ('rack', 'bench', 'machine', 'cable', 'cardio', 'mat', 'other'));
        ALTER TABLE station ADD COLUMN equipment TEXT;
        ALTER TABLE station ADD COLUMN location TEXT;
        ALTER TABLE station ADD COLUMN auto_start_s INTEGER
            CHECK (auto_start_s BETWEEN 5 AND 600);
        ALTER TABLE station ADD COLUMN auto_pause_s INTEGER DEFAULT 120
            CHECK (auto_pause_s BETWEEN 1 AND 86400);
        ALTER TABLE station ADD COLUMN claim_grace_s INTEGER NOT NULL DEFAULT 120
            CHECK (claim_grace_s BETWEEN 1 AND 86400);

        CREATE TABLE station_exercise (
            station INTEGER NOT NULL REFERENCES station (id),
            n INTEGER NOT NULL CHECK (n >= 0),
            exercise INTEGER NOT NULL REFERENCES exercise (id),
            PRIMARY KEY (station, n),
            UNIQUE (station, exercise)
        ) STRICT, WITHOUT ROWID;

        DROP VIEW v_set;
        CREATE VIEW v_set AS
        SELECT workout_set.id AS set_id, workout AS workout_id, user.slug AS user,
            station.slug AS station, n, exercise, reps, weight_g / 1000.0 AS weight_kg, at_ms,
            site.demo, workout_set.kind, weight_g, duration_s, distance_m, rir, deleted
        FROM workout_set JOIN user ON user.id = workout_set.user
            LEFT JOIN station ON station.id = workout_set.station CROSS JOIN site;

        """
}

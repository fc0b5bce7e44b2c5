/// What phones and watches count of people.
enum ActivityMigration {
    /// `distance_mm` and `energy_cal` are NULL where a source sent none. `key` is the first half of the SHA-256 of
    /// the id by which its sender knows a sample; one that another with the same start has replaced stays, so that
    /// it is known when it comes again. `demo` sources are made up.
    static let sql = """
        CREATE TABLE activity_source (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user INTEGER NOT NULL REFERENCES user (id),
            name TEXT NOT NULL,
            demo INTEGER NOT NULL DEFAULT 0 CHECK (demo IN (0, 1)),
            UNIQUE (user, name)
        ) STRICT;

        CREATE TABLE activity_sample (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user INTEGER NOT NULL REFERENCES user (id),
            source INTEGER NOT NULL REFERENCES activity_source (id),
            key BLOB NOT NULL CHECK (length(key) = 16),
            from_ms INTEGER NOT NULL,
            to_ms INTEGER NOT NULL,
            steps INTEGER NOT NULL CHECK (steps BETWEEN 0 AND 200000),
            distance_mm INTEGER CHECK (distance_mm >= 0),
            energy_cal INTEGER CHECK (energy_cal >= 0),
            replaced INTEGER NOT NULL DEFAULT 0 CHECK (replaced IN (0, 1)),
            CONSTRAINT sample_ends_after_it_begins CHECK (from_ms < to_ms)
        ) STRICT;
        CREATE UNIQUE INDEX activity_sample_of_key ON activity_sample (user, key);
        CREATE UNIQUE INDEX activity_sample_by_start ON activity_sample (user, source, from_ms)
            WHERE replaced = 0;

        CREATE TABLE activity_setting (
            user INTEGER PRIMARY KEY REFERENCES user (id),
            settings TEXT NOT NULL CHECK (json_valid(settings))
        ) STRICT;

        CREATE TABLE activity_goal (
            user INTEGER NOT NULL REFERENCES user (id),
            from_date TEXT NOT NULL,
            steps INTEGER CHECK (steps BETWEEN 1 AND 200000),
            PRIMARY KEY (user, from_date)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE goal_hit (
            user INTEGER NOT NULL REFERENCES user (id),
            date TEXT NOT NULL,
            at_ms INTEGER NOT NULL,
            PRIMARY KEY (user, date)
        ) STRICT, WITHOUT ROWID;

        """
}

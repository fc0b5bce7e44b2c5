/// What phones and watches count of people.
enum ActivityTables {
    /// `distance_mm` and `energy_cal` are NULL where a source sent none. `key` is the first half of
    /// the SHA-256 of the id by which its sender knows a sample. One that does not count, as
    /// another with the same start has replaced it or said the same, stays, so that it is known
    /// when it comes again: `replaced` is its own number then, else 0. Names of sources are not
    /// unique: two may be blanked to the same. `demo` sources are made up. `remind_days` has a bit
    /// for each day of the week, 1 for Monday to 64 for Sunday.
    static let steps = """
        CREATE TABLE activity_source (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user INTEGER NOT NULL REFERENCES user (id),
            name TEXT NOT NULL,
            demo INTEGER NOT NULL DEFAULT 0 CHECK (demo IN (0, 1))
        ) STRICT;
        CREATE INDEX activity_source_of_user ON activity_source (user, name);

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
            replaced INTEGER NOT NULL DEFAULT 0 CHECK (replaced IN (0, id)),
            CONSTRAINT sample_ends_after_it_begins CHECK (from_ms < to_ms)
        ) STRICT;
        CREATE UNIQUE INDEX activity_sample_of_key ON activity_sample (user, key);
        CREATE UNIQUE INDEX activity_sample_by_start
            ON activity_sample (source, from_ms, replaced);
        CREATE INDEX activity_sample_by_end ON activity_sample (to_ms);

        CREATE TABLE activity_setting (
            user INTEGER PRIMARY KEY REFERENCES user (id),
            units TEXT NOT NULL CHECK (units IN ('km', 'mi')),
            primary_source TEXT,
            height_mm INTEGER,
            weight_g INTEGER,
            stride_mm INTEGER,
            remind_min INTEGER CHECK (remind_min BETWEEN 0 AND 1439),
            remind_days INTEGER CHECK (remind_days BETWEEN 1 AND 127),
            CONSTRAINT reminder_is_whole CHECK ((remind_min IS NULL) = (remind_days IS NULL))
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

    /// What somebody did, without an end while nobody has said it, and heart rates. `key` and
    /// `replaced` are as those of samples.
    static let measurements = """
        CREATE TABLE activity_interval (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user INTEGER NOT NULL REFERENCES user (id),
            source INTEGER NOT NULL REFERENCES activity_source (id),
            key BLOB NOT NULL CHECK (length(key) = 16),
            kind TEXT NOT NULL CHECK (kind IN
                ('walking', 'running', 'cycling', 'driving', 'still', 'other')),
            from_ms INTEGER NOT NULL,
            to_ms INTEGER,
            replaced INTEGER NOT NULL DEFAULT 0 CHECK (replaced IN (0, id)),
            CONSTRAINT activity_ends_after_it_begins CHECK (from_ms < to_ms)
        ) STRICT;
        CREATE UNIQUE INDEX activity_interval_of_key ON activity_interval (user, key);
        CREATE UNIQUE INDEX activity_interval_by_start
            ON activity_interval (source, from_ms, replaced);
        CREATE INDEX activity_interval_by_age ON activity_interval (from_ms);

        CREATE TABLE heart_rate (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user INTEGER NOT NULL REFERENCES user (id),
            source INTEGER NOT NULL REFERENCES activity_source (id),
            key BLOB NOT NULL CHECK (length(key) = 16),
            at_ms INTEGER NOT NULL,
            bpm INTEGER NOT NULL CHECK (bpm BETWEEN 20 AND 300),
            replaced INTEGER NOT NULL DEFAULT 0 CHECK (replaced IN (0, id))
        ) STRICT;
        CREATE UNIQUE INDEX heart_rate_of_key ON heart_rate (user, key);
        CREATE UNIQUE INDEX heart_rate_by_moment ON heart_rate (source, at_ms, replaced);
        CREATE INDEX heart_rate_by_age ON heart_rate (at_ms);

        """

    /// What somebody shares with trainers.
    static let sharing = """
        CREATE TABLE activity_sharing (
            user INTEGER NOT NULL REFERENCES user (id),
            item TEXT NOT NULL CHECK (item IN
                ('steps', 'distance', 'energy', 'moving', 'activities', 'heart_rate')),
            since_ms INTEGER NOT NULL,
            PRIMARY KEY (user, item)
        ) STRICT, WITHOUT ROWID;

        """
}

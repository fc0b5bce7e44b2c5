/// The tables that reports are made with, besides those of what happened.
enum ShiftsMigration {
    /// The hours of a shift never change: one with others is another row, so that past days stay
    /// what they were. Dates are ISO 8601; bit 0 of `weekdays` is Monday. `site_zone` tells since when
    /// the site goes by which zone. Of a feed's secret only the SHA-256 is kept.
    static let sql = """
        ALTER TABLE site ADD COLUMN day_start_min INTEGER NOT NULL DEFAULT 0
            CHECK (day_start_min BETWEEN 0 AND 1439);

        CREATE TABLE site_zone (
            from_ms INTEGER PRIMARY KEY,
            zone TEXT NOT NULL
        ) STRICT;
        INSERT INTO site_zone (from_ms, zone) SELECT 0, time_zone FROM site;

        CREATE TABLE shift (
            id INTEGER PRIMARY KEY,
            slug TEXT NOT NULL
                CHECK (length(slug) BETWEEN 1 AND 64 AND slug NOT GLOB '*[^a-z0-9-]*'),
            name TEXT NOT NULL,
            start_min INTEGER NOT NULL CHECK (start_min BETWEEN 0 AND 1439),
            end_min INTEGER NOT NULL CHECK (end_min BETWEEN 0 AND 1439),
            early_in_min INTEGER NOT NULL CHECK (early_in_min BETWEEN 0 AND 720),
            late_out_min INTEGER NOT NULL CHECK (late_out_min BETWEEN 0 AND 720),
            late_grace_min INTEGER NOT NULL CHECK (late_grace_min BETWEEN 0 AND 720),
            exit_grace_min INTEGER NOT NULL CHECK (exit_grace_min BETWEEN 0 AND 720),
            break_min INTEGER NOT NULL CHECK (break_min BETWEEN 0 AND 720),
            half_day_min INTEGER NOT NULL CHECK (half_day_min BETWEEN 0 AND 1440),
            absent_min INTEGER NOT NULL CHECK (absent_min BETWEEN 0 AND 1440),
            retired_ms INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX one_shift_a_slug ON shift (slug) WHERE retired_ms IS NULL;

        CREATE TABLE shift_assignment (
            id INTEGER PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user (id),
            shift INTEGER NOT NULL REFERENCES shift (id),
            from_date TEXT NOT NULL CHECK (from_date IS date(from_date)),
            to_date TEXT CHECK (to_date IS date(to_date)),
            weekdays INTEGER NOT NULL CHECK (weekdays BETWEEN 1 AND 127),
            CONSTRAINT assignment_ends_after_its_start CHECK (to_date >= from_date)
        ) STRICT;
        CREATE INDEX assignment_of_user ON shift_assignment (user, from_date);
        CREATE INDEX assignment_of_shift ON shift_assignment (shift);

        CREATE TABLE leave_day (
            user INTEGER NOT NULL REFERENCES user (id),
            date TEXT NOT NULL CHECK (date IS date(date)),
            kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 64),
            half INTEGER NOT NULL CHECK (half IN (0, 1)),
            PRIMARY KEY (user, date)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE feed (
            id INTEGER PRIMARY KEY,
            secret_hash BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
            user INTEGER REFERENCES user (id),
            kind TEXT NOT NULL CHECK (kind IN ('attendance', 'shifts')),
            created_ms INTEGER NOT NULL,
            revoked_ms INTEGER
        ) STRICT;

        CREATE INDEX session_by_start ON attendance_session (from_ms, id) WHERE void = 0;

        """
}

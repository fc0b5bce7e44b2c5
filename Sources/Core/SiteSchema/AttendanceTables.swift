/// The tables of who was there when and where, and the views on them.
enum AttendanceTables {
    /// `kept` is 1 while a session is part of `Saved`, which follows from the order of facts and
    /// not from the row alone. `breaks` is JSON `[[from_ms, to_ms], …]`, `review` JSON
    /// `["code", …]`. `statement` is for ever what was said.
    static let sessions = """
        CREATE TABLE attendance_session (
            id INTEGER PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user (id),
            from_ms INTEGER NOT NULL,
            to_ms INTEGER,
            void INTEGER NOT NULL CHECK (void IN (0, 1)),
            kept INTEGER NOT NULL CHECK (kept IN (0, 1)),
            in_cause TEXT NOT NULL DEFAULT 'heard'
                CHECK (in_cause IN ('heard', 'manual', 'corrected')),
            out_cause TEXT CHECK (out_cause IN ('last-heard', 'manual', 'corrected', 'superseded')),
            last_heard_ms INTEGER,
            breaks TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(breaks)),
            review TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(review)),
            rev INTEGER NOT NULL DEFAULT 1 CHECK (rev >= 1),
            CONSTRAINT void_is_not_kept CHECK (void + kept < 2),
            CONSTRAINT session_ends_after_its_start CHECK (to_ms >= from_ms)
        ) STRICT;
        CREATE UNIQUE INDEX one_open_session_a_user ON attendance_session (user)
            WHERE to_ms IS NULL AND void = 0;
        CREATE INDEX session_of_user ON attendance_session (user, from_ms) WHERE void = 0;
        CREATE INDEX session_by_end ON attendance_session (to_ms) WHERE void = 0;
        CREATE INDEX kept_session_of_user ON attendance_session (user, from_ms) WHERE kept = 1;
        CREATE INDEX kept_session_by_end ON attendance_session (to_ms) WHERE kept = 1;
        CREATE INDEX session_by_start ON attendance_session (from_ms, id) WHERE void = 0;
        \(overlap(on: "INSERT", named: "insert"))
        \(overlap(on: "UPDATE OF user, from_ms, to_ms, void", named: "update"))

        CREATE TABLE statement (
            id INTEGER PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user (id),
            kind TEXT NOT NULL CHECK (kind IN ('check-in', 'check-out')),
            at_ms INTEGER NOT NULL,
            said_ms INTEGER NOT NULL,
            by TEXT NOT NULL,
            reason TEXT
        ) STRICT;
        CREATE INDEX statement_of_user ON statement (user, at_ms);

        """

    /// Refuses a session that overlaps another one of its user that is not void. Stored ones do not
    /// overlap, so of those that start before the new one ends only the last can reach into it.
    private static func overlap(on change: String, named name: String) -> String {
        """
        CREATE TRIGGER session_overlap_\(name) BEFORE \(change) ON attendance_session
        WHEN NEW.void = 0 AND NEW.from_ms < (
            SELECT coalesce(to_ms, 0x7fffffffffffffff) FROM attendance_session
            WHERE user = NEW.user AND void = 0 AND id <> NEW.id
                AND from_ms < coalesce(NEW.to_ms, 0x7fffffffffffffff)
            ORDER BY from_ms DESC, coalesce(to_ms, 0x7fffffffffffffff) DESC LIMIT 1)
        BEGIN SELECT RAISE(ABORT, 'sessions of a user overlap'); END;
        """
    }

    /// `coarse_stay` has rooms found afterwards from evidence where nobody was told, the best node
    /// of each minute: right to a minute. Filled up to `through_ms`. In `v_stay` they have negative
    /// numbers.
    static let stays = """
        CREATE TABLE stay (
            id INTEGER PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user (id),
            level TEXT NOT NULL CHECK (level IN ('room', 'station')),
            room INTEGER REFERENCES room (id),
            station INTEGER REFERENCES station (id),
            from_ms INTEGER NOT NULL,
            to_ms INTEGER,
            CONSTRAINT stay_is_at_its_level CHECK
                ((level = 'room') = (room IS NOT NULL)
                AND (level = 'station') = (station IS NOT NULL)),
            CONSTRAINT stay_ends_after_its_start CHECK (to_ms >= from_ms)
        ) STRICT;
        CREATE UNIQUE INDEX one_open_stay_a_user_and_level ON stay (user, level)
            WHERE to_ms IS NULL;
        CREATE INDEX stay_of_user ON stay (user, from_ms);
        CREATE INDEX stay_by_end ON stay (to_ms);

        CREATE TABLE coarse_stay (
            id INTEGER PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user (id),
            room INTEGER NOT NULL REFERENCES room (id),
            from_ms INTEGER NOT NULL,
            to_ms INTEGER NOT NULL CHECK (to_ms > from_ms)
        ) STRICT;
        CREATE INDEX coarse_stay_of_user ON coarse_stay (user, from_ms);
        CREATE INDEX coarse_stay_by_end ON coarse_stay (to_ms);

        CREATE TABLE coarse_fill (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            through_ms INTEGER NOT NULL
        ) STRICT;

        """

    /// What happened. Events go only with a `disposal`: `BookTables.disposals`.
    static let events = """
        CREATE TABLE event (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            at_ms INTEGER NOT NULL,
            user INTEGER NOT NULL REFERENCES user (id),
            room INTEGER REFERENCES room (id),
            station INTEGER REFERENCES station (id),
            subject INTEGER NOT NULL,
            CONSTRAINT event_is_at_one_place CHECK (room IS NULL OR station IS NULL)
        ) STRICT;
        CREATE INDEX event_of_user ON event (user, at_ms);
        CREATE INDEX event_by_age ON event (at_ms);
        -- Writing the same row again is allowed, because facts may be.
        CREATE TRIGGER event_unchanged BEFORE UPDATE ON event
        WHEN (OLD.id, OLD.kind, OLD.at_ms, OLD.user, OLD.room, OLD.station, OLD.subject)
            IS NOT (NEW.id, NEW.kind, NEW.at_ms, NEW.user, NEW.room, NEW.station, NEW.subject)
        BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;

        """

    /// What reports are made with, besides what happened. The hours of a shift never change: one
    /// with others is another row, so that past days stay what they were. Dates are ISO 8601; bit 0
    /// of `weekdays` is Monday. Of a feed's secret only the SHA-256 is kept.
    static let shifts = """
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

        """

    /// What readers outside may rely on: slugs instead of rows, no column ever goes away.
    static let views = """
        CREATE VIEW v_session AS
        SELECT session.id AS session_id, user.slug AS user, user.name AS user_name,
            from_ms AS check_in_ms, to_ms AS check_out_ms, (to_ms - from_ms) / 1000.0 AS duration_s,
            CASE WHEN to_ms IS NULL THEN 'open' ELSE 'closed' END AS state, site.demo,
            in_cause, out_cause, last_heard_ms, breaks, review, rev,
            coalesce(to_ms <= (SELECT watermark_ms FROM site_state), 0) AS final
        FROM attendance_session AS session JOIN user ON user.id = session.user CROSS JOIN site
        WHERE session.void = 0;

        CREATE VIEW v_stay AS
        SELECT stay.id AS stay_id, user.slug AS user, level,
            coalesce(room.slug, station.slug) AS place, from_ms, to_ms,
            (to_ms - from_ms) / 1000.0 AS duration_s, site.demo, 0 AS coarse
        FROM stay JOIN user ON user.id = stay.user
            LEFT JOIN room ON room.id = stay.room LEFT JOIN station ON station.id = stay.station
            CROSS JOIN site
        UNION ALL
        SELECT -coarse_stay.id, user.slug, 'room', room.slug, from_ms, to_ms,
            (to_ms - from_ms) / 1000.0, site.demo, 1
        FROM coarse_stay JOIN user ON user.id = coarse_stay.user
            JOIN room ON room.id = coarse_stay.room CROSS JOIN site;

        """
}

/// The tables that keep what happened, and the views on them.
enum HistoryTables {
    /// `kept` is 1 while a session is part of `Saved`, which follows from the order of facts and
    /// not from the row alone.
    static let history = """
        CREATE TABLE attendance_session (
            id INTEGER PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user (id),
            from_ms INTEGER NOT NULL,
            to_ms INTEGER,
            void INTEGER NOT NULL CHECK (void IN (0, 1)),
            kept INTEGER NOT NULL CHECK (kept IN (0, 1)),
            CONSTRAINT void_is_not_kept CHECK (void + kept < 2),
            CONSTRAINT session_ends_after_its_start CHECK (to_ms >= from_ms)
        ) STRICT;
        CREATE UNIQUE INDEX one_open_session_a_user ON attendance_session (user)
            WHERE to_ms IS NULL AND void = 0;
        CREATE INDEX session_of_user ON attendance_session (user, from_ms) WHERE void = 0;
        CREATE INDEX session_by_end ON attendance_session (to_ms) WHERE void = 0;
        CREATE INDEX kept_session_of_user ON attendance_session (user, from_ms) WHERE kept = 1;
        CREATE INDEX kept_session_by_end ON attendance_session (to_ms) WHERE kept = 1;
        \(overlap(on: "INSERT", named: "insert"))
        \(overlap(on: "UPDATE OF user, from_ms, to_ms, void", named: "update"))

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

        CREATE TABLE workout (
            id INTEGER PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user (id),
            station INTEGER REFERENCES station (id),
            state TEXT NOT NULL CHECK (state IN ('active', 'paused', 'completed')),
            started_ms INTEGER NOT NULL,
            ended_ms INTEGER,
            paused_since_ms INTEGER,
            paused_ms INTEGER NOT NULL CHECK (paused_ms >= 0),
            CONSTRAINT open_workout_has_no_end CHECK
                ((state IN ('active', 'paused')) = (ended_ms IS NULL)),
            CONSTRAINT paused_since_while_paused CHECK
                ((state = 'paused') = (paused_since_ms IS NOT NULL)),
            CONSTRAINT workout_ends_after_its_start CHECK (ended_ms >= started_ms),
            CONSTRAINT pauses_fit_the_workout CHECK (paused_ms <= ended_ms - started_ms)
        ) STRICT;
        CREATE UNIQUE INDEX one_open_workout_a_user ON workout (user)
            WHERE state IN ('active', 'paused');
        CREATE INDEX workout_of_user ON workout (user);

        CREATE TABLE workout_pause (
            workout INTEGER NOT NULL REFERENCES workout (id),
            n INTEGER NOT NULL CHECK (n >= 0),
            from_ms INTEGER NOT NULL,
            to_ms INTEGER NOT NULL,
            PRIMARY KEY (workout, n),
            CONSTRAINT pause_ends_after_its_start CHECK (to_ms >= from_ms)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE workout_set (
            id INTEGER PRIMARY KEY,
            workout INTEGER NOT NULL REFERENCES workout (id),
            station INTEGER REFERENCES station (id),
            n INTEGER NOT NULL CHECK (n >= 1),
            exercise TEXT NOT NULL,
            reps INTEGER CHECK (reps >= 0),
            weight_g INTEGER CHECK (weight_g >= 0),
            at_ms INTEGER NOT NULL,
            UNIQUE (workout, n),
            CONSTRAINT set_has_reps_or_weight CHECK (reps IS NOT NULL OR weight_g IS NOT NULL)
        ) STRICT;

        -- A claim and its workout may come in either order, in one transaction.
        CREATE TABLE station_claim (
            id INTEGER PRIMARY KEY,
            station INTEGER NOT NULL REFERENCES station (id),
            slot INTEGER NOT NULL CHECK (slot >= 1),
            user INTEGER NOT NULL REFERENCES user (id),
            workout INTEGER NOT NULL REFERENCES workout (id) DEFERRABLE INITIALLY DEFERRED,
            from_ms INTEGER NOT NULL,
            to_ms INTEGER,
            CONSTRAINT claim_ends_after_its_start CHECK (to_ms >= from_ms)
        ) STRICT;
        CREATE UNIQUE INDEX one_open_claim_a_slot ON station_claim (station, slot)
            WHERE to_ms IS NULL;
        CREATE INDEX claim_of_workout ON station_claim (workout);

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
        -- Writing the same row again is allowed, because facts may be.
        CREATE TRIGGER event_unchanged BEFORE UPDATE ON event
        WHEN (OLD.id, OLD.kind, OLD.at_ms, OLD.user, OLD.room, OLD.station, OLD.subject)
            IS NOT (NEW.id, NEW.kind, NEW.at_ms, NEW.user, NEW.room, NEW.station, NEW.subject)
        BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
        CREATE TRIGGER event_kept BEFORE DELETE ON event
        BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;

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

    /// One packed row for each minute a node reports. `log` and `boot` are hexadecimal.
    static let evidence = """
        CREATE TABLE evidence (
            node INTEGER NOT NULL REFERENCES node (id),
            log TEXT NOT NULL,
            seq INTEGER NOT NULL CHECK (seq >= 1),
            boot TEXT NOT NULL,
            from_ms INTEGER NOT NULL,
            to_ms INTEGER NOT NULL,
            listened_ms INTEGER NOT NULL CHECK (listened_ms >= 0),
            floor_dbm REAL NOT NULL,
            synced INTEGER NOT NULL CHECK (synced IN (0, 1)),
            runs BLOB NOT NULL,
            PRIMARY KEY (node, log, seq),
            CONSTRAINT evidence_ends_after_its_start CHECK (to_ms >= from_ms)
        ) STRICT, WITHOUT ROWID;

        """

    /// What readers outside may rely on: slugs instead of rows, no column ever goes away.
    static let views = """
        CREATE VIEW v_session AS
        SELECT session.id AS session_id, user.slug AS user, user.name AS user_name,
            from_ms AS check_in_ms, to_ms AS check_out_ms, (to_ms - from_ms) / 1000.0 AS duration_s,
            CASE WHEN to_ms IS NULL THEN 'open' ELSE 'closed' END AS state, site.demo
        FROM attendance_session AS session JOIN user ON user.id = session.user CROSS JOIN site
        WHERE session.void = 0;

        CREATE VIEW v_stay AS
        SELECT stay.id AS stay_id, user.slug AS user, level,
            coalesce(room.slug, station.slug) AS place, from_ms, to_ms,
            (to_ms - from_ms) / 1000.0 AS duration_s, site.demo
        FROM stay JOIN user ON user.id = stay.user
            LEFT JOIN room ON room.id = stay.room LEFT JOIN station ON station.id = stay.station
            CROSS JOIN site;

        CREATE VIEW v_workout AS
        SELECT workout.id AS workout_id, user.slug AS user, station.slug AS station, state,
            started_ms, ended_ms, paused_ms / 1000.0 AS paused_s,
            (ended_ms - started_ms - paused_ms) / 1000.0 AS duration_s, site.demo
        FROM workout JOIN user ON user.id = workout.user
            LEFT JOIN station ON station.id = workout.station CROSS JOIN site;

        CREATE VIEW v_set AS
        SELECT workout_set.id AS set_id, workout AS workout_id, user.slug AS user,
            station.slug AS station, n, exercise, reps, weight_g / 1000.0 AS weight_kg, at_ms,
            site.demo
        FROM workout_set JOIN workout ON workout.id = workout_set.workout
            JOIN user ON user.id = workout.user
            LEFT JOIN station ON station.id = workout_set.station CROSS JOIN site;

        CREATE VIEW v_evidence AS
        SELECT node.slug AS node, log, seq, boot, from_ms, to_ms,
            listened_ms / 1000.0 AS listened_s, floor_dbm, synced, site.demo
        FROM evidence JOIN node ON node.id = evidence.node CROSS JOIN site;
        """
}

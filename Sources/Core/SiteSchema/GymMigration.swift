/// The tables of the gym: how workouts came about, their sets, who waits for a station, and when
/// stations were out of order.
enum GymMigration {
    /// Stations of a workout are its claims (`v_workout_station`); of an open pause the cause is
    /// `paused_cause`. Rows of `workout` and `workout_set` are copied, because SQLite changes no
    /// constraint of a table: what refers to them is checked when all is there again.
    ///
    /// `n` of a set counts in the order in which sets came, deleted ones included. `client_key` is the
    /// UUID by which whoever sent a set knows it, `sent_digest` a hexadecimal digest of what was sent
    /// first: the same key with anything else is refused for ever. Releases before this one wrote no
    /// sets; any that are there get a key of their row and a digest of zeros.
    ///
    /// People wait in the order of `joined_ms`, then `id`. Who waits has an offer while
    /// `offered_until_ms` is set and `ended_ms` is not.
    static let sql = """
        PRAGMA defer_foreign_keys = ON;
        DROP VIEW v_set;
        DROP VIEW v_workout;
        CREATE TABLE copied_set AS SELECT * FROM workout_set;
        CREATE TABLE copied_workout AS SELECT * FROM workout;
        DROP TABLE workout_set;
        DROP TABLE workout;

        CREATE TABLE workout (
            id INTEGER PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user (id),
            station INTEGER REFERENCES station (id),
            state TEXT NOT NULL CHECK (state IN
                ('active', 'paused', 'completed', 'cancelled', 'abandoned')),
            cause TEXT NOT NULL DEFAULT 'request' CHECK (cause IN ('request', 'presence')),
            started_ms INTEGER NOT NULL,
            ended_ms INTEGER,
            paused_since_ms INTEGER,
            paused_cause TEXT CHECK (paused_cause IN ('manual', 'left')),
            paused_ms INTEGER NOT NULL CHECK (paused_ms >= 0),
            CONSTRAINT open_workout_has_no_end CHECK
                ((state IN ('active', 'paused')) = (ended_ms IS NULL)),
            CONSTRAINT paused_since_while_paused CHECK
                ((state = 'paused') = (paused_since_ms IS NOT NULL)),
            CONSTRAINT paused_cause_while_paused CHECK
                ((state = 'paused') = (paused_cause IS NOT NULL)),
            CONSTRAINT workout_ends_after_its_start CHECK (ended_ms >= started_ms),
            CONSTRAINT pauses_fit_the_workout CHECK (paused_ms <= ended_ms - started_ms)
        ) STRICT;
        INSERT INTO workout (id, user, station, state, started_ms, ended_ms, paused_since_ms,
            paused_cause, paused_ms)
        SELECT id, user, station, state, started_ms, ended_ms, paused_since_ms,
            iif(state = 'paused', 'manual', NULL), paused_ms
        FROM copied_workout ORDER BY id;
        DROP TABLE copied_workout;
        CREATE UNIQUE INDEX one_open_workout_a_user ON workout (user)
            WHERE state IN ('active', 'paused');
        CREATE INDEX workout_of_user ON workout (user);
        ALTER TABLE workout_pause ADD COLUMN cause TEXT NOT NULL DEFAULT 'manual'
            CHECK (cause IN ('manual', 'left', 'reopened'));

        CREATE TABLE workout_set (
            id INTEGER PRIMARY KEY,
            workout INTEGER NOT NULL REFERENCES workout (id),
            user INTEGER NOT NULL REFERENCES user (id),
            client_key TEXT NOT NULL CONSTRAINT client_key_is_a_uuid
                CHECK (length(client_key) = 36 AND client_key NOT GLOB '*[^0-9a-fA-F-]*'),
            n INTEGER NOT NULL CHECK (n BETWEEN 1 AND 500),
            station INTEGER REFERENCES station (id),
            exercise TEXT NOT NULL
                CHECK (length(exercise) BETWEEN 1 AND 64 AND exercise NOT GLOB '*[^a-z0-9-]*'),
            kind TEXT NOT NULL CHECK (kind IN ('warm-up', 'working', 'drop', 'failure')),
            at_ms INTEGER NOT NULL,
            reps INTEGER CHECK (reps BETWEEN 1 AND 1000),
            weight_g INTEGER CHECK (weight_g BETWEEN 0 AND 1000000),
            duration_s INTEGER CHECK (duration_s BETWEEN 1 AND 86400),
            distance_m INTEGER CHECK (distance_m BETWEEN 1 AND 1000000),
            rir INTEGER CHECK (rir BETWEEN 0 AND 10),
            note TEXT,
            target_reps INTEGER CHECK (target_reps BETWEEN 1 AND 1000),
            target_weight_g INTEGER CHECK (target_weight_g BETWEEN 0 AND 1000000),
            deleted INTEGER NOT NULL CHECK (deleted IN (0, 1)),
            rev INTEGER NOT NULL CHECK (rev >= 1),
            sent_digest TEXT NOT NULL CONSTRAINT digest_is_hexadecimal
                CHECK (length(sent_digest) BETWEEN 16 AND 64
                    AND sent_digest NOT GLOB '*[^0-9a-f]*'),
            UNIQUE (user, client_key),
            UNIQUE (workout, n),
            CONSTRAINT set_has_one_measure CHECK
                ((reps IS NOT NULL) + (duration_s IS NOT NULL) + (distance_m IS NOT NULL) = 1)
        ) STRICT;
        INSERT INTO workout_set (id, workout, user, client_key, n, station, exercise, kind, at_ms,
            reps, weight_g, deleted, rev, sent_digest)
        SELECT copied_set.id, workout, workout.user,
            printf('00000000-0000-0000-0000-%012x', copied_set.id), n, copied_set.station, exercise,
            'working', at_ms, reps, weight_g, 0, 1, '0000000000000000'
        FROM copied_set JOIN workout ON workout.id = copied_set.workout ORDER BY copied_set.id;
        DROP TABLE copied_set;
        CREATE INDEX set_of_exercise ON workout_set (user, exercise, at_ms);

        CREATE TABLE station_queue (
            id INTEGER PRIMARY KEY,
            station INTEGER NOT NULL REFERENCES station (id),
            user INTEGER NOT NULL REFERENCES user (id),
            joined_ms INTEGER NOT NULL,
            offered_until_ms INTEGER,
            ended_ms INTEGER,
            outcome TEXT CHECK (outcome IN ('accepted', 'lapsed', 'left', 'ended')),
            CONSTRAINT offer_ends_after_joining CHECK (offered_until_ms >= joined_ms),
            CONSTRAINT wait_ends_after_joining CHECK (ended_ms >= joined_ms),
            CONSTRAINT ended_wait_has_an_outcome CHECK
                ((ended_ms IS NULL) = (outcome IS NULL)),
            CONSTRAINT only_offers_are_accepted_or_lapse CHECK
                (outcome NOT IN ('accepted', 'lapsed') OR offered_until_ms IS NOT NULL)
        ) STRICT;
        CREATE UNIQUE INDEX one_open_wait_a_user ON station_queue (user) WHERE ended_ms IS NULL;
        CREATE INDEX wait_at_station ON station_queue (station, joined_ms, id);
        CREATE INDEX wait_by_end ON station_queue (ended_ms);

        CREATE TABLE station_downtime (
            id INTEGER PRIMARY KEY,
            station INTEGER NOT NULL REFERENCES station (id),
            from_ms INTEGER NOT NULL,
            to_ms INTEGER,
            note TEXT,
            by TEXT NOT NULL,
            CONSTRAINT downtime_ends_after_its_start CHECK (to_ms >= from_ms)
        ) STRICT;
        CREATE UNIQUE INDEX one_open_downtime_a_station ON station_downtime (station)
            WHERE to_ms IS NULL;
        CREATE INDEX downtime_of_station ON station_downtime (station, from_ms);

        CREATE VIEW v_workout AS
        SELECT workout.id AS workout_id, user.slug AS user, station.slug AS station, state,
            started_ms, ended_ms, paused_ms / 1000.0 AS paused_s,
            (ended_ms - started_ms - paused_ms) / 1000.0 AS duration_s, site.demo, cause
        FROM workout JOIN user ON user.id = workout.user
            LEFT JOIN station ON station.id = workout.station CROSS JOIN site;

        CREATE VIEW v_workout_station AS
        SELECT workout AS workout_id, user.slug AS user, station.slug AS station, from_ms, to_ms,
            site.demo
        FROM station_claim AS claim JOIN user ON user.id = claim.user
            JOIN station ON station.id = claim.station CROSS JOIN site;

        CREATE VIEW v_set AS
        SELECT workout_set.id AS set_id, workout AS workout_id, user.slug AS user,
            station.slug AS station, n, exercise, reps, weight_g / 1000.0 AS weight_kg, at_ms,
            site.demo, kind, weight_g, duration_s, distance_m, rir, deleted
        FROM workout_set JOIN user ON user.id = workout_set.user
            LEFT JOIN station ON station.id = workout_set.station CROSS JOIN site;

        """
}

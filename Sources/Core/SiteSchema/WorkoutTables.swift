/// The tables of training: exercises, workouts and their sets, who waits for a station, and when
/// stations were out of order.
enum WorkoutTables {
    /// What is trained, and what stations are for. `names` (by language) and `muscles` (the main
    /// one first) are JSON.
    static let exercises = """
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

        CREATE TABLE station_exercise (
            station INTEGER NOT NULL REFERENCES station (id),
            n INTEGER NOT NULL CHECK (n >= 0),
            exercise INTEGER NOT NULL REFERENCES exercise (id),
            PRIMARY KEY (station, n),
            UNIQUE (station, exercise)
        ) STRICT, WITHOUT ROWID;

        """

    /// Stations of a workout are its claims (`v_workout_station`); of an open pause the cause is
    /// `paused_cause`. `rev` grows with each change of the workout, of its sets and of its
    /// stations. One that was logged when it was over is `stated`, and its `cause` is `request`.
    /// `title` is what another program called a workout, NULL of our own: rows of `workout` and
    /// `workout_set` after 2⁵² were imported. `by` of a note is whoever wrote it, as the audit
    /// names them.
    static let workouts = """
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
            rev INTEGER NOT NULL DEFAULT 1 CHECK (rev >= 1),
            title TEXT,
            stated INTEGER NOT NULL DEFAULT 0 CHECK (stated IN (0, 1)),
            CONSTRAINT open_workout_has_no_end CHECK
                ((state IN ('active', 'paused')) = (ended_ms IS NULL)),
            CONSTRAINT paused_since_while_paused CHECK
                ((state = 'paused') = (paused_since_ms IS NOT NULL)),
            CONSTRAINT paused_cause_while_paused CHECK
                ((state = 'paused') = (paused_cause IS NOT NULL)),
            CONSTRAINT workout_ends_after_its_start CHECK (ended_ms >= started_ms),
            CONSTRAINT pauses_fit_the_workout CHECK (paused_ms <= ended_ms - started_ms)
        ) STRICT;
        CREATE UNIQUE INDEX one_open_workout_a_user ON workout (user)
            WHERE state IN ('active', 'paused');
        CREATE INDEX workout_of_user ON workout (user, started_ms);
        CREATE INDEX workout_by_start ON workout (started_ms);
        CREATE INDEX workout_by_end ON workout (ended_ms);
        CREATE INDEX cancelled_workout ON workout (user) WHERE state = 'cancelled';

        CREATE TABLE workout_pause (
            workout INTEGER NOT NULL REFERENCES workout (id),
            n INTEGER NOT NULL CHECK (n >= 0),
            from_ms INTEGER NOT NULL,
            to_ms INTEGER NOT NULL,
            cause TEXT NOT NULL DEFAULT 'manual' CHECK (cause IN ('manual', 'left', 'reopened')),
            PRIMARY KEY (workout, n),
            CONSTRAINT pause_ends_after_its_start CHECK (to_ms >= from_ms)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE workout_note (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            workout INTEGER NOT NULL REFERENCES workout (id),
            at_ms INTEGER NOT NULL,
            by TEXT NOT NULL,
            text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX workout_note_of_workout ON workout_note (workout, id);

        """

    /// `n` of a set counts in the order in which sets came, deleted ones included. `client_key` is
    /// the UUID by which whoever sent a set knows it, `sent_digest` a hexadecimal digest of what
    /// was sent first: the same key with anything else is refused for ever.
    ///
    /// `first_at_ms` and `first_station` are what the first answer of a set told, `rest_s` is how
    /// long its answer told to rest, NULL if its workout had ended; `told` are the records that its
    /// answer told of, words with a comma between them: what was said then, however it is now. The
    /// index has all that records are derived from, so that no row is read for them.
    static let sets = """
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
            first_at_ms INTEGER,
            first_station INTEGER REFERENCES station (id),
            rest_s INTEGER CHECK (rest_s BETWEEN 1 AND 3600),
            told TEXT NOT NULL DEFAULT '' CHECK (told NOT GLOB '*[^a-z0-9,]*'),
            UNIQUE (user, client_key),
            UNIQUE (workout, n),
            CONSTRAINT set_has_one_measure CHECK
                ((reps IS NOT NULL) + (duration_s IS NOT NULL) + (distance_m IS NOT NULL) = 1)
        ) STRICT;
        CREATE INDEX set_of_exercise ON workout_set (user, exercise, at_ms, id, workout, reps,
            weight_g, rir, duration_s, distance_m) WHERE deleted = 0 AND kind <> 'warm-up';

        """

    /// A claim and its workout may come in either order, in one transaction.
    ///
    /// People wait in the order of `joined_ms`, then `id`. Who waits has an offer while
    /// `offered_until_ms` is set and `ended_ms` is not.
    static let stations = """
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
        CREATE INDEX station_claim_by_end ON station_claim (to_ms);

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

        """

    /// What readers outside may rely on: slugs instead of rows, no column ever goes away.
    static let views = """
        CREATE VIEW v_workout AS
        SELECT workout.id AS workout_id, user.slug AS user, station.slug AS station, state,
            started_ms, ended_ms, paused_ms / 1000.0 AS paused_s,
            (ended_ms - started_ms - paused_ms) / 1000.0 AS duration_s, site.demo,
            iif(stated, 'stated', cause) AS cause
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
            site.demo, workout_set.kind, weight_g, duration_s, distance_m, rir, deleted
        FROM workout_set JOIN user ON user.id = workout_set.user
            LEFT JOIN station ON station.id = workout_set.station CROSS JOIN site;

        """
}

-- Schema 2 of Beaconmesh with some rows, made by ./freeze and never edited.
PRAGMA application_id = 1112363825;
PRAGMA user_version = 2;
BEGIN;
CREATE TABLE revision (
    revision INTEGER PRIMARY KEY CHECK (revision >= 1),
    at_ms INTEGER NOT NULL,
    changes TEXT NOT NULL
) STRICT;
CREATE TABLE site (
    id INTEGER PRIMARY KEY CONSTRAINT one_site_a_file CHECK (id = 1),
    slug TEXT NOT NULL UNIQUE
        CHECK (length(slug) BETWEEN 1 AND 64 AND slug NOT GLOB '*[^a-z0-9-]*'),
    name TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    demo INTEGER NOT NULL CHECK (demo IN (0, 1)),
    policy TEXT NOT NULL CHECK (json_valid(policy)),
    revision INTEGER NOT NULL REFERENCES revision (revision),
    requires_consent INTEGER NOT NULL DEFAULT 0 CHECK (requires_consent IN (0, 1)),
    attendance_days INTEGER CHECK (attendance_days >= 730),
    day_start_min INTEGER NOT NULL DEFAULT 0 CHECK (day_start_min BETWEEN 0 AND 1439)
, wall_names TEXT NOT NULL DEFAULT 'none'
    CHECK (wall_names IN ('none', 'initials', 'first')), content TEXT CHECK (content IS NULL OR json_valid(content))) STRICT;
CREATE TABLE site_zone (
    from_ms INTEGER PRIMARY KEY,
    zone TEXT NOT NULL
) STRICT;
CREATE TABLE room (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE
        CHECK (length(slug) BETWEEN 1 AND 64 AND slug NOT GLOB '*[^a-z0-9-]*'),
    name TEXT NOT NULL,
    retired_ms INTEGER,
    low_x_m REAL,
    low_y_m REAL,
    high_x_m REAL,
    high_y_m REAL
, corners_m TEXT
    CHECK (corners_m IS NULL OR json_valid(corners_m)), storey INTEGER NOT NULL DEFAULT 0
    CHECK (storey BETWEEN -9 AND 99)) STRICT;
CREATE TABLE station (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE
        CHECK (length(slug) BETWEEN 1 AND 64 AND slug NOT GLOB '*[^a-z0-9-]*'),
    name TEXT NOT NULL,
    room INTEGER NOT NULL REFERENCES room (id),
    slots INTEGER NOT NULL CHECK (slots >= 1),
    x_m REAL,
    y_m REAL,
    retired_ms INTEGER,
    kind TEXT NOT NULL DEFAULT 'other' CHECK (kind IN
        ('rack', 'bench', 'machine', 'cable', 'cardio', 'mat', 'other')),
    equipment TEXT,
    location TEXT,
    auto_start_s INTEGER CHECK (auto_start_s BETWEEN 5 AND 600),
    auto_pause_s INTEGER DEFAULT 120 CHECK (auto_pause_s BETWEEN 1 AND 86400),
    claim_grace_s INTEGER NOT NULL DEFAULT 120 CHECK (claim_grace_s BETWEEN 1 AND 86400)
) STRICT;
CREATE TABLE node (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE
        CHECK (length(slug) BETWEEN 1 AND 64 AND slug NOT GLOB '*[^a-z0-9-]*'),
    name TEXT NOT NULL,
    room INTEGER NOT NULL REFERENCES room (id),
    station INTEGER REFERENCES station (id),
    x_m REAL,
    y_m REAL,
    retired_ms INTEGER,
    carrier INTEGER REFERENCES user (id) CHECK (carrier IS NULL OR station IS NULL)
, profile TEXT CHECK (profile IN ('ranging', 'sparse')), sparse_hours TEXT) STRICT;
CREATE TABLE user (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE
        CHECK (length(slug) BETWEEN 1 AND 64 AND slug NOT GLOB '*[^a-z0-9-]*'),
    name TEXT NOT NULL,
    retired_ms INTEGER,
    erased_ms INTEGER
) STRICT;
CREATE TABLE beacon (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE
        CHECK (length(slug) BETWEEN 1 AND 64 AND slug NOT GLOB '*[^a-z0-9-]*'),
    title TEXT NOT NULL,
    identity TEXT NOT NULL,
    retired_ms INTEGER,
    room INTEGER REFERENCES room (id),
    station INTEGER REFERENCES station (id) CHECK (station IS NULL OR room IS NULL),
    threshold_dbm REAL
) STRICT;
CREATE TABLE beacon_binding (
    id INTEGER PRIMARY KEY,
    beacon INTEGER NOT NULL REFERENCES beacon (id),
    user INTEGER NOT NULL REFERENCES user (id),
    from_ms INTEGER NOT NULL,
    to_ms INTEGER,
    until_ms INTEGER CHECK (until_ms IS NULL OR until_ms IS to_ms),
    CONSTRAINT binding_ends_after_its_start CHECK (to_ms > from_ms)
) STRICT;
CREATE TABLE beacon_identity (
    id INTEGER PRIMARY KEY,
    beacon INTEGER NOT NULL REFERENCES beacon (id),
    identity TEXT NOT NULL,
    from_ms INTEGER NOT NULL,
    to_ms INTEGER,
    CONSTRAINT identity_ends_after_its_start CHECK (to_ms > from_ms)
) STRICT;
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
CREATE TABLE statement (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES user (id),
    kind TEXT NOT NULL CHECK (kind IN ('check-in', 'check-out')),
    at_ms INTEGER NOT NULL,
    said_ms INTEGER NOT NULL,
    by TEXT NOT NULL,
    reason TEXT
) STRICT;
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
CREATE TABLE coarse_stay (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES user (id),
    room INTEGER NOT NULL REFERENCES room (id),
    from_ms INTEGER NOT NULL,
    to_ms INTEGER NOT NULL CHECK (to_ms > from_ms)
) STRICT;
CREATE TABLE coarse_fill (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    through_ms INTEGER NOT NULL
) STRICT;
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
CREATE TABLE shift_assignment (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES user (id),
    shift INTEGER NOT NULL REFERENCES shift (id),
    from_date TEXT NOT NULL CHECK (from_date IS date(from_date)),
    to_date TEXT CHECK (to_date IS date(to_date)),
    weekdays INTEGER NOT NULL CHECK (weekdays BETWEEN 1 AND 127),
    CONSTRAINT assignment_ends_after_its_start CHECK (to_date >= from_date)
) STRICT;
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
CREATE TABLE node_cursor (
    node INTEGER NOT NULL REFERENCES node (id),
    log TEXT NOT NULL,
    seq INTEGER NOT NULL CHECK (seq >= 0),
    since_ms INTEGER NOT NULL,
    PRIMARY KEY (node, log)
) STRICT, WITHOUT ROWID;
CREATE TABLE evidence (
    node INTEGER NOT NULL REFERENCES node (id),
    log TEXT NOT NULL,
    seq INTEGER NOT NULL CHECK (seq >= 1),
    at_ms INTEGER NOT NULL,
    boot TEXT NOT NULL,
    from_ms INTEGER NOT NULL,
    to_ms INTEGER NOT NULL,
    site_from_ms INTEGER,
    state TEXT NOT NULL CHECK (state IN ('taken', 'late', 'uncertain', 'future')),
    listened_ms INTEGER NOT NULL CHECK (listened_ms >= 0),
    floor_dbm REAL NOT NULL,
    synced INTEGER NOT NULL CHECK (synced IN (0, 1)),
    gaps BLOB NOT NULL CHECK (length(gaps) % 2 = 0),
    runs BLOB NOT NULL CHECK (length(runs) % 12 = 0),
    PRIMARY KEY (node, log, seq),
    CONSTRAINT evidence_ends_after_its_start CHECK (to_ms >= from_ms)
) STRICT, WITHOUT ROWID;
CREATE TABLE node_event (
    node INTEGER NOT NULL REFERENCES node (id),
    log TEXT NOT NULL,
    seq INTEGER NOT NULL CHECK (seq >= 1),
    at_ms INTEGER NOT NULL,
    boot TEXT NOT NULL,
    t_ms INTEGER NOT NULL,
    site_ms INTEGER,
    kind TEXT NOT NULL,
    detail TEXT,
    beacon INTEGER REFERENCES beacon (id),
    value REAL,
    PRIMARY KEY (node, log, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE node_excuse (
    id INTEGER PRIMARY KEY,
    node INTEGER NOT NULL REFERENCES node (id),
    excused_by TEXT NOT NULL,
    excused_ms INTEGER NOT NULL,
    reason TEXT NOT NULL CHECK (reason <> ''),
    ended_by TEXT,
    ended_ms INTEGER,
    CONSTRAINT ended_excuse_says_by_whom CHECK ((ended_by IS NULL) = (ended_ms IS NULL))
) STRICT;
CREATE TABLE survey (
    id INTEGER PRIMARY KEY,
    stretch INTEGER NOT NULL CHECK (stretch >= 1),
    room INTEGER NOT NULL REFERENCES room (id),
    station INTEGER REFERENCES station (id),
    source TEXT NOT NULL CHECK (source IN ('stand', 'walk', 'import')),
    carrier TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    seconds INTEGER NOT NULL CHECK (seconds >= 1),
    ears TEXT NOT NULL CHECK (json_valid(ears)),
    levels BLOB NOT NULL,
    corrections TEXT CHECK (corrections IS NULL OR json_valid(corrections))
) STRICT;
CREATE TABLE model (
    revision INTEGER PRIMARY KEY CHECK (revision >= 1),
    at_ms INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('applied', 'replaced')),
    through INTEGER NOT NULL,
    seconds INTEGER NOT NULL CHECK (seconds >= 1),
    places INTEGER NOT NULL CHECK (places >= 1),
    accuracy REAL CHECK (accuracy BETWEEN 0 AND 1),
    model TEXT NOT NULL CHECK (json_valid(model))
) STRICT;
CREATE TABLE device_offset (
    id INTEGER PRIMARY KEY,
    node INTEGER UNIQUE REFERENCES node (id),
    beacon INTEGER UNIQUE REFERENCES beacon (id),
    place TEXT CHECK (place IS NULL OR json_valid(place)),
    position TEXT CHECK (position IS NULL OR json_valid(position)),
    offset_db REAL NOT NULL CHECK (offset_db BETWEEN -12 AND 12),
    applied_db REAL NOT NULL CHECK (applied_db BETWEEN -12 AND 12),
    weight_s INTEGER NOT NULL CHECK (weight_s >= 0),
    since_ms INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    proven INTEGER NOT NULL CHECK (proven IN (0, 1)),
    drift_db REAL,
    CHECK ((node IS NULL) <> (beacon IS NULL))
) STRICT;
CREATE TABLE site_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    clock_ms INTEGER NOT NULL,
    next INTEGER NOT NULL CHECK (next >= 1),
    coverage BLOB NOT NULL CHECK (length(coverage) % 8 = 0),
    clocks TEXT NOT NULL CHECK (json_valid(clocks)),
    epoch INTEGER NOT NULL DEFAULT 1 CHECK (epoch >= 1),
    watermarks TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(watermarks)),
    watermark_ms INTEGER NOT NULL DEFAULT 0,
    listening_since_ms INTEGER,
    stations TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(stations))
) STRICT;
CREATE TABLE ledger (
    user INTEGER PRIMARY KEY REFERENCES user (id),
    heard BLOB NOT NULL CHECK (length(heard) % 8 = 0),
    statements TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(statements)),
    elsewhere TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(elsewhere)),
    doubts TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(doubts)),
    disputes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(disputes)),
    checkpoint TEXT CHECK (checkpoint IS NULL OR json_valid(checkpoint))
) STRICT;
CREATE TABLE presence (
    user INTEGER PRIMARY KEY REFERENCES user (id),
    room TEXT NOT NULL CHECK (json_valid(room)),
    station TEXT NOT NULL CHECK (json_valid(station)),
    watch TEXT CHECK (watch IS NULL OR json_valid(watch))
) STRICT;
CREATE TABLE overrides (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL CHECK (revision >= 0),
    taken TEXT CHECK (taken IS NULL OR json_valid(taken))
) STRICT;
CREATE TABLE answered_request (
    asker TEXT NOT NULL,
    key TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    answer TEXT CHECK (answer IS NULL OR json_valid(answer)),
    digest BLOB CHECK (length(digest) = 32),
    status INTEGER,
    body TEXT,
    PRIMARY KEY (asker, key),
    CHECK ((answer IS NULL) = (digest IS NOT NULL)),
    CHECK ((digest IS NULL) = (status IS NULL)),
    CHECK (body IS NULL OR digest IS NOT NULL)
) STRICT;
CREATE TABLE refused_input (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    input TEXT NOT NULL,
    reason TEXT NOT NULL
) STRICT;
CREATE TABLE reasons (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES user (id),
    at_ms INTEGER NOT NULL,
    rule TEXT NOT NULL,
    from_room INTEGER REFERENCES room (id),
    from_station INTEGER REFERENCES station (id),
    to_room INTEGER REFERENCES room (id),
    to_station INTEGER REFERENCES station (id),
    probability REAL NOT NULL,
    detail TEXT NOT NULL CHECK (json_valid(detail)),
    UNIQUE (user, at_ms),
    CONSTRAINT stations_stand_in_rooms CHECK
        ((from_station IS NULL OR from_room IS NOT NULL)
        AND (to_station IS NULL OR to_room IS NOT NULL))
) STRICT;
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
CREATE TABLE station_downtime (
    id INTEGER PRIMARY KEY,
    station INTEGER NOT NULL REFERENCES station (id),
    from_ms INTEGER NOT NULL,
    to_ms INTEGER,
    note TEXT,
    by TEXT NOT NULL,
    CONSTRAINT downtime_ends_after_its_start CHECK (to_ms >= from_ms)
) STRICT;
CREATE TABLE activity_source (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user INTEGER NOT NULL REFERENCES user (id),
    name TEXT NOT NULL,
    demo INTEGER NOT NULL DEFAULT 0 CHECK (demo IN (0, 1))
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
    replaced INTEGER NOT NULL DEFAULT 0 CHECK (replaced IN (0, id)),
    CONSTRAINT sample_ends_after_it_begins CHECK (from_ms < to_ms)
) STRICT;
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
CREATE TABLE heart_rate (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user INTEGER NOT NULL REFERENCES user (id),
    source INTEGER NOT NULL REFERENCES activity_source (id),
    key BLOB NOT NULL CHECK (length(key) = 16),
    at_ms INTEGER NOT NULL,
    bpm INTEGER NOT NULL CHECK (bpm BETWEEN 20 AND 300),
    replaced INTEGER NOT NULL DEFAULT 0 CHECK (replaced IN (0, id))
) STRICT;
CREATE TABLE activity_sharing (
    user INTEGER NOT NULL REFERENCES user (id),
    item TEXT NOT NULL CHECK (item IN
        ('steps', 'distance', 'energy', 'moving', 'activities', 'heart_rate')),
    since_ms INTEGER NOT NULL,
    PRIMARY KEY (user, item)
) STRICT, WITHOUT ROWID;
CREATE TABLE account (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 64),
    role TEXT NOT NULL CHECK (role IN
        ('owner', 'manager', 'trainer', 'member', 'auditor')),
    user INTEGER UNIQUE REFERENCES user (id),
    made_ms INTEGER NOT NULL,
    signed_in_ms INTEGER,
    disabled_ms INTEGER
) STRICT;
CREATE TABLE account_password (
    account INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    hash TEXT NOT NULL CHECK (hash LIKE '$scrypt$%'),
    set_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE invitation (
    hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
    account INTEGER NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
    made_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE web_session (
    hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
    account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    made_ms INTEGER NOT NULL,
    seen_ms INTEGER NOT NULL,
    CONSTRAINT session_goes_forwards CHECK (seen_ms >= made_ms)
) STRICT;
CREATE TABLE token (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    role TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'trainer', 'member', 'auditor',
        'screen', 'kiosk', 'integration')),
    scopes TEXT NOT NULL CHECK (json_valid(scopes)),
    user INTEGER REFERENCES user (id),
    made_ms INTEGER NOT NULL,
    expires_ms INTEGER,
    used_ms INTEGER,
    revoked_ms INTEGER
) STRICT;
CREATE TABLE sharing (
    user INTEGER NOT NULL REFERENCES user (id),
    kind TEXT NOT NULL CHECK (kind IN ('place', 'training')),
    since_ms INTEGER NOT NULL,
    PRIMARY KEY (user, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE broker_identity (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL
        CHECK (length(name) BETWEEN 1 AND 64 AND name NOT GLOB '*[^a-z0-9-]*'),
    kind TEXT NOT NULL CHECK (kind IN
        ('node', 'screen', 'kiosk', 'integration', 'member', 'coordinator')),
    user INTEGER REFERENCES user (id),
    password_hash TEXT NOT NULL,
    scopes TEXT NOT NULL CHECK (json_valid(scopes)),
    made_ms INTEGER NOT NULL,
    revoked_ms INTEGER,
    CONSTRAINT members_are_people CHECK ((kind = 'member') = (user IS NOT NULL)),
    CONSTRAINT integrations_have_scopes CHECK ((kind = 'integration') = (scopes <> '[]')),
    CONSTRAINT revoked_identity_has_no_hash CHECK
        (iif(revoked_ms IS NULL,
            password_hash GLOB '$7$?*$?*$?*'
                AND password_hash NOT GLOB '*[^a-zA-Z0-9$+/=]*',
            password_hash = ''))
) STRICT;
CREATE TABLE notice_rule (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    quiet_from_min INTEGER CHECK (quiet_from_min BETWEEN 0 AND 1439),
    quiet_to_min INTEGER CHECK (quiet_to_min BETWEEN 0 AND 1439),
    urgent TEXT NOT NULL CHECK (json_valid(urgent)),
    forgotten_s INTEGER NOT NULL CHECK (forgotten_s > 0),
    CONSTRAINT quiet_hours_have_both_ends CHECK
        ((quiet_from_min IS NULL) = (quiet_to_min IS NULL)),
    CONSTRAINT quiet_hours_end CHECK (quiet_from_min <> quiet_to_min)
) STRICT;
CREATE TABLE record_notice (
    user INTEGER PRIMARY KEY REFERENCES user (id),
    since_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE notification (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    epoch INTEGER NOT NULL CHECK (epoch >= 1),
    kind TEXT NOT NULL CHECK (kind GLOB '[a-z]*' AND kind NOT GLOB '*[^a-z-]*'),
    cause TEXT NOT NULL UNIQUE,
    user INTEGER REFERENCES user (id),
    subject TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    since_ms INTEGER,
    made_ms INTEGER NOT NULL,
    due_ms INTEGER NOT NULL,
    late INTEGER NOT NULL CHECK (late IN (0, 1)),
    told_ms INTEGER,
    CONSTRAINT notification_waits_forwards CHECK (due_ms >= made_ms)
) STRICT;
CREATE TABLE webhook (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    url TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
    secret TEXT NOT NULL,
    kinds TEXT NOT NULL CHECK (json_valid(kinds)),
    keeps_quiet INTEGER NOT NULL CHECK (keeps_quiet IN (0, 1)),
    created_ms INTEGER NOT NULL,
    revoked_ms INTEGER,
    CONSTRAINT revoked_webhook_has_no_secret CHECK
        ((revoked_ms IS NULL) = (length(secret) = 64))
) STRICT;
CREATE TABLE delivery (
    webhook INTEGER NOT NULL REFERENCES webhook (id),
    notification INTEGER NOT NULL REFERENCES notification (id) ON DELETE CASCADE,
    due_ms INTEGER NOT NULL,
    next_ms INTEGER NOT NULL,
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'revoked')),
    last_status INTEGER CHECK (last_status BETWEEN 100 AND 999),
    last_fault TEXT,
    done_ms INTEGER,
    PRIMARY KEY (webhook, notification),
    CONSTRAINT done_delivery_has_a_time CHECK ((state = 'waiting') = (done_ms IS NULL))
) STRICT, WITHOUT ROWID;
CREATE TABLE audit_log (
    id INTEGER PRIMARY KEY CHECK (id >= 1),
    at_ms INTEGER NOT NULL,
    via TEXT NOT NULL CHECK (via IN ('cli', 'mqtt', 'rest', 'core')),
    action TEXT NOT NULL,
    entity TEXT NOT NULL,
    entity_id TEXT NOT NULL,
    user INTEGER REFERENCES user (id),
    actor_digest TEXT NOT NULL,
    before_digest TEXT,
    after_digest TEXT,
    previous TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64)
) STRICT;
CREATE TABLE audit_value (
    audit INTEGER NOT NULL REFERENCES audit_log (id),
    side TEXT NOT NULL CHECK (side IN ('actor', 'before', 'after')),
    salt TEXT NOT NULL CHECK (length(salt) = 32),
    value TEXT NOT NULL,
    PRIMARY KEY (audit, side)
) STRICT, WITHOUT ROWID;
CREATE TABLE correction (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL CHECK (source IN ('person', 'late', 'locked', 'uncertain')),
    change TEXT NOT NULL CHECK (change IN ('times', 'remove', 'add', 'reviewed')),
    session INTEGER REFERENCES attendance_session (id),
    user INTEGER NOT NULL REFERENCES user (id),
    session_rev INTEGER,
    old_from_ms INTEGER,
    old_to_ms INTEGER,
    new_from_ms INTEGER,
    new_to_ms INTEGER,
    heard_ms INTEGER CHECK (heard_ms >= 0),
    reason TEXT NOT NULL CHECK (reason <> ''),
    requested_ms INTEGER NOT NULL,
    requested_by TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'refused', 'superseded')),
    decided_ms INTEGER,
    decided_by TEXT,
    decision_reason TEXT,
    CONSTRAINT decided_by_somebody CHECK
        ((state IN ('pending', 'superseded')) = (decided_ms IS NULL)
        AND (decided_ms IS NULL) = (decided_by IS NULL)
        AND (decided_ms IS NULL) = (decision_reason IS NULL)),
    CONSTRAINT addition_has_no_session CHECK
        ((change = 'add') = (session IS NULL)
        AND (session IS NULL) = (old_from_ms IS NULL)),
    CONSTRAINT new_times_where_they_change CHECK
        ((change IN ('times', 'add')) = (new_from_ms IS NOT NULL)
        AND (change <> 'add' OR new_to_ms IS NOT NULL)),
    CONSTRAINT correction_ends_after_its_start CHECK
        (old_to_ms >= old_from_ms AND new_to_ms > new_from_ms)
) STRICT;
CREATE TABLE session_review (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES attendance_session (id) ON DELETE CASCADE,
    codes TEXT NOT NULL CHECK (json_valid(codes)),
    decided_by TEXT NOT NULL,
    decided_ms INTEGER NOT NULL,
    reason TEXT NOT NULL CHECK (reason <> '')
) STRICT;
CREATE TABLE period_lock (
    id INTEGER PRIMARY KEY,
    through_date TEXT NOT NULL
        CHECK (through_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    through_ms INTEGER NOT NULL,
    locked_by TEXT NOT NULL,
    locked_ms INTEGER NOT NULL,
    reason TEXT NOT NULL CHECK (reason <> '')
) STRICT;
CREATE TABLE disposal (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    before_ms INTEGER,
    user INTEGER REFERENCES user (id),
    CHECK ((before_ms IS NULL) <> (user IS NULL))
) STRICT;
CREATE TABLE retention_run (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    table_name TEXT NOT NULL,
    before_ms INTEGER NOT NULL,
    deleted INTEGER NOT NULL CHECK (deleted >= 0),
    head TEXT NOT NULL
) STRICT;
CREATE TABLE consent (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES user (id),
    text_version TEXT NOT NULL CHECK (text_version <> ''),
    at_ms INTEGER NOT NULL,
    recorded_by TEXT NOT NULL,
    withdrawn_ms INTEGER
) STRICT;
CREATE TABLE erased_slug (
    digest TEXT PRIMARY KEY,
    salt TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE erasure_debt (
    user INTEGER PRIMARY KEY REFERENCES user (id),
    deletes_attendance INTEGER NOT NULL CHECK (deletes_attendance IN (0, 1)),
    texts TEXT NOT NULL CHECK (json_valid(texts)),
    done TEXT NOT NULL CHECK (json_valid(done))
) STRICT;
CREATE TABLE plan_picture (
    storey INTEGER PRIMARY KEY CHECK (storey BETWEEN -9 AND 99),
    x_m REAL NOT NULL,
    y_m REAL NOT NULL,
    width_m REAL NOT NULL CHECK (width_m > 0),
    png BLOB NOT NULL
) STRICT;
CREATE TABLE beacon_group (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE
        CHECK (length(slug) BETWEEN 1 AND 64 AND slug NOT GLOB '*[^a-z0-9-]*'),
    name TEXT NOT NULL,
    rule TEXT NOT NULL,
    notify TEXT CHECK (notify IS NULL OR json_valid(notify)),
    allow INTEGER NOT NULL DEFAULT 0 CHECK (allow IN (0, 1)),
    retired_ms INTEGER
) STRICT;
CREATE TABLE beacon_place (
    id INTEGER PRIMARY KEY,
    beacon INTEGER NOT NULL REFERENCES beacon (id),
    room INTEGER REFERENCES room (id),
    station INTEGER REFERENCES station (id),
    from_ms INTEGER NOT NULL,
    to_ms INTEGER,
    CONSTRAINT place_is_one CHECK ((room IS NULL) <> (station IS NULL)),
    CONSTRAINT place_ends_after_its_start CHECK (to_ms > from_ms)
) STRICT;
CREATE TABLE card (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE
        CHECK (length(slug) BETWEEN 1 AND 64 AND slug NOT GLOB '*[^a-z0-9-]*'),
    title TEXT NOT NULL,
    subtitle TEXT,
    text TEXT,
    picture TEXT,
    link TEXT,
    language TEXT,
    station INTEGER REFERENCES station (id),
    beacon INTEGER REFERENCES beacon (id),
    beacon_group INTEGER REFERENCES beacon_group (id),
    minor INTEGER CHECK (minor BETWEEN 0 AND 65535),
    retired_ms INTEGER
) STRICT;
CREATE TABLE picture (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    version TEXT NOT NULL,
    png BLOB NOT NULL
) STRICT;
CREATE TABLE content_source (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    url TEXT,
    etag TEXT,
    asked_ms INTEGER,
    fault TEXT,
    file TEXT,
    beacon_group INTEGER REFERENCES beacon_group (id),
    read_ms INTEGER
) STRICT;
CREATE TABLE notice_mark (
    account INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    through_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE push_key (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    own BLOB NOT NULL CHECK (length(own) = 32),
    shared BLOB NOT NULL CHECK (length(shared) = 65),
    made_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE push_subscription (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    endpoint TEXT NOT NULL UNIQUE CHECK (length(endpoint) BETWEEN 1 AND 2048),
    p256dh BLOB NOT NULL CHECK (length(p256dh) = 65),
    auth BLOB NOT NULL CHECK (length(auth) = 16),
    language TEXT NOT NULL,
    made_ms INTEGER NOT NULL,
    through_ms INTEGER NOT NULL,
    through INTEGER NOT NULL,
    failures INTEGER NOT NULL CHECK (failures >= 0),
    next_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE notice_choice (
    account INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    page TEXT NOT NULL CHECK (json_valid(page)),
    push TEXT NOT NULL CHECK (json_valid(push)),
    mail TEXT NOT NULL CHECK (json_valid(mail))
) STRICT;
CREATE TABLE mail_server (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    url TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 300),
    sender TEXT NOT NULL CHECK (length(sender) BETWEEN 3 AND 254),
    username TEXT,
    password TEXT,
    page TEXT,
    CONSTRAINT a_password_is_somebodys CHECK (password IS NULL OR username IS NOT NULL)
) STRICT;
CREATE TABLE mail_reader (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
    address TEXT NOT NULL CHECK (length(address) BETWEEN 3 AND 254),
    language TEXT NOT NULL,
    code TEXT CHECK (length(code) = 6),
    tries INTEGER NOT NULL CHECK (tries >= 0),
    is_sent INTEGER NOT NULL CHECK (is_sent IN (0, 1)),
    made_ms INTEGER NOT NULL,
    confirmed_ms INTEGER,
    fault TEXT CHECK (fault IN ('refused', 'delayed')),
    through_ms INTEGER NOT NULL,
    through INTEGER NOT NULL,
    failures INTEGER NOT NULL CHECK (failures >= 0),
    next_ms INTEGER NOT NULL,
    CONSTRAINT a_code_is_of_use_once CHECK ((code IS NULL) = (confirmed_ms IS NOT NULL))
) STRICT;
CREATE TABLE pin (
    user INTEGER PRIMARY KEY REFERENCES user (id),
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    made_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE geo_position (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user INTEGER NOT NULL REFERENCES user (id),
    source INTEGER NOT NULL REFERENCES activity_source (id),
    key BLOB NOT NULL CHECK (length(key) = 16),
    at_ms INTEGER NOT NULL,
    latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
    longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
    accuracy_m REAL,
    speed_m_s REAL,
    heading_deg REAL,
    activity TEXT,
    replaced INTEGER NOT NULL DEFAULT 0 CHECK (replaced IN (0, id))
) STRICT;
CREATE TABLE device_type (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE
        CHECK (length(slug) BETWEEN 1 AND 64 AND slug NOT GLOB '*[^a-z0-9-]*'),
    name TEXT NOT NULL,
    description TEXT,
    icon TEXT,
    colour TEXT,
    notify TEXT CHECK (notify IS NULL OR json_valid(notify)),
    retired_ms INTEGER
) STRICT;
CREATE TABLE device_rule (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE
        CHECK (length(slug) BETWEEN 1 AND 64 AND slug NOT GLOB '*[^a-z0-9-]*'),
    name TEXT NOT NULL,
    type INTEGER NOT NULL REFERENCES device_type (id),
    confidence REAL NOT NULL,
    company TEXT,
    company_data TEXT,
    name_prefix TEXT,
    name_contains TEXT,
    service TEXT,
    vendor TEXT,
    appearance INTEGER,
    retired_ms INTEGER
) STRICT;
CREATE TABLE detection_key (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    secret BLOB NOT NULL
) STRICT;
CREATE TABLE detection (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    source_id TEXT,
    type INTEGER REFERENCES device_type (id),
    said TEXT,
    address TEXT,
    name TEXT,
    ssid TEXT,
    rssi REAL,
    confidence REAL CHECK (confidence BETWEEN 0 AND 1),
    latitude REAL CHECK (latitude BETWEEN -90 AND 90),
    longitude REAL CHECK (longitude BETWEEN -180 AND 180),
    speed_m_s REAL,
    heading_deg REAL,
    activity TEXT,
    position_age_ms INTEGER CHECK (position_age_ms >= 0),
    user INTEGER REFERENCES user (id),
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    hits INTEGER NOT NULL,
    node INTEGER REFERENCES node (id),
    room INTEGER REFERENCES room (id),
    CONSTRAINT detection_ends_after_its_start CHECK (last_ms >= first_ms),
    CONSTRAINT position_is_whole CHECK ((latitude IS NULL) = (longitude IS NULL))
) STRICT;
CREATE TABLE detection_node (
    detection INTEGER NOT NULL REFERENCES detection (id) ON DELETE CASCADE,
    node INTEGER NOT NULL REFERENCES node (id),
    rssi REAL NOT NULL,
    hits INTEGER NOT NULL,
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    stretch_ms INTEGER NOT NULL,
    stretch_hits INTEGER NOT NULL,
    PRIMARY KEY (detection, node)
) STRICT, WITHOUT ROWID;
CREATE TABLE device_companion (
    device TEXT NOT NULL,
    user INTEGER NOT NULL REFERENCES user (id),
    date TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (device, user, date)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE detection_text USING fts5(
    name, ssid, address, said, content = 'detection', content_rowid = 'id',
    tokenize = 'trigram'
);
INSERT INTO revision (revision, at_ms, changes) VALUES (1, 1760000000000, 'site gym added');
INSERT INTO revision (revision, at_ms, changes) VALUES (2, 1760000060000, 'beacon b-4 added
user u-dan retired');
INSERT INTO site (id, slug, name, time_zone, demo, policy, revision, requires_consent, attendance_days, day_start_min, wall_names, content) VALUES (1, 'gym', 'The Gym', 'Europe/Berlin', 0, '{"publishesUnregistered":false,"room":{"enter":5000,"leave":30000,"lost":15000},"site":{"enter":10000,"leave":90000,"lost":30000},"siteFloor":-95,"station":{"enter":5000,"leave":20000,"lost":10000},"stationFloor":-75}', 2, 0, NULL, 240, 'none', '{"visitors":true,"source":"https://gym.example/beacons.json","isPrivate":false}');
INSERT INTO site_zone (from_ms, zone) VALUES (0, 'Europe/Berlin');
INSERT INTO site_zone (from_ms, zone) VALUES (1762000000000, 'Europe/Berlin');
INSERT INTO room (id, slug, name, retired_ms, low_x_m, low_y_m, high_x_m, high_y_m, corners_m, storey) VALUES (1, 'hall', 'Hall', NULL, 0.0, 0.0, 8.5, 6.0, NULL, 0);
INSERT INTO room (id, slug, name, retired_ms, low_x_m, low_y_m, high_x_m, high_y_m, corners_m, storey) VALUES (2, 'yard', 'Yard', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO room (id, slug, name, retired_ms, low_x_m, low_y_m, high_x_m, high_y_m, corners_m, storey) VALUES (3, 'attic', 'Attic', 1760000060000, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO room (id, slug, name, retired_ms, low_x_m, low_y_m, high_x_m, high_y_m, corners_m, storey) VALUES (4, 'loft', 'Loft', NULL, NULL, NULL, NULL, NULL, '[0.0,0.0,6.0,0.0,6.0,4.0,3.0,4.0,3.0,6.0,0.0,6.0]', 1);
INSERT INTO station (id, slug, name, room, slots, x_m, y_m, retired_ms, kind, equipment, location, auto_start_s, auto_pause_s, claim_grace_s) VALUES (1, 'rack', 'Rack', 1, 2, 1.5, 2.0, NULL, 'other', NULL, NULL, NULL, 120, 120);
INSERT INTO station (id, slug, name, room, slots, x_m, y_m, retired_ms, kind, equipment, location, auto_start_s, auto_pause_s, claim_grace_s) VALUES (2, 'rower', 'Rower', 2, 1, NULL, NULL, NULL, 'other', NULL, NULL, NULL, 120, 120);
INSERT INTO node (id, slug, name, room, station, x_m, y_m, retired_ms, carrier, profile, sparse_hours) VALUES (1, 'n-hall', 'Pi 1', 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO node (id, slug, name, room, station, x_m, y_m, retired_ms, carrier, profile, sparse_hours) VALUES (2, 'n-rack', 'Pi 2', 1, 1, 0.0, 0.25, NULL, NULL, 'ranging', '22:00-06:00');
INSERT INTO node (id, slug, name, room, station, x_m, y_m, retired_ms, carrier, profile, sparse_hours) VALUES (3, 'n-ann', 'Ann''s phone', 1, NULL, NULL, NULL, NULL, 1, NULL, NULL);
INSERT INTO user (id, slug, name, retired_ms, erased_ms) VALUES (1, 'u-ann', 'Ann', NULL, NULL);
INSERT INTO user (id, slug, name, retired_ms, erased_ms) VALUES (2, 'u-bob', 'Böb “O''Neil”', NULL, NULL);
INSERT INTO user (id, slug, name, retired_ms, erased_ms) VALUES (3, 'u-dan', 'Dan', 1760000060000, NULL);
INSERT INTO beacon (id, slug, title, identity, retired_ms, room, station, threshold_dbm) VALUES (1, 'b-1', 'Red', 'mac-c0ffee000001', NULL, NULL, NULL, NULL);
INSERT INTO beacon (id, slug, title, identity, retired_ms, room, station, threshold_dbm) VALUES (2, 'b-2', 'Blue', 'mac-c0ffee000002', NULL, NULL, NULL, NULL);
INSERT INTO beacon (id, slug, title, identity, retired_ms, room, station, threshold_dbm) VALUES (3, 'b-3', 'Lost', 'mac-c0ffee000002', 1760000000500, NULL, NULL, NULL);
INSERT INTO beacon (id, slug, title, identity, retired_ms, room, station, threshold_dbm) VALUES (4, 'f-rack', 'At the rack', 'mac-000000000007', NULL, NULL, 1, NULL);
INSERT INTO beacon (id, slug, title, identity, retired_ms, room, station, threshold_dbm) VALUES (5, 'f-yard', 'Yard', 'mac-000000000008', NULL, 2, NULL, NULL);
INSERT INTO beacon (id, slug, title, identity, retired_ms, room, station, threshold_dbm) VALUES (6, 'b-6', 'Loud', 'mac-c0ffee000006', NULL, NULL, NULL, -70.5);
INSERT INTO beacon_binding (id, beacon, user, from_ms, to_ms, until_ms) VALUES (1, 1, 1, 1760000000000, 1791536000000, 1791536000000);
INSERT INTO beacon_binding (id, beacon, user, from_ms, to_ms, until_ms) VALUES (2, 2, 3, 1760000000000, 1760000060000, NULL);
INSERT INTO beacon_binding (id, beacon, user, from_ms, to_ms, until_ms) VALUES (3, 2, 2, 1760000060000, NULL, NULL);
INSERT INTO beacon_identity (id, beacon, identity, from_ms, to_ms) VALUES (1, 1, 'mac-c0ffee000001', 1760000000000, NULL);
INSERT INTO beacon_identity (id, beacon, identity, from_ms, to_ms) VALUES (2, 2, 'mac-c0ffee000002', 1760000000000, NULL);
INSERT INTO beacon_identity (id, beacon, identity, from_ms, to_ms) VALUES (3, 3, 'mac-c0ffee000002', 1760000000000, 1760000000500);
INSERT INTO beacon_identity (id, beacon, identity, from_ms, to_ms) VALUES (4, 4, 'mac-000000000007', 1760000000000, NULL);
INSERT INTO beacon_identity (id, beacon, identity, from_ms, to_ms) VALUES (5, 5, 'mac-000000000008', 1760000000000, NULL);
INSERT INTO beacon_identity (id, beacon, identity, from_ms, to_ms) VALUES (6, 6, 'mac-c0ffee000006', 1760000000000, NULL);
INSERT INTO beacon_identity (id, beacon, identity, from_ms, to_ms) VALUES (7, 2, 'mac-c0ffee00000e', 1759000000000, 1760000000000);
INSERT INTO attendance_session (id, user, from_ms, to_ms, void, kept, in_cause, out_cause, last_heard_ms, breaks, review, rev) VALUES (1, 1, 1760003600000, 1760007200000, 0, 0, 'heard', 'last-heard', 1760007200000, '[]', '[]', 1);
INSERT INTO attendance_session (id, user, from_ms, to_ms, void, kept, in_cause, out_cause, last_heard_ms, breaks, review, rev) VALUES (2, 1, 1762584800000, 1762588400000, 0, 1, 'heard', 'last-heard', 1762588400000, '[]', '["too-long"]', 1);
INSERT INTO attendance_session (id, user, from_ms, to_ms, void, kept, in_cause, out_cause, last_heard_ms, breaks, review, rev) VALUES (3, 2, 1762590200000, NULL, 0, 1, 'heard', NULL, NULL, '[]', '[]', 1);
INSERT INTO attendance_session (id, user, from_ms, to_ms, void, kept, in_cause, out_cause, last_heard_ms, breaks, review, rev) VALUES (4, 2, 1760003600000, 1760003600000, 1, 0, 'heard', 'last-heard', 1760003600000, '[]', '[]', 1);
INSERT INTO statement (id, user, kind, at_ms, said_ms, by, reason) VALUES (1, 1, 'check-in', 1760003600000, 1760003601000, 'kiosk', NULL);
INSERT INTO statement (id, user, kind, at_ms, said_ms, by, reason) VALUES (2, 1, 'check-out', 1760007200000, 1760010000000, 'u-ann', 'forgot');
INSERT INTO stay (id, user, level, room, station, from_ms, to_ms) VALUES (5, 1, 'room', 1, NULL, 1760003600000, 1760007200000);
INSERT INTO stay (id, user, level, room, station, from_ms, to_ms) VALUES (6, 2, 'station', NULL, 1, 1762590300000, NULL);
INSERT INTO coarse_stay (id, user, room, from_ms, to_ms) VALUES (1, 1, 2, 1761000000000, 1761000600000);
INSERT INTO coarse_fill (id, through_ms) VALUES (1, 1762590000000);
INSERT INTO event (id, kind, at_ms, user, room, station, subject) VALUES (20, 'attendance.checked-in', 1760003600000, 1, NULL, NULL, 1);
INSERT INTO event (id, kind, at_ms, user, room, station, subject) VALUES (21, 'workout.started', 1762590300000, 2, NULL, 1, 12);
INSERT INTO shift (id, slug, name, start_min, end_min, early_in_min, late_out_min, late_grace_min, exit_grace_min, break_min, half_day_min, absent_min, retired_ms) VALUES (1, 'early', 'Early', 360, 840, 60, 60, 5, 0, 30, 240, 0, NULL);
INSERT INTO shift_assignment (id, user, shift, from_date, to_date, weekdays) VALUES (1, 1, 1, '2025-10-01', NULL, 31);
INSERT INTO leave_day (user, date, kind, half) VALUES (2, '2025-12-24', 'holiday', 1);
INSERT INTO feed (id, secret_hash, user, kind, created_ms, revoked_ms) VALUES (1, X'ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB', 1, 'shifts', 1760000000000, NULL);
INSERT INTO node_cursor (node, log, seq, since_ms) VALUES (1, '00000000000000a1', 279, 1760000000000);
INSERT INTO evidence (node, log, seq, at_ms, boot, from_ms, to_ms, site_from_ms, state, listened_ms, floor_dbm, synced, gaps, runs) VALUES (1, '00000000000000a1', 279, 1762591502114, '9cf3ca3733622900', 1762591442114, 1762591502114, 1762591442114, 'taken', 60000, -95.0, 1, X'0305', X'01000000000928000CFEDAFD');
INSERT INTO node_event (node, log, seq, at_ms, boot, t_ms, site_ms, kind, detail, beacon, value) VALUES (1, '00000000000000a1', 278, 1762591502114, '9cf3ca3733622900', 1762591402114, 1762591402114, 'battery-low', NULL, 1, 2.4);
INSERT INTO node_excuse (id, node, excused_by, excused_ms, reason, ended_by, ended_ms) VALUES (1, 2, 'mia', 1762592000000, 'stolen', NULL, NULL);
INSERT INTO survey (id, stretch, room, station, source, carrier, at_ms, seconds, ears, levels, corrections) VALUES (1, 1, 1, 1, 'stand', 'b-1', 1762500000000, 1, '[{"node":1},{"node":2}]', X'0000000001000000A8FD', NULL);
INSERT INTO survey (id, stretch, room, station, source, carrier, at_ms, seconds, ears, levels, corrections) VALUES (2, 2, 2, NULL, 'walk', 'b-2', 1762500100000, 1, '[{"node":1},{"node":2}]', X'0000000001000000A8FD', '[3,-1.5]');
INSERT INTO model (revision, at_ms, state, through, seconds, places, accuracy, model) VALUES (1, 1762500060000, 'applied', 1, 1, 2, 0.93, '{"fit":{"strange":2,"usual":1},"revision":1,"spots":[{"isWhole":false,"levels":[{"chance":0.9,"ear":{"node":1},"median":-60,"scale":4},{"chance":0.9,"ear":{"node":2},"median":-60,"scale":4}],"place":{"room":1,"station":1},"seconds":60},{"isWhole":false,"levels":[{"chance":0.9,"ear":{"node":1},"median":-70,"scale":4},{"chance":0.9,"ear":{"node":2},"median":-80,"scale":4}],"place":{"room":2},"seconds":60}]}');
INSERT INTO device_offset (id, node, beacon, place, position, offset_db, applied_db, weight_s, since_ms, at_ms, proven, drift_db) VALUES (1, 2, NULL, '{"room":1,"station":1}', NULL, -3.4, -3.0, 9511, 1762000000000, 1762500000000, 1, 13.1);
INSERT INTO device_offset (id, node, beacon, place, position, offset_db, applied_db, weight_s, since_ms, at_ms, proven, drift_db) VALUES (2, NULL, 2, '{"room":1}', NULL, -0.1, -11.0, 895, 1762000000000, 1762500000000, 0, NULL);
INSERT INTO site_state (id, clock_ms, next, coverage, clocks, epoch, watermarks, watermark_ms, listening_since_ms, stations) VALUES (1, 1762592000000, 100, X'', '[{"boot":7,"heard":1762591999000,"messages":8,"node":1,"offset":3,"shifts":[{"seconds":0,"since":0}]}]', 1, '[{"node":1,"through":1762591940000},{"node":2,"through":1762591940000}]', 1762591940000, 1760003600000, '[{"mark":-5,"since":1762591000000,"station":1}]');
INSERT INTO ledger (user, heard, statements, elsewhere, doubts, disputes, checkpoint) VALUES (1, X'020000000000000070170000000000000100000000000000415A70039B010000EEFF70039B010000', '[]', '[]', '[]', '[]', '{"at":1762584000000,"atTwoSites":0,"group":{"isHeld":false,"last":1762583000000,"session":{"breaks":[],"from":1762580000000,"inCause":"heard","lastHeard":1762583000000,"review":["coverage-gap"]}}}');
INSERT INTO ledger (user, heard, statements, elsewhere, doubts, disputes, checkpoint) VALUES (2, X'', '[]', '[]', '[]', '[]', NULL);
INSERT INTO presence (user, room, station, watch) VALUES (1, '{"unknown":{}}', '{"notPresent":{}}', NULL);
INSERT INTO presence (user, room, station, watch) VALUES (2, '{"notPresent":{}}', '{"leaving":{"_0":1,"heard":1762591987574,"quiet":9,"since":1762591927574}}', '{"asked":1762591900000,"away":9,"heard":1762591987574}');
INSERT INTO overrides (id, revision, taken) VALUES (1, 3, '{"amendments":[],"excuses":[],"revision":3}');
INSERT INTO answered_request (asker, key, at_ms, answer, digest, status, body) VALUES ('http:account:ada', 'k-2', 1762600000000, NULL, X'0505050505050505050505050505050505050505050505050505050505050505', 201, NULL);
INSERT INTO answered_request (asker, key, at_ms, answer, digest, status, body) VALUES ('http:token:crm', 'k-1', 1762600000000, NULL, X'0404040404040404040404040404040404040404040404040404040404040404', 201, '{}');
INSERT INTO answered_request (asker, key, at_ms, answer, digest, status, body) VALUES ('kiosk', 'r-1', 1762592060000, '{"at":1762592060000,"outcome":{"workout":{"_0":{"from":1762590300000,"id":12,"pauses":[],"state":"active","station":1,"user":2}}},"request":{"client":"kiosk","id":"r-1","verb":{"startWorkout":{"_0":2,"_1":1}}}}', NULL, NULL, NULL);
INSERT INTO refused_input (id, at_ms, input, reason) VALUES (1, 1760000070000, 'session(…)', 'sessions of a user overlap');
INSERT INTO reasons (id, user, at_ms, rule, from_room, from_station, to_room, to_station, probability, detail) VALUES (1, 2, 1762590300000, 'margin', 1, NULL, 1, 1, 0.388, '{"model":3,"prior":0.25,"readings":[["node",2,1,-58.1,400,-60.7,-1.23,-4.56]],"runner_up":[2,null],"runner_up_prior":0.5,"runner_up_probability":0.04,"spot_weight":0.85}');
INSERT INTO exercise (id, slug, name, names, measure, load, increment_g, rest_s, muscles, met, note, retired_ms) VALUES (1, 'bench-press', 'Bench press', '{"de": "Bankdrücken"}', 'reps', 'weight', 2500, 180, '["chest", "triceps"]', 5.0, NULL, NULL);
INSERT INTO exercise (id, slug, name, names, measure, load, increment_g, rest_s, muscles, met, note, retired_ms) VALUES (2, 'plank', 'Plank', NULL, 'time', 'none', 2500, 90, NULL, NULL, 'on a mat', NULL);
INSERT INTO exercise (id, slug, name, names, measure, load, increment_g, rest_s, muscles, met, note, retired_ms) VALUES (3, 'old', 'Old', NULL, 'distance', 'bodyweight', 1, 1, '["cardio"]', 30.0, NULL, 1760000060000);
INSERT INTO station_exercise (station, n, exercise) VALUES (1, 0, 1);
INSERT INTO station_exercise (station, n, exercise) VALUES (1, 1, 2);
INSERT INTO workout (id, user, station, state, cause, started_ms, ended_ms, paused_since_ms, paused_cause, paused_ms, rev, title, stated) VALUES (10, 1, NULL, 'cancelled', 'presence', 1760003610000, 1760003690000, NULL, NULL, 20000, 1, NULL, 1);
INSERT INTO workout (id, user, station, state, cause, started_ms, ended_ms, paused_since_ms, paused_cause, paused_ms, rev, title, stated) VALUES (11, 1, 2, 'completed', 'request', 1760003700000, 1760006700000, NULL, NULL, 60000, 1, NULL, 0);
INSERT INTO workout (id, user, station, state, cause, started_ms, ended_ms, paused_since_ms, paused_cause, paused_ms, rev, title, stated) VALUES (12, 2, 1, 'active', 'request', 1762590300000, NULL, NULL, NULL, 0, 1, NULL, 0);
INSERT INTO workout (id, user, station, state, cause, started_ms, ended_ms, paused_since_ms, paused_cause, paused_ms, rev, title, stated) VALUES (4503599627370497, 1, NULL, 'completed', 'request', 1750000000000, 1750003600000, NULL, NULL, 0, 1, 'Push "day"', 0);
INSERT INTO workout_pause (workout, n, from_ms, to_ms, cause) VALUES (10, 0, 1760003620000, 1760003640000, 'left');
INSERT INTO workout_pause (workout, n, from_ms, to_ms, cause) VALUES (11, 0, 1760004000000, 1760004060000, 'manual');
INSERT INTO workout_note (id, workout, at_ms, by, text) VALUES (1, 10, 1760003700000, 'mia', 'knees "out"');
INSERT INTO workout_note (id, workout, at_ms, by, text) VALUES (2, 12, 1762590600000, 'cli', 'good');
INSERT INTO workout_set (id, workout, user, client_key, n, station, exercise, kind, at_ms, reps, weight_g, duration_s, distance_m, rir, note, target_reps, target_weight_g, deleted, rev, sent_digest, first_at_ms, first_station, rest_s, told) VALUES (1, 11, 1, '00000000-0000-0000-0000-000000000001', 1, 2, 'row', 'working', 1760005000000, 10, 42500, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1, '0000000000000000', 1760005000000, 2, NULL, '');
INSERT INTO workout_set (id, workout, user, client_key, n, station, exercise, kind, at_ms, reps, weight_g, duration_s, distance_m, rir, note, target_reps, target_weight_g, deleted, rev, sent_digest, first_at_ms, first_station, rest_s, told) VALUES (2, 12, 2, '00000000-0000-0000-0000-000000000002', 1, NULL, 'pull-up', 'working', 1762590400000, 8, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1, '0000000000000000', 1762590400000, NULL, NULL, '');
INSERT INTO workout_set (id, workout, user, client_key, n, station, exercise, kind, at_ms, reps, weight_g, duration_s, distance_m, rir, note, target_reps, target_weight_g, deleted, rev, sent_digest, first_at_ms, first_station, rest_s, told) VALUES (3, 11, 1, '6F9619FF-8B86-d011-b42d-00c04fc964ff', 2, 2, 'row', 'warm-up', 1760005100000, NULL, NULL, 600, NULL, 3, 'calm', NULL, NULL, 0, 1, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 1760005100000, 2, NULL, '');
INSERT INTO workout_set (id, workout, user, client_key, n, station, exercise, kind, at_ms, reps, weight_g, duration_s, distance_m, rir, note, target_reps, target_weight_g, deleted, rev, sent_digest, first_at_ms, first_station, rest_s, told) VALUES (4, 12, 2, '6f9619ff-8b86-d011-b42d-00c04fc964ff', 2, 1, 'squat', 'failure', 1762590500000, 4, 102500, NULL, NULL, 0, NULL, 5, 105000, 1, 2, '00c04fc964ff8b86', 1762590500000, 1, NULL, '');
INSERT INTO workout_set (id, workout, user, client_key, n, station, exercise, kind, at_ms, reps, weight_g, duration_s, distance_m, rir, note, target_reps, target_weight_g, deleted, rev, sent_digest, first_at_ms, first_station, rest_s, told) VALUES (4503599627370497, 4503599627370497, 1, '018f7f5e-0000-8000-8000-000000000001', 1, NULL, 'row', 'working', 1750000600000, 8, 60000, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1, '0505050505050505', 1750000600000, NULL, NULL, '');
INSERT INTO station_claim (id, station, slot, user, workout, from_ms, to_ms) VALUES (13, 2, 1, 1, 11, 1760003700000, 1760006700000);
INSERT INTO station_claim (id, station, slot, user, workout, from_ms, to_ms) VALUES (14, 1, 2, 2, 12, 1762590300000, NULL);
INSERT INTO station_queue (id, station, user, joined_ms, offered_until_ms, ended_ms, outcome) VALUES (15, 2, 1, 1760003605000, 1760003725000, 1760003700000, 'accepted');
INSERT INTO station_queue (id, station, user, joined_ms, offered_until_ms, ended_ms, outcome) VALUES (16, 2, 2, 1762590310000, NULL, NULL, NULL);
INSERT INTO station_downtime (id, station, from_ms, to_ms, note, by) VALUES (17, 1, 1760000000000, 1760001000000, 'belt torn', 'mia');
INSERT INTO station_downtime (id, station, from_ms, to_ms, note, by) VALUES (18, 2, 1762590320000, NULL, NULL, 'cli');
INSERT INTO activity_source (id, user, name, demo) VALUES (1, 1, 'Pixel "8"', 0);
INSERT INTO activity_source (id, user, name, demo) VALUES (2, 1, '(demo)', 1);
INSERT INTO activity_sample (id, user, source, key, from_ms, to_ms, steps, distance_mm, energy_cal, replaced) VALUES (1, 1, 1, X'000102030405060708090A0B0C0D0E0F', 1760003600000, 1760004500000, 900, NULL, NULL, 1);
INSERT INTO activity_sample (id, user, source, key, from_ms, to_ms, steps, distance_mm, energy_cal, replaced) VALUES (2, 1, 1, X'100102030405060708090A0B0C0D0E0F', 1760003600000, 1760004500000, 950, 700500, 33300, 0);
INSERT INTO activity_setting (user, units, primary_source, height_mm, weight_g, stride_mm, remind_min, remind_days) VALUES (1, 'mi', 'Pixel "8"', 1800, 80500, NULL, 1080, 65);
INSERT INTO activity_setting (user, units, primary_source, height_mm, weight_g, stride_mm, remind_min, remind_days) VALUES (2, 'km', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO activity_goal (user, from_date, steps) VALUES (1, '2025-10-01', 8000);
INSERT INTO activity_goal (user, from_date, steps) VALUES (1, '2025-11-01', NULL);
INSERT INTO goal_hit (user, date, at_ms) VALUES (1, '2025-10-09', 1760040000000);
INSERT INTO activity_interval (id, user, source, key, kind, from_ms, to_ms, replaced) VALUES (1, 1, 1, X'000102030405060708090A0B0C0D0E0F', 'walking', 1760003600000, NULL, 0);
INSERT INTO activity_interval (id, user, source, key, kind, from_ms, to_ms, replaced) VALUES (2, 1, 1, X'100102030405060708090A0B0C0D0E0F', 'running', 1760004600000, 1760005500000, 0);
INSERT INTO heart_rate (id, user, source, key, at_ms, bpm, replaced) VALUES (1, 1, 1, X'000102030405060708090A0B0C0D0E0F', 1760003600000, 72, 1);
INSERT INTO heart_rate (id, user, source, key, at_ms, bpm, replaced) VALUES (2, 1, 1, X'100102030405060708090A0B0C0D0E0F', 1760003600000, 74, 0);
INSERT INTO activity_sharing (user, item, since_ms) VALUES (1, 'heart_rate', 1762590000000);
INSERT INTO account (id, name, role, user, made_ms, signed_in_ms, disabled_ms) VALUES (1, 'ada', 'owner', 1, 1762600000000, 1762600100000, NULL);
INSERT INTO account (id, name, role, user, made_ms, signed_in_ms, disabled_ms) VALUES (2, 'desk', 'manager', NULL, 1762600000000, NULL, 1762600200000);
INSERT INTO account_password (account, hash, set_ms) VALUES (1, '$scrypt$ln=13,r=8,p=10$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g', 1762600000000);
INSERT INTO invitation (hash, account, made_ms, expires_ms) VALUES (X'0101010101010101010101010101010101010101010101010101010101010101', 2, 1762600000000, 1763200000000);
INSERT INTO web_session (hash, account, made_ms, seen_ms) VALUES (X'0202020202020202020202020202020202020202020202020202020202020202', 1, 1762600000000, 1762600100000);
INSERT INTO token (id, name, hash, role, scopes, user, made_ms, expires_ms, used_ms, revoked_ms) VALUES (1, 'crm', X'0303030303030303030303030303030303030303030303030303030303030303', 'integration', '["people:read"]', NULL, 1762600000000, NULL, 1762600050000, NULL);
INSERT INTO sharing (user, kind, since_ms) VALUES (1, 'place', 1762600000000);
INSERT INTO sharing (user, kind, since_ms) VALUES (2, 'training', 1762590000000);
INSERT INTO broker_identity (id, name, kind, user, password_hash, scopes, made_ms, revoked_ms) VALUES (1, 'n-hall', 'node', NULL, '$7$101$c2FsdHNhbHRzYWx0$aGFzaA==', '[]', 1762500000000, NULL);
INSERT INTO broker_identity (id, name, kind, user, password_hash, scopes, made_ms, revoked_ms) VALUES (2, 'ann-phone', 'member', 1, '', '[]', 1762500000000, 1762500100000);
INSERT INTO broker_identity (id, name, kind, user, password_hash, scopes, made_ms, revoked_ms) VALUES (3, 'desk', 'integration', NULL, '$7$101$c2FsdHNhbHRzYWx0$aGFzaA==', '["requests"]', 1762500000000, NULL);
INSERT INTO notice_rule (id, quiet_from_min, quiet_to_min, urgent, forgotten_s) VALUES (1, NULL, NULL, '[]', 50400);
INSERT INTO record_notice (user, since_ms) VALUES (1, 1760000000000);
INSERT INTO notification (id, epoch, kind, cause, user, subject, title, body, at_ms, since_ms, made_ms, due_ms, late, told_ms) VALUES (1, 1, 'arrival', 'event-20', 1, '1', 'Ann is here', 'since 10:00', 1760003600000, NULL, 1760003601000, 1760003601000, 0, 1760003602000);
INSERT INTO notification (id, epoch, kind, cause, user, subject, title, body, at_ms, since_ms, made_ms, due_ms, late, told_ms) VALUES (2, 1, 'forgotten-tag', 'stray-2', 1, '2', '', '', 1760003700000, 1760003600000, 1760003701000, 1760003701000, 0, NULL);
INSERT INTO notification (id, epoch, kind, cause, user, subject, title, body, at_ms, since_ms, made_ms, due_ms, late, told_ms) VALUES (3, 1, 'record', 'event-30', 1, 'row', '', '', 1760003800000, NULL, 1760003801000, 1760003801000, 0, NULL);
INSERT INTO webhook (id, url, secret, kinds, keeps_quiet, created_ms, revoked_ms) VALUES (1, 'https://example.org/hook', '0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f', '["arrival"]', 1, 1760000000000, NULL);
INSERT INTO webhook (id, url, secret, kinds, keeps_quiet, created_ms, revoked_ms) VALUES (2, 'https://example.org/old', '', '[]', 0, 1760000000000, 1760000500000);
INSERT INTO delivery (webhook, notification, due_ms, next_ms, attempts, state, last_status, last_fault, done_ms) VALUES (1, 1, 1760003601000, 1760003601000, 1, 'delivered', 204, NULL, 1760003602000);
INSERT INTO audit_log (id, at_ms, via, action, entity, entity_id, user, actor_digest, before_digest, after_digest, previous, digest) VALUES (1, 1760000000000, 'cli', 'import', 'revision', '1', NULL, 'ceb6e7191eb4e3a574251970839ecac92f140ad3bd49beb04c3293eec0b0db9c', NULL, '83ff8feb4e36eedefdae4c21170af549283642ebe79f2837296aa734de2a7861', '0000000000000000000000000000000000000000000000000000000000000000', '029140dbdc648c350512cb71a1df183a120035f553613a9d48d3b430892e648f');
INSERT INTO audit_log (id, at_ms, via, action, entity, entity_id, user, actor_digest, before_digest, after_digest, previous, digest) VALUES (2, 1762592000000, 'cli', 'request', 'correction', '1', 1, 'fe5b726193f44b78424527b6760441f949acb64b8ea14c1f15def13d2922e843', NULL, '70f49cb091809009c8a843f783f3a2248c110952d2a77e44c146cd3350a3febd', '029140dbdc648c350512cb71a1df183a120035f553613a9d48d3b430892e648f', '8e9ba394320fe3dff59896ee981cac92606c78090c2de5382b97f44d981f854a');
INSERT INTO audit_log (id, at_ms, via, action, entity, entity_id, user, actor_digest, before_digest, after_digest, previous, digest) VALUES (3, 1762592000000, 'cli', 'approve', 'correction', '1', 1, '142bf345f3364437eb1e411b884f5108887adf22dc475b1c1d9d00e49d56c100', '137744dfa4b3ea3e9036c396daf967550dff7fcaa0eb97e392dafaef275e1a87', '0c8c99193ac6c2399c8ca3d2b1c08f0d085020c27ee4b29ca08c8061ea5eb5dd', '8e9ba394320fe3dff59896ee981cac92606c78090c2de5382b97f44d981f854a', 'f2424a06fb84e4c33fba16906672d33f409237e8e3827aa2747437fa9ae3627c');
INSERT INTO audit_log (id, at_ms, via, action, entity, entity_id, user, actor_digest, before_digest, after_digest, previous, digest) VALUES (4, 1795369340984, 'cli', 'request', 'correction', '2', 1, '20a8a5fed6af20ea3181d550af10b0a35321128897f4134ce620af35c192c753', NULL, 'a86b32571aa3f9c3701a4b7b52fb02424b3e4460d30f16b33044326252613a5e', 'f2424a06fb84e4c33fba16906672d33f409237e8e3827aa2747437fa9ae3627c', '58822af55c069dbea52e0c3141a5441dca62e8bd22f76cc2d599e356eb63a614');
INSERT INTO audit_log (id, at_ms, via, action, entity, entity_id, user, actor_digest, before_digest, after_digest, previous, digest) VALUES (5, 1795369341030, 'cli', 'approve', 'correction', '2', 1, 'a7e5872672885828159d1d19f9bcecc64d7dd6b2ef569c06100432ddbe355501', 'c550882b5abb39642ee2a76be8034cb472bc17512086eb2de42b359f34c27241', 'ae4868b45b5499c020f49f6eea5f91cab3b38de2d1d6ed4907c82b3bf5406c32', '58822af55c069dbea52e0c3141a5441dca62e8bd22f76cc2d599e356eb63a614', '785a1617b473b1fb7e67093e9a5021a245fcdd04d4f7dd2e89b92a4339757547');
INSERT INTO audit_log (id, at_ms, via, action, entity, entity_id, user, actor_digest, before_digest, after_digest, previous, digest) VALUES (6, 1795369341110, 'cli', 'lock', 'period_lock', '1', NULL, 'd1d695715ed26ccd86b5a7052790548b250a12d0188e103a3d5e828d612ed091', NULL, '30808775244c067055703f78659828e6665bed512612ca7df57d98dd6573b671', '785a1617b473b1fb7e67093e9a5021a245fcdd04d4f7dd2e89b92a4339757547', '9fbbf00f9021e555d607ecc7db170fec2e64529299262ac93b02af7981fb55ec');
INSERT INTO audit_value (audit, side, salt, value) VALUES (1, 'actor', '1ab5697457de629cdea15ba06699874b', 'import');
INSERT INTO audit_value (audit, side, salt, value) VALUES (1, 'after', '8d65323c3edc69f2b8472ffb9f982e26', '{"changes":14}');
INSERT INTO audit_value (audit, side, salt, value) VALUES (2, 'actor', 'a6a31ce92f270849edde9b63c1104d74', 'mia');
INSERT INTO audit_value (audit, side, salt, value) VALUES (2, 'after', '515bd70e2fcd01efb99deb73568a9d51', '{"change":"times","new_from_ms":1762585000000,"new_to_ms":1762588400000,"old_from_ms":1762584800000,"old_to_ms":1762588400000,"reason":"forgot","session":2,"state":"pending"}');
INSERT INTO audit_value (audit, side, salt, value) VALUES (3, 'actor', '9632a2c02500d96591c3244aeae0d4e7', 'mia');
INSERT INTO audit_value (audit, side, salt, value) VALUES (3, 'after', '5cb1177f81b131e89fda42e464d4bdc8', '{"change":"times","decision_reason":"seen","new_from_ms":1762585000000,"new_to_ms":1762588400000,"old_from_ms":1762584800000,"old_to_ms":1762588400000,"reason":"forgot","session":2,"state":"approved"}');
INSERT INTO audit_value (audit, side, salt, value) VALUES (3, 'before', 'e522b1aabc870f4e7a0b7ca0742a4344', '{"change":"times","new_from_ms":1762585000000,"new_to_ms":1762588400000,"old_from_ms":1762584800000,"old_to_ms":1762588400000,"reason":"forgot","session":2,"state":"pending"}');
INSERT INTO audit_value (audit, side, salt, value) VALUES (4, 'actor', '678d3fe8e335c745867f4b0efd338c41', 'mia');
INSERT INTO audit_value (audit, side, salt, value) VALUES (4, 'after', '14c8c98c9075de82a260a699535e4d14', '{"change":"reviewed","old_from_ms":1762584800000,"old_to_ms":1762588400000,"reason":"looked at","session":2,"state":"pending"}');
INSERT INTO audit_value (audit, side, salt, value) VALUES (5, 'actor', 'cea0cc0f73c886832a6e61d8f02de663', 'mia');
INSERT INTO audit_value (audit, side, salt, value) VALUES (5, 'after', '51a53cd403a819769315974c3f98f6d8', '{"change":"reviewed","decision_reason":"as it is","old_from_ms":1762584800000,"old_to_ms":1762588400000,"reason":"looked at","session":2,"state":"approved"}');
INSERT INTO audit_value (audit, side, salt, value) VALUES (5, 'before', '3b268ee8ed9ed63c66bd752ed1e0645e', '{"change":"reviewed","old_from_ms":1762584800000,"old_to_ms":1762588400000,"reason":"looked at","session":2,"state":"pending"}');
INSERT INTO audit_value (audit, side, salt, value) VALUES (6, 'actor', '0e58c071f027ad2a237eb40b34eb2e17', 'mia');
INSERT INTO audit_value (audit, side, salt, value) VALUES (6, 'after', 'decef82d0937a0b88ad4e90f91749345', '{"id":1,"listed_from_ms":0,"locked_by":"mia","locked_ms":1795369341110,"reason":"month end","through_date":"2025-10-08","through_ms":1759960800000}');
INSERT INTO correction (id, source, change, session, user, session_rev, old_from_ms, old_to_ms, new_from_ms, new_to_ms, heard_ms, reason, requested_ms, requested_by, state, decided_ms, decided_by, decision_reason) VALUES (1, 'person', 'times', 2, 1, 1, 1762584800000, 1762588400000, 1762585000000, 1762588400000, NULL, 'forgot', 1762592000000, 'mia', 'approved', 1762592000000, 'mia', 'seen');
INSERT INTO correction (id, source, change, session, user, session_rev, old_from_ms, old_to_ms, new_from_ms, new_to_ms, heard_ms, reason, requested_ms, requested_by, state, decided_ms, decided_by, decision_reason) VALUES (2, 'person', 'reviewed', 2, 1, 1, 1762584800000, 1762588400000, NULL, NULL, NULL, 'looked at', 1795369340984, 'mia', 'approved', 1795369341030, 'mia', 'as it is');
INSERT INTO session_review (id, session, codes, decided_by, decided_ms, reason) VALUES (1, 2, '["too-long"]', 'mia', 1795369341030, 'as it is');
INSERT INTO period_lock (id, through_date, through_ms, locked_by, locked_ms, reason) VALUES (1, '2025-10-08', 1759960800000, 'mia', 1795369341110, 'month end');
INSERT INTO retention_run (id, at_ms, table_name, before_ms, deleted, head) VALUES (1, 1762567200000, 'evidence', 1761357600000, 17, '1:029140dbdc648c350512cb71a1df183a120035f553613a9d48d3b430892e648f');
INSERT INTO consent (id, user, text_version, at_ms, recorded_by, withdrawn_ms) VALUES (1, 1, '2025-09', 1760000000000, 'mia', NULL);
INSERT INTO consent (id, user, text_version, at_ms, recorded_by, withdrawn_ms) VALUES (2, 2, '2025-09', 1760000000000, 'mia', 1760000500000);
INSERT INTO erased_slug (digest, salt) VALUES ('5340595930d4fc5854f75e39cb0e6c0c3427483cee304868597b724fae7c0084', '1ab5697457de629cdea15ba06699874b');
INSERT INTO erasure_debt (user, deletes_attendance, texts, done) VALUES (2, 0, '[{"by":"erased","text":"Zoe"}]', '{"blanked":{},"deleted":{"stay":3},"sessions_kept":0,"user":"u-aaaaaaaaaaaaaaaa"}');
INSERT INTO plan_picture (storey, x_m, y_m, width_m, png) VALUES (1, -0.5, -0.5, 12.0, X'89504E470D0A1A0A');
INSERT INTO beacon_group (id, slug, name, rule, notify, allow, retired_ms) VALUES (1, 'machines', 'Machines', 'ib-7b44b47b52a1538190c2f09b6838c5d4', '["enter"]', 1, NULL);
INSERT INTO beacon_place (id, beacon, room, station, from_ms, to_ms) VALUES (1, 4, NULL, 1, 1760000060000, NULL);
INSERT INTO beacon_place (id, beacon, room, station, from_ms, to_ms) VALUES (2, 5, 2, NULL, 1760000060000, NULL);
INSERT INTO beacon_place (id, beacon, room, station, from_ms, to_ms) VALUES (7, 2, NULL, 1, 1750000000000, 1750000060000);
INSERT INTO card (id, slug, title, subtitle, text, picture, link, language, station, beacon, beacon_group, minor, retired_ms) VALUES (1, 'rower', 'Rowing', 'By the window', 'Feet first.', 'rower.png', 'https://gym.example/rowing', 'en', 2, NULL, NULL, NULL, NULL);
INSERT INTO card (id, slug, title, subtitle, text, picture, link, language, station, beacon, beacon_group, minor, retired_ms) VALUES (2, 'red', 'The red one', NULL, NULL, NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL);
INSERT INTO card (id, slug, title, subtitle, text, picture, link, language, station, beacon, beacon_group, minor, retired_ms) VALUES (3, 'machines-7', 'Seven', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, 7, 1760000060000);
INSERT INTO picture (id, name, version, png) VALUES (1, 'rower.png', '0123456789abcdef', X'89504E470D0A1A0A');
INSERT INTO content_source (id, url, etag, asked_ms, fault, file, beacon_group, read_ms) VALUES (1, 'https://gym.example/beacons.json', '"7"', 1760000000000, NULL, '{"beacons":{}}', 1, 1760000000000);
INSERT INTO notice_mark (account, through_ms) VALUES (1, 1762567200000);
INSERT INTO push_key (id, own, shared, made_ms) VALUES (1, X'1111111111111111111111111111111111111111111111111111111111111111', X'0422222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222', 1762567200000);
INSERT INTO push_subscription (id, account, endpoint, p256dh, auth, language, made_ms, through_ms, through, failures, next_ms) VALUES (1, 1, 'https://push.example/a', X'0433333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333', X'44444444444444444444444444444444', 'de', 1762567200000, 1762567200000, 3, 0, 0);
INSERT INTO notice_choice (account, page, push, mail) VALUES (1, '["arrival"]', '[]', '[]');
INSERT INTO mail_server (id, url, sender, username, password, page) VALUES (1, 'smtps://mail.example', 'gym@example.org', 'gym', 'a phrase', 'https://gym.example');
INSERT INTO mail_reader (id, account, address, language, code, tries, is_sent, made_ms, confirmed_ms, fault, through_ms, through, failures, next_ms) VALUES (1, 1, 'ada@example.org', 'de', NULL, 0, 1, 1762567200000, 1762567260000, NULL, 1762567260000, 0, 0, 0);
INSERT INTO pin (user, hash, made_ms) VALUES (1, X'ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB', 1762567200000);
INSERT INTO geo_position (id, user, source, key, at_ms, latitude, longitude, accuracy_m, speed_m_s, heading_deg, activity, replaced) VALUES (1, 1, 1, X'000102030405060708090A0B0C0D0E0F', 1762567196000, 52.5, 13.4, 5.0, 1.5, 90.0, 'walking', 0);
INSERT INTO device_type (id, slug, name, description, icon, colour, notify, retired_ms) VALUES (1, 'camera', 'Camera', 'Look where it hangs.', 'camera', '#b34700', '["seen"]', NULL);
INSERT INTO device_rule (id, slug, name, type, confidence, company, company_data, name_prefix, name_contains, service, vendor, appearance, retired_ms) VALUES (1, 'ring', 'Ring', 1, 0.8, NULL, NULL, 'Ring', NULL, NULL, NULL, NULL, NULL);
INSERT INTO detection_key (id, secret) VALUES (1, X'5555555555555555555555555555555555555555555555555555555555555555');
INSERT INTO detection (id, source, source_id, type, said, address, name, ssid, rssi, confidence, latitude, longitude, speed_m_s, heading_deg, activity, position_age_ms, user, first_ms, last_ms, hits, node, room) VALUES (1, 'mesh', NULL, 1, NULL, 'c0ffee000001', 'Ring-1', NULL, -61.0, 0.8, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1762567200000, 1762567260000, 17, 2, 1);
INSERT INTO detection (id, source, source_id, type, said, address, name, ssid, rssi, confidence, latitude, longitude, speed_m_s, heading_deg, activity, position_age_ms, user, first_ms, last_ms, hits, node, room) VALUES (2, 'esp32', '7', NULL, 'Flock Safety', NULL, NULL, 'Hall', -70.5, 0.9, 52.5, 13.4, 1.5, 90.0, 'walking', 4000, 1, 1762567200000, 1762567200000, 1, NULL, NULL);
INSERT INTO detection_node (detection, node, rssi, hits, first_ms, last_ms, stretch_ms, stretch_hits) VALUES (1, 2, -61.0, 17, 1762567200000, 1762567260000, 1762567200000, 17);
INSERT INTO device_companion (device, user, date, at_ms) VALUES ('x-0123456789abcdef', 1, '2025-11-08', 1762567260000);
INSERT INTO detection_text (detection_text) VALUES ('rebuild');
CREATE UNIQUE INDEX one_beacon_an_identity ON beacon (identity) WHERE retired_ms IS NULL;
CREATE UNIQUE INDEX one_open_binding_a_beacon ON beacon_binding (beacon)
    WHERE to_ms IS NULL;
CREATE INDEX binding_of_beacon ON beacon_binding (beacon, from_ms);
CREATE UNIQUE INDEX one_said_binding_a_beacon ON beacon_binding (beacon)
    WHERE to_ms IS NULL OR until_ms IS NOT NULL;
CREATE UNIQUE INDEX one_open_identity_a_beacon ON beacon_identity (beacon)
    WHERE to_ms IS NULL;
CREATE INDEX identity_of_beacon ON beacon_identity (beacon, from_ms);
CREATE INDEX beacon_of_identity ON beacon_identity (identity, from_ms);
CREATE UNIQUE INDEX one_open_session_a_user ON attendance_session (user)
    WHERE to_ms IS NULL AND void = 0;
CREATE INDEX session_of_user ON attendance_session (user, from_ms) WHERE void = 0;
CREATE INDEX session_by_end ON attendance_session (to_ms) WHERE void = 0;
CREATE INDEX kept_session_of_user ON attendance_session (user, from_ms) WHERE kept = 1;
CREATE INDEX kept_session_by_end ON attendance_session (to_ms) WHERE kept = 1;
CREATE INDEX session_by_start ON attendance_session (from_ms, id) WHERE void = 0;
CREATE TRIGGER session_overlap_insert BEFORE INSERT ON attendance_session
WHEN NEW.void = 0 AND NEW.from_ms < (
    SELECT coalesce(to_ms, 0x7fffffffffffffff) FROM attendance_session
    WHERE user = NEW.user AND void = 0 AND id <> NEW.id
        AND from_ms < coalesce(NEW.to_ms, 0x7fffffffffffffff)
    ORDER BY from_ms DESC, coalesce(to_ms, 0x7fffffffffffffff) DESC LIMIT 1)
BEGIN SELECT RAISE(ABORT, 'sessions of a user overlap'); END;
CREATE TRIGGER session_overlap_update BEFORE UPDATE OF user, from_ms, to_ms, void ON attendance_session
WHEN NEW.void = 0 AND NEW.from_ms < (
    SELECT coalesce(to_ms, 0x7fffffffffffffff) FROM attendance_session
    WHERE user = NEW.user AND void = 0 AND id <> NEW.id
        AND from_ms < coalesce(NEW.to_ms, 0x7fffffffffffffff)
    ORDER BY from_ms DESC, coalesce(to_ms, 0x7fffffffffffffff) DESC LIMIT 1)
BEGIN SELECT RAISE(ABORT, 'sessions of a user overlap'); END;
CREATE INDEX statement_of_user ON statement (user, at_ms);
CREATE UNIQUE INDEX one_open_stay_a_user_and_level ON stay (user, level)
    WHERE to_ms IS NULL;
CREATE INDEX stay_of_user ON stay (user, from_ms);
CREATE INDEX stay_by_end ON stay (to_ms);
CREATE INDEX coarse_stay_of_user ON coarse_stay (user, from_ms);
CREATE INDEX coarse_stay_by_end ON coarse_stay (to_ms);
CREATE INDEX event_of_user ON event (user, at_ms);
CREATE INDEX event_by_age ON event (at_ms);
CREATE TRIGGER event_unchanged BEFORE UPDATE ON event
WHEN (OLD.id, OLD.kind, OLD.at_ms, OLD.user, OLD.room, OLD.station, OLD.subject)
    IS NOT (NEW.id, NEW.kind, NEW.at_ms, NEW.user, NEW.room, NEW.station, NEW.subject)
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE UNIQUE INDEX one_shift_a_slug ON shift (slug) WHERE retired_ms IS NULL;
CREATE INDEX assignment_of_user ON shift_assignment (user, from_date);
CREATE INDEX assignment_of_shift ON shift_assignment (shift);
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
CREATE INDEX evidence_by_arrival ON evidence (at_ms);
CREATE INDEX evidence_by_time ON evidence (site_from_ms);
CREATE INDEX node_event_by_arrival ON node_event (at_ms);
CREATE VIEW v_evidence AS
SELECT node.slug AS node, log, seq, boot, from_ms, to_ms,
    listened_ms / 1000.0 AS listened_s, floor_dbm, synced, site.demo,
    at_ms, site_from_ms, state, length(runs) / 12 AS runs
FROM evidence JOIN node ON node.id = evidence.node CROSS JOIN site;
CREATE VIEW v_node_event AS
SELECT node.slug AS node, log, seq, boot, t_ms, at_ms, site_ms, kind, detail,
    beacon.slug AS beacon, value, site.demo
FROM node_event JOIN node ON node.id = node_event.node
    LEFT JOIN beacon ON beacon.id = node_event.beacon CROSS JOIN site;
CREATE UNIQUE INDEX one_open_excuse_a_node ON node_excuse (node) WHERE ended_ms IS NULL;
CREATE INDEX survey_by_stretch ON survey (stretch, id);
CREATE UNIQUE INDEX one_applied_model ON model (state) WHERE state = 'applied';
CREATE INDEX answered_request_by_age ON answered_request (at_ms);
CREATE INDEX answered_request_of_rooms ON answered_request (asker) WHERE digest IS NOT NULL;
CREATE INDEX reasons_by_age ON reasons (at_ms);
CREATE VIEW v_move AS
SELECT user.slug AS user, at_ms, rule, from_room.slug AS from_room,
    from_station.slug AS from_station, to_room.slug AS to_room,
    to_station.slug AS to_station, probability, detail, site.demo
FROM reasons JOIN user ON user.id = reasons.user
    LEFT JOIN room AS from_room ON from_room.id = reasons.from_room
    LEFT JOIN station AS from_station ON from_station.id = reasons.from_station
    LEFT JOIN room AS to_room ON to_room.id = reasons.to_room
    LEFT JOIN station AS to_station ON to_station.id = reasons.to_station
    CROSS JOIN site;
CREATE UNIQUE INDEX one_open_workout_a_user ON workout (user)
    WHERE state IN ('active', 'paused');
CREATE INDEX workout_of_user ON workout (user, started_ms);
CREATE INDEX workout_by_start ON workout (started_ms);
CREATE INDEX workout_by_end ON workout (ended_ms);
CREATE INDEX cancelled_workout ON workout (user) WHERE state = 'cancelled';
CREATE INDEX workout_note_of_workout ON workout_note (workout, id);
CREATE INDEX set_of_exercise ON workout_set (user, exercise, at_ms, id, workout, reps,
    weight_g, rir, duration_s, distance_m) WHERE deleted = 0 AND kind <> 'warm-up';
CREATE UNIQUE INDEX one_open_claim_a_slot ON station_claim (station, slot)
    WHERE to_ms IS NULL;
CREATE INDEX claim_of_workout ON station_claim (workout);
CREATE INDEX station_claim_by_end ON station_claim (to_ms);
CREATE UNIQUE INDEX one_open_wait_a_user ON station_queue (user) WHERE ended_ms IS NULL;
CREATE INDEX wait_at_station ON station_queue (station, joined_ms, id);
CREATE INDEX wait_by_end ON station_queue (ended_ms);
CREATE UNIQUE INDEX one_open_downtime_a_station ON station_downtime (station)
    WHERE to_ms IS NULL;
CREATE INDEX downtime_of_station ON station_downtime (station, from_ms);
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
CREATE INDEX activity_source_of_user ON activity_source (user, name);
CREATE UNIQUE INDEX activity_sample_of_key ON activity_sample (user, key);
CREATE UNIQUE INDEX activity_sample_by_start
    ON activity_sample (source, from_ms, replaced);
CREATE INDEX activity_sample_by_end ON activity_sample (to_ms);
CREATE UNIQUE INDEX activity_interval_of_key ON activity_interval (user, key);
CREATE UNIQUE INDEX activity_interval_by_start
    ON activity_interval (source, from_ms, replaced);
CREATE INDEX activity_interval_by_age ON activity_interval (from_ms);
CREATE UNIQUE INDEX heart_rate_of_key ON heart_rate (user, key);
CREATE UNIQUE INDEX heart_rate_by_moment ON heart_rate (source, at_ms, replaced);
CREATE INDEX heart_rate_by_age ON heart_rate (at_ms);
CREATE INDEX session_of_account ON web_session (account);
CREATE UNIQUE INDEX token_in_use ON token (name) WHERE revoked_ms IS NULL;
CREATE UNIQUE INDEX one_identity_a_name ON broker_identity (name) WHERE revoked_ms IS NULL;
CREATE INDEX identity_of_user ON broker_identity (user) WHERE user IS NOT NULL;
CREATE INDEX notification_by_age ON notification (made_ms);
CREATE INDEX notification_of_subject ON notification (kind, subject, made_ms);
CREATE INDEX notification_of_user ON notification (user, made_ms);
CREATE INDEX untold_notification ON notification (due_ms, id)
    WHERE told_ms IS NULL AND late = 0 AND user IS NOT NULL;
CREATE UNIQUE INDEX one_webhook_a_url ON webhook (url) WHERE revoked_ms IS NULL;
CREATE INDEX waiting_delivery ON delivery (webhook, due_ms, notification)
    WHERE state = 'waiting';
CREATE INDEX delivery_of_notification ON delivery (notification);
CREATE INDEX audit_of_user ON audit_log (user) WHERE user IS NOT NULL;
CREATE INDEX audit_of_entity ON audit_log (entity, entity_id);
CREATE TRIGGER audit_follows BEFORE INSERT ON audit_log
WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM audit_log)
    OR NEW.previous IS NOT coalesce(
        (SELECT digest FROM audit_log ORDER BY id DESC LIMIT 1), '0000000000000000000000000000000000000000000000000000000000000000')
BEGIN SELECT RAISE(ABORT, 'audit rows follow one another'); END;
CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit_log
BEGIN SELECT RAISE(ABORT, 'audit rows are never changed'); END;
CREATE TRIGGER audit_kept BEFORE DELETE ON audit_log
BEGIN SELECT RAISE(ABORT, 'audit rows are never deleted'); END;
CREATE TRIGGER audit_value_unchanged BEFORE UPDATE ON audit_value
BEGIN SELECT RAISE(ABORT, 'audit values are never changed'); END;
CREATE TRIGGER audit_value_of_newest BEFORE INSERT ON audit_value
WHEN NEW.audit IS NOT (SELECT max(id) FROM audit_log)
BEGIN SELECT RAISE(ABORT, 'audit values come with their row'); END;
CREATE INDEX correction_of_user ON correction (user, id);
CREATE INDEX correction_of_session ON correction (session) WHERE session IS NOT NULL;
CREATE INDEX pending_correction ON correction (user, source) WHERE state = 'pending';
CREATE INDEX review_of_session ON session_review (session);
CREATE TRIGGER session_locked_insert BEFORE INSERT ON attendance_session
WHEN NEW.void = 0 AND NEW.from_ms < (SELECT through_ms FROM period_lock ORDER BY id DESC LIMIT 1)
    AND NOT EXISTS (SELECT 1 FROM attendance_session WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the period is locked'); END;
CREATE TRIGGER session_locked_update
BEFORE UPDATE OF user, from_ms, to_ms, void ON attendance_session
WHEN (OLD.user, OLD.from_ms, OLD.to_ms, OLD.void)
        IS NOT (NEW.user, NEW.from_ms, NEW.to_ms, NEW.void)
    AND OLD.void + NEW.void < 2
    AND (min(OLD.from_ms, NEW.from_ms) < (SELECT through_ms FROM period_lock ORDER BY id DESC LIMIT 1))
    AND (OLD.to_ms IS NOT NULL OR NEW.from_ms <> OLD.from_ms OR NEW.void = 1)
BEGIN SELECT RAISE(ABORT, 'the period is locked'); END;
CREATE TRIGGER session_deleted BEFORE DELETE ON attendance_session
WHEN NOT EXISTS (
    SELECT 1 FROM disposal WHERE user = OLD.user OR OLD.to_ms < before_ms)
BEGIN SELECT RAISE(ABORT, 'sessions are withdrawn, not deleted'); END;
CREATE TRIGGER event_kept BEFORE DELETE ON event
WHEN NOT EXISTS (SELECT 1 FROM disposal WHERE user = OLD.user OR OLD.at_ms < before_ms)
BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE UNIQUE INDEX one_consent_a_user ON consent (user) WHERE withdrawn_ms IS NULL;
CREATE UNIQUE INDEX one_open_place_a_beacon ON beacon_place (beacon) WHERE to_ms IS NULL;
CREATE INDEX place_of_beacon ON beacon_place (beacon, from_ms);
CREATE INDEX push_of_account ON push_subscription (account);
CREATE UNIQUE INDEX geo_position_of_key ON geo_position (user, key);
CREATE UNIQUE INDEX geo_position_by_moment ON geo_position (source, at_ms, replaced);
CREATE INDEX geo_position_of_user ON geo_position (user, at_ms);
CREATE INDEX geo_position_by_age ON geo_position (at_ms);
CREATE UNIQUE INDEX detection_of_source ON detection (source, source_id)
    WHERE source_id IS NOT NULL;
CREATE INDEX detection_by_time ON detection (last_ms, id);
CREATE INDEX detection_by_level ON detection (coalesce(rssi, -999), id);
CREATE INDEX detection_by_confidence ON detection (coalesce(confidence, -1), id);
CREATE INDEX detection_of_type ON detection (type, last_ms, id);
CREATE INDEX detection_of_node ON detection (node, last_ms, id);
CREATE INDEX detection_of_room ON detection (room, last_ms, id);
CREATE INDEX detection_of_user ON detection (user) WHERE user IS NOT NULL;
CREATE INDEX detection_from_source ON detection (source, last_ms, id);
CREATE INDEX detection_with_address ON detection (last_ms)
    WHERE address IS NOT NULL AND address NOT GLOB 'x-*';
CREATE INDEX detection_of_address ON detection (address, last_ms) WHERE address IS NOT NULL;
CREATE INDEX device_companion_by_age ON device_companion (at_ms);
CREATE INDEX device_companion_of_user ON device_companion (user);
CREATE TRIGGER detection_text_added AFTER INSERT ON detection BEGIN
    INSERT INTO detection_text (rowid, name, ssid, address, said)
    VALUES (new.id, new.name, new.ssid, new.address, new.said);
END;
CREATE TRIGGER detection_text_gone AFTER DELETE ON detection BEGIN
    INSERT INTO detection_text (detection_text, rowid, name, ssid, address, said)
    VALUES ('delete', old.id, old.name, old.ssid, old.address, old.said);
END;
CREATE TRIGGER detection_text_changed AFTER UPDATE OF name, ssid, address, said ON detection
BEGIN
    INSERT INTO detection_text (detection_text, rowid, name, ssid, address, said)
    VALUES ('delete', old.id, old.name, old.ssid, old.address, old.said);
    INSERT INTO detection_text (rowid, name, ssid, address, said)
    VALUES (new.id, new.name, new.ssid, new.address, new.said);
END;
COMMIT;

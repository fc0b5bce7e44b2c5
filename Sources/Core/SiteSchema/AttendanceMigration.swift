/// The tables of what sessions rest on.
enum AttendanceMigration {
    /// `breaks` is JSON `[[from_ms, to_ms], …]`, `review` JSON `["code", …]`. `statement` is for ever
    /// what was said; `ledger` holds those that may still count, with what other sites told
    /// (`elsewhere`), what is odd (`doubts`) and what was put before a person (`disputes`), as JSON. Before
    /// `watermark_ms` no evidence changes anything any more: a session that ended before is final.
    static let sql = """
        ALTER TABLE attendance_session ADD COLUMN in_cause TEXT NOT NULL DEFAULT 'heard'
            CHECK (in_cause IN ('heard', 'manual', 'corrected'));
        ALTER TABLE attendance_session ADD COLUMN out_cause TEXT
            CHECK (out_cause IN ('last-heard', 'manual', 'corrected', 'superseded'));
        ALTER TABLE attendance_session ADD COLUMN last_heard_ms INTEGER;
        ALTER TABLE attendance_session ADD COLUMN breaks TEXT NOT NULL DEFAULT '[]'
            CHECK (json_valid(breaks));
        ALTER TABLE attendance_session ADD COLUMN review TEXT NOT NULL DEFAULT '[]'
            CHECK (json_valid(review));
        ALTER TABLE attendance_session ADD COLUMN rev INTEGER NOT NULL DEFAULT 1 CHECK (rev >= 1);
        UPDATE attendance_session SET out_cause = 'last-heard', last_heard_ms = to_ms
            WHERE to_ms IS NOT NULL;

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

        ALTER TABLE ledger ADD COLUMN statements TEXT NOT NULL DEFAULT '[]'
            CHECK (json_valid(statements));
        ALTER TABLE ledger ADD COLUMN elsewhere TEXT NOT NULL DEFAULT '[]'
            CHECK (json_valid(elsewhere));
        ALTER TABLE ledger ADD COLUMN doubts TEXT NOT NULL DEFAULT '[]'
            CHECK (json_valid(doubts));
        ALTER TABLE ledger ADD COLUMN disputes TEXT NOT NULL DEFAULT '[]'
            CHECK (json_valid(disputes));
        ALTER TABLE site_state ADD COLUMN watermarks TEXT NOT NULL DEFAULT '[]'
            CHECK (json_valid(watermarks));
        ALTER TABLE site_state ADD COLUMN watermark_ms INTEGER NOT NULL DEFAULT 0;

        DROP VIEW v_session;
        CREATE VIEW v_session AS
        SELECT session.id AS session_id, user.slug AS user, user.name AS user_name,
            from_ms AS check_in_ms, to_ms AS check_out_ms, (to_ms - from_ms) / 1000.0 AS duration_s,
            CASE WHEN to_ms IS NULL THEN 'open' ELSE 'closed' END AS state, site.demo,
            in_cause, out_cause, last_heard_ms, breaks, review, rev,
            coalesce(to_ms <= (SELECT watermark_ms FROM site_state), 0) AS final
        FROM attendance_session AS session JOIN user ON user.id = session.user CROSS JOIN site
        WHERE session.void = 0;

        """
}

/// What is left of what ledgers have forgotten.
enum CheckpointsMigration {
    /// `checkpoint` is JSON (`LedgerCheckpoint`): how the sessions of the user stood at the moment before
    /// which nothing is in the other columns. A row of a version before this one has none until it
    /// is written again.
    static let sql = """
        ALTER TABLE ledger ADD COLUMN checkpoint TEXT
            CHECK (checkpoint IS NULL OR json_valid(checkpoint));

        """
}

/// The tables of where people were while nobody was told.
enum HolesMigration {
    /// Rooms found afterwards from evidence, the best node of each minute: right to a minute. Filled up
    /// to `through_ms`. In `v_stay` they have negative numbers.
    static let sql = """
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
        CREATE INDEX evidence_by_time ON evidence (site_from_ms);

        DROP VIEW v_stay;
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

/// The tables of what nodes keep in their outboxes until it is stored here.
enum OutboxesMigration {
    /// The first `evidence` was never written to. Rows go by `at_ms`, when they arrived by our own
    /// clock: what a node without a clock says of times is worth nothing. `site_from_ms` is when the
    /// evidence began by ours, NULL where nobody can say; `log` and `boot` are hexadecimal.
    static let sql = """
        ALTER TABLE site_state ADD COLUMN epoch INTEGER NOT NULL DEFAULT 1 CHECK (epoch >= 1);

        CREATE TABLE node_cursor (
            node INTEGER NOT NULL REFERENCES node (id),
            log TEXT NOT NULL,
            seq INTEGER NOT NULL CHECK (seq >= 0),
            since_ms INTEGER NOT NULL,
            PRIMARY KEY (node, log)
        ) STRICT, WITHOUT ROWID;

        DROP VIEW v_evidence;
        DROP TABLE evidence;
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
        CREATE INDEX evidence_by_arrival ON evidence (at_ms);

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

        """
}

/// Why places were decided: what `beaconmesh why` reads.
enum ReasonsMigration {
    /// A row a change of a decided place. What no query looks into is in `detail`, see
    /// `ReasonsDetail`. Of a user, later rows have later times.
    static let sql = """
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

        """
}

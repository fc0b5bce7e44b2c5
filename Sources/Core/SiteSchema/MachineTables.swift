/// The tables of what the machines start from, and of why they decided.
enum MachineTables {
    /// Of `site_state`: before `watermark_ms` no evidence changes anything any more, so that a
    /// session that ended before is final. `listening_since_ms` is the first second in which
    /// anybody ever listened. `stations` is JSON: of each the number of what it was last, and since
    /// when.
    ///
    /// `ledger` holds the statements that may still count, with what other sites told
    /// (`elsewhere`), what is odd (`doubts`) and what was put before a person (`disputes`), as
    /// JSON. `checkpoint` is JSON (`LedgerCheckpoint`): how the sessions of the user stood at the
    /// moment before which nothing is in the other columns; NULL until anything was forgotten.
    ///
    /// `watch` of `presence` is JSON: since when somebody is at a station, and how long they have
    /// been away; NULL before they were at one.
    static let state = """
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

        """

    /// What people decided about attendance, as far as the machines are concerned. `revision` grows
    /// with each approved correction, lock, excuse and erasure of any process: by that a running
    /// coordinator notices it. `taken` is what its machines have taken in (`Overrides`), NULL
    /// before the first time.
    static let overrides = """
        CREATE TABLE overrides (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            revision INTEGER NOT NULL CHECK (revision >= 0),
            taken TEXT CHECK (taken IS NULL OR json_valid(taken))
        ) STRICT;
        INSERT INTO overrides (id, revision) VALUES (1, 0);

        """

    /// What was asked with a key, and what was answered. A row is either a machine's, with its
    /// answer, or a room's, with the SHA-256 of what was asked for, the HTTP status and the body;
    /// the body is missing where it had a secret. What was begun and not answered has the status of
    /// `in_doubt`, and is not done again.
    static let requests = """
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
        CREATE INDEX answered_request_by_age ON answered_request (at_ms);
        CREATE INDEX answered_request_of_rooms ON answered_request (asker) WHERE digest IS NOT NULL;

        CREATE TABLE refused_input (
            id INTEGER PRIMARY KEY,
            at_ms INTEGER NOT NULL,
            input TEXT NOT NULL,
            reason TEXT NOT NULL
        ) STRICT;

        """

    /// Why places were decided: what `beaconmesh why` reads. A row a change of a decided place.
    /// What no query looks into is in `detail`, see `ReasonsDetail`. Of a user, later rows have
    /// later times.
    static let reasons = """
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

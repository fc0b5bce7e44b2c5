/// The tables of what nodes heard, and of what was learned from it.
enum EvidenceTables {
    /// What nodes keep in their outboxes until it is stored here. `evidence` has one packed row for
    /// each minute that a node reports. Rows go by `at_ms`, when they arrived by our own clock:
    /// what a node without a clock says of times is worth nothing. `site_from_ms` is when the
    /// evidence began by ours, NULL where nobody can say; `log` and `boot` are hexadecimal.
    static let outboxes = """
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
        CREATE INDEX evidence_by_arrival ON evidence (at_ms);
        CREATE INDEX evidence_by_time ON evidence (site_from_ms);

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

    /// Nobody waits for what the node of an open `node_excuse` has not told, until it tells again:
    /// a row stays open then and has no effect any more.
    static let excuses = """
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
        CREATE UNIQUE INDEX one_open_excuse_a_node ON node_excuse (node) WHERE ended_ms IS NULL;

        """

    /// What was learned of places. `survey` holds legs: seconds on end at one place, of one stand
    /// or one walk (`stretch`). The ears that listened throughout are JSON, the levels are packed
    /// as `Packed` says. `corrections` is JSON: what was added to the levels of each of `ears`, in
    /// their order, in dB; NULL where nobody noted it, as of imports. `model` holds what was
    /// learned from all stretches up to `through`; at most one is in force.
    static let models = """
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
        CREATE INDEX survey_by_stretch ON survey (stretch, id);

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
        CREATE UNIQUE INDEX one_applied_model ON model (state) WHERE state = 'applied';

        """

    /// What receivers and transmitters differ by, one row a node or beacon. `offset_db` was
    /// measured, `applied_db` is taken off its levels; `place` is where it was, as JSON, `position`
    /// likewise; `drift_db` tells a jump of the latest day.
    static let offsets = """
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

        """
}

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

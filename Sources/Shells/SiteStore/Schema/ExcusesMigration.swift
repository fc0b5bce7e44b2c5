/// What the site waits for, and since when it listens.
enum ExcusesMigration {
    /// Nobody waits for what the node of an open `node_excuse` has not told, until it tells again: a
    /// row stays open then and has no effect any more. `listening_since_ms` is the first second in which
    /// anybody ever listened; of a site that ran before this migration, of what is still stored.
    static let sql = """
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

        ALTER TABLE site_state ADD COLUMN listening_since_ms INTEGER;
        UPDATE site_state SET listening_since_ms = (
            SELECT min(moment) FROM (
                SELECT clock_ms AS moment FROM site_state
                UNION ALL SELECT min(from_ms) FROM attendance_session
                UNION ALL SELECT min(site_from_ms) FROM evidence));

        """
}

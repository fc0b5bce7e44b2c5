/// The table of what receivers and transmitters differ by.
enum OffsetsMigration {
    /// One row a node or beacon. `offset_db` was measured, `applied_db` is taken off its levels;
    /// `place` is where it was, as JSON, `position` likewise; `drift_db` tells a jump of the latest day.
    static let sql = """
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

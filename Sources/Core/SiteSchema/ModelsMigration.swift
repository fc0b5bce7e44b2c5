/// The tables of what was learned of places.
enum ModelsMigration {
    /// `survey` holds legs: seconds on end at one place, of one stand or one walk (`stretch`). The
    /// ears that listened throughout are JSON, the levels are packed as `Packed` says. `model` holds
    /// what was learned from all stretches up to `through`; at most one is in force. A room's
    /// corners are in metres, all four of them or none.
    static let sql = """
        ALTER TABLE room ADD COLUMN low_x_m REAL;
        ALTER TABLE room ADD COLUMN low_y_m REAL;
        ALTER TABLE room ADD COLUMN high_x_m REAL;
        ALTER TABLE room ADD COLUMN high_y_m REAL;

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
            levels BLOB NOT NULL
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
}

/// What was corrected when a survey was made.
enum SurveyCorrectionsMigration {
    /// `corrections` is JSON: what was added to the levels of each of `ears`, in their order, in dB. NULL
    /// where nobody noted it: of imports, and of what is older.
    static let sql = """
        ALTER TABLE survey ADD COLUMN corrections TEXT
            CHECK (corrections IS NULL OR json_valid(corrections));

        """
}

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

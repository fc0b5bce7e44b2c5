/// The tables of what is registered, as the first release had them, and what was added to them.
enum RegistryTables {
    private static let slug = """
        slug TEXT NOT NULL UNIQUE
                CHECK (length(slug) BETWEEN 1 AND 64 AND slug NOT GLOB '*[^a-z0-9-]*')
        """

    /// Nodes that people carry, and beacons that are fixed at places for those to hear.
    static let mobile = """
        ALTER TABLE node ADD COLUMN carrier INTEGER REFERENCES user (id)
            CHECK (carrier IS NULL OR station IS NULL);
        ALTER TABLE beacon ADD COLUMN room INTEGER REFERENCES room (id);
        ALTER TABLE beacon ADD COLUMN station INTEGER REFERENCES station (id)
            CHECK (station IS NULL OR room IS NULL);

        """

    static let registry = """
        CREATE TABLE revision (
            revision INTEGER PRIMARY KEY CHECK (revision >= 1),
            at_ms INTEGER NOT NULL,
            changes TEXT NOT NULL
        ) STRICT;

        CREATE TABLE site (
            id INTEGER PRIMARY KEY CONSTRAINT one_site_a_file CHECK (id = 1),
            \(slug),
            name TEXT NOT NULL,
            time_zone TEXT NOT NULL,
            demo INTEGER NOT NULL CHECK (demo IN (0, 1)),
            policy TEXT NOT NULL CHECK (json_valid(policy)),
            revision INTEGER NOT NULL REFERENCES revision (revision)
        ) STRICT;

        CREATE TABLE room (
            id INTEGER PRIMARY KEY,
            \(slug),
            name TEXT NOT NULL,
            retired_ms INTEGER
        ) STRICT;

        CREATE TABLE station (
            id INTEGER PRIMARY KEY,
            \(slug),
            name TEXT NOT NULL,
            room INTEGER NOT NULL REFERENCES room (id),
            slots INTEGER NOT NULL CHECK (slots >= 1),
            x_m REAL,
            y_m REAL,
            retired_ms INTEGER
        ) STRICT;

        CREATE TABLE node (
            id INTEGER PRIMARY KEY,
            \(slug),
            name TEXT NOT NULL,
            room INTEGER NOT NULL REFERENCES room (id),
            station INTEGER REFERENCES station (id),
            x_m REAL,
            y_m REAL,
            retired_ms INTEGER
        ) STRICT;

        CREATE TABLE user (
            id INTEGER PRIMARY KEY,
            \(slug),
            name TEXT NOT NULL,
            retired_ms INTEGER
        ) STRICT;

        CREATE TABLE beacon (
            id INTEGER PRIMARY KEY,
            \(slug),
            title TEXT NOT NULL,
            identity TEXT NOT NULL,
            retired_ms INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX one_beacon_an_identity ON beacon (identity) WHERE retired_ms IS NULL;

        CREATE TABLE beacon_binding (
            id INTEGER PRIMARY KEY,
            beacon INTEGER NOT NULL REFERENCES beacon (id),
            user INTEGER NOT NULL REFERENCES user (id),
            from_ms INTEGER NOT NULL,
            to_ms INTEGER,
            CONSTRAINT binding_ends_after_its_start CHECK (to_ms > from_ms)
        ) STRICT;
        CREATE UNIQUE INDEX one_open_binding_a_beacon ON beacon_binding (beacon)
            WHERE to_ms IS NULL;
        CREATE INDEX binding_of_beacon ON beacon_binding (beacon, from_ms);

        """

    /// From which level on a beacon is near; NULL is the default.
    static let thresholds = """
        ALTER TABLE beacon ADD COLUMN threshold_dbm REAL;
        """

    static let machines = """
        CREATE TABLE site_state (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            clock_ms INTEGER NOT NULL,
            next INTEGER NOT NULL CHECK (next >= 1),
            coverage BLOB NOT NULL CHECK (length(coverage) % 8 = 0),
            clocks TEXT NOT NULL CHECK (json_valid(clocks))
        ) STRICT;

        CREATE TABLE ledger (
            user INTEGER PRIMARY KEY REFERENCES user (id),
            heard BLOB NOT NULL CHECK (length(heard) % 8 = 0)
        ) STRICT;

        CREATE TABLE presence (
            user INTEGER PRIMARY KEY REFERENCES user (id),
            room TEXT NOT NULL CHECK (json_valid(room)),
            station TEXT NOT NULL CHECK (json_valid(station))
        ) STRICT;

        CREATE TABLE answer (
            id INTEGER PRIMARY KEY,
            client TEXT NOT NULL,
            request_id TEXT NOT NULL,
            at_ms INTEGER NOT NULL,
            answer TEXT NOT NULL CHECK (json_valid(answer)),
            UNIQUE (client, request_id)
        ) STRICT;
        CREATE INDEX answer_by_age ON answer (at_ms);

        CREATE TABLE refused_input (
            id INTEGER PRIMARY KEY,
            at_ms INTEGER NOT NULL,
            input TEXT NOT NULL,
            reason TEXT NOT NULL
        ) STRICT;

        """
}

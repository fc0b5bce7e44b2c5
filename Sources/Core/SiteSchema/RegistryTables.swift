/// The tables of what is registered: the site, its places, its nodes, its people and their beacons.
enum RegistryTables {
    private static let slug = """
        slug TEXT NOT NULL UNIQUE
                CHECK (length(slug) BETWEEN 1 AND 64 AND slug NOT GLOB '*[^a-z0-9-]*')
        """

    /// `corners_m` of a room that is no rectangle: x, y, x, y, … in metres; the four others are NULL then. A picture
    /// lies under the rooms of its storey, its upper left corner at `x_m`, `y_m`; it is a PNG that we wrote.
    static let plans = """
        ALTER TABLE room ADD COLUMN corners_m TEXT
            CHECK (corners_m IS NULL OR json_valid(corners_m));
        ALTER TABLE room ADD COLUMN storey INTEGER NOT NULL DEFAULT 0
            CHECK (storey BETWEEN -9 AND 99);
        ALTER TABLE site ADD COLUMN wall_names TEXT NOT NULL DEFAULT 'none'
            CHECK (wall_names IN ('none', 'initials', 'first'));
        ALTER TABLE site ADD COLUMN content TEXT CHECK (content IS NULL OR json_valid(content));
        ALTER TABLE node ADD COLUMN profile TEXT CHECK (profile IN ('ranging', 'sparse'));
        ALTER TABLE node ADD COLUMN sparse_hours TEXT;

        CREATE TABLE plan_picture (
            storey INTEGER PRIMARY KEY CHECK (storey BETWEEN -9 AND 99),
            x_m REAL NOT NULL,
            y_m REAL NOT NULL,
            width_m REAL NOT NULL CHECK (width_m > 0),
            png BLOB NOT NULL
        ) STRICT;
        """

    /// Where a beacon was fixed when stands in `beacon_place`; the open row is what `beacon` says. Which beacons are in a group follows from its `rule`. A card is shown of a station, a beacon, the beacons of a group
    /// or those with a `minor`; its `picture` is the name of one, which need not be there. `file` is what cards were last
    /// read from, so that it can be written again as it was.
    static let content = """
        CREATE TABLE beacon_group (
            id INTEGER PRIMARY KEY,
            \(slug),
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
        CREATE UNIQUE INDEX one_open_place_a_beacon ON beacon_place (beacon) WHERE to_ms IS NULL;
        CREATE INDEX place_of_beacon ON beacon_place (beacon, from_ms);
        INSERT INTO beacon_place (beacon, room, station, from_ms)
        SELECT id, room, station, coalesce((SELECT max(at_ms) FROM revision), 0) FROM beacon
        WHERE retired_ms IS NULL AND (room IS NOT NULL OR station IS NOT NULL);

        CREATE TABLE card (
            id INTEGER PRIMARY KEY,
            \(slug),
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
        """

    /// `site_zone` tells since when the site goes by which zone. A room's corners are in metres,
    /// all four of them or none. Of a station, `auto_start_s` NULL: no workout begins by itself;
    /// `auto_pause_s` NULL: none pauses by itself.
    static let places = """
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
            revision INTEGER NOT NULL REFERENCES revision (revision),
            requires_consent INTEGER NOT NULL DEFAULT 0 CHECK (requires_consent IN (0, 1)),
            attendance_days INTEGER CHECK (attendance_days >= 730),
            day_start_min INTEGER NOT NULL DEFAULT 0 CHECK (day_start_min BETWEEN 0 AND 1439)
        ) STRICT;

        CREATE TABLE site_zone (
            from_ms INTEGER PRIMARY KEY,
            zone TEXT NOT NULL
        ) STRICT;

        CREATE TABLE room (
            id INTEGER PRIMARY KEY,
            \(slug),
            name TEXT NOT NULL,
            retired_ms INTEGER,
            low_x_m REAL,
            low_y_m REAL,
            high_x_m REAL,
            high_y_m REAL
        ) STRICT;

        CREATE TABLE station (
            id INTEGER PRIMARY KEY,
            \(slug),
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

        """

    /// A node has a `carrier` if somebody carries it. A person who was erased keeps the row, under
    /// a pseudonym.
    static let nodesAndPeople = """
        CREATE TABLE node (
            id INTEGER PRIMARY KEY,
            \(slug),
            name TEXT NOT NULL,
            room INTEGER NOT NULL REFERENCES room (id),
            station INTEGER REFERENCES station (id),
            x_m REAL,
            y_m REAL,
            retired_ms INTEGER,
            carrier INTEGER REFERENCES user (id) CHECK (carrier IS NULL OR station IS NULL)
        ) STRICT;

        CREATE TABLE user (
            id INTEGER PRIMARY KEY,
            \(slug),
            name TEXT NOT NULL,
            retired_ms INTEGER,
            erased_ms INTEGER
        ) STRICT;

        """

    /// A beacon has a `room` or a `station` if it is fixed there for nodes that people carry.
    /// `threshold_dbm` is from which level on it is near; NULL is the default.
    ///
    /// `until_ms` is the end that the site file says: the binding ends then by itself, as `to_ms`
    /// is the same. At most one binding of a beacon is open or has one. `beacon_identity` has one
    /// open row a beacon that is not retired: what it was recognised by when.
    static let beacons = """
        CREATE TABLE beacon (
            id INTEGER PRIMARY KEY,
            \(slug),
            title TEXT NOT NULL,
            identity TEXT NOT NULL,
            retired_ms INTEGER,
            room INTEGER REFERENCES room (id),
            station INTEGER REFERENCES station (id) CHECK (station IS NULL OR room IS NULL),
            threshold_dbm REAL
        ) STRICT;
        CREATE UNIQUE INDEX one_beacon_an_identity ON beacon (identity) WHERE retired_ms IS NULL;

        CREATE TABLE beacon_binding (
            id INTEGER PRIMARY KEY,
            beacon INTEGER NOT NULL REFERENCES beacon (id),
            user INTEGER NOT NULL REFERENCES user (id),
            from_ms INTEGER NOT NULL,
            to_ms INTEGER,
            until_ms INTEGER CHECK (until_ms IS NULL OR until_ms IS to_ms),
            CONSTRAINT binding_ends_after_its_start CHECK (to_ms > from_ms)
        ) STRICT;
        CREATE UNIQUE INDEX one_open_binding_a_beacon ON beacon_binding (beacon)
            WHERE to_ms IS NULL;
        CREATE INDEX binding_of_beacon ON beacon_binding (beacon, from_ms);
        CREATE UNIQUE INDEX one_said_binding_a_beacon ON beacon_binding (beacon)
            WHERE to_ms IS NULL OR until_ms IS NOT NULL;

        CREATE TABLE beacon_identity (
            id INTEGER PRIMARY KEY,
            beacon INTEGER NOT NULL REFERENCES beacon (id),
            identity TEXT NOT NULL,
            from_ms INTEGER NOT NULL,
            to_ms INTEGER,
            CONSTRAINT identity_ends_after_its_start CHECK (to_ms > from_ms)
        ) STRICT;
        CREATE UNIQUE INDEX one_open_identity_a_beacon ON beacon_identity (beacon)
            WHERE to_ms IS NULL;
        CREATE INDEX identity_of_beacon ON beacon_identity (beacon, from_ms);
        CREATE INDEX beacon_of_identity ON beacon_identity (identity, from_ms);

        """
}

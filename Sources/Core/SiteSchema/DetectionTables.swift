/// The tables of strangers' devices.
enum DetectionTables {
    /// Where people's phones were, to place what the detectors find that they carry. `key` and `replaced` are as those of
    /// samples.
    static let positions = """
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
        CREATE UNIQUE INDEX geo_position_of_key ON geo_position (user, key);
        CREATE UNIQUE INDEX geo_position_by_moment ON geo_position (source, at_ms, replaced);
        CREATE INDEX geo_position_of_user ON geo_position (user, at_ms);
        CREATE INDEX geo_position_by_age ON geo_position (at_ms);

        """

    private static let slug = """
        slug TEXT NOT NULL UNIQUE
                CHECK (length(slug) BETWEEN 1 AND 64 AND slug NOT GLOB '*[^a-z0-9-]*')
        """

    /// A device type has rules; a rule holds when all of what it says holds. A detection is one visit of a device, from
    /// `first_ms` to `last_ms`, as strong as `rssi` at the node that heard it best; `detection_node` has each that did,
    /// with since when it hears it without having lost it, and how much since. Of an
    /// external detector it is a row as it was sent, once by `source` and `source_id`; `user` is who carried that, of one with a place. `address` is 12 digits for a day, and
    /// then a digest by the key of `detection_key`. `detection_text` finds texts in them. `device_companion` has the digests of
    /// devices that came and went with somebody, and on which days.
    static let detections = """
        CREATE TABLE device_type (
            id INTEGER PRIMARY KEY,
            \(slug),
            name TEXT NOT NULL,
            description TEXT,
            icon TEXT,
            colour TEXT,
            notify TEXT CHECK (notify IS NULL OR json_valid(notify)),
            retired_ms INTEGER
        ) STRICT;

        CREATE TABLE device_rule (
            id INTEGER PRIMARY KEY,
            \(slug),
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
        INSERT INTO detection_key VALUES (1, randomblob(32));

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
        CREATE INDEX device_companion_by_age ON device_companion (at_ms);
        CREATE INDEX device_companion_of_user ON device_companion (user);

        CREATE VIRTUAL TABLE detection_text USING fts5(
            name, ssid, address, said, content = 'detection', content_rowid = 'id',
            tokenize = 'trigram'
        );
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
        """
}

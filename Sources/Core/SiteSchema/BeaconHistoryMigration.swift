/// When a binding is to end, and what a beacon was recognised by when.
enum BeaconHistoryMigration {
    /// `until_ms` is the end that the site file says: the binding ends then by itself, as `to_ms` is the
    /// same. At most one binding of a beacon is open or has one. `beacon_identity` has one open row a
    /// beacon that is not retired. Of a beacon older than the table it is not known what it was recognised
    /// by before: its first row begins with its first binding, else with the first revision.
    static let sql = """
        ALTER TABLE beacon_binding ADD COLUMN until_ms INTEGER
            CHECK (until_ms IS NULL OR until_ms IS to_ms);
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

        INSERT INTO beacon_identity (beacon, identity, from_ms, to_ms)
        SELECT id, identity, since_ms, max(retired_ms, since_ms + 1)
        FROM (
            SELECT beacon.*, coalesce(
                (SELECT min(from_ms) FROM beacon_binding WHERE beacon = beacon.id),
                (SELECT min(at_ms) FROM revision), 0) AS since_ms
            FROM beacon)
        ORDER BY id;

        """
}

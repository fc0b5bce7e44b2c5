/// The tables of where people were while nobody was told.
enum HolesMigration {
    /// Rooms found afterwards from evidence, the best node of each minute: right to a minute. Filled up
    /// to `through_ms`. In `v_stay` they have negative numbers.
    static let sql = """
        CREATE TABLE coarse_stay (
            id INTEGER PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user (id),
            room INTEGER NOT NULL REFERENCES room (id),
            from_ms INTEGER NOT NULL,
            to_ms INTEGER NOT NULL CHECK (to_ms > from_ms)
        ) STRICT;
        CREATE INDEX coarse_stay_of_user ON coarse_stay (user, from_ms);
        CREATE INDEX coarse_stay_by_end ON coarse_stay (to_ms);
        CREATE TABLE coarse_fill (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            through_ms INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX evidence_by_time ON evidence (site_from_ms);

        DROP VIEW v_stay;
        CREATE VIEW v_stay AS
        SELECT stay.id AS stay_id, user.slug AS user, level,
            coalesce(room.slug, station.slug) AS place, from_ms, to_ms,
            (to_ms - from_ms) / 1000.0 AS duration_s, site.demo, 0 AS coarse
        FROM stay JOIN user ON user.id = stay.user
            LEFT JOIN room ON room.id = stay.room LEFT JOIN station ON station.id = stay.station
            CROSS JOIN site
        UNION ALL
        SELECT -coarse_stay.id, user.slug, 'room', room.slug, from_ms, to_ms,
            (to_ms - from_ms) / 1000.0, site.demo, 1
        FROM coarse_stay JOIN user ON user.id = coarse_stay.user
            JOIN room ON room.id = coarse_stay.room CROSS JOIN site;

        """
}

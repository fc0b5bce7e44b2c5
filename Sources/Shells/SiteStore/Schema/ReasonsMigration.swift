/// Why places were decided: what `beaconmesh why` reads.
enum ReasonsMigration {
    /// A row a change of a decided place. What no query looks into is in `detail`, see
    /// `ReasonsDetail`. Of a user, later rows have later times.
    static let sql = """
        CREATE TABLE reasons (
            id INTEGER PRIMARY KEY,
            user INTEGER NOT NULL REFERENCES user (id),
            at_ms INTEGER NOT NULL,
            rule TEXT NOT NULL,
            from_room INTEGER REFERENCES room (id),
            from_station INTEGER REFERENCES station (id),
            to_room INTEGER REFERENCES room (id),
            to_station INTEGER REFERENCES station (id),
            probability REAL NOT NULL,
            detail TEXT NOT NULL CHECK (json_valid(detail)),
            UNIQUE (user, at_ms),
            CONSTRAINT stations_stand_in_rooms CHECK
                ((from_station IS NULL OR from_room IS NOT NULL)
                AND (to_station IS NULL OR to_room IS NOT NULL))
        ) STRICT;
        CREATE INDEX reasons_by_age ON reasons (at_ms);

        CREATE VIEW v_move AS
        SELECT user.slug AS user, at_ms, rule, from_room.slug AS from_room,
            from_station.slug AS from_station, to_room.slug AS to_room,
            to_station.slug AS to_station, probability, detail, site.demo
        FROM reasons JOIN user ON user.id = reasons.user
            LEFT JOIN room AS from_room ON from_room.id = reasons.from_room
            LEFT JOIN station AS from_station ON from_station.id = reasons.from_station
            LEFT JOIN room AS to_room ON to_room.id = reasons.to_room
            LEFT JOIN station AS to_station ON to_station.id = reasons.to_station
            CROSS JOIN site;

        """
}

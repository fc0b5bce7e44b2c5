import GRDB
import SiteModel
import SiteStore

/// One person who is at the site.
package struct WhoRow: Equatable, Sendable {
    /// Their pseudonym.
    package var user: String
    /// What they are called. Hostile text: only ever shown as text.
    package var name: String
    /// When their open session began.
    package var from: Timestamp
    /// The slug of the room they are in, if one is decided.
    package var room: String?
    /// The slug of the station they are at, if they are at one of that room: the two stays end by
    /// separate timers.
    package var station: String?
    /// Since when they are at the station, else in the room, else at the site.
    package var since: Timestamp
}

extension WhoRow {
    /// Who is at the site: all open sessions, by name.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package static func all(in store: Store) throws(StoreError) -> [WhoRow] {
        try store.read { db in
            try db.rows(
                """
                SELECT user.slug, user.name, session.from_ms, room.slug AS room,
                    station.slug AS station,
                    coalesce(iif(station.id IS NULL, NULL, at_station.from_ms),
                        in_room.from_ms, session.from_ms) AS since_ms
                FROM attendance_session AS session JOIN user ON user.id = session.user
                    LEFT JOIN stay AS in_room ON in_room.user = user.id
                        AND in_room.level = 'room' AND in_room.to_ms IS NULL
                    LEFT JOIN stay AS at_station ON at_station.user = user.id
                        AND at_station.level = 'station' AND at_station.to_ms IS NULL
                    LEFT JOIN room ON room.id = in_room.room
                    LEFT JOIN station ON station.id = at_station.station
                        AND station.room = in_room.room
                WHERE session.to_ms IS NULL AND session.void = 0
                ORDER BY user.name, user.slug
                """
            ) {
                WhoRow(
                    user: $0["slug"], name: $0["name"], from: $0["from_ms"],
                    room: $0["room"], station: $0["station"], since: $0["since_ms"])
            }
        }
    }
}

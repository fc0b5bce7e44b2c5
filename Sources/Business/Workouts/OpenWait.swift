import GRDB
import SiteModel
import SiteStore

/// Somebody's wait for a station, while it lasts.
package struct OpenWait: Sendable {
    /// The slug of the station.
    package let station: String
    package let joined: Timestamp
    package let offeredUntil: Timestamp?
    /// How many wait there who joined earlier.
    package let ahead: Int
}

extension WorkoutHistory {
    /// The wait of somebody, by their slug; `nil`: they do not wait.
    package func wait(of user: String) throws(StoreError) -> OpenWait? {
        try store.read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT station.slug AS station, joined_ms, offered_until_ms, (
                        SELECT count(*) FROM station_queue AS other
                        WHERE other.station = wait.station AND other.ended_ms IS NULL
                            AND (other.joined_ms, other.id) < (wait.joined_ms, wait.id)) AS ahead
                    FROM station_queue AS wait JOIN station ON station.id = wait.station
                    WHERE wait.ended_ms IS NULL
                        AND wait.user = (SELECT id FROM user WHERE slug = ?)
                    """, arguments: [user]
            ).map {
                OpenWait(
                    station: $0["station"], joined: $0["joined_ms"],
                    offeredUntil: $0["offered_until_ms"], ahead: $0["ahead"])
            }
        }
    }
}

import GRDB
import SiteModel
import SiteStore

/// Somebody's wait for a station, while it lasts.
package struct OpenWait: Sendable {
    /// The slug of whose it is.
    package let user: String
    /// The slug of the station.
    package let station: String
    package let joined: Timestamp
    package let offeredUntil: Timestamp?
    /// How many wait there who joined earlier.
    package let ahead: Int
}

extension WorkoutHistory {
    /// The waits of some people, by their slugs, in the order of joining; `nil`: everybody's.
    package func waits(of users: [String]?) throws(StoreError) -> [OpenWait] {
        try store.read { db in
            try db.rows(
                """
                SELECT user.slug AS user, station.slug AS station, joined_ms, offered_until_ms, (
                    SELECT count(*) FROM station_queue AS other
                    WHERE other.station = wait.station AND other.ended_ms IS NULL
                        AND (other.joined_ms, other.id) < (wait.joined_ms, wait.id)) AS ahead
                FROM station_queue AS wait JOIN station ON station.id = wait.station
                    JOIN user ON user.id = wait.user
                WHERE wait.ended_ms IS NULL
                    AND (?1 IS NULL OR user.slug IN (SELECT value FROM json_each(?1)))
                ORDER BY joined_ms, wait.id
                """, [users.map { "[" + $0.map { "\"\($0)\"" }.joined(separator: ",") + "]" }]
            ) {
                OpenWait(
                    user: $0["user"], station: $0["station"], joined: $0["joined_ms"],
                    offeredUntil: $0["offered_until_ms"], ahead: $0["ahead"])
            }
        }
    }
}

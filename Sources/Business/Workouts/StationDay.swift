import GRDB
import SiteModel
import SiteStore

/// How a station was used on a day, without who used it.
package struct StationDay: Equatable, Sendable {
    /// A time of a slot, or of the whole station.
    package struct Part: Equatable, Sendable {
        /// The slot, from 1; `nil`: the station was out of order.
        package var slot: Int?
        package var from: Timestamp
        /// `nil` while it goes on.
        package var to: Timestamp?
        /// Why it was out of order. Hostile text.
        package var note: String?
    }

    package var day: Interval
    /// By beginning.
    package var parts: [Part]
}

extension StationStatistics {
    /// The uses of a station that reach into a day, and the times in which it was out of order; `nil`: there is no such
    /// station. Those of cancelled workouts do not count.
    package func day(of station: String, in day: Interval) throws(StoreError) -> StationDay? {
        try store.read { db in
            let row = try Int64.fetchOne(
                db, sql: "SELECT id FROM station WHERE slug = ? AND retired_ms IS NULL",
                arguments: [station])
            guard let row else { return nil }
            let uses = try db.rows(
                """
                SELECT slot, from_ms, to_ms FROM station_claim JOIN workout ON workout.id = workout
                WHERE station_claim.station = ? AND from_ms < ? AND (to_ms > ? OR to_ms IS NULL)
                    AND state <> 'cancelled'
                """, [row, day.to, day.from]
            ) { StationDay.Part(slot: $0["slot"], from: $0["from_ms"], to: $0["to_ms"]) }
            let downtimes = try db.rows(
                """
                SELECT from_ms, to_ms, note FROM station_downtime
                WHERE station = ? AND from_ms < ? AND coalesce(to_ms, ?) > ?
                """, [row, day.to, day.to, day.from]
            ) {
                StationDay.Part(
                    from: $0["from_ms"], to: $0["to_ms"],
                    note: ($0["note"] as String?)?.unstored)
            }
            let parts = (uses + downtimes).sorted {
                ($0.from, $0.slot ?? 0) < ($1.from, $1.slot ?? 0)
            }
            return StationDay(day: day, parts: parts)
        }
    }
}

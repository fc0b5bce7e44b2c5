import GRDB
import Scheduling
import SiteModel
import SiteStore

/// How stations were used: by the claims on them, and by who waited.
package struct StationStatistics: Sendable {
    /// What a station was used for.
    package struct Use: Equatable, Sendable {
        /// The slug of the station.
        package var station: String
        /// Uses that lie in the time that was asked for, or reach into it.
        package var uses = 0
        /// How long it was used in that time, all its slots together.
        package var time = Timestamp.Span.milliseconds(0)
        /// The hour of the day by the clocks on the wall in which it was used most, 0 to 23; of equal ones the first.
        package var peakHour: Int?
        /// How often somebody began to wait for it.
        package var waits = 0
        /// How long those waited who got it: the median.
        package var medianWait: Timestamp.Span?
    }

    let store: Store

    package init(_ store: Store) { self.store = store }

    /// The uses of every station that is there, and of those that were used then, by slug. Those of cancelled workouts
    /// do not count; one that goes on is used until `now`.
    package func uses(
        in asked: Interval, _ calendar: SiteCalendar, now: Timestamp
    ) throws(StoreError) -> [Use] {
        try store.read { db in
            var uses: [String: Use] = [:]
            var hours: [String: [Int64]] = [:]
            for slug in try db.rows(
                "SELECT slug FROM station WHERE retired_ms IS NULL", as: { $0["slug"] as String })
            { uses[slug] = Use(station: slug) }
            let claims = try db.rows(
                """
                SELECT slug, from_ms, coalesce(to_ms, max(from_ms, ?)) AS until_ms
                FROM station_claim JOIN station ON station.id = station_claim.station
                    JOIN workout ON workout.id = workout
                WHERE from_ms < ? AND (to_ms > ? OR to_ms IS NULL) AND until_ms > ?
                    AND state <> 'cancelled'
                """, [now, asked.to, asked.from, asked.from]
            ) { ($0["slug"] as String, $0["from_ms"] as Timestamp, $0["until_ms"] as Timestamp) }
            for (slug, from, to) in claims {
                let part = Interval(from: max(from, asked.from), to: min(to, asked.to))
                var use = uses[slug] ?? Use(station: slug)
                use.uses += 1
                use.time = use.time + (part.to - part.from)
                uses[slug] = use
                var lengths = hours[slug] ?? Array(repeating: 0, count: 24)
                Self.share(part, calendar, among: &lengths)
                hours[slug] = lengths
            }
            for (slug, lengths) in hours {
                uses[slug]?.peakHour = lengths.firstIndex(of: lengths.max() ?? 0)
            }
            for (slug, waits, lengths) in try Self.waits(in: asked, db) {
                uses[slug, default: Use(station: slug)].waits = waits
                uses[slug]?.medianWait =
                    lengths.isEmpty
                    ? nil : .milliseconds(lengths.sorted()[(lengths.count - 1) / 2])
            }
            return uses.values.sorted { $0.station < $1.station }
        }
    }

    /// Adds the milliseconds of an interval to the hours of the day in which they lie.
    private static func share(
        _ part: Interval, _ calendar: SiteCalendar, among hours: inout [Int64]
    ) {
        let hour: Int64 = 3_600_000
        var moment = part.from
        while moment < part.to {
            let wall = Int64(calendar.local(moment).time.milliseconds)
            let end = min(part.to, moment + .milliseconds(hour - wall % hour))
            hours[Int(wall / hour) % 24] += (end - moment).milliseconds
            moment = end
        }
    }

    private static func waits(
        in asked: Interval, _ db: Database
    ) throws -> [(station: String, waits: Int, lengths: [Int64])] {
        let rows = try db.rows(
            """
            SELECT slug, iif(outcome = 'accepted', ended_ms - joined_ms, NULL) AS length_ms
            FROM station_queue JOIN station ON station.id = station_queue.station
            WHERE joined_ms >= ? AND joined_ms < ? ORDER BY slug
            """, [asked.from, asked.to]
        ) { (slug: $0["slug"] as String, length: $0["length_ms"] as Int64?) }
        return Dictionary(grouping: rows, by: \.slug).map {
            ($0.key, $0.value.count, $0.value.compactMap(\.length))
        }
    }
}

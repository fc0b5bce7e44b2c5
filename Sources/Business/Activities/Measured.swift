import ActivityEngine
import GRDB
import SiteModel
import SiteStore

extension ActivitySample: Measured {
    package static let table = "activity_sample"
    package static let columns = ["from_ms", "to_ms", "steps", "distance_mm", "energy_cal"]

    /// Those of the source ?1 that count and fall between ?2 and ?3, at least in part; none is longer than `longest`.
    static let query = """
        SELECT * FROM activity_sample WHERE source = ?1 AND from_ms > ?2 - \(longest.milliseconds)
            AND from_ms < ?3 AND replaced = 0 AND to_ms > ?2 ORDER BY from_ms
        """
    package static var neighbours: String { query }

    package var beginning: Timestamp { from }
    package var ending: Timestamp { to }
    package var bounds: Interval { Interval(from: from, to: to) }
    package var values: [(any DatabaseValueConvertible)?] { [from, to, steps, distance, energy] }
    package var weight: Int64 { steps }

    /// One stands in the place of another with its beginning, and of all that lie within it, if it has no fewer steps
    /// than they have: an hour in the place of its minutes, a day in that of its hours.
    package func replaces(_ neighbours: [ActivitySample]) -> Bool {
        if neighbours.count == 1, neighbours[0].from == from { return true }
        return neighbours.allSatisfy { from <= $0.from && $0.to <= to }
            && neighbours.reduce(0) { $0 + $1.steps } <= steps
    }

    package init(row: Row) {
        self.init(
            from: row["from_ms"], to: row["to_ms"], steps: row["steps"],
            distance: row["distance_mm"], energy: row["energy_cal"])
    }
}

extension ActivityInterval: Measured {
    package static let table = "activity_interval"
    package static let columns = ["from_ms", "to_ms", "kind"]

    /// Those that began within the day before ?2 and had not ended by then, or began before ?3.
    static let query = """
        SELECT * FROM activity_interval
        WHERE source = ?1 AND from_ms > ?2 - \(ActivitySample.longest.milliseconds)
            AND from_ms < ?3 AND replaced = 0 AND coalesce(to_ms > ?2, 1) ORDER BY from_ms
        """
    /// One that goes on ends where another begins.
    package static let neighbours = """
        SELECT * FROM activity_interval
        WHERE source = ?1 AND from_ms > ?2 - \(ActivitySample.longest.milliseconds)
            AND from_ms < ?3 AND replaced = 0 AND coalesce(to_ms > ?2, from_ms >= ?2)
        """

    package var beginning: Timestamp { from }
    package var ending: Timestamp { to ?? from + .milliseconds(1) }
    package var bounds: Interval { Interval(from: from, to: ending) }
    package var values: [(any DatabaseValueConvertible)?] { [from, to, kind.rawValue] }
    package var weight: Int64 { 0 }

    package init(row: Row) {
        self.init(
            kind: ActivityKind(rawValue: row["kind"]) ?? .other, from: row["from_ms"],
            to: row["to_ms"])
    }
}

extension HeartRate: Measured {
    package static let table = "heart_rate"
    package static let columns = ["at_ms", "bpm"]

    /// Those of the source ?1 that count, from ?2 until before ?3.
    static let query = """
        SELECT * FROM heart_rate WHERE source = ?1 AND at_ms >= ?2 AND at_ms < ?3 AND replaced = 0
            ORDER BY at_ms
        """
    package static var neighbours: String { query }

    package var beginning: Timestamp { at }
    package var ending: Timestamp { at + .milliseconds(1) }
    package var bounds: Interval { Interval(from: at, to: ending) }
    package var values: [(any DatabaseValueConvertible)?] { [at, rate] }
    package var weight: Int64 { rate }

    package init(row: Row) { self.init(at: row["at_ms"], rate: row["bpm"]) }
}

extension GeoPosition: Measured {
    package static let table = "geo_position"
    package static let columns = [
        "at_ms", "latitude", "longitude", "accuracy_m", "speed_m_s", "heading_deg", "activity",
    ]
    package static let neighbours = """
        SELECT * FROM geo_position
        WHERE source = ?1 AND at_ms >= ?2 AND at_ms < ?3 AND replaced = 0
        """

    package var beginning: Timestamp { at }
    package var ending: Timestamp { at + .milliseconds(1) }
    package var bounds: Interval { Interval(from: at, to: ending) }
    package var values: [(any DatabaseValueConvertible)?] {
        [at, latitude, longitude, accuracy, speed, heading, activity]
    }
    package var weight: Int64 { 0 }

    package init(row: Row) {
        self.init(
            at: row["at_ms"], latitude: row["latitude"], longitude: row["longitude"],
            accuracy: row["accuracy_m"], speed: row["speed_m_s"], heading: row["heading_deg"],
            activity: row["activity"])
    }
}

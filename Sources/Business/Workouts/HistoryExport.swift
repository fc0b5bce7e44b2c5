import Foundation
import GRDB
import Reporting
import SiteModel
import SiteStore

/// What somebody trained, as a file of our own layout, which `HistoryFile` reads.
package struct HistoryExport: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// The ended workouts of a user with their sets, as CSV, the oldest first. Cancelled ones and deleted sets are
    /// left out: they count nowhere. Notes are guarded against spreadsheet programs (`CSVText.guarded`).
    package func csv(of user: String) throws(StoreError) -> [UInt8] {
        try store.read { db in
            var text = CSVText.line(OwnHistory.columns, .comma)
            let cursor = try Row.fetchCursor(db, sql: Self.statement, arguments: [user])
            while let row = try cursor.next() {
                let fields = OwnHistory.columns.map { Self.field($0, row) }
                text += CSVText.line(fields, .comma)
            }
            return Array(text.utf8)
        }
    }

    /// Its columns are those of the layout, but the weight in grams.
    private static let statement = """
        SELECT workout.id AS workout, started_ms, ended_ms, title, client_key AS "set", exercise,
            workout_set.kind, reps, weight_g AS weight_kg, duration_s, distance_m, rir,
            station.slug AS station, at_ms, note
        FROM workout JOIN workout_set ON workout_set.workout = workout.id
            LEFT JOIN station ON station.id = workout_set.station
        WHERE workout.user = (SELECT id FROM user WHERE slug = ?) AND ended_ms IS NOT NULL
            AND state <> 'cancelled' AND deleted = 0
        ORDER BY started_ms, workout.id, at_ms, n
        """

    private static func field(_ column: String, _ row: Row) -> String {
        switch column {
        case "weight_kg": (row[column] as Int64?).map(CSVText.thousandths) ?? ""
        case "title", "note":
            (row[column] as String?).map { CSVText.guarded($0.unstored) } ?? ""
        default: (row[column] as DatabaseValue).text
        }
    }
}

extension DatabaseValue {
    fileprivate var text: String {
        switch storage {
        case .string(let text): text
        case .int64(let number): "\(number)"
        default: ""
        }
    }
}

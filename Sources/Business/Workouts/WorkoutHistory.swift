import GRDB
import SiteModel
import SiteStore

/// Reads what is stored of workouts.
package struct WorkoutHistory: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// The slug of whose a workout is, or `nil` if there is none of that row.
    package func owner(of workout: Int64) throws(StoreError) -> String? {
        try store.read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT slug FROM workout JOIN user ON user.id = workout.user
                    WHERE workout.id = ?
                    """, arguments: [workout])
        }
    }
}

import GRDB
import SiteModel
import SiteStore

/// What a site knows of exercises when a history is taken in: those that were retired, too.
package struct SiteExercises: Sendable {
    /// What a set of each is.
    package let exercises: [Exercise]
    /// What each is called.
    package let names: [ExerciseNames.Known]
    /// The slugs of the stations.
    package let stations: Set<String>

    package init(_ store: Store) throws(StoreError) {
        (exercises, names, stations) = try store.read { db in
            let rows = try db.rows("SELECT * FROM exercise ORDER BY id", as: { $0.copy() })
            return (
                try rows.map { row in
                    guard let measure = Exercise.Measure(rawValue: row["measure"]),
                        let load = Exercise.Load(rawValue: row["load"])
                    else { throw DamagedRow("exercise.measure", row["id"]) }
                    return Exercise(
                        slug: row["slug"], measure: measure, load: load, rest: row["rest_s"])
                },
                try rows.map { row in
                    let others = try (row["names"] as String?).map {
                        try JSONText.value([String: String].self, from: $0)
                    }
                    return ExerciseNames.Known(
                        slug: row["slug"], name: row["name"],
                        others: others?.values.sorted() ?? [])
                },
                Set(try db.rows("SELECT slug FROM station") { $0["slug"] as String })
            )
        }
    }
}

import Foundation
import GRDB
import SiteModel
import SiteStore

/// Reads what is stored of workouts.
package struct WorkoutHistory: Sendable {
    let store: Store

    package init(_ store: Store) { self.store = store }

    /// Whether a slug is somebody's, retired or not.
    package func knows(_ user: String) throws(StoreError) -> Bool {
        try store.read { db in
            try Bool.fetchOne(db, sql: "SELECT 1 FROM user WHERE slug = ?", arguments: [user])
                ?? false
        }
    }

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

    /// The workouts that are asked for, the newest first, and whether there are more.
    package func workouts(
        _ query: WorkoutQuery
    ) throws(StoreError) -> (lines: [WorkoutLine], hasMore: Bool) {
        try store.read { db in
            let (sql, arguments) = query.statement
            let rows = try Row.fetchAll(db, sql: sql, arguments: arguments)
            let lines = try rows.prefix(query.limit).map { try WorkoutLine($0, db) }
            return (lines, rows.count > query.limit)
        }
    }

    /// The workout of a row, or `nil` if there is none.
    package func workout(_ id: Int64) throws(StoreError) -> WorkoutLine? {
        try workouts(WorkoutQuery(id: id)).lines.first
    }
}

/// Which workouts are asked for. What is not said does not matter.
package struct WorkoutQuery: Sendable {
    /// The row of the only one.
    package var id: Int64?
    /// The slug of whose.
    package var user: String?
    /// The slugs of those whose may be seen; `nil`: everybody's.
    package var visible: [String]?
    package var states: [Workout.State]
    /// The slug of a station that was used.
    package var station: String?
    /// They began at this moment or later.
    package var from: Timestamp?
    /// They began before this moment.
    package var to: Timestamp?
    /// They come after one of this start and row.
    package var after: (from: Timestamp, id: Int64)?
    /// So many at most.
    package var limit: Int

    package init(
        id: Int64? = nil, user: String? = nil, visible: [String]? = nil,
        states: [Workout.State] = [], station: String? = nil, from: Timestamp? = nil,
        to: Timestamp? = nil, after: (from: Timestamp, id: Int64)? = nil, limit: Int = 20
    ) {
        self.id = id
        self.user = user
        self.visible = visible
        self.states = states
        self.station = station
        self.from = from
        self.to = to
        self.after = after
        self.limit = limit
    }

    /// The statement, and what is bound in it.
    package var statement: (sql: String, arguments: StatementArguments) {
        var conditions: [String] = []
        var arguments = StatementArguments()
        func list(_ words: [String]) -> String {
            "[" + words.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        }
        func add(_ condition: String, _ values: [(any DatabaseValueConvertible)?]) {
            conditions.append(condition)
            arguments += StatementArguments(values)
        }
        if let id { add("workout.id = ?", [id]) }
        if let user { add("workout.user = (SELECT id FROM user WHERE slug = ?)", [user]) }
        if let visible {
            add("user.slug IN (SELECT value FROM json_each(?))", [list(visible)])
        }
        if !states.isEmpty {
            add("state IN (SELECT value FROM json_each(?))", [list(states.map(\.rawValue))])
        }
        if let station {
            add(
                """
                workout.id IN (SELECT workout FROM station_claim
                    WHERE station = (SELECT id FROM station WHERE slug = ?))
                """, [station])
        }
        if let from { add("started_ms >= ?", [from]) }
        if let to { add("started_ms < ?", [to]) }
        if let after { add("(started_ms, workout.id) < (?, ?)", [after.from, after.id]) }
        let sql = """
            SELECT workout.*, user.slug AS user_slug
            FROM workout JOIN user ON user.id = workout.user
            \(conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "))
            ORDER BY started_ms DESC, workout.id DESC LIMIT \(limit + 1)
            """
        return (sql, arguments)
    }
}

/// A workout with all that is stored of it, names as on the wire.
package struct WorkoutLine: Sendable {
    package var workout: Workout
    /// The slug of whose it is.
    package var user: String
    /// The slug of the station that it holds, or held last.
    package var station: String?
    /// What another program called it. Hostile text.
    package var title: String?
    /// Where it was, oldest first.
    package var stations: [(station: String, from: Timestamp, to: Timestamp?)]
    /// Its sets that are not deleted, in the order in which they were done, each with the slug of its station.
    package var sets: [(set: WorkoutSet, station: String?)]

    fileprivate init(_ row: Row, _ db: Database) throws {
        workout = try Workout(row: row)
        workout.pauses = try workout.storedPauses(db)
        user = row["user_slug"]
        title = (row["title"] as String?)?.unstored
        stations = try db.rows(
            """
            SELECT slug, from_ms, to_ms FROM station_claim
                JOIN station ON station.id = station_claim.station
            WHERE workout = ? ORDER BY from_ms, station_claim.id
            """, [workout.id]
        ) { ($0["slug"], $0["from_ms"], $0["to_ms"]) }
        sets = try db.rows(
            """
            SELECT workout_set.*, station.slug AS station_slug FROM workout_set
                LEFT JOIN station ON station.id = workout_set.station
            WHERE workout = ? AND deleted = 0 ORDER BY at_ms, n
            """, [workout.id]
        ) { (try WorkoutSet(row: $0), $0["station_slug"]) }
        if let current = workout.station {
            station = try String.fetchOne(
                db.cachedStatement(sql: "SELECT slug FROM station WHERE id = ?"),
                arguments: [current])
        }
    }
}

import Basics
import GRDB
import Records
import SiteModel
import SiteStore

/// A training history on its way into the database, some workouts at a time: so facts wait for no more than
/// those. What is there already is not taken again, so that an import which was cut off is done by asking again.
///
/// Its workouts are rows beyond those of the site's counter, as the machines decided none of them.
package struct HistoryImport: Sendable, Codable {
    /// What came of it, or would come.
    package struct Counts: Equatable, Sendable, Codable {
        /// Workouts of the file that were stored, or to which sets were added.
        package var workouts = 0
        /// Sets that were stored.
        package var sets = 0
        /// Sets that are there already.
        package var knownSets = 0
        /// Workouts that were left out, by the line of each: at that time the user has another one.
        package var leftOut: [Int] = []
    }

    /// Sets of one transaction, about, whether they are stored or there already: some milliseconds.
    private static let slice = 500

    /// The slug of whose it is.
    package let user: String
    /// What the audit says it came from.
    package let layout: HistoryFile.Layout
    private let workouts: [ReadWorkout]
    private var next = 0
    private var counts = Counts()
    /// Workouts from this row on are of this import; `nil`: nothing is stored yet.
    private var firstOwn: Int64?

    /// - Parameter workouts: As ``ResolvedHistory`` has them.
    package init(_ workouts: [ReadWorkout], of user: String, _ layout: HistoryFile.Layout) {
        self.workouts = workouts
        self.user = user
        self.layout = layout
    }

    /// Whether a part of it is stored.
    package var hasBegun: Bool { firstOwn != nil }

    /// What would come of it. Nothing is stored.
    ///
    /// - Throws: A `BooksRefusal` if there is no such user or they have not agreed, or a `StoreError`.
    package func foreseen(_ store: Store) throws -> Counts {
        try store.read { db in
            Result {
                var run = self
                let user = try run.begun(db)
                for workout in workouts { try run.take(workout, of: user, nil, db) }
                return run.counts
            }
        }.get()
    }

    /// Stores the next workouts; `nil` if there is more to do, else what came of all.
    ///
    /// - Throws: As `foreseen`. What was stored before stays.
    package mutating func step(
        on store: Store, by asker: Asker
    ) throws -> Counts? {
        var run = self
        try store.transaction { db in
            let isFirst = !run.hasBegun
            let user = try run.begun(db)
            if isFirst { try run.note(user, by: asker, db) }
            let rows = try Rows(db)
            var taken = 0
            while run.next < run.workouts.count, taken < Self.slice {
                let workout = run.workouts[run.next]
                try run.take(workout, of: user, rows, db)
                run.next += 1
                taken += workout.sets.count
            }
        }
        self = run
        return next < workouts.count ? nil : counts
    }

    private mutating func begun(_ db: Database) throws -> UserID {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT id, \(StoredState.agreed("user.id")) AS agreed
                FROM user WHERE slug = ? AND retired_ms IS NULL
                """, arguments: [user])
        guard let row else { throw BooksRefusal(.notFound, "there is no user \(user)") }
        guard row["agreed"] else {
            throw BooksRefusal(.consentRequired, "\(user) has not agreed to be located")
        }
        firstOwn = try firstOwn ?? Rows.next(after: "workout", db)
        return row["id"]
    }

    private func note(_ user: UserID, by asker: Asker, _ db: Database) throws {
        try Roster.note(
            "import", "workouts", "\(user.row)", user: user,
            [
                "layout": layout.rawValue, "workouts": "\(workouts.count)",
                "sets": "\(workouts.reduce(0) { $0 + $1.sets.count })",
            ], by: asker, db)
    }

    /// Counts a workout, and stores what is missing of it if `rows` say where.
    private mutating func take(
        _ workout: ReadWorkout, of user: UserID, _ rows: Rows?, _ db: Database
    ) throws {
        let known = try holders(of: workout, user, db)
        counts.knownSets += known.count
        let missing = workout.sets.filter { known[$0.key] == nil }
        guard !missing.isEmpty else { return }
        // A file that has grown adds to the workout that it made before.
        let holder = known.values.min()
        let room = try holder.map { HistoryFile.mostSets - (try Self.sets(in: $0, db)) }
        guard
            holder.map({ $0 > Workout.firstImported && Set(known.values) == [$0] }) ?? true,
            room.map({ missing.count <= $0 }) ?? true,
            try !overlaps(workout, of: user, but: holder, db)
        else {
            counts.leftOut.append(workout.line)
            return
        }
        counts.workouts += 1
        counts.sets += missing.count
        guard let rows else { return }
        let row: Int64
        if let holder {
            row = holder
            try db.run(
                """
                UPDATE workout SET started_ms = min(started_ms, ?), ended_ms = max(ended_ms, ?), rev = rev + 1
                WHERE id = ?
                """, [workout.from, workout.to, row])
        } else {
            row = rows.workout()
            try Workout(
                id: row, user: user, station: nil, state: .completed, from: workout.from,
                to: workout.to, pauses: [], pausedSince: nil
            ).save(db)
            try db.run("UPDATE workout SET title = ? WHERE id = ?", [workout.title?.storable, row])
        }
        let first = try Self.sets(in: row, db) + 1
        for (offset, set) in missing.enumerated() {
            try rows.set(set, in: row, of: user, number: first + offset).save(db)
        }
    }

    /// The workouts that have sets of a workout, by the keys of these.
    private func holders(
        of workout: ReadWorkout, _ user: UserID, _ db: Database
    ) throws -> [String: Int64] {
        let keys = try JSONText.text(of: workout.sets.map(\.key))
        let rows = try db.rows(
            """
            SELECT client_key, workout FROM workout_set
            WHERE user = ? AND client_key IN (SELECT value FROM json_each(?))
            """, [user, keys]
        ) { ($0["client_key"] as String, $0["workout"] as Int64) }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    private static func sets(in workout: Int64, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT max(n) FROM workout_set WHERE workout = ?"),
            arguments: [workout]) ?? 0
    }

    /// Whether the time of a workout is also that of another one, unless that is of this import: people forget to
    /// end workouts in other programs, too. One of a week and more is none of theirs.
    private func overlaps(
        _ workout: ReadWorkout, of user: UserID, but holder: Int64?, _ db: Database
    ) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: Self.overlap),
            arguments: [
                user, workout.from - .seconds(7 * 86_400), workout.to, workout.from, workout.to,
                workout.from, firstOwn, holder,
            ]) ?? false
    }

    /// By the index `workout_of_user`.
    package static let overlap = """
        SELECT 1 FROM workout
        WHERE user = ? AND started_ms >= ? AND started_ms <= ?
            AND (started_ms = ? OR (started_ms < ? AND coalesce(ended_ms, 1 << 60) > ?))
            AND id < ? AND id IS NOT ?
            AND state <> 'cancelled'
        LIMIT 1
        """
}

/// Where the next rows of an import go.
private final class Rows {
    private var nextWorkout: Int64
    private var nextSet: Int64
    private let stations: [String: Int64]

    init(_ db: Database) throws {
        nextWorkout = try Self.next(after: "workout", db)
        nextSet = try Self.next(after: "workout_set", db)
        stations = Dictionary(
            try db.rows("SELECT slug, id FROM station") {
                ($0["slug"] as String, $0["id"] as Int64)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The first row of a table that no import has used.
    static func next(after table: String, _ db: Database) throws -> Int64 {
        let last = try Int64.fetchOne(db, sql: "SELECT max(id) FROM \(table)") ?? 0
        return max(last, Workout.firstImported) + 1
    }

    func workout() -> Int64 {
        defer { nextWorkout += 1 }
        return nextWorkout
    }

    func set(
        _ set: ReadSet, in workout: Int64, of user: UserID, number: Int
    ) throws -> WorkoutSet {
        let station = set.station.flatMap { stations[$0] }.map { StationID($0) }
        let given = GivenSet(
            key: set.key, exercise: set.exercise, kind: set.kind, reps: set.reps,
            duration: set.duration, distance: set.distance, weight: set.weight, rir: set.rir,
            station: station, at: set.at, note: set.note)
        guard let measure = given.measure else {
            throw BooksRefusal(.schema, "line \(set.line): the set has no one measure")
        }
        defer { nextSet += 1 }
        return WorkoutSet(
            id: nextSet, workout: workout, user: user, key: set.key, number: number,
            exercise: set.exercise, kind: set.kind, measure: measure, weight: set.weight,
            rir: set.rir, station: station, at: set.at, note: set.note, digest: given.digest)
    }
}

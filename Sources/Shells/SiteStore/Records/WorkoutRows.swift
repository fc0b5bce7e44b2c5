import GRDB
import SiteModel
import TrainingEngine

extension Workout: StoredRow, FetchableRecord {
    package static let table = "workout"

    package var columns: Columns {
        [
            "id": id,
            "user": user,
            "station": station,
            "state": state.rawValue,
            "cause": (cause == .stated ? Cause.request : cause).rawValue,
            "stated": cause == .stated,
            "started_ms": from,
            "ended_ms": to,
            "paused_since_ms": pausedSince,
            "paused_cause": pausedCause?.rawValue,
            "paused_ms": paused.milliseconds,
            "rev": revision,
        ]
    }

    /// Without its pauses: they are rows of their own.
    package init(row: Row) throws {
        self.init(
            id: row["id"], user: row["user"], station: row["station"],
            state: try Self.choice(row, "state"),
            cause: row["stated"] ? .stated : try Self.choice(row, "cause"),
            from: row["started_ms"], to: row["ended_ms"], pauses: [],
            pausedSince: row["paused_since_ms"],
            pausedCause: (row["paused_cause"] as String?).flatMap { Pause.Cause(rawValue: $0) },
            revision: row["rev"])
    }
}

extension Workout {
    /// Stores the workout and its pauses, however many there were before.
    func saveWithPauses(_ db: Database) throws {
        try save(db)
        try db.run("DELETE FROM workout_pause WHERE workout = ? AND n >= ?", [id, pauses.count])
        for (n, pause) in pauses.enumerated() {
            try WorkoutPause(workout: id, n: n, pause).save(db)
        }
    }

    /// The pauses that are stored of it, in order.
    package func storedPauses(_ db: Database) throws -> [Pause] {
        try WorkoutPause.fetchAll(
            db, sql: "SELECT * FROM workout_pause WHERE workout = ? ORDER BY n", arguments: [id]
        ).map(\.pause)
    }
}

/// A row of `workout_pause`.
private struct WorkoutPause: StoredRow, FetchableRecord {
    static let table = "workout_pause"

    let workout: Int64
    let n: Int
    let pause: Workout.Pause

    var columns: Columns {
        [
            "workout": workout, "n": n, "from_ms": pause.from, "to_ms": pause.to,
            "cause": pause.cause.rawValue,
        ]
    }

    init(workout: Int64, n: Int, _ pause: Workout.Pause) {
        self.workout = workout
        self.n = n
        self.pause = pause
    }

    init(row: Row) throws {
        self.init(
            workout: row["workout"], n: row["n"],
            Workout.Pause(
                from: row["from_ms"], to: row["to_ms"], cause: try Self.choice(row, "cause")))
    }
}

extension Claim: StoredRow, FetchableRecord {
    package static let table = "station_claim"

    package var columns: Columns {
        [
            "id": id,
            "station": station,
            "slot": slot,
            "user": user,
            "workout": workout,
            "from_ms": from,
            "to_ms": to,
        ]
    }

    package init(row: Row) {
        self.init(
            id: row["id"], station: row["station"], slot: row["slot"], user: row["user"],
            workout: row["workout"], from: row["from_ms"], to: row["to_ms"])
    }
}

extension Downtime: StoredRow, FetchableRecord {
    package static let table = "station_downtime"

    package var columns: Columns {
        [
            "id": id, "station": station, "from_ms": from, "to_ms": to, "note": note?.storable,
            "by": by.storable,
        ]
    }

    package init(row: Row) {
        self.init(
            id: row["id"], station: row["station"], from: row["from_ms"], to: row["to_ms"],
            note: (row["note"] as String?)?.unstored, by: (row["by"] as String).unstored)
    }
}

extension Wait: StoredRow, FetchableRecord {
    package static let table = "station_queue"

    package var columns: Columns {
        [
            "id": id, "station": station, "user": user, "joined_ms": joined,
            "offered_until_ms": offeredUntil, "ended_ms": ended, "outcome": outcome?.rawValue,
        ]
    }

    package init(row: Row) throws {
        self.init(
            id: row["id"], station: row["station"], user: row["user"], joined: row["joined_ms"],
            offeredUntil: row["offered_until_ms"], ended: row["ended_ms"],
            outcome: try (row["outcome"] as String?).map { _ in try Self.choice(row, "outcome") })
    }
}

extension Answer: StoredRow, FetchableRecord {
    package static let table = "answered_request"

    package var columns: Columns {
        get throws {
            [
                "asker": request.client.storable,
                "key": request.id.storable,
                "at_ms": at,
                "answer": try JSONText.text(of: self),
            ]
        }
    }

    package init(row: Row) throws { self = try Self.json(row, "answer") }
}

extension Answer {
    /// Stores the answer. What a room has answered with the same id meanwhile stays.
    func saveUnlessOfRoom(_ db: Database) throws {
        let isOfRoom = try Bool.fetchOne(
            try db.cachedStatement(
                sql: "SELECT answer IS NULL FROM answered_request WHERE asker = ? AND key = ?"),
            arguments: [request.client.storable, request.id.storable])
        if isOfRoom != true { try save(db) }
    }
}

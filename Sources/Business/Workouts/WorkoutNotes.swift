import GRDB
import Records
import SiteModel
import SiteStore

/// What somebody wrote to a workout: the member, or a trainer who looks on.
package struct WorkoutNote: Equatable, Sendable {
    /// Its row.
    package var id: Int64
    package var at: Timestamp
    /// Who wrote it, as the audit names them. Hostile text.
    package var by: String
    /// The slug of who that is, if it is somebody's account.
    package var author: String?
    /// Hostile text.
    package var text: String
}

/// A change of notes that a person asks for.
package enum WorkoutNoteCall: Sendable {
    /// Writes one to the workout of a row.
    case add(workout: Int64, text: String)
    /// Deletes the note of a row. `isOnlyOwn`: only one that the asker wrote.
    case delete(workout: Int64, note: Int64, isOnlyOwn: Bool)
}

/// The notes to workouts.
package struct WorkoutNotes: Sendable {
    /// The longest note, in characters.
    package static let longest = 500
    /// The most notes of a workout.
    package static let most = 50

    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// The notes to the workout of a row, oldest first.
    ///
    /// - Throws: A reader's `StoreError`.
    package func notes(to workout: Int64) throws(StoreError) -> [WorkoutNote] {
        try store.read { db in
            try db.rows(
                """
                SELECT workout_note.*, user.slug FROM workout_note
                    LEFT JOIN account ON 'account:' || account.name = workout_note.by
                    LEFT JOIN user ON user.id = account.user
                WHERE workout = ? ORDER BY workout_note.id
                """, [workout]
            ) { row in
                WorkoutNote(
                    id: row["id"], at: row["at_ms"], by: (row["by"] as String).unstored,
                    author: row["slug"], text: (row["text"] as String).unstored)
            }
        }
    }

    /// Does what is asked for. Returns the row of what was added.
    ///
    /// - Throws: A `BooksRefusal` if there is no such workout or note, or there are too many; else what the store
    ///   throws. Nothing was written.
    package func perform(_ call: WorkoutNoteCall, by asker: Asker) throws -> [Int64] {
        try store.transaction { db in
            switch call {
            case .add(let workout, let text):
                let user = try Self.user(of: workout, db)
                let count = try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM workout_note WHERE workout = ?",
                    arguments: [workout])
                guard count ?? 0 < Self.most else {
                    throw BooksRefusal(
                        .rateLimited, "a workout has at most \(Self.most) notes: delete one first")
                }
                try db.run(
                    "INSERT INTO workout_note (workout, at_ms, by, text) VALUES (?, ?, ?, ?)",
                    [workout, asker.at.milliseconds, asker.name.storable, text.storable])
                let id = db.lastInsertedRowID
                try Roster.note("add", "workout_note", "\(id)", user: user, [:], by: asker, db)
                return [id]
            case .delete(let workout, let note, let isOnlyOwn):
                let user = try Self.user(of: workout, db)
                try db.run(
                    "DELETE FROM workout_note WHERE id = ? AND workout = ? AND (by = ? OR NOT ?)",
                    [note, workout, asker.name.storable, isOnlyOwn])
                guard db.changesCount == 1 else {
                    throw BooksRefusal(
                        .notFound, isOnlyOwn ? "you wrote no such note" : "there is no such note")
                }
                try Roster.note("delete", "workout_note", "\(note)", user: user, [:], by: asker, db)
                return []
            }
        }
    }

    /// Whose a workout is.
    private static func user(of workout: Int64, _ db: Database) throws -> UserID {
        guard
            let user = try UserID.fetchOne(
                db, sql: "SELECT user FROM workout WHERE id = ?", arguments: [workout])
        else { throw BooksRefusal(.notFound, "there is no such workout") }
        return user
    }
}

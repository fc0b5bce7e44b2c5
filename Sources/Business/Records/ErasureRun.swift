import GRDB
import SiteModel
import SiteStore

/// What is left of an erasure after its first transaction: rows are deleted and names blanked, so many
/// rows a transaction, and then the file is made free of what they were, so many pages at a time. Facts are
/// stored in between.
///
/// What is owed stands in `erasure_debt` until all is done. A run that ended in the middle is begun
/// anew from there and does the rest; each settles its own debt and no other.
package struct ErasureRun: Sendable {
    /// So many rows of a table a slice looks through, at most.
    package static let rows = 500
    /// A reader may hold the log for a moment: so often it is tried to empty it, and so many seconds
    /// lie between.
    private static let (logAttempts, logPause) = (600, 0.1)

    private enum Stage: Sendable {
        /// Nothing was looked at yet.
        case begun
        /// The rows of some tables are left.
        case rows(ArraySlice<ErasureStep>)
        /// The file from this page on may hold what was deleted, or the log may.
        case file(page: Int64, attempts: Int)
    }

    /// Whose row it is.
    package let user: UserID
    /// Seconds to wait before the next slice.
    package private(set) var pause = 0.0
    private var stage = Stage.begun
    /// The key of the last row that was looked through in the first table.
    private var last: [DatabaseValue] = []

    /// The run for a debt. Most callers get it from `Erasures.begin` or `Erasures.owed`.
    package init(of user: UserID) { self.user = user }

    /// Does the next slice; `nil` if there is more to do.
    ///
    /// - Throws: A writer's `StoreError`; what was done before stays, and the slice can be tried again
    ///   after `.busy` or `.full`, also by another run.
    package mutating func step(on store: Store) throws(StoreError) -> Erasure? {
        pause = 0
        switch stage {
        case .begun:
            let user = user
            let (steps, line) = try store.read { db in
                (
                    try ErasureStep.all(of: user, db),
                    try ErasureDebt(of: user, db).flatMap { try $0.listed(db) }
                )
            }
            // Before anything is deleted: from here on no backup brings them back.
            if let line { try ErasedList(beside: store.path).add(line) }
            stage = .rows(steps[...])
        case .rows(let steps):
            guard let step = steps.first else {
                try forget(on: store)
                stage = .file(page: 0, attempts: Self.logAttempts)
                break
            }
            let (user, last) = (user, last)
            let next = try store.write { db in try step.slice(of: user, after: last, db) }
            self.last = next ?? []
            if next == nil { stage = .rows(steps.dropFirst()) }
        case .file(let page, let attempts):
            switch try PageGaps.clear(from: page, of: store) {
            case .done: return try settle(on: store)
            case .more(let next): stage = .file(page: next, attempts: Self.logAttempts)
            case .held:
                guard attempts > 1 else { throw StoreError.busy }
                stage = .file(page: page, attempts: attempts - 1)
                pause = Self.logPause
            }
        }
        return nil
    }

    /// The tables of the registry whose texts may name somebody.
    private static let told: Set = ["station", "exercise"]

    /// From here on no row holds a name, only gaps of pages and the log.
    private func forget(on store: Store) throws(StoreError) {
        try store.write { db in
            // Without texts it is done: another run got as far.
            guard var debt = try ErasureDebt(of: user, db), !debt.texts.isEmpty else { return }
            if debt.deletesAttendance {
                // The machines may have taken in corrections that were still there.
                try OverrideTable.removeTaken(of: user, db)
                try OverrideTable.raiseOverrides(db)
            }
            // What the site says of places and exercises is read anew, and no file of before replaces it.
            if !debt.done.blanked.keys.allSatisfy({ !Self.told.contains($0) }) {
                let erased = try Timestamp.fetchOne(
                    db, sql: "SELECT erased_ms FROM user WHERE id = ?", arguments: [user])
                try Books.raiseRevision(
                    "a person was erased", at: erased ?? Timestamp(milliseconds: 0), db)
            }
            debt.texts = []
            debt.done.sessionsKept =
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM attendance_session WHERE user = ? AND void = 0",
                    arguments: [user.row]) ?? 0
            try debt.put(db)
        }
    }

    private func settle(on store: Store) throws(StoreError) -> Erasure {
        let user = user
        return try store.write { db in
            let debt = try ErasureDebt(of: user, db)
            try db.run("DELETE FROM erasure_debt WHERE user = ?", [user.row])
            if let debt { return debt.done }
            // Another run was quicker, and has the counts: all is done.
            let slug = try String.fetchOne(
                db, sql: "SELECT slug FROM user WHERE id = ?", arguments: [user.row])
            return Erasure(user: slug ?? "", deleted: [:], blanked: [:], sessionsKept: 0)
        }
    }
}

/// What is owed to a person who is being erased: a row of `erasure_debt`.
struct ErasureDebt {
    /// What a text becomes, wherever it stands as a word.
    struct Replacement: Codable, Equatable {
        var text: String
        var by: String
    }

    let user: UserID
    let deletesAttendance: Bool
    /// Empty once no row holds any.
    var texts: [Replacement]
    /// What was done so far.
    var done: Erasure

    init(user: UserID, deletesAttendance: Bool, texts: [Replacement], done: Erasure) {
        self.user = user
        self.deletesAttendance = deletesAttendance
        self.texts = texts
        self.done = done
    }

    /// The debt of a user, or `nil` if none is left.
    init?(of user: UserID, _ db: Database) throws {
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM erasure_debt WHERE user = ?", arguments: [user.row])
        else { return nil }
        self.user = user
        deletesAttendance = row["deletes_attendance"]
        texts = try JSONText.value([Replacement].self, from: row["texts"])
        done = try JSONText.value(Erasure.self, from: row["done"])
    }

    func put(_ db: Database) throws {
        try db.run(
            """
            INSERT INTO erasure_debt (user, deletes_attendance, texts, done) VALUES (?, ?, ?, ?)
            ON CONFLICT (user) DO UPDATE SET texts = excluded.texts, done = excluded.done
            """,
            [
                user.row, deletesAttendance, try JSONText.text(of: texts),
                try JSONText.text(of: done),
            ])
    }

    /// Each text as it is, and as it stands within JSON and within our own escapes.
    var written: [Replacement] {
        texts.filter { !$0.text.isEmpty }.flatMap { replacement in
            var forms = [replacement.text]
            let others = [
                replacement.text.storable, try? JSONText.text(of: replacement.text),
            ]
            for form in others.compactMap(\.self) {
                let inner = form.hasPrefix("\"") ? String(form.dropFirst().dropLast()) : form
                if !forms.contains(inner) { forms.append(inner) }
            }
            return forms.map { Replacement(text: $0, by: replacement.by) }
        }
    }
}

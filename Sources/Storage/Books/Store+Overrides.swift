import GRDB
import MeshCore

/// What people decided about attendance, from the rows of their corrections, locks and excuses.
extension Store {
    /// What the machines are to know by now. Trimmed by the site's clock, so that two calls may differ
    /// in amendments that are settled for good.
    ///
    /// What they do know is `Saved.overrides`.
    public func overrides() throws(StoreError) -> Overrides {
        try read { db in
            Overrides(
                revision: try Self.overridesRevision(db), amendments: try Self.amendments(db),
                lockedThrough: try Self.lockedThrough(db), excuses: try Self.excuses(db))
        }
    }

    /// The numbers by which a coordinator notices what others wrote beside it: of the plan, 0 before
    /// the first import, and of the overrides.
    public func revisions() throws(StoreError) -> (plan: Int64, overrides: Int64) {
        try read { db in
            (
                try Int64.fetchOne(db, sql: "SELECT revision FROM site") ?? 0,
                try Self.overridesRevision(db)
            )
        }
    }

    /// Makes the machines take in what people decided.
    static func raiseOverrides(_ db: Database) throws {
        try db.run("UPDATE overrides SET revision = revision + 1")
    }

    /// Stores what the machines have taken in.
    static func put(_ overrides: Overrides, into db: Database) throws {
        try db.run("UPDATE overrides SET taken = ?", [try JSONText.text(of: overrides)])
    }

    /// What the machines have taken in; `nil` before the first time.
    static func takenOverrides(_ db: Database) throws -> Overrides? {
        try String.fetchOne(db, sql: "SELECT taken FROM overrides").map {
            try JSONText.value(Overrides.self, from: $0)
        }
    }

    private static func overridesRevision(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT revision FROM overrides") ?? 0
    }
}

import GRDB
import SiteModel
import SiteStore

/// One run over all tables that deletes what is older than it may be, a batch at a time, so that
/// nobody waits for it. Each table ends with its proof row in `retention_run`. A run that is given
/// up begins anew another time.
package struct Retention: Sendable {
    /// What was done to one table.
    package struct Proof: Equatable, Sendable, Codable {
        /// The table.
        package var table: String
        /// Rows from before this moment went.
        package var before: Timestamp
        /// So many.
        package var deleted: Int
    }

    /// When it was asked for: ages count from here.
    package let now: Timestamp
    /// The tables that are done.
    package private(set) var proofs: [Proof] = []
    private var rules = RetentionRule.all[...]
    private var deleted = 0
    private let batch: Int

    /// A run that has done nothing yet. At most `batch` rows are deleted in a transaction.
    package init(at now: Timestamp, batch: Int = 1000) {
        self.now = now
        self.batch = batch
    }

    /// Deletes one batch. Returns whether there is more to do.
    package mutating func step(on store: Store) throws(StoreError) -> Bool {
        guard let rule = rules.first else { return false }
        let (now, batch, before) = (now, batch, deleted)
        let result = try store.write { db in
            try Self.delete(rule, now: now, most: batch, before, db)
        }
        guard let (count, limit) = result else {
            rules.removeFirst()
            return !rules.isEmpty
        }
        deleted += count
        guard count < batch else { return true }
        proofs.append(Proof(table: rule.table, before: limit, deleted: deleted))
        deleted = 0
        rules.removeFirst()
        return !rules.isEmpty
    }

    /// `nil` if this database has no such table.
    private static func delete(
        _ rule: RetentionRule, now: Timestamp, most batch: Int, _ before: Int, _ db: Database
    ) throws -> (Int, Timestamp)? {
        guard try rule.exists(db) else { return nil }
        let limit = try rule.limit(now: now, db)
        // The triggers that keep events and sessions let go what is older than this.
        try db.run("INSERT INTO disposal (id, before_ms) VALUES (1, ?)", [limit.milliseconds])
        try db.run(
            """
            DELETE FROM \(rule.table) WHERE (\(rule.key)) IN (
                SELECT \(rule.key) FROM \(rule.old) LIMIT ?)
            """, [limit.milliseconds, batch])
        let count = db.changesCount
        try db.run("DELETE FROM disposal")
        if count < batch {
            try db.run(
                """
                INSERT INTO retention_run (at_ms, table_name, before_ms, deleted, head)
                VALUES (?, ?, ?, ?, ?)
                """,
                [
                    now.milliseconds, rule.table, limit.milliseconds, before + count,
                    try AuditHead(db).description,
                ])
        }
        return (count, limit)
    }
}

extension Retention {
    /// Deletes what is older than it may be, in every table.
    package static func retain(
        on store: Store, at now: Timestamp
    ) throws(StoreError) -> [Proof] {
        var run = Retention(at: now)
        while try run.step(on: store) {}
        return run.proofs
    }

    /// What `retain` would delete; nothing is written.
    package static func retainable(
        on store: Store, at now: Timestamp
    ) throws(StoreError) -> [Proof] {
        try store.read { db in
            try RetentionRule.all.compactMap { rule in
                guard try rule.exists(db) else { return nil }
                let limit = try rule.limit(now: now, db)
                let count = try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM \(rule.old)", arguments: [limit.milliseconds])
                return Proof(table: rule.table, before: limit, deleted: count ?? 0)
            }
        }
    }

    /// When the last whole run was asked for, or `nil` if there was none.
    package static func last(on store: Store) throws(StoreError) -> Timestamp? {
        try store.read { db in
            try Int64.fetchOne(
                db,
                sql: "SELECT max(at_ms) FROM retention_run WHERE table_name = ?",
                arguments: [RetentionRule.all.last?.table]
            )
            .map { Timestamp(milliseconds: $0) }
        }
    }
}

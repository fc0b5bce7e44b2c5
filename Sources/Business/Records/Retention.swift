import GRDB
import SiteModel
import SiteSchema
import SiteStore

/// One run over all tables that deletes what is older than it may be, a batch at a time, so that
/// nobody waits for it. Each table ends with its proof row in `retention_run`. A run that is given
/// up begins anew another time.
package struct Retention: Sendable {
    /// What was done to one table.
    package struct Proof: Equatable, Sendable, Codable {
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
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package mutating func step(on store: Store) throws(StoreError) -> Bool {
        guard let rule = rules.first else { return false }
        let (now, batch, before) = (now, batch, deleted)
        let result = try store.write { db in
            try Self.delete(rule, now: now, most: batch, before, db)
        }
        let (count, limit) = result
        deleted += count
        guard count < batch else { return true }
        proofs.append(Proof(table: rule.table, before: limit, deleted: deleted))
        deleted = 0
        rules.removeFirst()
        return !rules.isEmpty
    }

    private static func delete(
        _ rule: RetentionRule, now: Timestamp, most batch: Int, _ before: Int, _ db: Database
    ) throws -> (Int, Timestamp) {
        let limit = try rule.limit(now: now, db)
        // The triggers that keep events and sessions let go what is older than this.
        try db.run("INSERT INTO disposal (id, before_ms) VALUES (1, ?)", [limit.milliseconds])
        let key = try db.key(of: rule.table).joined(separator: ", ")
        try db.run(
            """
            DELETE FROM \(rule.table) WHERE (\(key)) IN (
                SELECT \(key) FROM \(rule.old) LIMIT ?)
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
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package static func retain(
        on store: Store, at now: Timestamp
    ) throws(StoreError) -> [Proof] {
        var run = Retention(at: now)
        while try run.step(on: store) {}
        return run.proofs
    }

    /// What `retain` would delete; nothing is written.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package static func retainable(
        on store: Store, at now: Timestamp
    ) throws(StoreError) -> [Proof] {
        try store.read { db in
            try RetentionRule.all.map { rule in
                let limit = try rule.limit(now: now, db)
                let count = try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM \(rule.old)", arguments: [limit.milliseconds])
                return Proof(table: rule.table, before: limit, deleted: count ?? 0)
            }
        }
    }

    /// When the last whole run was asked for, or `nil` if there was none.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
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

/// How long the rows of one table are kept, and which of them may go: what its `TableSpec` says.
struct RetentionRule: Sendable {
    let table: String
    /// What follows `FROM` where the rows are looked for that are older than `?`.
    let old: String
    /// How long a row is kept. The site may keep attendance longer.
    private let life: Timestamp.Span
    /// The site's own clock counts, as for the machines, which drop these too.
    private let isMachines: Bool
    private let isAttendance: Bool

    /// `nil` if rows of it do not go for their age.
    init?(_ spec: TableSpec) {
        table = spec.name
        switch spec.kept {
        case .forever, .present: return nil
        case .machines(let span, let column, _):
            (life, isMachines, isAttendance) = (span, true, false)
            old = "\(table) WHERE \(column) < ?"
        case .days(let days, let column):
            (life, isMachines, isAttendance) = (Self.span(days), false, false)
            old = "\(table) WHERE \(column) < ?"
        case .attendance(let column, let condition, _):
            (life, isMachines, isAttendance) = (Self.span(TableSpec.attendanceDays), false, true)
            old = "\(table) WHERE \(column) < ?\(condition.map { " AND \($0)" } ?? "")"
        case .person:
            (life, isMachines, isAttendance) = (Self.span(0), false, false)
            old = "\(table) WHERE (SELECT erased_ms FROM user WHERE user.id = \(table).user) < ?"
        }
    }

    /// Before the sessions they are about come those that are kept for them.
    static let all = SiteTables.all.compactMap { RetentionRule($0) }

    private static func span(_ days: Int64) -> Timestamp.Span { .milliseconds(days * 86_400_000) }

    /// The moment before which rows may go.
    func limit(now: Timestamp, _ db: Database) throws -> Timestamp {
        let site = try Row.fetchOne(
            db,
            sql: """
                SELECT attendance_days, (SELECT clock_ms FROM site_state) AS clock_ms FROM site
                """)
        let longer: Int64? = isAttendance ? site?["attendance_days"] : nil
        let clock: Timestamp? = site?["clock_ms"]
        let from = isMachines ? min(now, clock ?? now) : now
        return from - max(life, longer.map(Self.span) ?? life)
    }
}

extension Database {
    /// The columns of a table's key, or its row number.
    ///
    /// - Throws: A `DatabaseError`.
    func key(of table: String) throws -> [String] {
        let isKeyed = try Bool.fetchOne(
            self, sql: "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?",
            arguments: [table])
        guard isKeyed == true else { return ["rowid"] }
        return try String.fetchAll(
            self, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
            arguments: [table])
    }
}

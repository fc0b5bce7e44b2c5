import GRDB
import SiteModel
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

/// How long the rows of one table are kept, and which of them may go. This list is the one place;
/// DESIGN.md repeats it.
struct RetentionRule: Sendable {
    let table: String
    /// The column of milliseconds that a row's age is counted from.
    let column: String
    /// Days a row is kept. Attendance and what belongs to it may be kept longer by the site.
    let days: Int64
    /// What must hold beside its age, as SQL, or `nil`. Never true of an open row, of one that the
    /// machines hold, or of one that an open correction needs.
    let condition: String?
    /// The primary key.
    let key: String
    /// The site's own clock counts, as for the machines, which drop these too.
    let isMachines: Bool
    /// The site may keep these longer.
    let isAttendance: Bool

    init(
        _ table: String, _ column: String, days: Int64, if condition: String? = nil,
        key: String = "id", isMachines: Bool = false, isAttendance: Bool = false
    ) {
        self.table = table
        self.column = column
        self.days = days
        self.condition = condition
        self.key = key
        self.isMachines = isMachines
        self.isAttendance = isAttendance
    }

    /// Attendance is kept for so many days: two years.
    static let attendanceDays: Int64 = 730

    /// When whose row it is was erased, or NULL.
    private static func erased(_ table: String) -> String {
        "(SELECT erased_ms FROM user WHERE user.id = \(table).user)"
    }

    private static let outbox = "node, log, seq"
    /// Before the sessions they are about, which are kept for them.
    static let all = [
        RetentionRule("evidence", "at_ms", days: 14, key: outbox, isMachines: true),
        RetentionRule("node_event", "at_ms", days: 14, key: outbox, isMachines: true),
        RetentionRule("reasons", "at_ms", days: 14, isMachines: true),
        RetentionRule("answered_request", "at_ms", days: 1, key: "asker, key", isMachines: true),
        RetentionRule("stay", "to_ms", days: 90),
        RetentionRule("coarse_stay", "to_ms", days: 90),
        RetentionRule("station_queue", "ended_ms", days: 90),
        RetentionRule("event", "at_ms", days: 90),
        RetentionRule("notification", "made_ms", days: 90, isMachines: true),
        // Of somebody erased, what the machines still wrote before they knew.
        RetentionRule("ledger", erased("ledger"), days: 0, key: "user"),
        RetentionRule("presence", erased("presence"), days: 0, key: "user"),
        RetentionRule(
            "correction", "coalesce(decided_ms, requested_ms)", days: attendanceDays,
            if: "state <> 'pending'", isAttendance: true),
        RetentionRule(
            "statement", "at_ms", days: attendanceDays,
            if: """
                NOT EXISTS (SELECT 1 FROM attendance_session AS open
                    WHERE open.user = statement.user AND open.to_ms IS NULL AND open.void = 0)
                """, isAttendance: true),
        RetentionRule(
            "attendance_session", "to_ms", days: attendanceDays,
            if: """
                kept = 0 AND NOT EXISTS (
                    SELECT 1 FROM correction WHERE session = attendance_session.id)
                """, isAttendance: true),
        RetentionRule(
            "audit_value", "(SELECT at_ms FROM audit_log WHERE id = audit_value.audit)",
            days: attendanceDays, key: "audit, side", isAttendance: true),
    ]

    /// What follows `FROM` where the rows are looked for that are older than `?`.
    var old: String {
        "\(table) WHERE \(column) < ?\(condition.map { " AND \($0)" } ?? "")"
    }

    /// The moment before which rows may go.
    func limit(now: Timestamp, _ db: Database) throws -> Timestamp {
        let site = try Row.fetchOne(
            db,
            sql: """
                SELECT attendance_days, (SELECT clock_ms FROM site_state) AS clock_ms FROM site
                """)
        let longer: Int64? = isAttendance ? site?["attendance_days"] : nil
        let clock = site?.optionalMoment("clock_ms")
        let from = isMachines ? min(now, clock ?? now) : now
        return from - .milliseconds(max(days, longer ?? 0) * 86_400_000)
    }

    /// Whether the site's database has the table, with the column.
    func exists(_ db: Database) throws -> Bool { try db.tableExists(table) }
}

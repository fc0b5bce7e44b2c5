import GRDB
import SiteModel

/// How long the rows of one table are kept, and which of them may go. This list is the one place;
/// DESIGN.md repeats it.
struct RetentionRule: Sendable {
    /// The table.
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
        RetentionRule("answer", "at_ms", days: 1, isMachines: true),
        RetentionRule("stay", "to_ms", days: 90),
        RetentionRule("coarse_stay", "to_ms", days: 90),
        RetentionRule("event", "at_ms", days: 90),
        RetentionRule("notification", "at_ms", days: 90),
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

import GRDB
import SiteModel
import SiteStore

/// What an erasure does to one table, by ranges of its rows.
struct ErasureStep: Sendable {
    private enum Work: Sendable {
        /// Rows that meet a condition go.
        case delete(String)
        /// Rows that meet a condition are set.
        case set(String, where: String)
        /// Names are taken out of these columns; `isGoing`: rows that hold one go instead.
        case blank([String], isGoing: Bool)
    }

    let table: String
    private let work: Work
    /// The columns of its key.
    private let key: [String]

    private init(_ table: String, _ work: Work, _ db: Database) throws {
        self.table = table
        self.work = work
        let isKeyed =
            try Bool.fetchOne(
                db, sql: "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?",
                arguments: [table]) ?? false
        key =
            isKeyed
            ? try String.fetchAll(
                db, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
                arguments: [table]) : ["rowid"]
    }

    /// Tables whose rows about a person are kept under the pseudonym: attendance, and the proof
    /// that what was done was allowed.
    private static let kept: Set = [
        "attendance_session", "statement", "correction", "beacon_binding", "consent", "audit_log",
        "shift_assignment", "leave_day", "disposal", "erasure_debt",
    ]
    /// What goes with attendance if that goes, children first.
    private static let attendance = [
        "correction", "statement", "shift_assignment", "leave_day", "attendance_session",
    ]
    /// What refers to rows of a person, children first, as those go before them.
    private static let children = [
        ("delivery", "notification", "notification"), ("workout_pause", "workout", "workout"),
        ("workout_set", "workout", "workout"), ("station_claim", "workout", "workout"),
        ("audit_value", "audit", "audit_log"),
    ]
    /// Tables with nothing anybody wrote, or that are renamed by row.
    private static let spared: Set = [
        "site", "room", "station", "node", "user", "beacon", "event", "evidence", "node_cursor",
        "audit_log", "erased_slug", "disposal", "model", "site_state", "reasons", "device_offset",
        "attendance_session", "presence", "ledger", "erasure_debt",
        "broker_identity", "beacon_identity", "workout", "workout_pause", "station_queue",
    ]
    /// Columns of our own words, of digits, and of slugs that are no person's.
    private static let words: Set = [
        "side", "salt", "source", "change", "state", "level", "kind", "table_name", "codes",
        "client_key", "sent_digest", "exercise",
    ]
    /// Rows that are not rewritten but go if they name somebody.
    private static let going: Set = ["audit_value", "answered_request", "refused_input"]

    /// All that is to be done of a debt, in order: rows go before those that they refer to.
    static func all(of user: UserID, _ db: Database) throws -> [ErasureStep] {
        guard let debt = try ErasureDebt(of: user, db), !debt.texts.isEmpty else { return [] }
        var steps: [ErasureStep] = []
        for (child, column, parent) in children
        where try PersonExports.tables(holding: column, db).contains(child) {
            let owned = """
                EXISTS (SELECT 1 FROM \(parent) AS owned
                    WHERE owned.id = \(child).\(column) AND owned.user = ?)
                """
            steps.append(try ErasureStep(child, .delete(owned), db))
        }
        for table in try PersonExports.tables(holding: "user", db) where !kept.contains(table) {
            steps.append(try ErasureStep(table, .delete("user = ?"), db))
        }
        if debt.deletesAttendance {
            for table in attendance where try db.tableExists(table) {
                steps.append(try ErasureStep(table, .delete("user = ?"), db))
            }
        }
        // What people wrote about them may say anything.
        steps.append(
            try ErasureStep(
                "correction",
                .set(
                    """
                    reason = 'erased',
                    decision_reason = iif(decision_reason IS NULL, NULL, 'erased')
                    """, where: "user = ? AND (reason, decision_reason) IS NOT ('erased', 'erased')"
                ),
                db))
        steps.append(
            try ErasureStep(
                "statement",
                .set("reason = 'erased'", where: "user = ? AND reason <> 'erased'"), db))
        for (table, columns) in try texts(db) {
            steps.append(
                try ErasureStep(table, .blank(columns, isGoing: going.contains(table)), db))
        }
        return steps
    }

    /// Tables and their columns in which somebody may be named.
    private static func texts(_ db: Database) throws -> [(String, [String])] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT tables.name AS table_name, columns.name AS column_name
                FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
                WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'
                    AND columns.type = 'TEXT' ORDER BY 1, 2
                """)
        var found: [(String, [String])] = []
        for row in rows {
            let (table, column): (String, String) = (row["table_name"], row["column_name"])
            guard !spared.contains(table), !words.contains(column) else { continue }
            if found.last?.0 == table {
                found[found.count - 1].1.append(column)
            } else {
                found.append((table, [column]))
            }
        }
        return found
    }

    /// Does the rows that follow `last`, at most `ErasureRun.rows`. Returns the key of the last of
    /// them, or `nil` after the end of the table.
    func slice(
        of user: UserID, after last: [DatabaseValue], _ db: Database
    ) throws -> [DatabaseValue]? {
        guard var debt = try ErasureDebt(of: user, db) else { return nil }
        let columns = key.joined(separator: ", ")
        let after = last.isEmpty ? "1" : "(\(columns)) > (\(marks))"
        let end = try Row.fetchOne(
            db,
            sql: """
                SELECT \(columns) FROM \(table) WHERE \(after)
                ORDER BY \(columns) LIMIT 1 OFFSET \(ErasureRun.rows - 1)
                """, arguments: StatementArguments(last)
        ).map { Array($0.databaseValues) }
        let range = end == nil ? after : "\(after) AND (\(columns)) <= (\(marks))"
        let bounds = last + (end ?? [])
        let before = debt.done
        switch work {
        case .delete(let condition):
            let arguments = StatementArguments(bounds + [user.row.databaseValue])
            let isHeld = try Bool.fetchOne(
                db,
                sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(range) AND \(condition))",
                arguments: arguments)
            // Most ranges hold nothing of theirs: then nothing is written, nor waited for.
            guard isHeld == true else { return end }
            try db.run("INSERT INTO disposal (id, user) VALUES (1, ?)", [user.row])
            try db.execute(
                sql: "DELETE FROM \(table) WHERE \(range) AND \(condition)",
                arguments: arguments)
            debt.done.add(deleted: db.changesCount, from: table)
            try db.run("DELETE FROM disposal")
        case .set(let assignments, let condition):
            try db.execute(
                sql: "UPDATE \(table) SET \(assignments) WHERE \(range) AND \(condition)",
                arguments: StatementArguments(bounds + [user.row.databaseValue]))
            debt.done.add(blanked: db.changesCount, in: table)
        case .blank(let texts, let isGoing):
            try blank(texts, isGoing, debt.written, &debt.done, range, bounds, db)
        }
        if debt.done != before { try debt.put(db) }
        return end
    }

    private var marks: String { key.map { _ in "?" }.joined(separator: ", ") }

    private func blank(
        _ texts: [String], _ isGoing: Bool, _ replacements: [ErasureDebt.Replacement],
        _ done: inout Erasure, _ range: String, _ bounds: [DatabaseValue], _ db: Database
    ) throws {
        let pieces = Set(replacements.map { Self.certain(of: $0.text) }).sorted()
        let held = texts.flatMap { column in
            pieces.map { _ in "instr(lower(\(column)), ?) > 0" }
        }
        let found = try Row.fetchAll(
            db,
            sql: """
                SELECT \((key + texts).joined(separator: ", ")) FROM \(table)
                WHERE \(range) AND (\(held.joined(separator: " OR ")))
                """,
            arguments: StatementArguments(
                bounds + texts.flatMap { _ in pieces.map(\.databaseValue) }))
        for row in found {
            var changes: [(column: String, text: String)] = []
            for (index, column) in texts.enumerated() {
                guard let old = row[key.count + index] as String? else { continue }
                // A line break is written `\n` there, and n is no part of the word behind it.
                let read = isGoing ? old.replacing(/\\+[bfnrt]/, with: " ") : old
                let new = replacements.reduce(read) { $0.replacingWord($1.text, by: $1.by) }
                if new != read { changes.append((column, new)) }
            }
            guard !changes.isEmpty else { continue }
            let place = "(\(key.joined(separator: ", "))) = (\(marks))"
            let own = Array(row.databaseValues.prefix(key.count))
            if isGoing {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE \(place)", arguments: StatementArguments(own))
                done.add(deleted: 1, from: table)
            } else {
                let assignments = changes.map { "\($0.column) = ?" }.joined(separator: ", ")
                try db.execute(
                    sql: "UPDATE \(table) SET \(assignments) WHERE \(place)",
                    arguments: StatementArguments(changes.map(\.text.databaseValue) + own))
                done.add(blanked: 1, in: table)
            }
        }
    }

    /// The longest stretch of ASCII that every way of writing a text holds, in small letters: SQLite
    /// knows no other letters' cases. The letter before another sign may be written as one with it.
    static func certain(of text: String) -> String {
        var longest = ""
        let stretches = text.unicodeScalars.split(
            omittingEmptySubsequences: false, whereSeparator: { !$0.isASCII })
        for (index, stretch) in stretches.enumerated() {
            let isLast = index == stretches.count - 1
            let sure = String(String.UnicodeScalarView(isLast ? stretch : stretch.dropLast()))
                .lowercased()
            if sure.utf8.count > longest.utf8.count { longest = sure }
        }
        return longest
    }
}

extension Erasure {
    fileprivate mutating func add(deleted count: Int, from table: String) {
        if count > 0 { deleted[table, default: 0] += count }
    }

    fileprivate mutating func add(blanked count: Int, in table: String) {
        if count > 0 { blanked[table, default: 0] += count }
    }
}

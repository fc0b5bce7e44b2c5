import Foundation
import GRDB
import SiteModel
import SiteSchema
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
        key = try db.key(of: table)
    }

    /// All that is to be done of a debt, in order: rows go before those that they refer to.
    static func all(of user: UserID, _ db: Database) throws -> [ErasureStep] {
        guard let debt = try ErasureDebt(of: user, db), !debt.texts.isEmpty else { return [] }
        var steps: [ErasureStep] = []
        for table in SiteTables.all {
            guard let rows = table.isOfPerson else { continue }
            switch table.erasure {
            case .deleted?: steps.append(try ErasureStep(table.name, .delete(rows), db))
            case .asAttendance? where debt.deletesAttendance:
                steps.append(try ErasureStep(table.name, .delete(rows), db))
            case .asAttendance?, .kept?, .withParent?, nil: break
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
        for table in SiteTables.all {
            var columns = try texts(of: table.name, db)
            var isGoing = false
            switch table.texts {
            case .none: continue
            case .blanked: break
            case .blankedIn(let some): columns.removeAll { !some.contains($0) }
            case .gone: isGoing = true
            }
            guard !columns.isEmpty else { continue }
            steps.append(try ErasureStep(table.name, .blank(columns, isGoing: isGoing), db))
        }
        return steps
    }

    /// The columns of a table in which somebody may be named.
    private static func texts(of table: String, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT' ORDER BY name",
            arguments: [table]
        ).filter { !TableSpec.words.contains($0) }
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
                let new =
                    try isGoing
                    ? Self.replaced(read, replacements) : Self.blanked(read, replacements)
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

    /// So many characters every text may have.
    private static let always = 100

    private static func replaced(
        _ text: String, _ replacements: [ErasureDebt.Replacement]
    ) -> String {
        replacements.reduce(text) { $0.replacingWord($1.text, by: $1.by) }
    }

    /// A text without names that stays: no longer than it was, or than any text may be. Of texts by
    /// language the languages stay; other JSON is not cut.
    static func blanked(
        _ text: String, _ replacements: [ErasureDebt.Replacement]
    ) throws -> String {
        func cut(_ new: String, _ old: String) -> String {
            String(new.unicodeScalars.prefix(max(old.unicodeScalars.count, always)))
        }
        if let texts = try? JSONText.value([String: String].self, from: text) {
            // A member with its value, as accounts are meant, stands in no value alone.
            let members = replaced(text, replacements.filter { $0.text.hasPrefix("\"") })
            guard members == text else { return try blanked(members, replacements) }
            let new = texts.mapValues { cut(replaced($0, replacements), $0) }
            return new == texts ? text : try JSONText.text(of: new)
        }
        let new = replaced(text, replacements)
        if new.utf8.count <= text.utf8.count { return new }
        let isJSON = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
        return isJSON ? new : cut(new, text)
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

import Basics
import Foundation
import GRDB
import SiteModel
import Synchronization

/// A value that is one row of a table. Its columns stand where it is written and where it is read, both
/// in its conformance; statements follow from them.
///
/// GRDB's own persistence makes each statement anew, and looks whether a row is there before it inserts:
/// a thousand rows took four times as long (`mesh-lab bench --only rows`).
package protocol StoredRow {
    /// By name, `nil` for NULL.
    typealias Columns = KeyValuePairs<String, (any DatabaseValueConvertible)?>

    /// The name of the table.
    static var table: String { get }

    /// What is written, the same columns for every value.
    var columns: Columns { get throws }
}

extension StoredRow {
    /// Stores the row, in the place of the one with its primary key; inserts it if its columns are without
    /// one. Every other constraint refuses.
    package func save(_ db: Database) throws { try write(.replacing, db) }

    /// Stores the row unless its primary key is taken: of what is told twice the first stays.
    func insertFirst(_ db: Database) throws { try write(.keeping, db) }

    private func write(_ conflict: Conflict, _ db: Database) throws {
        let columns = try columns
        let key = StatementKey(record: ObjectIdentifier(Self.self), conflict: conflict)
        let sql: String
        if let known = statements.withLock({ $0[key] }) {
            sql = known
        } else {
            sql = try Self.statement(of: columns.map(\.key), conflict, db)
            statements.withLock { $0[key] = sql }
        }
        try db.run(sql, StatementArguments(columns.map(\.value)))
    }

    private static func statement(
        of columns: [String], _ conflict: Conflict, _ db: Database
    ) throws -> String {
        let names = columns.map(\.quotedDatabaseIdentifier)
        let insert = """
            INSERT INTO \(table.quotedDatabaseIdentifier) (\(names.joined(separator: ", ")))
            VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
            """
        let key = try db.primaryKey(table).columns
        guard Set(key).isSubset(of: columns) else { return insert }
        let changed = columns.filter { !key.contains($0) }.map(\.quotedDatabaseIdentifier)
        let target = key.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
        guard conflict == .replacing, !changed.isEmpty else {
            return "\(insert) ON CONFLICT (\(target)) DO NOTHING"
        }
        let changes = changed.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return "\(insert) ON CONFLICT (\(target)) DO UPDATE SET \(changes)"
    }
}

/// What becomes of a row whose primary key is taken.
private enum Conflict { case replacing, keeping }

private struct StatementKey: Hashable {
    let record: ObjectIdentifier
    let conflict: Conflict
}

/// Statements by the type that they store: made once.
private let statements = Mutex<[StatementKey: String]>([:])

extension StoredRow {
    /// The case that a text column names.
    static func choice<Choice: RawRepresentable<String>>(
        _ row: Row, _ column: String
    ) throws -> Choice {
        guard let choice = Choice(rawValue: row[column]) else { throw damaged(row, column) }
        return choice
    }

    /// The value of a column of JSON.
    static func json<Value: Decodable>(_ row: Row, _ column: String) throws -> Value {
        guard let value = try? JSONText.value(Value.self, from: row[column]) else {
            throw damaged(row, column)
        }
        return value
    }

    /// The value of a column of JSON, `nil` for NULL.
    static func optionalJSON<Value: Decodable>(_ row: Row, _ column: String) throws -> Value? {
        (row[column] as String?) == nil ? nil : try json(row, column)
    }

    /// What a column of packed bytes holds; `read` gives `nil` for bytes of anything else.
    static func packed<Value>(
        _ row: Row, _ column: String, _ read: (Data) -> Value?
    ) throws -> Value {
        guard let value = read(row[column]) else { throw damaged(row, column) }
        return value
    }

    /// A number that stands as 16 hexadecimal digits.
    static func hex(_ row: Row, _ column: String) throws -> UInt64 {
        guard let number = Hex.number((row[column] as String).utf8) else {
            throw damaged(row, column)
        }
        return number
    }

    static func damaged(_ row: Row, _ column: String) -> DamagedRow {
        DamagedRow("\(table).\(column)", row)
    }
}

/// A row that no release has written. `StoreError.corrupt` to whoever reads.
package struct DamagedRow: Error, Equatable {
    /// What is wrong where, in words.
    package let detail: String

    /// - Parameter column: With the name of its table.
    package init(_ column: String, _ id: Int64) { detail = "bad \(column) in row \(id)" }

    /// The row is named by the first of its columns that tells rows apart.
    package init(_ column: String, _ row: Row) {
        let id = ["id", "user", "seq"].lazy.compactMap { row[$0] as Int64? }.first
        self.init(column, id ?? 0)
    }
}

/// A row number.
extension ID: DatabaseValueConvertible {
    @usableFromInline package var databaseValue: DatabaseValue { row.databaseValue }

    @usableFromInline package static func fromDatabaseValue(_ value: DatabaseValue) -> ID? {
        Int64.fromDatabaseValue(value).map { ID($0) }
    }
}

/// Milliseconds.
extension Timestamp: DatabaseValueConvertible {
    @usableFromInline package var databaseValue: DatabaseValue { milliseconds.databaseValue }

    @usableFromInline package static func fromDatabaseValue(_ value: DatabaseValue) -> Timestamp? {
        Int64.fromDatabaseValue(value).map { Timestamp(milliseconds: $0) }
    }
}

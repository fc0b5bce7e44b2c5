@testable import SiteSchema
@testable import SiteStore
import Foundation
import GRDB
import Testing

extension Schema {
    /// The migrations of a release to come, which adds a table with a row, and a column.
    static let later =
        migrations + [
            """
            CREATE TABLE locker (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
            INSERT INTO locker VALUES (1, 'by the door');
            ALTER TABLE user ADD COLUMN locker INTEGER NOT NULL DEFAULT 1;
            """
        ]
}

/// A database as a release left it: schema and rows as SQL text, in `Schemas`.
///
/// The text is made once (`Schemas/freeze`) and never again, so that a migration that is edited later
/// no longer makes what it says.
struct FrozenSchema: Sendable, CustomTestStringConvertible {
    let version: Int

    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("Schemas")

    private var file: URL {
        Self.folder.appendingPathComponent(String(format: "%02d.sql", version))
    }

    var testDescription: String { "schema \(version)" }

    /// Whether it was frozen.
    var exists: Bool { FileManager.default.fileExists(atPath: file.path) }

    /// Throws if it was not frozen.
    var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

    /// Freezes it.
    func write() throws {
        let queue = try Self.queue()
        try Self.migrate(queue, to: version, withRows: true)
        let text = try queue.read { try Self.dump($0) }
        try Data(text.utf8).write(to: file, options: .withoutOverwriting)
    }

    /// Makes the database at `path` from the text.
    func make(at path: String) throws {
        let queue = try Self.queue(path)
        try queue.writeWithoutTransaction { try $0.execute(sql: text) }
        try queue.close()
    }

    /// What today's migrations up to it make, without rows.
    func made() throws -> [String] {
        let queue = try Self.queue()
        try Self.migrate(queue, to: version, withRows: false)
        return try queue.read { try Self.schema(of: $0) }
    }

    /// Rows are written in the order of the tables, which is not that of their references.
    private static func queue(_ path: String = ":memory:") throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private static func migrate(
        _ queue: DatabaseQueue, to version: Int, withRows: Bool
    ) throws {
        let rows = try rows()
        try queue.writeWithoutTransaction { db in
            for number in 1...version {
                try db.execute(sql: Schema.migrations[number - 1])
                if withRows, let rows = rows[number] { try db.execute(sql: rows) }
            }
            try db.execute(
                sql: """
                    PRAGMA application_id = \(Schema.applicationID);
                    PRAGMA user_version = \(version)
                    """)
        }
    }

    /// The sections of rows.sql by the number of their migration.
    private static func rows() throws -> [Int: String] {
        let text = try String(
            contentsOf: folder.appendingPathComponent("rows.sql"), encoding: .utf8)
        let mark = "-- schema "
        let sections = text.components(separatedBy: "\n" + mark).dropFirst()
        return Dictionary(
            uniqueKeysWithValues: sections.compactMap { section in
                Int(section.prefix { $0.isNumber }).map { ($0, mark + section) }
            })
    }

    /// What is in a database besides rows: a line an object, white space as one blank.
    static func schema(of db: Database) throws -> [String] {
        try Row.fetchAll(
            db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
        ).map { row in
            let sql = (row["sql"] as String? ?? "").split(whereSeparator: \.isWhitespace)
            let names = ["type", "name", "tbl_name"].map { row[$0] as String }
            return (names + sql.map(String.init)).joined(separator: " ")
        }
    }

    /// The names of the tables, as they were made.
    static func tables(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_schema
                WHERE type = 'table' AND name NOT LIKE 'sqlite%'
                    AND name IN (SELECT name FROM pragma_table_list WHERE type = 'table')
                ORDER BY rowid
                """)
    }

    static func columns(_ db: Database, of table: String) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_info(?) ORDER BY cid", arguments: [table])
    }

    /// The rows of a table as SQL literals, sorted.
    static func rows(_ db: Database, of table: String, _ columns: [String]) throws -> [String] {
        let list = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ', ' || ")
        return try String.fetchAll(db, sql: "SELECT \(list) AS row FROM \"\(table)\" ORDER BY row")
    }

    /// Tables, then rows, then what looks at rows that are written.
    private static func dump(_ db: Database) throws -> String {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        var lines = [
            "-- Schema \(version) of Beaconmesh with some rows, made by ./freeze and never edited.",
            "PRAGMA application_id = \(Schema.applicationID);",
            "PRAGMA user_version = \(version);",
            "BEGIN;",
        ]
        func objects(_ condition: String) throws -> [String] {
            try String.fetchAll(
                db,
                sql: """
                    SELECT sql FROM sqlite_schema
                    WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' AND \(condition)
                        AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
                    ORDER BY rowid
                    """
            ).map { $0 + ";" }
        }
        lines += try objects("type = 'table'")
        for table in try tables(db) {
            let columns = try columns(db, of: table)
            lines += try rows(db, of: table, columns).map {
                "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\($0));"
            }
        }
        // Indexes of texts are made of the rows.
        lines += try String.fetchAll(
            db,
            sql: """
                SELECT name FROM pragma_table_list
                WHERE schema = 'main' AND type = 'virtual' ORDER BY name
                """
        ).map { "INSERT INTO \($0) (\($0)) VALUES ('rebuild');" }
        lines += try objects("type <> 'table'")
        return (lines + ["COMMIT;", ""]).joined(separator: "\n")
    }
}

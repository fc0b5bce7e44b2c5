import GRDB
import Testing

@testable import SiteSchema
@testable import SiteStore

/// Every table is declared, and its declaration is true of the schema.
@Suite(.timeLimit(.minutes(1)))
struct TableTests {
    private func schema<Value>(_ read: (Database) throws -> Value) throws -> Value {
        let scratch = try Scratch()
        let store = try Store(path: scratch.path)
        defer { store.close() }
        return try store.read { try read($0) }
    }

    private func columns(of table: String, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
    }

    @Test func `the declared tables are those of the newest version`() throws {
        let names = try schema {
            try String.fetchAll(
                $0,
                sql: """
                    SELECT name FROM sqlite_schema
                    WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name
                    """)
        }
        #expect(names.count > 40)
        #expect(SiteTables.all.map(\.name).sorted() == names)
    }

    @Test func `a table with a column for a person says whose it is`() throws {
        try schema { db in
            for table in SiteTables.all {
                let columns = try columns(of: table.name, db)
                switch table.person {
                case .user: #expect(columns.contains("user"), "\(table.name)")
                case .through(let column, let parent, _):
                    #expect(columns.contains(column), "\(table.name)")
                    #expect(SiteTables.named(parent)?.isOfPerson != nil, "\(table.name)")
                case .nobody: #expect(!columns.contains("user"), "\(table.name)")
                }
            }
        }
    }

    /// Else an erasure or a retention would fail, or leave what a cascade takes uncounted.
    @Test func `rows go before those that they refer to`() throws {
        try schema { db in
            let place = Dictionary(
                uniqueKeysWithValues: SiteTables.all.enumerated().map { ($1.name, $0) })
            for table in SiteTables.all {
                let parents = try String.fetchAll(
                    db, sql: "SELECT \"table\" FROM pragma_foreign_key_list(?)",
                    arguments: [table.name])
                for parent in parents where parent != table.name {
                    let (child, other) = (place[table.name] ?? 0, place[parent] ?? 0)
                    #expect(child < other, "\(table.name) before \(parent)")
                }
            }
        }
    }

    @Test func `its queries are those of its columns`() throws {
        try schema { db in
            for table in SiteTables.all {
                var queries = [table.loaded].compactMap(\.self)
                switch table.kept {
                case .machines(_, let column, _), .days(_, let column):
                    queries.append("SELECT \(column) FROM \(table.name)")
                case .attendance(let column, let condition, _):
                    queries.append(
                        "SELECT \(column) FROM \(table.name) WHERE \(condition ?? "1")")
                case .person: queries.append("SELECT user FROM \(table.name)")
                case .forever, .present: break
                }
                if table.isCounted { queries.append("SELECT id FROM \(table.name)") }
                for query in queries {
                    #expect(throws: Never.self, "\(query)") { try db.makeStatement(sql: query) }
                }
            }
        }
    }

    @Test func `what is loaded has a reader, and nothing else`() throws {
        let scratch = try Scratch()
        let store = try Store(path: scratch.path)
        defer { store.close() }
        let read = try store.read { StoredState(store: store).readers($0).map(\.table) }
        #expect(read.sorted() == SiteTables.all.filter { $0.loaded != nil }.map(\.name).sorted())
    }
}

import Foundation
import GRDB
import JSON
import SiteModel
import SiteSchema
import SiteStore
import Wire

/// Everything a site holds about one person, table by table.
package struct PersonExport: Equatable, Sendable, Codable {
    /// A value of a column.
    package enum Cell: Equatable, Sendable, Codable {
        case none
        case integer(Int64)
        case number(Double)
        /// Hostile text, like everything people write.
        case text(String)
    }

    /// Rows of one table.
    package struct Table: Equatable, Sendable, Codable {
        /// Its name: that of the database's table or view where there is one.
        package var name: String
        /// The columns, units in their names.
        package var columns: [String]
        /// The rows, each with a cell a column.
        package var rows: [[Cell]]

        package init(name: String, columns: [String], rows: [[Cell]]) {
            self.name = name
            self.columns = columns
            self.rows = rows
        }
    }

    /// The slug of the person.
    package var user: String
    /// The site's slug.
    package var site: String
    /// When this was put together.
    package var at: Timestamp
    /// The end of the audit chain then.
    package var head: AuditHead
    /// The tables, by name.
    package var tables: [Table]

    /// One document: `user`, `site`, `at_ms`, `audit_head`, and in `tables` a list of objects each.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("user", user)
        writer.field("site", site)
        writer.field("at_ms", at.milliseconds)
        writer.field("audit_head", head.description)
        writer.key("tables")
        writer.beginObject()
        for table in tables {
            writer.key(table.name)
            writer.beginArray()
            for row in table.rows {
                writer.beginObject()
                for (column, cell) in zip(table.columns, row) {
                    switch cell {
                    case .none: continue
                    case .integer(let number): writer.field(column, number)
                    case .number(let number): writer.field(column, number)
                    case .text(let text): writer.field(column, text)
                    }
                }
                writer.endObject()
            }
            writer.endArray()
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }
}

/// Everything about one person.
package struct PersonExports: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Notes in the audit that all about a user is read. Returns whether there is one of that slug.
    ///
    /// - Throws: A writer's `StoreError`; nothing was written, repeat after `.busy` or `.full`.
    package func note(user slug: String, by asker: Asker) throws(StoreError) -> Bool {
        try store.write { db in
            let user = try UserID.fetchOne(
                db, sql: "SELECT id FROM user WHERE slug = ?", arguments: [slug])
            guard let user else { return false }
            try AuditTrail.append(
                asker.entry("export", "user", "\(user.row)", user: user), db)
            return true
        }
    }

    /// Puts together what the database holds about a user, also about one who was retired; or `nil` if there is no such
    /// slug. Who calls it has noted it. It looks through all evidence, so that it takes long.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func export(user slug: String, at now: Timestamp) throws(StoreError) -> PersonExport? {
        try store.read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM user WHERE slug = ?", arguments: [slug])
            guard let row else { return nil }
            let user: UserID = row["id"]
            let slugs = try ExportSlugs(db)
            var tables = [
                PersonExport.Table(
                    name: "user", columns: Array(row.columnNames),
                    rows: [
                        row.databaseValues.map(PersonExport.Cell.init)
                    ])
            ]
            for table in SiteTables.all where table.isExported {
                guard let rows = table.isOfPerson else { continue }
                tables.append(
                    try Self.table(
                        table.name, "SELECT * FROM \(table.name) WHERE \(rows)", user, slugs, db))
            }
            tables += try Self.related(to: user, slugs, db)
            tables.append(try Self.heard(user, db))
            tables.append(try Self.runs(user, slugs, db))
            return PersonExport(
                user: slug,
                site: try String.fetchOne(db, sql: "SELECT slug FROM site") ?? "", at: now,
                head: try AuditHead(db), tables: tables.sorted { $0.name < $1.name })
        }
    }

    /// What is told of other tables.
    private static func related(
        to user: UserID, _ slugs: ExportSlugs, _ db: Database
    ) throws -> [PersonExport.Table] {
        let queries = [
            (
                "beacon",
                """
                SELECT slug, title, identity, retired_ms FROM beacon
                WHERE id IN (SELECT beacon FROM beacon_binding WHERE user = ?)
                """
            ),
            (
                "audit_log",
                """
                SELECT id, at_ms, via, action, entity, entity_id, actor.value AS actor,
                    old.value AS before, new.value AS after, digest
                FROM audit_log
                    LEFT JOIN audit_value AS actor ON actor.audit = id AND actor.side = 'actor'
                    LEFT JOIN audit_value AS old ON old.audit = id AND old.side = 'before'
                    LEFT JOIN audit_value AS new ON new.audit = id AND new.side = 'after'
                WHERE user = ? ORDER BY id
                """
            ),
        ]
        return try queries.map { name, query in try table(name, query, user, slugs, db) }
    }

    private static func table(
        _ name: String, _ query: String, _ user: UserID, _ slugs: ExportSlugs, _ db: Database
    ) throws -> PersonExport.Table {
        let statement = try db.makeStatement(sql: query)
        // The person is said once; hashes of secrets are of use to nobody.
        let columns = statement.columnNames.filter { $0 != "user" && !$0.hasSuffix("_hash") }
        let rows = try Row.fetchAll(statement, arguments: [user.row]).map { row in
            columns.map { column in
                slugs.slug(of: row[column], in: column) ?? PersonExport.Cell(row[column])
            }
        }
        return PersonExport.Table(name: name, columns: columns, rows: rows)
    }

    /// When they were heard, of the last hours.
    private static func heard(_ user: UserID, _ db: Database) throws -> PersonExport.Table {
        let packed = try Data.fetchOne(
            db, sql: "SELECT heard FROM ledger WHERE user = ?", arguments: [user.row])
        let slugs = try ExportSlugs(db)
        let rows = (packed.flatMap { Packed.times(from: $0) } ?? []).flatMap { time in
            time.seconds.intervals.map { interval in
                [
                    slugs.slug(of: time.room.row.databaseValue, in: "room") ?? .none,
                    .integer(interval.from.milliseconds), .integer(interval.to.milliseconds),
                ]
            }
        }
        return PersonExport.Table(
            name: "ledger", columns: ["room", "from_ms", "to_ms"], rows: rows)
    }

    /// When nodes heard the beacons that stood for them.
    private static func runs(
        _ user: UserID, _ slugs: ExportSlugs, _ db: Database
    ) throws -> PersonExport.Table {
        let bindings = try db.rows(
            "SELECT beacon, from_ms, to_ms FROM beacon_binding WHERE user = ?", [user.row]
        ) {
            Binding(
                beacon: $0["beacon"], user: user, from: $0["from_ms"],
                to: $0["to_ms"])
        }
        var rows: [[PersonExport.Cell]] = []
        let minutes = try Row.fetchCursor(
            db, sql: "SELECT node, from_ms, site_from_ms, at_ms, runs FROM evidence ORDER BY at_ms")
        while let minute = try minutes.next() {
            let start: Timestamp = minute["site_from_ms"] ?? minute["from_ms"]
            for run in Packed.runs(from: minute["runs"]) ?? [] {
                let from = start + .seconds(Double(run.first))
                guard bindings.contains(where: { $0.beacon == run.beacon && $0.holds(at: from) })
                else { continue }
                rows.append([
                    slugs.slug(of: minute["node"], in: "node") ?? .none,
                    slugs.slug(of: run.beacon.row.databaseValue, in: "beacon") ?? .none,
                    .integer(from.milliseconds),
                    .integer((start + .seconds(Double(run.last + 1))).milliseconds),
                    .integer(Int64(run.count)), .number(run.strongest.dBm), .number(run.mean.dBm),
                ])
            }
        }
        return PersonExport.Table(
            name: "evidence",
            columns: [
                "node", "beacon", "from_ms", "to_ms", "adverts", "strongest_dbm", "mean_dbm",
            ], rows: rows)
    }
}

/// Slugs in the place of the registry's rows.
private struct ExportSlugs {
    private var slugs: [String: [Int64: String]] = [:]

    init(_ db: Database) throws {
        for table in ["room", "station", "node", "beacon"] {
            for row in try Row.fetchAll(db, sql: "SELECT id, slug FROM \(table)") {
                slugs[table, default: [:]][row["id"]] = row["slug"]
            }
        }
    }

    /// The slug a column like `room` or `from_room` refers to, or `nil` for other columns.
    func slug(of value: DatabaseValue, in column: String) -> PersonExport.Cell? {
        guard let table = column.split(separator: "_").last.map(String.init),
            let known = slugs[table], let row = Int64.fromDatabaseValue(value)
        else { return nil }
        return known[row].map { .text($0) }
    }
}

extension PersonExport.Cell {
    /// A value as it is stored; bytes have no place here.
    fileprivate init(_ value: DatabaseValue) {
        switch value.storage {
        case .null, .blob: self = .none
        case .int64(let number): self = .integer(number)
        case .double(let number): self = number.isFinite ? .number(number) : .none
        case .string(let text): self = .text(text)
        }
    }
}

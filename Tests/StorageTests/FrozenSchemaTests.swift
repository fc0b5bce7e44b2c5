@testable import Ciphers
@testable import SiteSchema
@testable import SiteStore
import Foundation
import GRDB
import Records
import Registry
import Reporting
import Testing

/// A database of each schema so far, as it was, comes up to date with all that was in it.
struct FrozenSchemaTests {
    /// SHA-256 of the texts: what was released stays as it was.
    private static let digests: [String] = [
        "a1c4cf231d738ea5acb4c99bb99e415b9d7c8375b10a8657818b36f16cc58aec",
        "e89b26dc5cadb8c543731bfca4395b940989ba69f45b9d269ce54b4b06fcff38",
    ]

    private static let all = (1...Schema.version).map { FrozenSchema(version: $0) }

    private static let isFreezing =
        ProcessInfo.processInfo.environment["BEACONMESH_FREEZE_SCHEMAS"] == "1"

    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test(.enabled(if: isFreezing, "Tests/StorageTests/Schemas/freeze does it"))
    func `what is not frozen yet is frozen`() throws {
        for schema in Self.all {
            if !schema.exists { try schema.write() }
            print("        \"\(SHA256.hexadecimal(of: try schema.text))\",")
        }
    }

    @Test(.disabled(if: isFreezing)) func `each schema is frozen, and stays as it was`() throws {
        for schema in Self.all {
            guard schema.exists, schema.version <= Self.digests.count else {
                Issue.record(
                    """
                    \(schema) is not frozen: add its rows to Tests/StorageTests/Schemas/rows.sql, run \
                    Tests/StorageTests/Schemas/freeze and put the digest into this test
                    """)
                continue
            }
            #expect(
                SHA256.hexadecimal(of: try schema.text) == Self.digests[schema.version - 1],
                "the frozen \(schema) was changed: releases stay what they were")
        }
        #expect(Self.digests.count == Schema.version)
    }

    @Test(.disabled(if: isFreezing), arguments: all)
    func `the migrations up to it still make it`(schema: FrozenSchema) throws {
        try schema.make(at: scratch.path)
        let queue = try DatabaseQueue(path: scratch.path)
        let frozen = try queue.read { try FrozenSchema.schema(of: $0) }
        try queue.close()
        #expect(try schema.made() == frozen, "a migration up to \(schema.version) was edited")
    }

    /// Rows by table and then by column, where they have any.
    private func rows(_ db: Database) throws -> [String: (columns: [String], rows: [String])] {
        var found: [String: (columns: [String], rows: [String])] = [:]
        for table in try FrozenSchema.tables(db) {
            let columns = try FrozenSchema.columns(db, of: table)
            found[table] = (columns, try FrozenSchema.rows(db, of: table, columns))
        }
        return found
    }

    @Test(.disabled(if: isFreezing), arguments: all)
    func `it has rows in each table`(schema: FrozenSchema) throws {
        try schema.make(at: scratch.path)
        let queue = try DatabaseQueue(path: scratch.path)
        let empty = try queue.read { try rows($0) }.filter { $0.value.rows.isEmpty }.keys.sorted()
        try queue.close()
        // A disposal lasts for a transaction.
        #expect(empty == ["disposal"])
    }

    @Test(.disabled(if: isFreezing), arguments: all)
    func `it comes up to date with all that was in it`(schema: FrozenSchema) throws {
        try schema.make(at: scratch.path)
        let before = try DatabaseQueue(path: scratch.path)
        let old = try before.read { try rows($0) }
        try before.close()
        let store = try Store(path: scratch.path, backups: nil)
        defer { store.close() }
        let fresh = try FrozenSchema(version: Schema.version).made()
        try store.pool.read { db in
            #expect(try FrozenSchema.schema(of: db) == fresh)
            #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty)
            #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
            for (table, content) in old {
                let now = try FrozenSchema.rows(db, of: table, content.columns)
                #expect(now == content.rows, "rows of \(table)")
            }
        }
        let (plan, names, saved) = try #require(try store.load())
        #expect(names.site == "gym" && plan.users.count == 2 && plan.bindings.count == 2)
        #expect(saved.sessions.map(\.id) == [2, 3] && saved.answers.count == 1)
        #expect(try WhoRow.all(in: store).map(\.user) == ["u-bob"])
        let verdict = try AuditTrail(store).verify()
        // Nobody asked for the accounts of the frozen rows, so that nothing tells of them.
        #expect(verdict.fault == .row(table: "account", id: 1, "was never made"))
        #expect(verdict.rows == 6)
        // What decides goes on from there.
        try SiteImport(store).importDocument(.gym, at: at(30 * 86_400))
        #expect(try store.revision() > 2)
    }

    @Test(.disabled(if: isFreezing))
    func `a release to come brings it up to date, with all that was in it and a backup`() throws {
        try FrozenSchema(version: Schema.version).make(at: scratch.path)
        let before = try DatabaseQueue(path: scratch.path)
        let old = try before.read { try rows($0) }
        try before.close()
        let folder = BackupFolder(of: scratch.path)
        let store = try Store(path: scratch.path, backups: folder, migrations: Schema.later)
        try store.pool.read { db in
            #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == Schema.version + 1)
            #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty)
            #expect(try String.fetchAll(db, sql: "SELECT name FROM locker") == ["by the door"])
            #expect(try Int.fetchAll(db, sql: "SELECT locker FROM user") == [1, 1, 1])
            for (table, content) in old {
                let now = try FrozenSchema.rows(db, of: table, content.columns)
                #expect(now == content.rows, "rows of \(table)")
            }
        }
        #expect(try store.load()?.saved.sessions.map(\.id) == [2, 3])
        store.close()
        let backup = try #require(folder.files().first)
        #expect(backup.schema == Schema.version)
        let kept = try DatabaseQueue(path: folder.path(of: backup))
        try kept.read { db in
            let found = try rows(db)
            #expect(found.mapValues { $0.rows } == old.mapValues { $0.rows })
        }
        try kept.close()
        // Whoever goes back to this release is told so.
        #expect(
            throws: StoreError.newerSchema(
                path: scratch.path, found: Schema.version + 1, known: Schema.version)
        ) { try Store(path: scratch.path) }
    }
}

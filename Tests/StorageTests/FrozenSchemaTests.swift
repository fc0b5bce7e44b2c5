@testable import Ciphers
@testable import SiteSchema
@testable import SiteStore
import Foundation
import GRDB
import Records
import Registry
import Reporting
import Testing

/// A database of each release so far, as it was, comes up to date with all that was in it.
struct FrozenSchemaTests {
    /// SHA-256 of the texts: what was released stays as it was.
    private static let digests: [String] = [
        "997568293267de02054e2605c13f178d7858164a7beb132fca9e6b0b3bddd982",
        "98ee2df44254451a2a483915d8bc2cafe9690b2a344f6fcd67f25a6b75c99ca0",
        "0d8efd2a2e917c0698530bffe22a802a71f9a896cf7a30fbc469336791e3fce8",
        "ec7c3beb19c7a839c5875eecfb255eca9fc96d3f4665c218094c9f17df0ff7f3",
        "bb8dd6f11a449ed1829b23e3ba1d0ddc6136515cf902846538c00f10bdb7e29a",
        "01765d9c63c3f1bd5d68586f06789c00f94cf736f0a6c03e3b6978d0930b313f",
        "ef0ad9f6eb4b052a21dab934f9f0f7cf1799d811e8d9b74ffef2c782807faf01",
        "efd51f201938c259a2f44f9e84918ca4ec9d462bbb8ed755c9bf083cd8f4ab98",
        "98fd93214952d094c7d07dcba5e347b8691ee40d6ca9101caec45d3f987609e1",
        "44a1afbfdee0156e3ebaa83c0fc6fba601251072417e266c9754f101034f9163",
        "6386d093e8321c9b2ca3869e4a541b3e28d3dcb3adb0f9309a8147e27698597c",
        "df6aef8936f3c58ad0f3ef297c15256bf52c3ffcc55724355a82c4235f1f3745",
        "119e6af620edb1eeb22fc6630023fcd766579d595ed6ec7f3d9d0861ec87edbc",
        "ff0f2bf7ca782d06def1fd0b9a9dbaf550d3f42c2bc06d8f516e1873ae6d55b7",
        "6aad80b1f637678d14a56b32a2ce5804c34f843a32e506fc65f988be0289a45e",
        "5038c247ab03a9b86873aeba130c766c7a4bee0f0882f611abca1cf5ec178de3",
        "8ceed1f0752ee0ea1248562431b3a634a173b61d09d4ddee9eb5d87d00c5c189",
        "8e27e0e699d2b2b5482560f28df943a37413ea637c91a88d289b9e9b1883da55",
        "fb3a86a042419c477244a333c4f7818199ec94ab35f8c085e99e69ed07bb790f",
        "4bb4a081513b6932cb63979589f94991f17293962fe2fedaee0878e5f23977ca",
        "c5f9ccc05c8a2d6b302b953b429835fec481e03c695458a854cded75cf6c3387",
        "c97100cf0290f9c7150dbf51169fbc024844f93f3ed7ae7d645eff27c6308c6b",
        "cd3212a0eff46c6023e7903efcc16bf2c00fb687d15ac1cfeabf56207fed56ed",
        "0373fedb88bc5c9727c22812344bdfd27080848851701caea6f256a3840728e2",
        "5911784c59ce208a4a5f8745a8ec27e27f0e14324649f6e5c1ba1a6a2134482e",
        "7505eaf451f4f45eaddf16289b1665df554ee31b1f50235f3548db07289debf1",
        "6225cfad10c83342fcbd67dbd3992e1ba6880d91b8ade2795ae3a08d746af7b5",
        "b22d683c72804c6bb43c06bc78c6338e086de6d0ee3fc3bd0a7372cb9fb13d95",
        "53064d39d9f9b17a701bf742d808825accf64c89e468abe1a39122df2172aa21",
        "7f18b8561185ca501a9c42faf20b9fb120df251a77e9f028f47bbdf0f917066e",
        "f6f3fb06c115d9be50be194df79faa600f87f620760c480063badf85ef12e720",
        "b43d8d98d175aeb50da1225556722e81634f6cf5bea27554c810275e96db191f",
        "3321d4f61cbfe8e38584feb276cfca304bda82badec2d500f0dff44ba44a5050",
        "1645f16f49af68cd8d880d7b98e675cb68858d3368d77ef3f7a20c1ab0bcbee1",
        "fe0be63a2b2c30ab6859422ad3ba6e2f26c8bb3e288e7a3c4e237308ac024440",
        "7d2e5ea9d7bee115e8ac6c4775d3f645d27ca8aef3f86daa24c7b9642cabfc3c",
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
        // The first evidence was never written to; a disposal lasts for a transaction.
        let allowed = schema.version == 1 ? ["evidence"] : schema.version < 10 ? [] : ["disposal"]
        #expect(empty == allowed)
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
            let asked = try String.fetchAll(
                db, sql: "SELECT asker || ' ' || key FROM answered_request ORDER BY 1")
            let rooms = schema.version < 19 ? [] : ["http:token:crm k-1"]
            #expect(asked.filter { $0 != "http:account:ada k-2" } == rooms + ["kiosk r-1"])
            // How far events had been looked at: the machines make notifications themselves since. What was asked
            // with a key is in one table.
            let moved: Set = ["notice_cursor", "answer", "http_request"]
            for (table, content) in old where !content.rows.isEmpty && !moved.contains(table) {
                let now = try FrozenSchema.rows(db, of: table, content.columns)
                #expect(now == content.rows, "rows of \(table)")
            }
        }
        let (plan, names, saved) = try #require(try store.load())
        #expect(names.site == "gym" && plan.users.count == 2 && plan.bindings.count == 2)
        #expect(saved.sessions.map(\.id) == [2, 3] && saved.answers.count == 1)
        #expect(try WhoRow.all(in: store).map(\.user) == ["u-bob"])
        let verdict = try AuditTrail(store).verify()
        // No release wrote its accounts, so that nothing tells of them.
        let unsaid: AuditVerdict.Fault? =
            schema.version < 19 ? nil : .row(table: "account", id: 1, "was never made")
        #expect(verdict.fault == unsaid && verdict.rows == (schema.version < 10 ? 0 : 6))
        // What decides goes on from there.
        try SiteImport(store).importDocument(.gym, at: at(30 * 86_400))
        #expect(try store.revision() > 2)
    }
}

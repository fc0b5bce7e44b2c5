import Foundation
import GRDB
@testable import Records
import Testing

@testable import SiteEngine
@testable import SiteSchema
@testable import SiteStore

/// A backup in a database's place.
struct RestoreTests {
    private let scratch: Scratch
    private let lock: DatabaseLock
    private var backup: String { scratch.path + ".backup" }

    init() throws {
        scratch = try Scratch()
        lock = try DatabaseLock(of: scratch.path, by: "tests", at: start)
        let store = try scratch.store()
        try store.commit([site(60)])
        store.close()
        try FileManager.default.copyItem(atPath: scratch.path, toPath: backup)
    }

    private func site(_ seconds: Double, epoch: Int64 = 1) -> Fact {
        .site(SiteRow(clock: at(seconds), next: 1, coverage: [], clocks: [], epoch: epoch))
    }

    private func restore(_ from: String) throws(StoreError) -> Restoration {
        try Restoration.restore(scratch.path, from: from, under: lock)
    }

    private func refusal(_ from: String) -> StoreError? {
        do throws(StoreError) {
            _ = try restore(from)
            return nil
        } catch {
            return error
        }
    }

    @Test func `the backup is in force, in an epoch above all before`() throws {
        let store = try Store(path: scratch.path)
        try store.commit([site(500, epoch: 7)])
        store.close()
        let result = try restore(backup)
        #expect(
            result
                == Restoration(
                    clock: at(60), revision: 1, epoch: 8, replaced: scratch.path + ".replaced"))
        let restored = try Store(path: scratch.path)
        #expect(try restored.load()?.saved.site.clock == at(60))
        #expect(try restored.load()?.saved.site.epoch == 8)
        #expect(try Store(path: scratch.path + ".replaced").load()?.saved.site.clock == at(500))
        restored.close()
        let again = try restore(backup)
        #expect(again.epoch == 9 && again.replaced == scratch.path + ".replaced-2")
        let aside = BackupFolder(of: scratch.path).aside()
        #expect(Set(aside.map(\.path)) == [result.replaced, again.replaced])
        #expect(try Store(path: backup).load()?.saved.site.epoch == 1, "the backup stays as it was")
        let mode = try FileManager.default.attributesOfItem(atPath: scratch.path)[
            .posixPermissions]
        #expect(mode as? Int == 0o640)
    }

    @Test func `through a link, the file it leads to is replaced`() throws {
        let link = scratch.path + ".link"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: scratch.path)
        let result = try Restoration.restore(link, from: backup, under: lock)
        #expect(result.replaced == scratch.path + ".replaced")
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: link) == scratch.path)
        #expect(lock.isOf(link))
    }

    @Test func `nothing is replaced while somebody has the database open`() throws {
        let store = try Store(path: scratch.path)
        #expect(refusal(backup) == .busy)
        try store.commit([site(500)])
        #expect(try store.load()?.saved.site.clock == at(500))
        store.close()
        #expect(refusal(backup) == nil)
    }

    @Test func `a missing, empty, foreign or damaged backup is refused, and nothing changes`()
        throws
    {
        #expect(
            refusal("/nowhere/file")
                == .cannotOpen(path: "/nowhere/file", reason: "there is no such file"))
        let other = scratch.path + ".other"
        try Data().write(to: URL(fileURLWithPath: other))
        #expect(refusal(other) == .corrupt(path: other, detail: "there is nothing in it"))
        try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: other))
        guard case .corrupt(other, _) = refusal(other) else {
            Issue.record("\(refusal(other) as Any)")
            return
        }
        let queue = try DatabaseQueue(path: scratch.path + ".foreign")
        try queue.writeWithoutTransaction { try $0.execute(sql: "CREATE TABLE a (b)") }
        try queue.close()
        #expect(refusal(scratch.path + ".foreign") == .foreign(path: scratch.path + ".foreign"))
        #expect(try Store(path: scratch.path).load()?.saved.site.clock == at(60))
        #expect(!FileManager.default.fileExists(atPath: scratch.path + ".replaced"))
    }

    @Test func `a damaged database is put aside, a missing one is no obstacle`() throws {
        try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: scratch.path))
        let result = try restore(backup)
        #expect(result.epoch == 2 && result.replaced == scratch.path + ".replaced")
        try FileManager.default.removeItem(atPath: scratch.path)
        #expect(try restore(backup).replaced == nil)
        #expect(try Store(path: scratch.path).load()?.saved.site.clock == at(60))
    }

    @Test func `a backup of a database that was never run is restored too`() throws {
        let unused = try Scratch()
        try Store(path: unused.path).close()
        let result = try restore(unused.path)
        #expect(result.epoch == 2 && result.clock == nil && result.revision == 0)
    }

    @Test func `a backup of an older schema is brought up to date, and stays itself`() throws {
        let result = try Restoration.restore(
            scratch.path, from: backup, under: lock, migrations: Schema.later)
        #expect(result.epoch == 2 && result.clock == at(60) && result.revision == 1)
        func schema(_ path: String) throws -> Int? {
            let queue = try DatabaseQueue(path: path)
            defer { _ = Result { try queue.close() } }
            return try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
        }
        #expect(try schema(scratch.path) == Schema.later.count)
        #expect(try schema(backup) == Schema.version)
        let restored = try Store(path: scratch.path, backups: nil, migrations: Schema.later)
        defer { restored.close() }
        #expect(try restored.texts("SELECT name FROM locker") == ["by the door"])
        #expect(try restored.load()?.saved.site.clock == at(60))
    }

    @Test func `a backup of another release that is not known is refused, and nothing changes`()
        throws
    {
        let before = try scratch.bytes()
        let queue = try DatabaseQueue(path: backup)
        defer { _ = Result { try queue.close() } }
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 1000") }
        #expect(refusal(backup) == .newerSchema(path: backup, found: 1000, known: Schema.version))
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA user_version = 1; PRAGMA application_id = \(Schema.formerApplicationID)
                    """)
        }
        #expect(refusal(backup) == .beforeFirstRelease(path: backup))
        #expect(try scratch.bytes() == before)
        #expect(!FileManager.default.fileExists(atPath: scratch.path + ".replaced"))
    }
}

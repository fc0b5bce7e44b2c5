import Foundation
import GRDB
import Reporting
import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import SiteSchema
@testable import SiteStore

/// What is refused at the door is not written to; what is opened is durable.
struct OpeningTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The error of opening the database, and whether the file is still as it was.
    private func refusal() throws -> StoreError? {
        let before = try scratch.bytes()
        do throws(StoreError) {
            _ = try Store(path: scratch.path)
            return nil
        } catch {
            #expect(try scratch.bytes() == before, "the refused file was written to")
            return error
        }
    }

    @Test func `commits are synchronous and the log is kept small`() throws {
        let store = try scratch.store()
        let found = try store.pool.writeWithoutTransaction { db in
            try ["synchronous", "wal_autocheckpoint", "journal_size_limit", "foreign_keys"].map {
                try Int.fetchOne(db, sql: "PRAGMA \($0)")
            }
        }
        #expect(found == [2, 100, 1_048_576, 1])
        #expect(try store.texts("PRAGMA journal_mode") == ["wal"])
    }

    @Test func `only owner and group may look into the file`() throws {
        try scratch.store().close()
        let mode = try FileManager.default.attributesOfItem(atPath: scratch.path)[
            .posixPermissions]
        #expect(mode as? Int == 0o640)
    }

    @Test func `a new file holds nothing`() throws {
        let store = try Store(path: scratch.path)
        #expect(try store.load() == nil)
        #expect(try store.revision() == 0)
        #expect(try WhoRow.all(in: store) == [])
    }

    @Test func `a closed database has no log beside it, whoever read from it`() throws {
        let store = try scratch.store()
        _ = try store.load()
        _ = try WhoRow.all(in: store)
        store.close()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.directory.path)
                == ["site one.sqlite"])
    }

    @Test func `a newer schema is refused`() throws {
        try scratch.store().close()
        try scratch.execute("PRAGMA user_version = 1000")
        let error = try #require(try refusal())
        #expect(
            error == .newerSchema(path: scratch.path, found: 1000, known: Schema.version))
        #expect(error.description.contains("newer release"))
    }

    @Test func `a database of another program is refused`() throws {
        try scratch.execute("CREATE TABLE mine (a INTEGER)")
        #expect(try refusal() == .foreign(path: scratch.path))
    }

    /// Builds before the first release numbered their schemas from 1, too.
    @Test(arguments: [1, 36])
    func `a database of a build before the first release is refused, and not written`(
        version: Int
    ) throws {
        try scratch.execute(
            """
            CREATE TABLE site (id INTEGER PRIMARY KEY, slug TEXT NOT NULL) STRICT;
            INSERT INTO site VALUES (1, 'gym');
            PRAGMA application_id = \(Schema.formerApplicationID); PRAGMA user_version = \(version);
            PRAGMA journal_mode = WAL;
            """)
        let before = try scratch.bytes()
        let error = try #require(try refusal())
        #expect(error == .beforeFirstRelease(path: scratch.path))
        let words = [
            "before the first release", "beaconmesh export site.yaml --database \(scratch.path)",
            "beaconmesh import site.yaml", "Nothing was written",
        ]
        for word in words { #expect(error.description.contains(word), "\(error)") }
        #expect(throws: error) { try Store(reading: scratch.path) }
        #expect(throws: error) { try Store(existing: scratch.path) }
        #expect(throws: error) { try StoreExamination.examine(scratch.path, isDeep: true) }
        // Damage does not make it ours.
        var bytes = before
        bytes.replaceSubrange(0..<16, with: Data(repeating: 0, count: 16))
        try bytes.write(to: URL(fileURLWithPath: scratch.path))
        #expect(try refusal() == error)
    }

    @Test func `a negative schema version is refused`() throws {
        try scratch.store().close()
        try scratch.execute("PRAGMA user_version = -1")
        #expect(try refusal() != nil)
    }

    /// Nobody is told to move aside, restore or delete what was never a database of ours.
    @Test(arguments: ["site: gym\n", "\u{0}x", "SQLite format 2"])
    func `text is no database, and nothing destructive is advised`(text: String) throws {
        try Data(String(repeating: text, count: 400).utf8).write(
            to: URL(fileURLWithPath: scratch.path))
        let error = try #require(try refusal())
        #expect(error == .notDatabase(path: scratch.path))
        #expect(error.description.contains("no Beaconmesh database"))
        for word in ["damaged", "restore", "delete", "aside", "remove"] {
            #expect(!error.description.contains(word), "\(error)")
        }
    }

    @Test func `a database of ours whose beginning is gone is damaged, not something else`() throws
    {
        try scratch.store().close()
        let whole = try scratch.bytes()
        for count in [16, 4096] {
            var bytes = whole
            bytes.replaceSubrange(0..<count, with: Data(repeating: 0, count: count))
            try bytes.write(to: URL(fileURLWithPath: scratch.path))
            guard case .corrupt = try refusal() else {
                Issue.record("\(count) zeros are taken for something else")
                continue
            }
        }
    }

    /// A verb that looks at a site makes no database where the path is wrong.
    @Test func `a database that must be there is not made, and each mistake has its words`() throws
    {
        func refusal(_ path: String) -> StoreError? {
            do throws(StoreError) {
                try Store(existing: path).close()
                return nil
            } catch { return error }
        }
        #expect(refusal(scratch.path) == .missing(path: scratch.path))
        #expect(!FileManager.default.fileExists(atPath: scratch.path))
        try Data().write(to: URL(fileURLWithPath: scratch.path))
        #expect(refusal(scratch.path) == .empty(path: scratch.path))
        #expect(try scratch.bytes().isEmpty)
        let directory = scratch.directory.path
        #expect(
            refusal(directory) == .cannotOpen(path: directory, reason: "it is a directory"))
        #expect(refusal("/etc/passwd") == .notDatabase(path: "/etc/passwd"))
        try scratch.execute("CREATE TABLE mine (a INTEGER)")
        #expect(refusal(scratch.path) == .foreign(path: scratch.path))
    }

    @Test func `a file cut off anywhere is refused as damaged`() throws {
        try scratch.store().close()
        let whole = try scratch.bytes()
        #expect(whole.count > 40 * 4096)
        // SQLite takes a file of one byte for an empty one.
        for size in stride(from: 2, to: whole.count, by: whole.count / 37) {
            try whole.prefix(size).write(to: URL(fileURLWithPath: scratch.path))
            guard case .corrupt = try refusal() else {
                Issue.record("\(size) of \(whole.count) bytes were accepted")
                continue
            }
        }
    }

    @Test func `a damaged page is found before anything is written`() throws {
        try scratch.store().close()
        var bytes = try scratch.bytes()
        bytes.replaceSubrange(5 * 4096..<6 * 4096, with: Data(repeating: 0xFF, count: 4096))
        try bytes.write(to: URL(fileURLWithPath: scratch.path))
        guard case .corrupt(_, let detail) = try refusal() else {
            Issue.record("a damaged page was accepted")
            return
        }
        #expect(!detail.isEmpty)
    }

    @Test func `a bad value in a good file is damage, too`() throws {
        let store = try scratch.store()
        try store.commit([.ledger(LedgerRow(user: ann, heard: []))])
        store.close()
        try scratch.execute("UPDATE ledger SET heard = x'0100000000000000'")
        #expect(
            throws: StoreError.corrupt(
                path: scratch.path, detail: "bad ledger.heard in row 1")
        ) { _ = try Store(path: scratch.path).load() }
    }

    @Test func `places without a file to write are named`() throws {
        let file = scratch.directory.appendingPathComponent("file").path
        try Data().write(to: URL(fileURLWithPath: file))
        let reasons = [
            scratch.directory.path + "/none/a.sqlite":
                "the directory \(scratch.directory.path)/none does not exist",
            file + "/a.sqlite": "\(file) is not a directory",
            scratch.directory.path: "it is a directory",
        ]
        for (path, reason) in reasons {
            #expect(throws: StoreError.cannotOpen(path: path, reason: reason)) {
                _ = try Store(path: path)
            }
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self"), "needs /proc"))
    func `a directory in which nothing can be created is refused`() {
        do throws(StoreError) {
            _ = try Store(path: "/proc/self/site.sqlite")
            Issue.record("a database in /proc")
        } catch {
            guard case .cannotOpen = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `a directory without the right to write is refused`() throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o555], ofItemAtPath: scratch.directory.path)
        #expect(
            throws: StoreError.cannotOpen(
                path: scratch.path,
                reason: "no right to write in the directory \(scratch.directory.path)")
        ) { _ = try Store(path: scratch.path) }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: scratch.directory.path)
    }

    @Test func `a full disk is told apart and heals`() throws {
        let store = try scratch.store()
        let pages = try store.pool.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages + 2)")
            return pages
        }
        let facts = (0..<2000).map {
            Fact.event(
                Event(id: $0 + 1, kind: .left, at: at(0), user: ann, place: nil, subject: $0))
        }
        #expect(throws: StoreError.full) { try store.commit(facts) }
        #expect(try store.texts("SELECT count(*) FROM event") == ["0"])
        try store.commit(Array(facts.prefix(3)))
        _ = try store.pool.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages + 1000)")
        }
        try store.commit(facts)
        #expect(try store.texts("SELECT count(*) FROM event") == ["2000"])
    }

    @Test func `damage done while it is open is no full disk`() throws {
        let store = try scratch.store()
        _ = try store.pool.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        let file = try #require(FileHandle(forUpdatingAtPath: scratch.path))
        let size = try file.seekToEnd()
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data(repeating: 0xFF, count: Int(size) - 4096))
        try file.close()
        store.pool.releaseMemory()
        let fact = Fact.event(
            Event(id: 1, kind: .left, at: at(0), user: ann, place: nil, subject: 1))
        #expect(
            throws: StoreError.corrupt(
                path: scratch.path, detail: "database disk image is malformed")
        ) { try store.commit([fact]) }
    }

    @Test func `a lock of another process is told apart`() throws {
        let store = try scratch.store()
        try store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: scratch.path, configuration: configuration)
        let fact = Fact.ledger(LedgerRow(user: ann, heard: []))
        try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        #expect(throws: StoreError.busy) { try store.commit([fact]) }
        try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try store.commit([fact])
        try other.close()
    }

    @Test func `a closed store throws`() throws {
        let store = try scratch.store()
        store.close()
        store.close()
        #expect(throws: StoreError.self) { _ = try store.load() }
        #expect(store.recordRefused(input: "", reason: "", at: start) != nil)
    }
}

@testable import SiteModel
@testable import SiteSchema
@testable import SiteStore
import Foundation
import GRDB
import Glibc
import Reporting
import Testing

/// Who only reads changes nothing, waits for nobody and holds nobody up.
struct ReadingTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// What lies in the database's directory.
    private var files: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: scratch.directory.path).sorted()
        }
    }

    /// The refusal of opening the database in some way, or `nil`.
    private func refusal(_ open: (String) throws(StoreError) -> Store) -> StoreError? {
        do throws(StoreError) {
            try open(scratch.path).close()
            return nil
        } catch {
            return error
        }
    }

    private func refusal() -> StoreError? {
        refusal { path throws(StoreError) in try Store(reading: path) }
    }

    /// The refusal of a release to come, which has one more schema.
    private func refusalLater() -> StoreError? {
        refusal { path throws(StoreError) in
            try Store(path: path, backups: nil, migrations: Schema.later)
        }
    }

    private func version() throws -> Int? {
        let queue = try DatabaseQueue(path: scratch.path)
        defer { _ = Result { try queue.close() } }
        return try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    }

    @Test func `an older schema is refused by name and stays`() throws {
        try scratch.store().close()
        let before = try scratch.bytes()
        let refused = refusal { path throws(StoreError) in
            try Store(reading: path, known: Schema.later.count)
        }
        let error = try #require(refused)
        let later = Schema.later.count
        #expect(
            error
                == .olderSchema(
                    path: scratch.path, found: Schema.version, known: later, owner: nil))
        for word in ["schema \(Schema.version)", "reads \(later)", "coordinator"] {
            #expect("\(error)".contains(word), "\(error)")
        }
        #expect(try scratch.bytes() == before)
        #expect(try files == ["site one.sqlite"])
    }

    @Test func `a newer schema is refused by name and stays`() throws {
        try scratch.store().close()
        try scratch.execute("PRAGMA user_version = 1000")
        let before = try scratch.bytes()
        #expect(
            refusal() == .newerSchema(path: scratch.path, found: 1000, known: Schema.version))
        #expect(try scratch.bytes() == before)
    }

    @Test func `who writes migrates nothing that another process has`() throws {
        try scratch.store().close()
        var lock: DatabaseLock? = try DatabaseLock(
            of: scratch.path, by: "beacon-coordinator", at: start)
        let later = Schema.later.count
        guard case .olderSchema(scratch.path, Schema.version, later, let owner?) = refusalLater()
        else {
            Issue.record("\(refusalLater() as Any)")
            return
        }
        #expect(owner.contains("beacon-coordinator, process \(getpid()) on"))
        #expect(try version() == Schema.version)
        // The owner itself may.
        let store = try Store(
            path: scratch.path, backups: nil, under: lock, migrations: Schema.later)
        #expect(try store.texts("PRAGMA user_version") == ["\(later)"])
        store.close()
        withExtendedLifetime(lock) {}
        lock = nil
        #expect(refusalLater() == nil, "of the newest schema anybody may write")
    }

    @Test func `where nobody has it, who writes migrates, and leaves no lock held`() throws {
        try scratch.store().close()
        #expect(refusalLater() == nil)
        #expect(try version() == Schema.later.count)
        _ = try DatabaseLock(of: scratch.path, by: "tests", at: start)
    }

    @Test func `the newest commit is read beside who writes, and within a transaction of theirs`()
        throws
    {
        let store = try scratch.store()
        defer { store.close() }
        try store.commit([.session(Session(id: 1, user: ann, from: at(0), to: nil))])
        let reader = try Store(reading: scratch.path)
        defer { reader.close() }
        #expect(try WhoRow.all(in: reader).map(\.user) == ["u-ann"])
        try store.pool.writeWithoutTransaction { db in
            try db.inTransaction(.immediate) {
                try db.execute(sql: "DELETE FROM refused_input")
                let begun = ContinuousClock.now
                let other = try Store(reading: scratch.path)
                #expect(try WhoRow.all(in: other).map(\.user) == ["u-ann"])
                other.close()
                #expect(ContinuousClock.now - begun < .seconds(Store.patience) / 2)
                return .rollback
            }
        }
        try store.commit([.session(Session(id: 2, user: bob, from: at(1), to: nil))])
        #expect(try WhoRow.all(in: reader).map(\.user) == ["u-ann", "u-bob"])
    }

    @Test func `a closed database is read without files beside it`() throws {
        let store = try scratch.store()
        try store.commit([.session(Session(id: 1, user: ann, from: at(0), to: nil))])
        store.close()
        let before = try scratch.bytes()
        let reader = try Store(reading: scratch.path)
        #expect(try WhoRow.all(in: reader).map(\.user) == ["u-ann"])
        #expect(try reader.load() != nil)
        #expect(try files == ["site one.sqlite"])
        reader.close()
        #expect(try files == ["site one.sqlite"])
        #expect(try scratch.bytes() == before)
        #expect(try StoreExamination.examine(scratch.path, isDeep: true).site == "gym")
        #expect(try files == ["site one.sqlite"])
    }

    @Test func `what changes while it is read as unchanging is not told`() throws {
        try scratch.store().close()
        let reader = try Store(reading: scratch.path)
        defer { reader.close() }
        #expect(try WhoRow.all(in: reader) == [])
        let store = try Store(path: scratch.path)
        try store.commit([.session(Session(id: 1, user: ann, from: at(0), to: nil))])
        // In the log beside the file, and who looks into the file alone sees half of the truth.
        #expect(throws: StoreError.busy) { _ = try WhoRow.all(in: reader) }
        let beside = try Store(reading: scratch.path)
        #expect(try WhoRow.all(in: beside).map(\.user) == ["u-ann"])
        beside.close()
        store.close()
        #expect(throws: StoreError.busy) { _ = try WhoRow.all(in: reader) }
        let next = try Store(reading: scratch.path)
        #expect(try WhoRow.all(in: next).map(\.user) == ["u-ann"])
        next.close()
    }

    @Test func `a log left by a power cut is read`() throws {
        let store = try scratch.store()
        try store.commit([.session(Session(id: 1, user: ann, from: at(0), to: nil))])
        let copy = try Scratch()
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: scratch.path + end, toPath: copy.path + end)
        }
        store.close()
        let reader = try Store(reading: copy.path)
        #expect(try WhoRow.all(in: reader).map(\.user) == ["u-ann"])
        reader.close()
    }

    @Test func `nothing can be written`() throws {
        let store = try scratch.store()
        defer { store.close() }
        let reader = try Store(reading: scratch.path)
        defer { reader.close() }
        #expect(throws: StoreError.self) {
            try reader.commit([.session(Session(id: 1, user: ann, from: at(0), to: nil))])
        }
        #expect(reader.recordRefused(input: "", reason: "", at: start) != nil)
        #expect(try WhoRow.all(in: store) == [])
    }

    /// A whole-file check of a year's database takes seconds; reading a row does not.
    @Test func `a damaged page that is not read hinders nobody`() throws {
        let store = try scratch.store()
        for number in 1...2000 {
            store.recordRefused(input: "\(number)", reason: "test", at: start)
        }
        let page = try #require(
            try store.texts("SELECT rootpage FROM sqlite_schema WHERE name = 'refused_input'")
                .first.flatMap { Int($0) })
        store.close()
        var bytes = try scratch.bytes()
        bytes.replaceSubrange(
            (page - 1) * 4096..<page * 4096, with: Data(repeating: 0xFF, count: 4096))
        try bytes.write(to: URL(fileURLWithPath: scratch.path))
        let reader = try Store(reading: scratch.path)
        #expect(try WhoRow.all(in: reader) == [])
        reader.close()
        guard case .corrupt = refusal({ path throws(StoreError) in try Store(existing: path) })
        else {
            Issue.record("who writes takes a damaged database")
            return
        }
    }

    @Test func `each mistake has its words`() throws {
        #expect(refusal() == .missing(path: scratch.path))
        #expect(try files.isEmpty)
        try Data().write(to: URL(fileURLWithPath: scratch.path))
        #expect(refusal() == .empty(path: scratch.path))
        try Data("site: gym\n".utf8).write(to: URL(fileURLWithPath: scratch.path))
        #expect(refusal() == .notDatabase(path: scratch.path))
        try FileManager.default.removeItem(atPath: scratch.path)
        try scratch.execute("CREATE TABLE mine (a INTEGER)")
        #expect(refusal() == .foreign(path: scratch.path))
        let directory = scratch.directory.path
        #expect(throws: StoreError.cannotRead(path: directory, reason: "it is a directory")) {
            _ = try Store(reading: directory)
        }
    }
}

import Foundation
import Glibc
import GRDB
import Records
import Synchronization
import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import SiteSchema
@testable import SiteStore

/// Copies of a database that is in use, proven before they count.
struct BackupTests {
    private let scratch: Scratch
    private var folder: BackupFolder { BackupFolder(of: scratch.path) }

    init() throws { scratch = try Scratch() }

    private func event(_ id: Int64) -> Fact {
        .event(Event(id: id, kind: .left, at: at(0), user: ann, place: nil, subject: id))
    }

    private func site(_ seconds: Double) -> Fact {
        .site(SiteRow(clock: at(seconds), next: 1, coverage: [], clocks: []))
    }

    /// Some megabytes that nobody looks at.
    private func fill(_ store: Store, megabytes: Int) throws {
        try store.write { db in
            for index in 0..<megabytes * 16 {
                try db.run(
                    "INSERT INTO refused_input (at_ms, input, reason) VALUES (?, ?, '')",
                    [index, String(repeating: "x", count: 65_536)])
            }
        }
    }

    private func lock() throws -> DatabaseLock {
        try DatabaseLock(of: scratch.path, by: "test", at: start)
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    @Test func `a backup is one file of its own that holds what was committed`() throws {
        let store = try scratch.store()
        try store.commit([site(60), event(1), event(2)])
        let backup = try folder.make(at: at(100))
        #expect(names == [backup.file.name])
        #expect(backup.file.name == "site one-20251009T085500Z.sqlite", "\(backup.file.name)")
        let information = try FileManager.default.attributesOfItem(atPath: backup.path)
        #expect(information[.posixPermissions] as? Int == 0o600)
        #expect(information[.size] as? Int64 == backup.bytes)
        let queue = try DatabaseQueue(path: backup.path)
        let (events, journal) = try queue.read { db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM event"),
                try String.fetchOne(db, sql: "PRAGMA journal_mode")
            )
        }
        #expect(events == 2 && journal == "delete")
        try queue.close()
        store.close()
        let restored = try Restoration.restore(scratch.path, from: backup.path, under: lock())
        #expect(restored.clock == at(60) && restored.epoch == 2)
    }

    /// A commit takes some milliseconds; while a backup is made, none takes long, and the backup is
    /// one moment of them.
    @Test func `commits go on while a backup is made`() throws {
        let store = try scratch.store()
        try fill(store, megabytes: 48)
        let isDone = Atomic<Bool>(false)
        let result = Mutex<Result<Backup, any Error>?>(nil)
        let folder = folder
        Thread.detachNewThread {
            let made = Result<Backup, any Error> { try folder.make(at: at(1)) }
            result.withLock { $0 = made }
            isDone.store(true, ordering: .releasing)
        }
        var id: Int64 = 0
        var slowest = Duration.zero
        while !isDone.load(ordering: .acquiring) {
            id += 2
            let begun = ContinuousClock.now
            // Always two: no moment shows one.
            try store.commit([event(id - 1), event(id)])
            slowest = max(slowest, ContinuousClock.now - begun)
        }
        let backup = try #require(try result.withLock { $0 }?.get())
        let queue = try DatabaseQueue(path: backup.path)
        let copied = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM event") ?? 1 }
        try queue.close()
        #expect(copied.isMultiple(of: 2) && copied < id, "\(copied) of \(id)")
        #expect(id > 4, "\(id)")
        #expect(slowest < .seconds(2), "\(slowest)")
        print(
            """
            backup of \(backup.bytes / 1_000_000) MB: \(backup.seconds) s, \(id / 2) commits \
            meanwhile, the slowest \(slowest)
            """)
    }

    /// Two pages of an index swapped: every page is whole, and a start sees nothing.
    @Test func `damage that only an index shows is found, and no backup counts`() throws {
        let store = try scratch.store()
        try store.commit((1...3000).map(event) + [site(60)])
        let older = try folder.make(at: at(1))
        let leaves = try store.pool.read { db in
            try Int.fetchAll(
                db,
                sql: """
                    SELECT pageno FROM dbstat
                    WHERE name = 'event_by_age' AND pagetype = 'leaf' ORDER BY pageno LIMIT 2
                    """)
        }
        store.close()
        try #require(leaves.count == 2)
        var bytes = try scratch.bytes()
        let pages = leaves.map { ($0 - 1) * 4096..<$0 * 4096 }
        let (first, second) = (Data(bytes[pages[0]]), Data(bytes[pages[1]]))
        bytes.replaceSubrange(pages[0], with: second)
        bytes.replaceSubrange(pages[1], with: first)
        try bytes.write(to: URL(fileURLWithPath: scratch.path))

        let open = try Store(path: scratch.path)
        open.close()
        #expect(throws: StoreError.self) {
            try StoreExamination.examine(scratch.path, isDeep: true)
        }
        #expect(try StoreExamination.examine(scratch.path, isDeep: false).site == "gym")
        do {
            _ = try folder.make(at: at(3600))
            Issue.record("a damaged database was backed up")
        } catch {
            guard case .corrupt(scratch.path, let detail) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(detail.contains("event_by_age"), "\(detail)")
        }
        #expect(names == [older.file.name])
    }

    @Test func `what is no database of ours, or not there, is not backed up`() throws {
        #expect(throws: StoreError.cannotOpen(path: scratch.path, reason: "there is no such file"))
        { try folder.make(at: start) }
        try scratch.execute("CREATE TABLE a (b)")
        #expect(throws: StoreError.foreign(path: scratch.path)) { try folder.make(at: start) }
        try scratch.execute("PRAGMA application_id = \(Schema.formerApplicationID)")
        #expect(throws: StoreError.beforeFirstRelease(path: scratch.path)) {
            try folder.make(at: start)
        }
        try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: scratch.path))
        #expect(throws: StoreError.self) { try folder.make(at: start) }
        #expect(names == [])
    }

    @Test func `a disk that is full leaves the older ones whole, and room for the database`() throws
    {
        let store = try scratch.store()
        let older = try folder.make(at: at(1))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: older.path))
        var poor = folder
        poor.reserve = UInt64(Int64.max)
        #expect(throws: StoreError.full) { try poor.make(at: at(3600)) }
        #expect(names == [older.file.name])
        #expect(try Data(contentsOf: URL(fileURLWithPath: older.path)) == bytes)
        try store.commit([site(60)])
    }

    /// A disk of 8 MB, if we may make one.
    @Test(.enabled(if: geteuid() == 0)) func `a copy that fills the disk is taken back`() throws {
        let store = try scratch.store()
        try fill(store, megabytes: 1)
        let disk = scratch.directory.appendingPathComponent("disk").path
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        guard mount("none", disk, "tmpfs", 0, "size=4m") == 0 else { return }
        defer { umount(disk) }
        var small = BackupFolder(of: scratch.path, at: disk + "/backups")
        small.reserve = 0
        let older = try small.make(at: at(1))
        try Data(count: 2_000_000).write(to: URL(fileURLWithPath: disk + "/other"))
        #expect(throws: StoreError.full) { try small.make(at: at(3600)) }
        // The disk fills while it is copied.
        try FileManager.default.removeItem(atPath: disk + "/other")
        var steps = 0
        #expect(throws: StoreError.full) {
            try small.make(at: at(7200)) {
                steps += 1
                if steps == 1 {
                    _ = Result {
                        try Data(count: 2_500_000).write(to: URL(fileURLWithPath: disk + "/other"))
                    }
                }
                return false
            }
        }
        #expect(steps > 0)
        #expect(small.files() == [older.file])
        #expect(try FileManager.default.contentsOfDirectory(atPath: small.path).count == 1)
        let queue = try DatabaseQueue(path: older.path)
        try queue.read { try Store.examine($0, path: older.path, isThorough: true) }
        try queue.close()
    }

    @Test func `what a killed backup left goes with the next, and is never restored from`() throws {
        let store = try scratch.store()
        try store.commit([site(60)])
        let older = try folder.make(at: at(1))
        let left = folder.path + "/site one-20251009T100000Z.sqlite.partial"
        try FileManager.default.copyItem(atPath: older.path, toPath: left)
        try Data().write(to: URL(fileURLWithPath: left + "-journal"))
        try Data().write(to: URL(fileURLWithPath: folder.path + "/notes.txt"))
        store.close()
        #expect(folder.files() == [older.file])
        #expect(throws: StoreError.self) {
            try Restoration.restore(scratch.path, from: left, under: lock())
        }
        let newer = try folder.make(at: at(3600))
        #expect(names == ["notes.txt", older.file.name, newer.file.name].sorted())
    }

    @Test func `one backup at a time, and one that is stopped leaves nothing`() throws {
        let store = try scratch.store()
        try fill(store, megabytes: 3)
        var second: StoreError?
        #expect(throws: StoreError.self) {
            try folder.make(at: at(1)) {
                do throws(StoreError) {
                    _ = try folder.make(at: at(2))
                } catch {
                    second = error
                }
                return true
            }
        }
        #expect(
            second?.description.contains("another backup is being made") == true, "\(second as Any)"
        )
        #expect(names == [])
        #expect(try folder.make(at: at(3)).rows > 48)
        #expect(try folder.make(at: at(3)).file.at == at(4), "none is written over")
    }

    @Test func `old ones go only once the new one is proven`() throws {
        let store = try scratch.store()
        let rotation = BackupRotation(hourly: 2, daily: 1, weekly: 1)
        for hour in 0..<3 { _ = try folder.make(at: at(Double(hour) * 3600), rotation: rotation) }
        #expect(names.count == 2)
        let before = names
        try store.write { try $0.execute(sql: "PRAGMA application_id = 7") }
        #expect(throws: StoreError.foreign(path: scratch.path)) {
            try folder.make(at: at(4 * 3600), rotation: rotation)
        }
        #expect(names == before)
    }

    @Test func `a schema is backed up before it is changed, or not changed`() throws {
        try scratch.store().close()
        try Data().write(to: URL(fileURLWithPath: folder.path))
        func openLater() throws(StoreError) {
            try Store(path: scratch.path, backups: folder, migrations: Schema.later).close()
        }
        do {
            try openLater()
            Issue.record("it was changed without a backup")
        } catch {
            #expect(
                error.description.contains("stays at schema \(Schema.version), because no backup"),
                "\(error)")
        }
        let version = { (path: String) in
            let queue = try DatabaseQueue(path: path)
            defer { _ = Result { try queue.close() } }
            return try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
        }
        #expect(try version(scratch.path) == Schema.version)
        try FileManager.default.removeItem(atPath: folder.path)
        try openLater()
        #expect(try version(scratch.path) == Schema.later.count)
        let file = try #require(folder.files().first)
        #expect(file.schema == Schema.version && folder.files().count == 1)
        #expect(try version(folder.path(of: file)) == Schema.version)
        try openLater()
        #expect(folder.files().count == 1, "there was nothing to change")
    }

    /// Eight weeks of backups lie between the first and the ninth.
    @Test func `what a restoration put aside goes with the weekly backups from before it`() throws {
        try scratch.store().close()
        let files = FileManager.default
        let week = 604_800.0
        for (name, age) in [
            ("replaced", 0.5), ("replaced-wal", 0.5), ("damaged-20251009T085500Z-2", 0.4),
            ("replaced-2", 3), ("replaced.mine", 0.1),
        ] {
            let path = "\(scratch.path).\(name)"
            try Data("x".utf8).write(to: URL(fileURLWithPath: path))
            let moment = Double(at(age * week).milliseconds) / 1000
            try files.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: moment)], ofItemAtPath: path)
        }
        func left() throws -> [String] {
            try files.contentsOfDirectory(atPath: scratch.directory.path).filter {
                $0.contains(".sqlite.")
            }.sorted()
        }
        for number in 0..<8 { try folder.make(at: at(Double(number) * week)) }
        #expect(try left().count == 5)
        #expect(
            folder.aside().map { $0.path.split(separator: ".").last }
                == ["damaged-20251009T085500Z-2", "replaced", "replaced-2"])
        try folder.make(at: at(8 * week))
        #expect(try left() == ["site one.sqlite.replaced-2", "site one.sqlite.replaced.mine"])
    }
}

import Foundation
import Testing

@testable import Records
@testable import Registry
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore

/// Whoever was erased stays so when a backup from before takes the database's place.
struct ErasedListTests {
    private static let name = "Zuzanna Brücke"
    private static let slug = "u-zuzanna-7"
    private static let user = UserID(4)
    private static var gym: SiteDocument {
        var gym = SiteDocument.gym
        gym.users.append(.init(slug: slug, name: name))
        gym.beacons.append(
            .init(
                slug: "tag-zuzanna", title: "Zuzanna's tag", identity: .address(0xC0FF_EE00_0099),
                user: slug))
        return gym
    }

    private let scratch: Scratch
    private let lock: DatabaseLock
    private let list: ErasedList
    private let now = at(9000)

    init() throws {
        scratch = try Scratch()
        lock = try DatabaseLock(of: scratch.path, by: "tests", at: start)
        list = ErasedList(beside: scratch.path)
        let store = try scratch.store(Self.gym)
        try store.commit([
            .session(Session(id: 1, user: Self.user, from: at(100), to: at(5000))),
            .site(SiteRow(clock: now, next: 7, coverage: [], clocks: [])),
        ])
        store.close()
    }

    private func backUp() throws -> String {
        try BackupFolder(of: scratch.path).make(at: now).path
    }

    private func erase(_ options: ErasureOptions = ErasureOptions()) throws {
        let store = try Store(path: scratch.path)
        defer { store.close() }
        _ = try Erasures(store).erase(
            user: Self.slug, reason: "asked", options: options, by: "mia", via: .cli, at: now
        ).get()
    }

    private func restored(_ backup: String) throws -> Store {
        _ = try Restoration.restore(scratch.path, from: backup, under: lock)
        return try Store(path: scratch.path)
    }

    /// The files of the database that hold something of them; not what was put aside.
    private func findings() throws -> [String] {
        try ["", "-wal", "-shm", ".erased"].filter { end in
            let file = URL(fileURLWithPath: scratch.path + end)
            guard FileManager.default.fileExists(atPath: file.path) else { return false }
            let bytes = String(decoding: try Data(contentsOf: file), as: Unicode.ASCII.self)
            return bytes.range(of: "zuzanna", options: .caseInsensitive) != nil
        }
    }

    @Test func `who comes back with a backup is erased again, byte by byte`() throws {
        let backup = try backUp()
        try erase()
        for _ in 0..<2 {
            let store = try restored(backup)
            #expect(try findings() == [""], "the backup has them")
            let again = try Erasures(store).eraseListed(at: now)
            #expect(again.runs.map(\.user) == [Self.user] && again.refused.isEmpty)
            #expect(try store.texts("SELECT name FROM user WHERE id = 4") == ["erased"], "at once")
            try Erasures(store).settle()
            #expect(try Erasures(store).eraseListed(at: now).runs.isEmpty)
            #expect(try store.texts("SELECT count(*) FROM attendance_session") == ["1"])
            #expect(try AuditTrail(store).verify().fault == nil)
            #expect(
                throws: StoreError.document([
                    "user “\(Self.slug)”: was erased; whoever comes back gets a new id"
                ])
            ) { try SiteImport(store).importDocument(Self.gym, at: now) }
            store.close()
            #expect(try findings() == [])
        }
        #expect(try list.lines().count == 1)
    }

    @Test func `the list has a line for each, no name, and is its owner's alone`() throws {
        #expect(try list.lines().isEmpty)
        try erase(ErasureOptions(deletesAttendance: true))
        let text = try String(contentsOfFile: list.path, encoding: .utf8)
        #expect(text.hasSuffix("\n") && text.split(separator: "\n").count == 1)
        let line = try #require(try list.lines().first)
        #expect(line.user == 4 && line.deletesAttendance && line.origin == start.milliseconds)
        #expect(try findings() == [])
        let mode = try FileManager.default.attributesOfItem(atPath: list.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test func `attendance that was to go goes again`() throws {
        let backup = try backUp()
        try erase(ErasureOptions(deletesAttendance: true))
        let store = try restored(backup)
        defer { store.close() }
        _ = try Erasures(store).eraseListed(at: now)
        try Erasures(store).settle()
        #expect(try store.texts("SELECT count(*) FROM attendance_session") == ["0"])
    }

    /// The backup did not know them yet, so that their row is free in it.
    @Test func `a row that is somebody else's by now stays as it is, and the slug is refused`()
        throws
    {
        let scratch = try Scratch()
        let lock = try DatabaseLock(of: scratch.path, by: "tests", at: start)
        try scratch.store().close()
        let backup = try BackupFolder(of: scratch.path).make(at: now).path
        var store = try Store(path: scratch.path)
        try SiteImport(store).importDocument(Self.gym, at: at(10))
        _ = try Erasures(store).erase(
            user: Self.slug, reason: "asked", by: "mia", via: .cli, at: now
        ).get()
        store.close()
        _ = try Restoration.restore(scratch.path, from: backup, under: lock)
        store = try Store(path: scratch.path)
        defer { store.close() }
        var gym = SiteDocument.gym
        gym.users.append(.init(slug: "u-new", name: "Nina"))
        try SiteImport(store).importDocument(gym, at: at(20))
        #expect(try store.texts("SELECT id FROM user WHERE slug = 'u-new'") == ["4"])
        let again = try Erasures(store).eraseListed(at: now)
        #expect(again.runs.isEmpty && again.refused.isEmpty)
        #expect(try store.texts("SELECT name FROM user WHERE id = 4") == ["Nina"])
        #expect(throws: StoreError.self) { try SiteImport(store).importDocument(Self.gym, at: now) }
    }

    @Test func `a site that is begun anew under the same path is not meant`() throws {
        try erase()
        for end in ["", "-wal", "-shm"] {
            _ = Result { try FileManager.default.removeItem(atPath: scratch.path + end) }
        }
        let store = try Store(path: scratch.path)
        defer { store.close() }
        try SiteImport(store).importDocument(Self.gym, at: at(10))
        #expect(try Erasures(store).eraseListed(at: now).runs.isEmpty)
        #expect(try store.texts("SELECT name FROM user WHERE id = 4") == [Self.name])
    }

    @Test func `who is in by the backup is erased again once they are out`() throws {
        var store = try Store(path: scratch.path)
        let (open, over) = (
            Session(id: 2, user: Self.user, from: at(6000), to: nil),
            Session(id: 2, user: Self.user, from: at(6000), to: at(7000))
        )
        try store.commit([.session(open)])
        store.close()
        let backup = try backUp()
        store = try Store(path: scratch.path)
        try store.commit([.session(over)])
        store.close()
        try erase()
        store = try restored(backup)
        defer { store.close() }
        let early = try Erasures(store).eraseListed(at: now)
        #expect(early.runs.isEmpty && early.refused.map(\.slug) == [Self.slug])
        #expect(early.refused.first?.advice.hasPrefix("they are in") == true)
        try store.commit([.session(over)])
        #expect(try Erasures(store).eraseListed(at: now).runs.map(\.user) == [Self.user])
    }

    @Test func `what is left of a line is passed over, and the next one stands by itself`() throws {
        try Data(#"{"user":3,"dig"#.utf8).write(to: URL(fileURLWithPath: list.path))
        #expect(try list.lines().isEmpty)
        try erase()
        #expect(try list.lines().map(\.user) == [4])
    }

    @Test func `an erasure that cannot be listed is owed until it can`() throws {
        try FileManager.default.createDirectory(
            atPath: list.path, withIntermediateDirectories: false)
        #expect(throws: StoreError.self) { try erase() }
        try FileManager.default.removeItem(atPath: list.path)
        let store = try Store(path: scratch.path)
        defer { store.close() }
        #expect(try Erasures(store).owed().map(\.user) == [Self.user])
        #expect(try list.lines().isEmpty)
        try Erasures(store).settle()
        #expect(try list.lines().map(\.user) == [4])
    }
}

import Foundation
import GRDB
import Testing

@testable import SiteModel
@testable import SiteStore

/// Somebody moves, replaces or overwrites the files of a database that is open.
struct DatabaseFilesTests {
    private let scratch: Scratch
    private let store: Store
    private var files: DatabaseFiles
    private let manager = FileManager.default

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        try store.write { try $0.execute(sql: "UPDATE site SET name = 'Gym'") }
        files = DatabaseFiles(of: scratch.path)
    }

    private mutating func look() -> Bool { files.look { nil } }

    private var aside: String { scratch.path + ".aside" }

    @Test mutating func `what only grows is what it was`() throws {
        let news1 = look()
        #expect(!news1 && files.fault == nil)
        for number in 0..<200 {
            try store.write {
                try $0.execute(
                    sql: "INSERT INTO refused_input (at_ms, input, reason) VALUES (1, ?, 'x')",
                    arguments: [String(repeating: "\(number)", count: 2000)])
            }
            let news2 = look()
            #expect(!news2, "\(number)")
        }
    }

    @Test mutating func `a file that is moved away is missed, and found again`() throws {
        try manager.moveItem(atPath: scratch.path, toPath: aside)
        let news3 = look()
        #expect(news3)
        #expect(files.fault?.contains("is gone") == true)
        let news4 = look()
        #expect(!news4, "it is said once")
        try manager.moveItem(atPath: aside, toPath: scratch.path)
        let news5 = look()
        #expect(news5 && files.fault == nil)
    }

    @Test mutating func `another file under the name is noticed`() throws {
        try manager.copyItem(atPath: scratch.path, toPath: aside)
        try manager.removeItem(atPath: scratch.path)
        try manager.moveItem(atPath: aside, toPath: scratch.path)
        let news6 = look()
        #expect(news6 && files.fault?.contains("another file") == true)
    }

    @Test mutating func `a log that is removed is noticed`() throws {
        try manager.removeItem(atPath: scratch.path + "-wal")
        let news7 = look()
        #expect(news7 && files.fault?.contains("-wal") == true)
    }

    @Test mutating func `an older copy written over it is noticed`() throws {
        let handle = try #require(FileHandle(forWritingAtPath: scratch.path))
        try handle.truncate(atOffset: 4096)
        try handle.close()
        let news8 = look()
        #expect(news8 && files.fault?.contains("smaller") == true)
    }
}

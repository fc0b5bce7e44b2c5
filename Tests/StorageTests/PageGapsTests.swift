import Foundation
import GRDB
import Testing

@testable import Records
@testable import Registry
@testable import SiteModel
@testable import SiteStore

/// What was deleted is in no page of the file, and nothing else is touched.
struct PageGapsTests {
    private static let mark = "zuzanna-marker"

    /// Rows of ten people in such an order that pages are divided often, then those of one of them
    /// deleted; all of it in the file.
    private static func fill(_ store: Store) throws {
        try store.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE note (id INTEGER PRIMARY KEY, who INTEGER, text TEXT) STRICT;
                    CREATE INDEX note_text ON note (text);
                    CREATE TABLE word (text TEXT, n INTEGER, PRIMARY KEY (text, n))
                        STRICT, WITHOUT ROWID;
                    """)
        }
        for round in 0..<120 { try add(round, to: store, without: nil) }
        try store.write { db in
            try db.execute(sql: "DELETE FROM note WHERE who = 7")
            try db.execute(sql: "DELETE FROM word WHERE text LIKE '%\(mark)%'")
        }
        try store.pool.writeWithoutTransaction { db in
            _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// Fifty rows more, without those of one person.
    private static func add(_ round: Int, to store: Store, without who: Int?) throws {
        try store.write { db in
            for number in round * 50..<(round + 1) * 50 where number % 10 != who {
                let key = number * 61_803 % 100_003
                let text =
                    "\(100 + number * 37 % 900) \(number % 10 == 7 ? mark : "other")"
                    + String(repeating: "x", count: number * 31 % 400)
                try db.execute(
                    sql: "INSERT OR REPLACE INTO note VALUES (?, ?, ?)",
                    arguments: [key, number % 10, text])
                try db.execute(
                    sql: "INSERT OR REPLACE INTO word VALUES (?, ?)", arguments: [text, key])
            }
        }
    }

    /// How often a text is in the file and the log.
    private static func count(_ text: String, _ scratch: Scratch) throws -> Int {
        try ["", "-wal"].map { end in
            let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.path + end))
            var (count, from) = (0, bytes.startIndex)
            while let found = bytes.range(of: Data(text.utf8), in: from..<bytes.endIndex) {
                (count, from) = (count + 1, found.upperBound)
            }
            return count
        }.reduce(0, +)
    }

    private static func content(_ store: Store) throws -> [String] {
        try store.texts("SELECT * FROM note ORDER BY id")
            + store.texts("SELECT * FROM word ORDER BY text, n")
    }

    @Test func `what was deleted is gone, and every row stays`() throws {
        let scratch = try Scratch()
        let store = try Store(path: scratch.path)
        defer { store.close() }
        try Self.fill(store)
        #expect(try Self.count(Self.mark, scratch) > 0, "or this shows nothing")
        let content = try Self.content(store)
        var page: Int64 = 0
        var slices = 0
        while case .more(let next) = try PageGaps.clear(from: page, of: store) {
            #expect(next <= page + PageGaps.pages)
            page = next
            slices += 1
        }
        #expect(slices > 2)
        #expect(try Self.count(Self.mark, scratch) == 0)
        #expect(try Self.content(store) == content)
        #expect(try store.texts("PRAGMA integrity_check") == ["ok"])
    }

    /// A page that the writer remembers would bring its old gap back.
    @Test func `what is written between and after the slices brings nothing back`() throws {
        let scratch = try Scratch()
        let store = try Store(path: scratch.path)
        defer { store.close() }
        try Self.fill(store)
        // Read everything, so that the writer remembers it.
        _ = try store.write { db in
            try Int.fetchOne(db, sql: "SELECT sum(length(text)) FROM note NOT INDEXED")
        }
        var page: Int64 = 0
        var round = 120
        while case .more(let next) = try PageGaps.clear(from: page, of: store) {
            page = next
            try Self.add(round, to: store, without: 7)
            round += 1
        }
        for more in round..<round + 40 { try Self.add(more, to: store, without: 7) }
        #expect(try Self.count(Self.mark, scratch) == 0)
        #expect(try store.texts("PRAGMA integrity_check") == ["ok"])
    }

    /// A VACUUM wrote all of it while every fact waited.
    @Test func `no slice of an erasure writes the file anew`() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        defer { store.close() }
        try Self.fill(store)
        let size = { (end: String) in
            try FileManager.default.attributesOfItem(atPath: scratch.path + end)[.size] as? Int
        }
        let file = try #require(try size(""))
        var run = try Erasures(store).begin(
            user: "u-bob", reason: "asked", options: ErasureOptions(), by: "mia", via: .cli,
            at: start
        ).get()
        while try run.step(on: store) == nil {
            #expect(try #require(try size("-wal")) < file / 2)
        }
        #expect(try Self.count(Self.mark, scratch) == 0)
    }

    @Test func `while somebody reads the log, nothing is done and nobody waits`() throws {
        let scratch = try Scratch()
        let store = try Store(path: scratch.path)
        defer { store.close() }
        try Self.fill(store)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: scratch.path, configuration: configuration)
        try reader.inDatabase { db in
            try db.execute(sql: "BEGIN")
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM note")
        }
        try Self.add(120, to: store, without: 7)
        #expect(try PageGaps.clear(from: 0, of: store) == .held)
        try reader.inDatabase { db in try db.execute(sql: "ROLLBACK") }
        try reader.close()
        #expect(try PageGaps.clear(from: 0, of: store) == .more(from: PageGaps.pages))
    }

    /// Its map looks like pages of trees.
    @Test func `a file with a map of its pages is written anew instead`() throws {
        let scratch = try Scratch()
        let store = try Store(path: scratch.path)
        defer { store.close() }
        try store.pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
        }
        try Self.fill(store)
        #expect(try Self.count(Self.mark, scratch) > 0, "or this shows nothing")
        #expect(try PageGaps.clear(from: 0, of: store) == .more(from: .max))
        #expect(try PageGaps.clear(from: .max, of: store) == .done)
        #expect(try Self.count(Self.mark, scratch) == 0)
        #expect(try store.texts("PRAGMA integrity_check") == ["ok"])
    }

    @Test(
        arguments: [
            (13, 3, 4000, 14..<4000), (10, 0, 4096, 8..<4096), (5, 2, 500, 16..<500),
            (2, 1, 14, nil), (13, 3, 12, nil), (13, 3, 5000, nil), (0, 3, 4000, nil),
            (255, 3, 4000, nil),
        ] as [(UInt8, UInt8, Int, Range<Int>?)])
    func `the gap of a page`(kind: UInt8, cells: UInt8, content: Int, gap: Range<Int>?) {
        var page = [UInt8](repeating: 0, count: 4096)
        page[0] = kind
        page[4] = cells
        (page[5], page[6]) = (UInt8(content >> 8), UInt8(content & 255))
        #expect(PageGaps.gap(of: page[...], isFirst: false) == gap)
    }

    @Test func `the first page begins with the head of the file, the largest ends at 65,536`() {
        var page = [UInt8](repeating: 0, count: 65_536)
        page[100] = 13
        #expect(PageGaps.gap(of: page[...], isFirst: true) == 108..<65_536)
        let second = [0, 0, 0, 0] + page.dropFirst(100)
        #expect(PageGaps.gap(of: second[4...], isFirst: false) == nil, "it is shorter")
    }
}

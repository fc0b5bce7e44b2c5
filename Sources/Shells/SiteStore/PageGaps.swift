import Foundation
import GRDB
import GRDBSQLite

/// Zeroes the gaps of a database's pages, a slice of pages at a time.
///
/// With `secure_delete` SQLite overwrites a row that is deleted and a page that becomes free. But where it
/// divides a page among its neighbours or joins it with them, copies of the rows that went elsewhere stay
/// in the gap between the list of the page's cells and the cells themselves (seen with 3.40.1), and are not
/// overwritten with their rows. A VACUUM would write the whole file anew, and every fact waits for it.
///
/// The gaps are zeroed in the file itself, beside SQLite's cache. That is sound because
///
/// - the slice holds the lock of writers, and the log is empty: the file has the newest state of each
///   page, nothing is copied over it, and nobody reads an older one;
/// - a gap means nothing: a reader may meet half of it, and a power cut may leave half of it;
/// - this connection, the only one that writes, forgets its pages afterwards, or it would write an old gap
///   again together with a row that changed;
/// - SQLite's own handle is used: opening the file and closing it again would drop the locks that this
///   process has on it (fcntl(2)).
///
/// What has gone from a gap does not come back: SQLite moves cells from page to page, never gaps.
package enum PageGaps {
    /// So many pages a slice looks at.
    package static let pages: Int64 = 128
    /// Up to here the pages of trees, and no others, can be told by their first byte.
    private static let mostPages: Int64 = 1 << 24

    /// What a slice did.
    package enum Outcome: Equatable, Sendable {
        /// Nothing: somebody reads what is in the log. To be tried again.
        case held
        /// The next slice begins at this page, counted from 0.
        case more(from: Int64)
        case done
    }

    /// Does the slice that begins at a page. The log is empty afterwards.
    ///
    /// - Throws: A writer's `StoreError`; the slice can be tried again.
    package static func clear(from page: Int64, of store: Store) throws(StoreError) -> Outcome {
        do {
            return try store.pool.writeWithoutTransaction { db in
                guard try emptyLog(db) else { return .held }
                if page < .max, try !isReadable(db) {
                    try db.execute(sql: "VACUUM")
                    // One more slice, which empties the log.
                    return .more(from: .max)
                }
                var outcome = Outcome.held
                defer { _ = Result { try db.execute(sql: "PRAGMA shrink_memory") } }
                try db.inTransaction(.immediate) {
                    // A program of an older release may have written meanwhile.
                    let log = try FileManager.default.attributesOfItem(atPath: store.path + "-wal")
                    if log[.size] as? Int == 0 { outcome = try clear(from: page, db) }
                    return .commit
                }
                return outcome
            }
        } catch {
            throw StoreError(error, path: store.path)
        }
    }

    /// Empties the log beside the file; `false` while a reader holds it.
    private static func emptyLog(_ db: Database) throws -> Bool {
        // Facts wait behind it: who reads is not waited for.
        try db.execute(sql: "PRAGMA busy_timeout = 0")
        defer {
            let patience = Int(Store.patience * 1000)
            _ = Result { try db.execute(sql: "PRAGMA busy_timeout = \(patience)") }
        }
        return try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")?["busy"] == 0
    }

    /// Whether a first byte tells pages of trees from others. It does not in a file with a map of its pages,
    /// which a library may have been built to make, nor in one of 64 GiB.
    private static func isReadable(_ db: Database) throws -> Bool {
        let map = try Int64.fetchOne(db, sql: "PRAGMA auto_vacuum")
        let count = try Int64.fetchOne(db, sql: "PRAGMA page_count")
        return map == 0 && (count ?? .max) < mostPages
    }

    private static func clear(from page: Int64, _ db: Database) throws -> Outcome {
        let count = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        let size = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4096
        guard page < count else { return .done }
        let end = min(page + pages, count)
        let file = try DatabaseFile(of: db)
        let bytes = try file.read(Int(end - page) * size, at: page * Int64(size))
        var isChanged = false
        for number in page..<end {
            let offset = Int(number - page) * size
            let whole = bytes[offset..<offset + size]
            guard let gap = gap(of: whole, isFirst: number == 0),
                whole[gap].contains(where: { $0 != 0 })
            else { continue }
            try file.zero(gap.count, at: page * Int64(size) + Int64(gap.lowerBound))
            isChanged = true
        }
        if isChanged { try file.sync() }
        return end < count ? .more(from: end) : .done
    }

    /// Where the gap of a page lies, by the indices of `page`; `nil` if there is none, or the page is not
    /// one of a tree. `isFirst`: the head of the file comes before that of the page.
    ///
    /// The head of a page: kind (1), first free block (2), number of cells (2), beginning of the cells
    /// (2, 0 for 65,536), fragments (1), in an inner page its last child (4). Two bytes for each cell
    /// follow, then the gap.
    static func gap(of page: ArraySlice<UInt8>, isFirst: Bool) -> Range<Int>? {
        let head = page.startIndex + (isFirst ? 100 : 0)
        guard page.endIndex - head >= 12 else { return nil }
        let length: Int
        switch page[head] {
        case 2, 5: length = 12
        case 10, 13: length = 8
        default: return nil
        }
        func number(_ at: Int) -> Int { Int(page[head + at]) << 8 | Int(page[head + at + 1]) }
        let begin = head + length + 2 * number(3)
        let end = page.startIndex + (number(5) == 0 ? 65_536 : number(5))
        return begin < end && end <= page.endIndex ? begin..<end : nil
    }
}

/// The file of a database, by the handle that SQLite has of it. Not to be kept.
private struct DatabaseFile {
    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods: sqlite3_io_methods

    init(of db: Database) throws {
        var found: UnsafeMutablePointer<sqlite3_file>?
        try Self.check(
            sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &found))
        guard let found, let methods = found.pointee.pMethods else {
            throw DatabaseError(resultCode: .SQLITE_NOTFOUND, message: "the file has no handle")
        }
        file = found
        self.methods = methods.pointee
    }

    func read(_ count: Int, at offset: Int64) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try Self.check(methods.xRead(file, &bytes, Int32(count), offset))
        return bytes
    }

    func zero(_ count: Int, at offset: Int64) throws {
        let zeros = [UInt8](repeating: 0, count: count)
        try Self.check(methods.xWrite(file, zeros, Int32(count), offset))
    }

    func sync() throws { try Self.check(methods.xSync(file, SQLITE_SYNC_NORMAL)) }

    private static func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}

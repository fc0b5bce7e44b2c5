import Foundation
import Glibc
import GRDB
import SiteSchema

/// One copy of a database, made and proven.
///
/// SQLite's backup copies pages, not rows, so that damage of the database is damage of the copy: the
/// proof of the one is the proof of the other, indexes included. (`VACUUM INTO` would build the
/// indexes anew, and hide what is wrong with them.) All pages come from one read transaction, which
/// in WAL mode holds nobody up; between the steps the copy goes to the disk, so that a commit
/// never waits behind more than a step.
struct BackupCopy {
    let source: String
    let copy: String
    private let reserve: UInt64

    /// Pages between two looks at the outside world: 1 MiB.
    private static let step: CInt = 256

    init(from source: String, to copy: String, reserve: UInt64) {
        self.source = source
        self.copy = copy
        self.reserve = reserve
    }

    /// What is counted on both sides.
    struct Sum: Equatable {
        var rows: [String: Int64]
        var audit: AuditHead?

        init(_ db: Database) throws {
            let tables = try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM sqlite_schema
                    WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name
                    """)
            rows = [:]
            for table in tables {
                rows[table] = try Int64.fetchOne(db, sql: "SELECT count(*) FROM \"\(table)\"")
            }
            if rows["audit_log"] != nil { audit = try AuditHead(db) }
        }
    }

    /// Copies, brings the copy to the disk and proves it. Returns the number of its rows.
    func make(isStopped: @escaping () -> Bool) throws -> Int64 {
        let file = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreError.system(copy) }
        defer { close(file) }
        BackupFolder.give(copy, toOwnerOf: source)
        let expected = try write(to: file, isStopped)
        try settle()
        guard fsync(file) == 0 else { throw StoreError.system(copy) }
        // What is read now comes from the disk.
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
        try prove(expected)
        return expected.rows.values.reduce(0, +)
    }

    private static func reader(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(Store.patience)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private func write(to file: Int32, _ isStopped: @escaping () -> Bool) throws -> Sum {
        let from = try Self.reader(source)
        defer { _ = Result { try from.close() } }
        let to = try DatabaseQueue(path: copy)
        defer { _ = Result { try to.close() } }
        return try from.read { db in
            let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            guard application == Schema.applicationID else {
                throw StoreError(application: application, path: source)
            }
            try checkRoom(db)
            let sum = try Sum(db)
            try to.writeWithoutTransaction { copied in
                // Whatever happens to it, an unfinished copy is thrown away.
                try copied.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
                try db.backup(to: copied, pagesPerStep: Self.step) { progress in
                    guard !progress.isCompleted else { return }
                    guard !isStopped() else { throw CancellationError() }
                    guard fdatasync(file) == 0 else { throw StoreError.system(copy) }
                }
            }
            return sum
        }
    }

    private func checkRoom(_ db: Database) throws {
        let pages = try UInt64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        let page = try UInt64.fetchOne(db, sql: "PRAGMA page_size") ?? 0
        var disk = statvfs()
        guard statvfs(copy, &disk) == 0 else { throw StoreError.system(copy) }
        let free = UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
        guard free >= pages * page + reserve else { throw StoreError.full }
    }

    /// Makes one file of it: a copy of a database with a log says that it has one, too.
    private func settle() throws {
        let queue = try DatabaseQueue(path: copy)
        defer { _ = Result { try queue.close() } }
        try queue.writeWithoutTransaction { db in
            let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
            guard mode == "delete" else {
                throw StoreError.other(code: 0, message: "\(copy): journal \(mode ?? "unknown")")
            }
        }
    }

    private func prove(_ expected: Sum) throws {
        let queue = try Self.reader(copy)
        defer { _ = Result { try queue.close() } }
        try queue.read { db in
            // What is wrong with the copy was wrong with the database, or its disk is.
            try Store.examine(db, path: source, isThorough: true)
            let found = try Sum(db)
            guard found == expected else {
                throw StoreError.corrupt(path: copy, detail: "it has other rows than \(source)")
            }
        }
    }
}

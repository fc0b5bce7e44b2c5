import Foundation
import GRDB
import SiteModel
import SiteSchema
import SiteStore

/// What putting a backup in a database's place did.
package struct Restoration: Equatable, Sendable {
    /// The moment of the newest input the backup knows, or `nil` if it knows none.
    package var clock: Timestamp?
    /// The number of its plan.
    package var revision: Int64
    /// The epoch that begins: higher than any the backup or the replaced file knew.
    package var epoch: Int64
    /// Where the replaced file is now, or `nil` if there was none.
    package var replaced: String?
}

/// What becomes of the file that a backup replaces: it is kept beside it.
package enum ReplacedFile: Equatable, Sendable {
    /// As `….replaced`.
    case replaced
    /// As `….damaged-20261122T130000Z`: it failed its check at that moment.
    case damaged(Timestamp)

    /// What is added to its name.
    package var ending: String {
        switch self {
        case .replaced: "replaced"
        case .damaged(let moment): "damaged-\(BackupFile.text(of: moment))"
        }
    }
}

extension Restoration {
    /// Puts a copy of `backup` in the place of the database at `path` and begins a new epoch, so that
    /// the nodes send again what the backup does not know.
    ///
    /// The backup is checked and not changed; the replaced file is kept beside the new one, as `aside`
    /// says. `lock` is that of the database at `path`. Throws `.busy` while another process has it
    /// open, and `.corrupt` with the backup's path if that is damaged or was never finished. Tests
    /// restore with the `migrations` of a release to come.
    package static func restore(
        _ path: String, from backup: String, under lock: DatabaseLock,
        aside: ReplacedFile = .replaced, migrations: [String] = Schema.migrations
    ) throws(StoreError) -> Restoration {
        precondition(lock.isOf(path), "\(lock.path) is no lock of \(path)")
        // Of a link, what it leads to is replaced: the lock is that file's.
        let path = DatabaseLock.resolved(path)
        var subject = backup
        do {
            guard FileManager.default.fileExists(atPath: backup) else {
                throw StoreError.cannotOpen(path: backup, reason: "there is no such file")
            }
            guard !backup.hasSuffix(BackupFolder.partial) else {
                throw StoreError.corrupt(path: backup, detail: "it was never finished")
            }
            let source = try verified(backup, known: migrations.count)
            defer { _ = Result { try source.close() } }
            subject = path
            if let obstacle = StoreError.obstacle(at: path) {
                throw StoreError.cannotOpen(path: path, reason: obstacle)
            }
            let known = try claim(path)
            let copy = path + ".restoring"
            try remove(copy)
            var result = try write(copy, from: source, epoch: known, migrations)
            BackupFolder.give(copy, toOwnerOf: path)
            result.replaced = try setAside(path, as: aside)
            try FileManager.default.moveItem(atPath: copy, toPath: path)
            return result
        } catch {
            throw StoreError(error, path: subject)
        }
    }

    /// The backup, opened for reading: whole, of ours, and no newer than this release.
    private static func verified(_ backup: String, known: Int) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(Store.patience)
        let source = try DatabaseQueue(path: backup, configuration: configuration)
        try source.read { db in
            try Store.examine(db, path: backup, isThorough: true, known: known)
            guard try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 > 0 else {
                throw StoreError.corrupt(path: backup, detail: "there is nothing in it")
            }
        }
        return source
    }

    /// Makes sure that nobody has the database open. Returns its epoch, or 0 if it cannot be told.
    private static func claim(_ path: String) throws -> Int64 {
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        do {
            let queue = try DatabaseQueue(path: path)
            defer { _ = Result { try queue.close() } }
            return try queue.writeWithoutTransaction { db in
                // Only who is alone may do without the log.
                let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
                guard mode == "delete" else { throw StoreError.busy }
                let epochs =
                    "SELECT count(*) FROM pragma_table_info('site_state') WHERE name = 'epoch'"
                guard try Int.fetchOne(db, sql: epochs) == 1 else { return 0 }
                return try Int64.fetchOne(db, sql: "SELECT epoch FROM site_state") ?? 0
            }
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CORRUPT
        {
            return 0
        }
    }

    /// Writes the copy, brings its schema up to date and begins its epoch.
    private static func write(
        _ copy: String, from source: DatabaseQueue, epoch known: Int64, _ migrations: [String]
    ) throws -> Restoration {
        try Store.create(copy)
        let queue = try DatabaseQueue(path: copy)
        defer { _ = Result { try queue.close() } }
        try source.backup(to: queue)
        return try queue.write { db in
            try Store.migrate(db, by: migrations)
            let stored = try Int64.fetchOne(db, sql: "SELECT epoch FROM site_state") ?? 1
            let epoch = max(stored, known) + 1
            try db.execute(
                sql: """
                    INSERT INTO site_state (id, clock_ms, next, coverage, clocks, epoch)
                    VALUES (1, 0, 1, x'', '[]', ?)
                    ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch
                    """,
                arguments: [epoch])
            try Store.examine(db, path: copy, known: migrations.count)
            let clock = try Int64.fetchOne(db, sql: "SELECT clock_ms FROM site_state") ?? 0
            return Restoration(
                clock: clock > 0 ? Timestamp(milliseconds: clock) : nil,
                revision: try Int64.fetchOne(db, sql: "SELECT revision FROM site") ?? 0,
                epoch: epoch, replaced: nil)
        }
    }

    /// Renames the database and what lies beside it. Returns its new name.
    private static func setAside(_ path: String, as aside: ReplacedFile) throws -> String? {
        let files = FileManager.default
        guard files.fileExists(atPath: path) else { return nil }
        let first = "\(path).\(aside.ending)"
        var name = first
        var number = 1
        while files.fileExists(atPath: name) {
            number += 1
            name = "\(first)-\(number)"
        }
        for end in ["", "-wal", "-shm"] where files.fileExists(atPath: path + end) {
            try files.moveItem(atPath: path + end, toPath: name + end)
        }
        AsideFile.stamp(name)
        return name
    }

    private static func remove(_ path: String) throws {
        for end in ["", "-wal", "-shm", "-journal"] {
            guard FileManager.default.fileExists(atPath: path + end) else { continue }
            try FileManager.default.removeItem(atPath: path + end)
        }
    }
}

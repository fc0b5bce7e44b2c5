import Foundation
import Glibc
import SiteModel

/// What making a backup came to.
package struct Backup: Equatable, Sendable {
    /// Its name.
    package var file: BackupFile
    package var path: String
    /// Its size.
    package var bytes: Int64
    /// How long copying and proving it took.
    package var seconds: Double
    /// Rows of all tables: as many as the database had when it was copied.
    package var rows: Int64
}

/// The directory with the backups of one database.
///
/// What has a backup's name there is proven: it was opened, read through and counted before it got
/// that name. Unfinished ones are called `….partial` and go with the next backup.
package struct BackupFolder: Equatable, Sendable {
    package let database: String
    /// The directory, which is made when it is needed, for its owner alone.
    package let path: String
    /// The room, in bytes, that a backup must leave on the disk for the database.
    package var reserve: UInt64 = 16_000_000

    /// The backups of a database: `backups` beside it, if no other directory is named.
    package init(of database: String, at path: String? = nil) {
        self.database = database
        let beside = URL(fileURLWithPath: database).deletingLastPathComponent().path
        self.path = path ?? beside + "/backups"
    }

    package static let partial = ".partial"

    /// What the names of its backups begin with.
    package var stem: String {
        URL(fileURLWithPath: database).deletingPathExtension().lastPathComponent
    }

    package func path(of file: BackupFile) -> String { "\(path)/\(file.name)" }

    /// The proven backups, oldest first; none where there is no directory.
    package func files() -> [BackupFile] {
        names.compactMap { BackupFile($0, stem: stem) }
            .sorted { ($0.at, $0.schema ?? 0) < ($1.at, $1.schema ?? 0) }
    }

    /// The newest proven backup, or `nil` if there is none.
    package var newest: BackupFile? { files().last }

    /// The size of a backup in bytes, or `nil` if it is not there.
    package func bytes(of file: BackupFile) -> Int64? {
        var information = stat()
        return stat(path(of: file), &information) == 0 ? Int64(information.st_size) : nil
    }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// Makes a backup, then deletes those that `rotation` no longer needs.
    ///
    /// May be called on any thread, also while the database is written: it copies one moment of it
    /// through a connection of its own, on which no commit waits. `schema`: the one it is made to
    /// keep. Asks `isStopped` after each megabyte, and gives up if it says so. Whatever is
    /// thrown, older backups are untouched.
    @discardableResult
    package func make(
        at now: Timestamp, schema: Int? = nil, rotation: BackupRotation? = BackupRotation(),
        isStopped: @escaping () -> Bool = { false }
    ) throws(StoreError) -> Backup {
        let start = ContinuousClock.now
        guard FileManager.default.fileExists(atPath: database) else {
            throw .cannotOpen(path: database, reason: "there is no such file")
        }
        let lock = try locked()
        defer { close(lock) }
        clean()
        var file = BackupFile(stem: stem, at: now, schema: schema)
        while FileManager.default.fileExists(atPath: path(of: file)) {
            file = BackupFile(stem: stem, at: file.at + .seconds(1), schema: schema)
        }
        let unproven = path(of: file) + Self.partial
        do {
            let rows = try BackupCopy(from: database, to: unproven, reserve: reserve)
                .make(isStopped: isStopped)
            guard rename(unproven, path(of: file)) == 0, fsync(lock) == 0 else {
                throw StoreError.system("rename to \(path(of: file))")
            }
            if let rotation {
                for old in rotation.superseded(files()) where old != file { unlink(path(of: old)) }
            }
            return Backup(
                file: file, path: path(of: file), bytes: bytes(of: file) ?? 0,
                seconds: (ContinuousClock.now - start) / .seconds(1), rows: rows)
        } catch {
            clean()
            throw StoreError(error, path: database)
        }
    }

    /// Removes what a backup that did not come to its end has left.
    private func clean() {
        for name in names
        where name.hasPrefix(stem + "-") && name.contains(BackupFile.ending + Self.partial) {
            unlink("\(path)/\(name)")
        }
    }

    /// The directory, open and locked: one backup at a time. The kernel gives the lock back however
    /// the process ends.
    private func locked() throws(StoreError) -> Int32 {
        if mkdir(path, 0o700) == 0 {
            Self.give(path, toOwnerOf: database)
        } else if errno != EEXIST {
            throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            close(descriptor)
            throw .other(code: 0, message: "\(path): another backup is being made")
        }
        return descriptor
    }

    /// What root makes for a service belongs to the service.
    package static func give(_ path: String, toOwnerOf other: String) {
        var owner = stat()
        guard geteuid() == 0, stat(other, &owner) == 0 else { return }
        _ = chown(path, owner.st_uid, owner.st_gid)
    }
}

extension StoreError {
    /// What the system said of the last call.
    package static func system(_ call: String) -> StoreError {
        let code = errno
        if code == ENOSPC || code == EDQUOT { return .full }
        return .other(code: 0, message: "\(call): \(String(cString: strerror(code)))")
    }
}

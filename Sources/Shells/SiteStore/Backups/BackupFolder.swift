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

    /// Makes a backup, then deletes those that `rotation` no longer needs, and what was put aside before
    /// them all.
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
                if let oldest = rotation.reach(of: files()) {
                    for old in aside() where old.at < oldest { old.remove() }
                }
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

/// A proven backup of a site's database, by its name: `gym-20261122T130000Z.sqlite` for
/// `gym.sqlite` at 13:00 UTC, `gym-20261122T130000Z-schema12.sqlite` for one that was made because
/// a newer release was about to bring schema 12 up to date.
package struct BackupFile: Hashable, Sendable {
    /// The database's name without its extension.
    package let stem: String
    /// When it was begun, in whole seconds.
    package let at: Timestamp
    /// The schema it was made to keep, or `nil` for an ordinary one.
    package let schema: Int?

    /// A name. Fractions of a second are dropped.
    package init(stem: String, at: Timestamp, schema: Int? = nil) {
        self.stem = stem
        self.at = Timestamp(milliseconds: at.milliseconds.floored(to: 1000))
        self.schema = schema
    }

    /// Reads what `name` writes, or `nil` of any other name.
    package init?(_ name: String, stem: String) {
        guard name.hasPrefix(stem + "-"), name.hasSuffix(Self.ending) else { return nil }
        let parts = name.dropFirst(stem.count + 1).dropLast(Self.ending.count)
            .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let date = try? Self.style.parse(String(parts[0])) else { return nil }
        let schema = parts.count == 2 ? Int(parts[1].dropFirst("schema".count)) : nil
        let at = Timestamp(milliseconds: Int64(date.timeIntervalSince1970) * 1000)
        self.init(stem: stem, at: at, schema: schema)
        // Whatever else was in it, it was not ours.
        guard self.name == name else { return nil }
    }

    /// Its name, without the folder.
    package var name: String {
        let kind = schema.map { "-schema\($0)" } ?? ""
        return "\(stem)-\(Self.text(of: at))\(kind)\(Self.ending)"
    }

    /// A moment as names of files carry it: `20261122T130000Z`.
    package static func text(of moment: Timestamp) -> String {
        Date(timeIntervalSince1970: Double(moment.milliseconds / 1000)).formatted(style)
    }

    package static let ending = ".sqlite"
    private static let style = Date.ISO8601FormatStyle(
        dateSeparator: .omitted, timeSeparator: .omitted)
}

extension Int64 {
    /// The greatest multiple of `size` that is not above it.
    func floored(to size: Int64) -> Int64 {
        let rest = self % size
        return self - (rest < 0 ? rest + size : rest)
    }
}

/// Which backups are kept: the newest of each of the last 24 hours, 14 days and 8 weeks (Monday to
/// Sunday, UTC) *that have one*, and those made before a migration, as well as what a restoration put
/// aside, for as long as the weekly ones reach back.
///
/// A function of the names alone: a clock that jumps, or a machine that was off for a year, deletes
/// nothing.
package struct BackupRotation: Sendable {
    /// How many hours, days and weeks.
    package let hourly, daily, weekly: Int

    /// A rule; the one in force if nothing else is said.
    package init(hourly: Int = 24, daily: Int = 14, weekly: Int = 8) {
        self.hourly = hourly
        self.daily = daily
        self.weekly = weekly
    }

    /// Those of `files`, which are all there are, that may go, oldest first. Never the newest.
    package func superseded(_ files: [BackupFile]) -> [BackupFile] {
        let ordinary = Self.ordinary(files)
        var kept = Set(weeks(of: ordinary))
        kept.formUnion(Self.newest(hourly, of: ordinary, each: Self.hour))
        kept.formUnion(Self.newest(daily, of: ordinary, each: Self.day))
        let oldest = reach(of: files)
        return files.filter { file in
            if file.schema == nil { return !kept.contains(file) }
            return oldest.map { file.at < $0 } ?? false
        }
        .sorted { $0.at < $1.at }
    }

    /// When the oldest of the weekly ones among `files` was made; `nil` until that many weeks have one:
    /// until then nothing is too old.
    package func reach(of files: [BackupFile]) -> Timestamp? {
        let weeks = weeks(of: Self.ordinary(files))
        return weeks.count < weekly ? nil : weeks.last?.at
    }

    /// The weekly ones among files that are newest first.
    private func weeks(of files: [BackupFile]) -> [BackupFile] {
        Self.newest(weekly, of: files, each: Self.week, from: Self.monday)
    }

    /// Those that were not made before a migration, newest first.
    private static func ordinary(_ files: [BackupFile]) -> [BackupFile] {
        files.filter { $0.schema == nil }.sorted { $0.at > $1.at }
    }

    private static let hour: Int64 = 3_600_000
    private static let day = 24 * hour
    private static let week = 7 * day
    /// The first Monday, 5 January 1970.
    private static let monday = 4 * day

    /// The newest of each of the last `count` stretches that have one. `files` are newest first.
    private static func newest(
        _ count: Int, of files: [BackupFile], each length: Int64, from start: Int64 = 0
    ) -> [BackupFile] {
        var result: [BackupFile] = []
        var last: Int64?
        for file in files where result.count < count {
            let stretch = (file.at.milliseconds - start).floored(to: length)
            if stretch != last { result.append(file) }
            last = stretch
        }
        return result
    }
}

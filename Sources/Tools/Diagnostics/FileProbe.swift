import Foundation
import Glibc
import SiteStore

/// Looks at disks, directories, databases and ports.
enum FileProbe {
    /// How much is written to see whether writing works, in bytes.
    private static let trialLength = 64 << 10

    /// Writes to a directory and removes it again. `user`: another user who must be able to.
    static func directory(
        _ path: String, for purpose: String, user: uid_t? = nil
    ) -> Facts.Directory {
        var directory = Facts.Directory(path: path, purpose: purpose, trial: trial(in: path))
        guard directory.trial != .absent else { return directory }
        if let user, geteuid() == 0, !mayWrite(path, user) {
            directory.excluded = name(of: user)
        }
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else { return directory }
        let (bytes, isOverflow) = UInt64(disk.f_bavail).multipliedReportingOverflow(
            by: UInt64(disk.f_frsize))
        directory.free = isOverflow ? .max : bytes
        if disk.f_files > 0 { directory.freeFiles = UInt64(disk.f_favail) }
        return directory
    }

    private static func trial(in path: String) -> Facts.Directory.Trial {
        var information = stat()
        guard stat(path, &information) == 0 else {
            return errno == ENOENT ? .absent : failure()
        }
        guard information.st_mode & S_IFMT == S_IFDIR else { return failure(ENOTDIR) }
        let file = "\(path)/.beaconmesh-doctor-\(getpid())"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return failure() }
        defer {
            close(descriptor)
            unlink(file)
        }
        // Zeros could be kept without taking any room.
        let bytes = (0..<trialLength).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes {
                write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return failure() }
            start += count
        }
        return fsync(descriptor) == 0 ? .written : failure()
    }

    private static func failure(_ code: Int32 = errno) -> Facts.Directory.Trial {
        .failed(code: code, reason: String(cString: strerror(code)))
    }

    /// Whether a user may write to a directory, by owner, own group and the rest.
    private static func mayWrite(_ path: String, _ user: uid_t) -> Bool {
        var information = stat()
        guard user != 0, stat(path, &information) == 0 else { return true }
        let needed: mode_t = 0o3
        if information.st_uid == user { return information.st_mode >> 6 & needed == needed }
        if let entry = getpwuid(user), entry.pointee.pw_gid == information.st_gid {
            return information.st_mode >> 3 & needed == needed
        }
        return information.st_mode & needed == needed
    }

    private static func name(of user: uid_t) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "user \(user)"
    }

    /// The user of a name, or `nil` if there is none.
    static func user(named name: String) -> uid_t? { getpwnam(name).map(\.pointee.pw_uid) }

    /// Looks at a database without changing it.
    /// `folder`: where its backups are, or `nil` if none are made.
    static func database(
        _ path: String, site: String, folder: String? = nil, isDeep: Bool
    ) -> Facts.Database {
        let examination: Result<StoreExamination, StoreError>
        do {
            examination = .success(try StoreExamination.examine(path, isDeep: isDeep))
        } catch {
            examination = .failure(error)
        }
        return Facts.Database(
            path: path, site: site, exists: FileManager.default.fileExists(atPath: path),
            examination: examination, isDeep: isDeep,
            backups: folder.map { backups(BackupFolder(of: path, at: $0), isDeep: isDeep) })
    }

    private static func backups(_ folder: BackupFolder, isDeep: Bool) -> Facts.Backups {
        var backups = Facts.Backups(folder: folder.path, newest: folder.newest?.at)
        guard isDeep, let newest = folder.newest else { return backups }
        do {
            _ = try StoreExamination.examine(folder.path(of: newest), isDeep: true)
        } catch {
            backups.fault = error.description
        }
        return backups
    }
}

/// Looks at a node's outbox without changing it, also while a node uses it.
enum OutboxProbe {
    /// What the two copies of an outbox's head begin with, and where they are.
    private static let magic = Array("BMRING 1".utf8)
    private static let heads: [off_t] = [0, 4_096]

    /// What is at `path`.
    static func outbox(_ path: String) -> Facts.Outbox {
        Facts.Outbox(path: path, state: state(path))
    }

    private static func state(_ path: String) -> Facts.Outbox.State {
        var information = stat()
        guard stat(path, &information) == 0 else {
            let code = errno
            return code == ENOENT
                ? .absent : .unusable(reason: String(cString: strerror(code)))
        }
        guard information.st_mode & S_IFMT == S_IFREG else {
            return .unusable(reason: "it is no file")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return .unusable(reason: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        let isOutbox = heads.contains { offset in
            var bytes = [UInt8](repeating: 0, count: magic.count)
            return pread(descriptor, &bytes, bytes.count, offset) == bytes.count && bytes == magic
        }
        guard isOutbox else { return .unusable(reason: "it is no outbox") }
        let aside = setAside(path)
        guard aside == 0 else {
            return .damaged(reason: "\(aside) unreadable pieces lie beside it")
        }
        return .sound(text: "\(information.st_size >> 20) MiB")
    }

    /// How many pieces a node could not read and kept beside its outbox, as `….damaged-N`.
    private static func setAside(_ path: String) -> Int {
        let file = URL(fileURLWithPath: path)
        let stem = file.deletingPathExtension().lastPathComponent + ".damaged-"
        let entries = try? FileManager.default.contentsOfDirectory(
            atPath: file.deletingLastPathComponent().path)
        return (entries ?? []).count { $0.hasPrefix(stem) }
    }
}

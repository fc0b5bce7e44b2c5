import Foundation
import Glibc
import SiteModel

/// The right to be the one owner of a site's database: of the coordinator, and of whatever puts
/// another file in its place. Reading, and writing single rows, needs no lock.
///
/// It is a `flock` on the file `DATABASE.lock`, which says who holds it. The kernel gives the lock
/// back however the process ends, so that a file left behind shuts nobody out; it is not removed,
/// because two processes could then hold locks on two files of one name. Child processes do not
/// inherit the lock. It ends with this object.
package final class DatabaseLock: Sendable {
    /// Who holds a lock, as the file says it.
    package struct Holder: Codable, Equatable, Sendable, CustomStringConvertible {
        /// The program's name.
        package var program: String
        /// The number of its process.
        package var pid: Int32
        /// The machine it runs on, which for a database on a network may be another one.
        package var host: String
        /// When it took the lock, in UTC (ISO 8601).
        package var since: String

        /// For people.
        package var description: String { "\(program), process \(pid) on \(host) since \(since)" }
    }

    /// The file that is locked.
    package let path: String
    /// Why the file system gives no locks, or `nil` if this process holds the lock. Then nothing
    /// keeps a second owner away, which is better than none.
    package let obstacle: String?
    private let descriptor: Int32

    /// Takes the lock of the database at `database`, which need not exist yet. Two paths of one file
    /// are one lock. Throws `.owned` at once if another process holds it.
    package convenience init(
        of database: String, by program: String, at now: Timestamp
    ) throws(StoreError) {
        let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
        let holder = Holder(
            program: program, pid: getpid(), host: Self.host, since: date.formatted(.iso8601))
        try self.init(of: database, holder: holder) { descriptor in
            flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
        }
    }

    /// `take` locks a descriptor without waiting and returns 0 or an error number.
    ///
    /// - Throws: `.owned` with the holder if another process has the lock, `.cannotOpen` if the
    ///   file cannot be made.
    package init(
        of database: String, holder: Holder, take: (Int32) -> Int32
    ) throws(StoreError) {
        if let obstacle = StoreError.obstacle(at: database) {
            throw .cannotOpen(path: database, reason: obstacle)
        }
        let path = Self.file(of: database)
        let descriptor = try Self.opened(path, beside: database)
        let code = take(descriptor)
        guard code != EWOULDBLOCK else {
            let other = Self.read(descriptor)
            close(descriptor)
            throw .owned(path: database, by: other)
        }
        self.path = path
        self.descriptor = descriptor
        obstacle = code == 0 ? nil : String(cString: strerror(code))
        if obstacle == nil { Self.write(holder, to: descriptor) }
    }

    deinit {
        if obstacle == nil { ftruncate(descriptor, 0) }
        close(descriptor)
    }

    /// Whether this is the lock of the database at `path`.
    package func isOf(_ database: String) -> Bool { path == Self.file(of: database) }

    /// The file that is locked for a database: beside it.
    private static func file(of database: String) -> String { resolved(database) + ".lock" }

    /// The path of a database, which need not exist, without the symbolic links that lead there: what
    /// stands beside it is found by whichever path it is named.
    package static func resolved(_ database: String) -> String {
        var file = URL(fileURLWithPath: database)
        if FileManager.default.fileExists(atPath: database) {
            file = file.resolvingSymlinksInPath()
        } else {
            file = file.deletingLastPathComponent().resolvingSymlinksInPath()
                .appendingPathComponent(file.lastPathComponent)
        }
        return file.path
    }

    /// Opens the file, made if it is not there. As SQLite does with the files beside a database, root
    /// gives it to the database's owner, who could not open it later.
    private static func opened(_ path: String, beside database: String) throws(StoreError) -> Int32
    {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard descriptor >= 0 else {
            throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        var owner = stat()
        if geteuid() == 0, stat(database, &owner) == 0 {
            // Without it the lock is as good, until somebody else wants it.
            _ = fchown(descriptor, owner.st_uid, owner.st_gid)
        }
        return descriptor
    }

    /// A full disk takes the name away, and not the lock.
    private static func write(_ holder: Holder, to descriptor: Int32) {
        guard ftruncate(descriptor, 0) == 0,
            let line = try? JSONText.text(of: holder) + "\n"
        else { return }
        _ = pwrite(descriptor, line, line.utf8.count, 0)
    }

    private static func read(_ descriptor: Int32) -> Holder? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        return try? JSONText.value(Holder.self, from: text)
    }

    private static var host: String {
        var bytes = [UInt8](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "a machine without a name" }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

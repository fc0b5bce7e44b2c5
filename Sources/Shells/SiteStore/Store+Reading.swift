import Foundation
import GRDB
import SiteSchema
import Glibc

extension Store {
    /// Opens the database of a site that must be there, for reading only.
    ///
    /// Nothing is written, no schema is changed, nobody is held up, and no file is left beside the
    /// database: also beside a running coordinator, and as a user who may only read. The file is not
    /// read through; what is damaged shows where it is read. Throws `.olderSchema` and `.newerSchema`
    /// for schemas of other releases, and `.busy` from a read if a coordinator that started meanwhile
    /// has written anything, to the file or to a log beside it: open it again. What writes throws.
    package convenience init(reading path: String, known: Int = Schema.version) throws(StoreError) {
        do {
            let (name, still) = try Self.readable(path)
            let pool = try DatabasePool(path: name, configuration: Self.readingOnly)
            self.init(path: path, reading: pool, still: still)
            try read { db in
                let schema = try Self.schema(of: db, path: path, known: known)
                guard schema > 0 else { throw StoreError.empty(path: path) }
                guard schema == known else {
                    throw StoreError.olderSchema(
                        path: path, found: schema, known: known, owner: nil)
                }
            }
        } catch {
            throw StoreError(reading: error, path: path)
        }
    }

    /// Connections that change nothing.
    static var readingOnly: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(patience)
        configuration.maximumReaderCount = 2
        return configuration
    }

    /// The name by which SQLite opens the file at `path` without making files beside it. Throws if it
    /// is plainly no database of ours.
    static func readable(_ path: String) throws -> (name: String, still: StillFile?) {
        let files = FileManager.default
        var isDirectory: ObjCBool = false
        guard files.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw StoreError.missing(path: path)
        }
        if isDirectory.boolValue {
            throw StoreError.cannotRead(path: path, reason: "it is a directory")
        }
        guard files.isReadableFile(atPath: path) else {
            throw StoreError.cannotRead(path: path, reason: "no right to read the file")
        }
        try refuseEmpty(path)
        try examineBeginning(of: path)
        let still = StillFile(path)
        return (still?.name ?? path, still)
    }

    /// The version of the schema of a database of ours that this release knows, 0 if there is
    /// nothing in it. Throws `.foreign`, `.beforeFirstRelease` and `.newerSchema`.
    static func schema(of db: Database, path: String, known: Int = Schema.version) throws -> Int {
        let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let objects = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        guard application == Schema.applicationID || (application == 0 && objects == 0) else {
            throw StoreError(application: application, path: path)
        }
        guard (0...known).contains(version) else {
            throw StoreError.newerSchema(path: path, found: version, known: known)
        }
        return version
    }
}

/// A database with a write-ahead log that nobody has open: whoever closed it last has taken the log
/// back into the file.
///
/// SQLite would make a log and its index to read it, and a connection for reading only leaves them
/// behind: a coordinator of another user could not write them afterwards, and where the directory
/// cannot be written, nothing can be read. Such a file is therefore opened as one that does not
/// change (`immutable`), and whether it did is checked after each read.
struct StillFile: Equatable, Sendable {
    /// The name by which SQLite opens it.
    let name: String
    /// The write-ahead log of whoever writes to it.
    private let log: String
    private let size: Int64
    private let file: UInt64
    private let seconds: Int
    private let nanoseconds: Int

    /// How the file is now, or `nil` if it has no write-ahead log by its header, or has one beside it.
    init?(_ path: String) {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        // Bytes 18 and 19 are 2 with a write-ahead log (fileformat2 1.3).
        var status = stat()
        // A pipe is not waited for.
        guard stat(target.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            !FileManager.default.fileExists(atPath: target.path + "-wal"),
            let handle = FileHandle(forReadingAtPath: target.path)
        else { return nil }
        defer { _ = Result { try handle.close() } }
        guard let header = try? handle.read(upToCount: 20), header.count == 20,
            header[18] == 2, header[19] == 2, fstat(handle.fileDescriptor, &status) == 0
        else { return nil }
        log = target.path + "-wal"
        name = target.absoluteString + "?immutable=1"
        size = Int64(status.st_size)
        file = UInt64(status.st_ino)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }

    /// Throws `.busy` if somebody has written since: to the file, so that what was read may be of two
    /// states, or to a log beside it, which nobody looks into who reads the file as unchanging.
    func checkUnchanged(_ path: String) throws(StoreError) {
        var status = stat()
        guard stat(log, &status) != 0 || status.st_size == 0 else { throw .busy }
        guard stat(path, &status) == 0, Int64(status.st_size) == size,
            UInt64(status.st_ino) == file, status.st_mtim.tv_sec == seconds,
            status.st_mtim.tv_nsec == nanoseconds
        else { throw .busy }
    }
}

extension StoreError {
    /// As `init(_:path:)`, in the words of one who only reads.
    init(reading error: any Error, path: String) {
        let error = StoreError(error, path: path)
        guard case .cannotOpen(_, let reason) = error else {
            self = error
            return
        }
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let isSealed = !FileManager.default.isWritableFile(atPath: directory)
        self = .cannotRead(
            path: path,
            reason: isSealed
                ? "its log needs an index, and there is no right to write in \(directory)" : reason)
    }
}

extension Store {
    /// How every SQLite file begins; its application's number stands at byte 68 (fileformat2 1.3).
    private static let signature = Array("SQLite format 3\0".utf8)

    /// Opens the database of a site that must be there. What the path leads to otherwise is said by
    /// its own name, and not touched: no file, an empty one, one of something else. Who holds the
    /// database's lock passes it as `owner`.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package convenience init(
        existing path: String, under owner: DatabaseLock? = nil
    ) throws(StoreError) {
        try Self.refuseNoDatabase(path)
        try self.init(path: path, backups: BackupFolder(of: path), under: owner)
    }

    /// Throws by its name what is plainly no database of a site: no file, an empty one, one of
    /// something else.
    package static func refuseNoDatabase(_ path: String) throws(StoreError) {
        guard FileManager.default.fileExists(atPath: path) else { throw .missing(path: path) }
        try refuseEmpty(path)
        do { try examineBeginning(of: path) } catch { throw StoreError(error, path: path) }
    }

    /// Throws `.empty` if there is nothing in the file.
    static func refuseEmpty(_ path: String) throws(StoreError) {
        if let beginning = beginning(of: path), beginning.isEmpty { throw .empty(path: path) }
    }

    /// Throws if the file is plainly something else than a database. SQLite would call it damaged,
    /// and whoever mistyped a path would be told to move a file of theirs aside.
    static func examineBeginning(of path: String) throws {
        guard let bytes = beginning(of: path), !signature.starts(with: bytes),
            !bytes.starts(with: signature)
        else { return }
        let number = bytes.dropFirst(68).prefix(4).reduce(0) { $0 * 256 + Int($1) }
        guard number != Schema.formerApplicationID else {
            throw StoreError.beforeFirstRelease(path: path)
        }
        // Of a database whose first page is damaged something is left, or nothing but zeros.
        guard number == Schema.applicationID || bytes.allSatisfy({ $0 == 0 }) else {
            throw StoreError.notDatabase(path: path)
        }
        throw StoreError.corrupt(path: path, detail: "its beginning is overwritten")
    }

    /// The first hundred bytes of an ordinary file that this user may read, or `nil`: a pipe is not
    /// waited for.
    private static func beginning(of path: String) -> [UInt8]? {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            let handle = FileHandle(forReadingAtPath: file)
        else { return nil }
        defer { _ = Result { try handle.close() } }
        // At the end of the file there is nothing to read, which is no failure.
        guard let bytes = try? handle.read(upToCount: 100) ?? Data() else { return nil }
        return [UInt8](bytes)
    }
}

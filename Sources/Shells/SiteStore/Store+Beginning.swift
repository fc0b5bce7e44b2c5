import Foundation
import GRDB

extension Store {
    /// How every SQLite file begins; its application's number stands at byte 68 (fileformat2 1.3).
    private static let signature = Array("SQLite format 3\0".utf8)

    /// Opens the database of a site that must be there. What the path leads to otherwise is said by
    /// its own name, and not touched: no file, an empty one, one of something else. Who holds the
    /// database's lock passes it as `owner`.
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
        let number = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: Schema.applicationID >> $0) }
        // Of a database whose first page is damaged something is left, or nothing but zeros.
        guard bytes.dropFirst(68).starts(with: number) || bytes.allSatisfy({ $0 == 0 }) else {
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

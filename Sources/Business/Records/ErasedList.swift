import Ciphers
import Foundation
import GRDB
import Glibc
import SiteModel
import SiteStore

/// Who was erased from a database, in a file beside it: `DATABASE.erased`, for its owner alone. A backup that
/// is restored does not know who was erased since; this does.
package struct ErasedList: Sendable {
    /// One user who was erased, a line of JSON. Nothing in it leads to a name.
    package struct Line: Codable, Equatable, Sendable {
        /// The row of `user`.
        package var user: Int64
        /// SHA-256 of the salt and the slug, as `erased_slug` has it.
        package var digest: String
        package var salt: String
        /// When the first revision of the site was made, in milliseconds since 1970: of a site that was begun
        /// anew under the same path the line says nothing.
        package var origin: Int64
        package var deletesAttendance: Bool

        package enum CodingKeys: String, CodingKey {
            case user, digest, salt
            case origin = "origin_ms"
            case deletesAttendance = "deletes_attendance"
        }
    }

    package let path: String
    private let database: String

    /// The list of a database, which need not be there; links to the database are followed.
    package init(beside database: String) {
        self.database = DatabaseLock.resolved(database)
        path = self.database + ".erased"
    }

    /// The lines in the order of the erasures; none where there is no file. What a power cut left of a line
    /// is passed over: that erasure is owed in the database, and writes its line again.
    ///
    /// - Throws: `.cannotRead`.
    package func lines() throws(StoreError) -> [Line] { Self.lines(in: try text() ?? "") }

    /// Adds a line, once, and brings it to the disk. Only who has the database's lock may.
    ///
    /// - Throws: `.full`, `.cannotRead` or `.other`; it can be tried again.
    func add(_ line: Line) throws(StoreError) {
        let known = try text()
        guard !Self.lines(in: known ?? "").contains(line) else { return }
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .system(path) }
        defer { close(file) }
        if known == nil { BackupFolder.give(path, toOwnerOf: database) }
        let isCut = known.map { !$0.isEmpty && !$0.hasSuffix("\n") } ?? false
        let bytes: [UInt8]
        do {
            bytes = Array("\(isCut ? "\n" : "")\(try JSONText.text(of: line))\n".utf8)
        } catch {
            throw StoreError(error, path: path)
        }
        let count = write(file, bytes, bytes.count)
        guard count == bytes.count else { throw count < 0 ? .system(path) : .full }
        guard fsync(file) == 0 else { throw .system(path) }
        if known == nil { try Self.settleName(of: path) }
    }

    /// What stands in the file, or `nil` if there is none.
    private func text() throws(StoreError) -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw .cannotRead(path: path, reason: "no right to read it")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func lines(in text: String) -> [Line] {
        text.split(separator: "\n").compactMap {
            try? JSONText.value(Line.self, from: String($0))
        }
    }

    /// A file's name is on the disk once its directory is.
    private static func settleName(of path: String) throws(StoreError) {
        let directory = open(
            URL(fileURLWithPath: path).deletingLastPathComponent().path,
            O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .system(path) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw .system(path) }
    }
}

extension ErasureDebt {
    /// What the list beside the database says of them; `nil` once their slug is forgotten: it was written
    /// before that.
    func listed(_ db: Database) throws -> ErasedList.Line? {
        guard let slug = texts.first(where: { $0.by == done.user })?.text,
            let salt = try String.fetchOne(db, sql: "SELECT salt FROM erased_slug")
        else { return nil }
        return ErasedList.Line(
            user: user.row, digest: SHA256.hexadecimal(of: salt + slug), salt: salt,
            origin: try ErasedList.origin(of: db), deletesAttendance: deletesAttendance)
    }
}

extension ErasedList {
    /// When the first revision of the site was made, in milliseconds since 1970; 0 before the first import.
    static func origin(of db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT min(at_ms) FROM revision") ?? 0
    }
}

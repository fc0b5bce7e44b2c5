import Foundation
import GRDB
import SiteSchema

/// Why the store could not do what it was asked. Every description says what to do about it.
///
/// A call that reads throws `.busy`, `.full`, `.cannotOpen`, `.corrupt` or `.other`; one that writes also
/// `.refused`, and then nothing of its transaction was written. `.busy` and `.full` pass: the same call may
/// be repeated. `.corrupt` takes a backup, `.refused` is a bug, `.cannotOpen` and `.other` need a person.
package enum StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file was written by a newer release. It was not touched.
    case newerSchema(path: String, found: Int, known: Int)
    /// The file was written by an older release, and its schema may not be changed here: it is open for
    /// reading only, or `owner` has it, who may be of that release. It was not touched.
    case olderSchema(path: String, found: Int, known: Int, owner: String?)
    /// There is no file where one must be.
    case missing(path: String)
    /// The file is empty where a site must be: nothing was imported into it. It was not touched.
    case empty(path: String)
    /// The file does not begin as SQLite's do: text, a picture, anything. It was not touched.
    case notDatabase(path: String)
    /// The file is an SQLite database of some other program. It was not touched.
    case foreign(path: String)
    /// The file was made by a build before the first release, whose schemas are not read. It was not
    /// touched.
    case beforeFirstRelease(path: String)
    /// The file cannot be created, opened or written: no such directory, no right to write.
    case cannotOpen(path: String, reason: String)
    /// The file cannot be read: no right to, or nothing to read.
    case cannotRead(path: String, reason: String)
    /// Another process owns the database: a coordinator, or a restore. Nothing was changed.
    case owned(path: String, by: DatabaseLock.Holder?)
    /// The file is a damaged database; `detail` is what `quick_check` or SQLite said.
    case corrupt(path: String, detail: String)
    /// The disk is full. The transaction was rolled back; the same facts can be committed later.
    case full
    /// Another process kept the database locked for longer than `Store.patience`.
    case busy
    /// A constraint of the database refused a fact: a bug in the machines. The whole batch was
    /// rolled back. `fact` is the index in the batch, `nil` if only the end of the transaction
    /// could tell.
    case refused(constraint: String, fact: Int?)
    /// The document cannot be imported; all its faults.
    case document([String])
    /// Anything else SQLite may say, with its extended result code (0: not from SQLite).
    case other(code: Int, message: String)

    /// What happened and what to do.
    package var description: String {
        switch self {
        case .newerSchema(let path, let found, let known):
            """
            \(path): written by a newer release (schema \(found), this one knows \(known)); \
            start that release, or restore a backup made before it. Nothing was changed.
            """
        case .olderSchema(let path, let found, let known, nil):
            """
            \(path): written by an older release (schema \(found), this one reads \(known)); ask with \
            that release, or start this release's coordinator once, which brings it up to date. \
            Nothing was changed.
            """
        case .olderSchema(let path, let found, let known, let owner?):
            """
            \(path): written by an older release (schema \(found), this one writes \(known)), and \
            \(owner) has it; ask with that release, or end that process and start this release's \
            coordinator, which brings it up to date. Nothing was changed.
            """
        case .missing(let path):
            "\(path): no such file; name the site's database"
        case .empty(let path):
            """
            \(path): empty, no site was imported into it; name the site's database, or run \
            beaconmesh import. Nothing was changed.
            """
        case .notDatabase(let path):
            """
            \(path): no Beaconmesh database, nor any other of SQLite; name the site's database. \
            Nothing was changed.
            """
        case .foreign(let path):
            """
            \(path): a database of another program, no Beaconmesh database; name the site's \
            database. Nothing was changed.
            """
        case .beforeFirstRelease(let path):
            """
            \(path): made by a build before the first release, whose databases this one does not read; \
            with that build run beaconmesh export site.yaml --database \(path), then with this one \
            beaconmesh import site.yaml --database FILE for a new file. What happened at the site stays \
            in the former file. Nothing was written.
            """
        case .cannotOpen(let path, let reason):
            "\(path): \(reason); name a file in a directory this user can write to"
        case .cannotRead(let path, let reason):
            "\(path): \(reason); ask as a user who may read it"
        case .owned(let path, let holder):
            """
            \(path): \(holder?.description ?? "another process") has it; end that one first, two \
            would write over each other. Nothing was changed.
            """
        case .corrupt(let path, let detail):
            "\(path): damaged (\(detail)); move it aside and restore the newest backup"
        case .full:
            "the disk is full; free some space, nothing else needs to be done"
        case .busy:
            "another process keeps the database locked; end it or wait for it"
        case .refused(let constraint, let fact):
            "the database refuses \(fact.map { "fact \($0)" } ?? "the batch"): \(constraint)"
        case .document(let faults):
            faults.joined(separator: "\n")
        case .other(let code, let message):
            "SQLite error \(code): \(message)"
        }
    }
}

extension StoreError {
    /// Why a database is refused whose `application_id` is not ours.
    init(application: Int, path: String) {
        self =
            application == Schema.formerApplicationID
            ? .beforeFirstRelease(path: path) : .foreign(path: path)
    }

    /// Translates what GRDB threw. `fact` is the index of the fact being written, if any.
    package init(_ error: any Error, path: String, fact: Int? = nil) {
        if let error = error as? StoreError {
            self = error
            return
        }
        if let row = error as? DamagedRow {
            self = .corrupt(path: path, detail: row.detail)
            return
        }
        guard let error = error as? DatabaseError else {
            self = .other(code: 0, message: "\(error)")
            return
        }
        let message = error.message ?? "no message"
        let code = error.extendedResultCode
        switch error.resultCode {
        // The shared memory of the write-ahead log is a file on the same disk.
        case _ where code == .SQLITE_IOERR_SHMSIZE: self = .full
        case .SQLITE_FULL: self = .full
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
        case .SQLITE_CONSTRAINT: self = .refused(constraint: message, fact: fact)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt(path: path, detail: message)
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            self = .cannotOpen(path: path, reason: Self.obstacle(at: path) ?? message)
        default: self = .other(code: Int(code.rawValue), message: message)
        }
    }

    /// What stands in the way of writing the database at `path`, or `nil` if nothing does.
    package static func obstacle(at path: String) -> String? {
        let files = FileManager.default
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var isDirectory: ObjCBool = false
        guard files.fileExists(atPath: directory, isDirectory: &isDirectory) else {
            return "the directory \(directory) does not exist"
        }
        guard isDirectory.boolValue else { return "\(directory) is not a directory" }
        guard files.isWritableFile(atPath: directory) else {
            return "no right to write in the directory \(directory)"
        }
        guard files.fileExists(atPath: path, isDirectory: &isDirectory) else { return nil }
        if isDirectory.boolValue { return "it is a directory" }
        return files.isWritableFile(atPath: path) ? nil : "no right to write the file"
    }
}

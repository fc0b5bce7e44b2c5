import Foundation
import Glibc
import Platform

/// The files of a demonstration. A temporary folder goes away with it.
struct DemoFolder {
    let path: String
    private let isTemporary: Bool

    /// Takes a directory, emptied of an earlier demonstration, or makes a temporary one.
    init(_ given: String?) throws {
        let files = FileManager.default
        if let given {
            path = URL(fileURLWithPath: given).path
            isTemporary = false
            try files.createDirectory(atPath: path, withIntermediateDirectories: true)
            for name in ["site.sqlite", "site.sqlite-wal", "site.sqlite-shm", "state"] {
                let old = path + "/" + name
                if files.fileExists(atPath: old) { try files.removeItem(atPath: old) }
            }
        } else {
            path = NSTemporaryDirectory() + "beaconmesh-demo-\(getpid())"
            isTemporary = true
            try files.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
    }

    /// The site's database.
    var database: String { path + "/site.sqlite" }

    func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file that only its owner may read.
    func write(_ text: String, to name: String) throws {
        let file = file(name)
        guard
            FileManager.default.createFile(
                atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        else { throw Exit(code: 1, text: "\(file): cannot be written") }
    }

    /// Removes a temporary folder.
    func remove() {
        guard isTemporary else { return }
        // Nothing is lost if it stays: the system clears its temporary directory.
        _ = try? FileManager.default.removeItem(atPath: path)
    }
}

import Foundation
import Glibc
import Simulation

/// Where the databases of a simulated month are. A temporary folder goes away with it.
struct MonthFolder {
    let path: String
    private let isTemporary: Bool

    /// Takes a directory, emptied of an earlier month, or makes a temporary one.
    init(_ given: String?) throws {
        let files = FileManager.default
        isTemporary = given == nil
        path =
            given.map { URL(fileURLWithPath: $0).path }
            ?? NSTemporaryDirectory() + "beaconmesh-month-\(getpid())"
        try files.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for site in MonthLife.sites {
            for name in ["\(site).sqlite", "\(site)-undisturbed.sqlite"] {
                for end in ["", "-wal", "-shm"] {
                    let old = "\(path)/\(name)\(end)"
                    if files.fileExists(atPath: old) { try files.removeItem(atPath: old) }
                }
            }
        }
    }

    /// Removes a temporary folder.
    func remove() {
        guard isTemporary else { return }
        // Nothing is lost if it stays: the system clears its temporary directory.
        _ = try? FileManager.default.removeItem(atPath: path)
    }
}

import Foundation
import Glibc
import SiteModel

/// A database that a restoration put aside: `….replaced` or `….damaged-20261122T130000Z` beside the one that
/// took its place, with what SQLite keeps beside it.
package struct AsideFile: Hashable, Sendable {
    package let path: String
    /// When it was put aside.
    package let at: Timestamp

    private static let companions = ["", "-wal", "-shm", "-journal"]

    /// Notes on the file when it is put aside: until then it has the moment it was last written.
    package static func stamp(_ path: String) { _ = utimes(path, nil) }

    /// Removes it.
    func remove() {
        for end in Self.companions { unlink(path + end) }
    }
}

extension BackupFolder {
    /// What restorations put aside beside the database, oldest first.
    package func aside() -> [AsideFile] {
        let database = URL(fileURLWithPath: DatabaseLock.resolved(database))
        let directory = database.deletingLastPathComponent().path
        let start = database.lastPathComponent + "."
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.compactMap { name -> AsideFile? in
            var information = stat()
            guard name.hasPrefix(start),
                name.dropFirst(start.count)
                    .wholeMatch(of: /(replaced|damaged-\d{8}T\d{6}Z)(-\d+)?/) != nil,
                stat("\(directory)/\(name)", &information) == 0
            else { return nil }
            return AsideFile(
                path: "\(directory)/\(name)",
                at: Timestamp(milliseconds: Int64(information.st_mtim.tv_sec) * 1000))
        }.sorted { ($0.at, $0.path) < ($1.at, $1.path) }
    }
}

import Basics
import Foundation
import Glibc

/// The file with the token of the web server. The first start makes it where it is named and missing.
package enum TokenFile {
    /// A new token: 256 random bits in hexadecimal digits.
    package static func newToken() -> String {
        Hex.text((0..<32).map { _ in UInt8.random(in: 0...255) })
    }

    /// Whether nothing stands at the path yet, not even a link to nowhere.
    package static func isMissing(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) != 0 && errno == ENOENT
    }

    /// Why this user cannot make a file that is not there, or `nil`.
    package static func obstacle(to path: String) -> String? {
        let folder = directory(of: path)
        guard access(folder, W_OK | X_OK) != 0 else { return nil }
        let reason = String(cString: strerror(errno))
        return """
            no such file, and it cannot be made in \(folder): \(reason); make it with mode 600 \
            (openssl rand -hex 32), or name a file in a directory this user can write to
            """
    }

    /// Makes the file, which only its owner may read, unless there is one by now. Returns whether it
    /// was made. It appears whole or not at all, and nothing is ever overwritten.
    ///
    /// - Throws: An `Exit` with 78 that names the file.
    package static func make(at path: String) throws -> Bool {
        guard isMissing(path) else { return false }
        let draft = "\(path).\(newToken().prefix(16))"
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(path) }
        defer { unlink(draft) }
        let bytes = Array((newToken() + "\n").utf8)
        let isWritten = write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        let code = errno
        close(file)
        guard isWritten else { throw failure(path, code) }
        // A link, unlike a renaming, fails where somebody else was quicker.
        guard link(draft, path) == 0 else {
            if errno == EEXIST { return false }
            throw failure(path)
        }
        return true
    }

    private static func directory(of path: String) -> String {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return folder.isEmpty ? "." : folder
    }

    private static func failure(_ path: String, _ code: Int32 = errno) -> Exit {
        Exit(
            code: 78,
            text: "\(path): the token cannot be made: \(String(cString: strerror(code)))")
    }
}

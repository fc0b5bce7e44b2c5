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

/// Reads secrets from files, of which only the owner may have them.
package enum Secret {
    /// Why nothing can be taken from a file, in words that follow its path.
    package struct Fault: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// No secret is longer.
    private static let most = 4096

    /// The first line of the file, or `nil` without a file. Refuses one that others may read, and an
    /// empty one.
    ///
    /// - Throws: An `Exit` with 78 that names the file and says what to do.
    package static func read(_ path: String?) throws -> String? {
        guard let path else { return nil }
        do {
            return try line(of: path)
        } catch {
            throw Exit(code: 78, text: "\(path): \(error)")
        }
    }

    /// The first line of the file, without the white space around it. Throws if there is none, or if
    /// others may read it.
    package static func line(of path: String) throws(Fault) -> String {
        try checkIsPrivate(path)
        guard let text = SystemFile.text(path, limit: most) else { throw unreadable() }
        let line = text.utf8.prefix { $0 != UInt8(ascii: "\n") }
        let secret = String(decoding: line, as: UTF8.self)
            .trimming(while: \.isWhitespace)
        guard !secret.isEmpty else { throw Fault(description: "its first line is empty") }
        return secret
    }

    /// Why nothing can be taken from the file, or `nil`.
    package static func fault(in path: String) -> String? {
        do {
            _ = try line(of: path)
            return nil
        } catch {
            return error.description
        }
    }

    /// Throws if others than its owner may read a file, or if it is not there.
    package static func checkIsPrivate(_ path: String) throws(Fault) {
        var info = stat()
        guard stat(path, &info) == 0 else { throw unreadable() }
        guard info.st_mode & 0o077 == 0 else {
            throw Fault(description: "others may read this secret; run chmod 600 \(path)")
        }
    }

    /// What the system says about the last call.
    private static func unreadable() -> Fault {
        Fault(description: "cannot be read: \(String(cString: strerror(errno)))")
    }
}

extension String {
    fileprivate func trimming(while isLeftOut: (Character) -> Bool) -> String {
        var rest = self[...].drop(while: isLeftOut)
        while let last = rest.last, isLeftOut(last) { rest.removeLast() }
        return String(rest)
    }
}

/// The small files in which the kernel says something.
enum SystemFile {
    /// The first line, at most 4095 bytes of it; `nil` if it cannot be read.
    static func line(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4095)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        return String(
            decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// All of it, at most `limit` bytes; `nil` if it cannot be read. The kernel gives long ones in parts.
    static func text(_ path: String, limit: Int) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while text.count < limit {
            let count = read(file, &part, min(part.count, limit - text.count))
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            text += part.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes a text over what is there. Whether that was possible.
    static func write(_ text: String, to path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        let bytes = Array(text.utf8)
        return Glibc.write(file, bytes, bytes.count) == bytes.count
    }
}

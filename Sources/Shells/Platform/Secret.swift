import Glibc

/// Reads secrets from files, of which only the owner may have them.
package enum Secret {
    /// Why nothing can be taken from a file, in words that follow its path.
    package struct Fault: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// No secret is longer.
    private static let most = 4096

    /// The first line of the file, or `nil` without a file. Throws an `Exit` with 78 for one that others
    /// may read, and for an empty one.
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

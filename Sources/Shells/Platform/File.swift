import Glibc

/// Files by the system's own calls.
package enum File {
    /// A call that failed, or a file that is not as it should be.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String

        package init(_ description: String) { self.description = description }

        /// What the system says about the last call.
        package init(call: String, _ path: String) {
            description = "\(call) \(path): \(String(cString: strerror(errno)))"
        }
    }

    /// The bytes of a file of at most `limit` bytes; `nil` if there is no such file.
    package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure(call: "open", path)
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count <= limit {
            let step = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            guard step >= 0 else { throw Failure(call: "read", path) }
            guard step > 0 else { break }
            count += step
        }
        guard count <= limit else { throw Failure("\(path): more than \(limit) bytes") }
        return Array(bytes.prefix(count))
    }

    /// Replaces a file as a whole: after a power cut it holds either the old bytes or the new. `prepare` may give it away
    /// before it is there.
    package static func replace(
        _ path: String, with bytes: [UInt8], mode: mode_t = 0o600,
        prepare: (Int32) -> Bool = { _ in true }
    ) throws(Failure) {
        let temporary = path + ".new"
        // What is left of another attempt may be readable by others.
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(call: "open", temporary) }
        do {
            defer { close(file) }
            var count = 0
            while count < bytes.count {
                let step = bytes.withUnsafeBytes { buffer in
                    write(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
                }
                guard step > 0 else { throw Failure(call: "write", temporary) }
                count += step
            }
            guard fchmod(file, mode) == 0, prepare(file) else {
                throw Failure(call: "chown", temporary)
            }
            guard fsync(file) == 0 else { throw Failure(call: "fsync", temporary) }
        }
        guard rename(temporary, path) == 0 else { throw Failure(call: "rename", path) }
        // The new name, too, must survive a power cut.
        let directory = open(
            String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) + "/.", O_RDONLY)
        guard directory >= 0 else { throw Failure(call: "open the directory of", path) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw Failure(call: "fsync the directory of", path) }
    }
}

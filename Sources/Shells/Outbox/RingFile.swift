import Glibc

/// A ring's file: opened by one process at a time, and as large as it will ever be.
final class RingFile: RingDisk {
    /// Where it is.
    let path: String
    let size: Int
    private let descriptor: Int32

    /// Opens a file that is there; `nil` if there is none.
    static func existing(_ path: String, size: Int) throws(OutboxError) -> RingFile? {
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("open", path)
        }
        return try RingFile(file, path, size)
    }

    /// Makes a file and everything in it under another name, and then gives it its own, so that
    /// there is never half of it.
    static func make(
        _ path: String, size: Int, fill: (inout RingFile) throws(OutboxError) -> Void
    ) throws(OutboxError) -> RingFile {
        let temporary = path + ".new"
        let file = open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("open", temporary) }
        var made = try RingFile(file, temporary, size)
        do throws(OutboxError) {
            try made.allocate()
            try fill(&made)
            guard fsync(file) == 0 else { throw failure("fsync", temporary) }
            guard rename(temporary, path) == 0 else { throw failure("rename", temporary) }
            try syncDirectory(of: path)
        } catch {
            unlink(temporary)
            throw error
        }
        return made
    }

    private init(_ descriptor: Int32, _ path: String, _ size: Int) throws(OutboxError) {
        self.descriptor = descriptor
        self.path = path
        self.size = size
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .inUse(path: path) : Self.failure("flock", path)
        }
    }

    deinit { close(descriptor) }

    /// Takes all the room it needs now, so that a full disk shows at the start.
    func allocate() throws(OutboxError) {
        let code = posix_fallocate(descriptor, 0, off_t(size))
        guard code == 0 else {
            throw .disk(call: "allocate", path: path, reason: String(cString: strerror(code)))
        }
    }

    func read(_ range: Range<Int>) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        guard !fill(&bytes, 0..<range.count, at: range.lowerBound) else { return bytes }
        // Something in it cannot be read: take what can be.
        for start in stride(from: 0, to: range.count, by: RingFormat.sector) {
            let end = min(start + RingFormat.sector, range.count)
            _ = fill(&bytes, start..<end, at: range.lowerBound + start)
        }
        return bytes
    }

    /// Reads up to the end of the file. Whether that worked.
    private func fill(_ bytes: inout [UInt8], _ range: Range<Int>, at offset: Int) -> Bool {
        var count = 0
        while count < range.count {
            let step = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress?.advanced(by: range.lowerBound + count),
                    range.count - count, off_t(offset + count))
            }
            if step < 0 && errno == EINTR { continue }
            guard step >= 0 else { return false }
            if step == 0 { break }
            count += step
        }
        return true
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(OutboxError) {
        var count = 0
        while count < bytes.count {
            let step = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor, buffer.baseAddress?.advanced(by: count), bytes.count - count,
                    off_t(offset + count))
            }
            if step < 0 && errno == EINTR { continue }
            guard step > 0 else { throw Self.failure("write", path) }
            count += step
        }
    }

    func sync() throws(OutboxError) {
        guard fdatasync(descriptor) == 0 else { throw Self.failure("fdatasync", path) }
    }

    /// Writes a new small file beside it; `false` if there is one of the name already.
    static func keep(_ bytes: [UInt8], as path: String) throws(OutboxError) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            if errno == EEXIST { return false }
            throw failure("open", path)
        }
        defer { close(file) }
        let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        guard count == bytes.count, fsync(file) == 0 else {
            let error = failure("write", path)
            unlink(path)
            throw error
        }
        return true
    }

    private static func syncDirectory(of path: String) throws(OutboxError) {
        let name = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) + "/."
        let directory = open(path.contains("/") ? name : ".", O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw failure("open", name) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw failure("fsync", name) }
    }

    /// What the system says about the last call.
    private static func failure(_ call: String, _ path: String) -> OutboxError {
        .disk(call: call, path: path, reason: String(cString: strerror(errno)))
    }
}

/// What a ring lies on: the file of an outbox, or a disk that loses power in a test.
package protocol RingDisk {
    /// The size in bytes.
    var size: Int { get }
    /// The bytes of a range. What cannot be read, or was never written, is zeros: the ring checks
    /// every sector it uses.
    func read(_ range: Range<Int>) -> [UInt8]
    /// Writes bytes. They may be on the disk only after `sync`, in any order and in part.
    mutating func write(_ bytes: [UInt8], at offset: Int) throws(OutboxError)
    /// Returns when all that was written is on the disk.
    mutating func sync() throws(OutboxError)
}

/// Why an outbox cannot be opened, or did not take a record.
package enum OutboxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system refused a call on a file.
    case disk(call: String, path: String, reason: String)
    /// Another process has it open.
    case inUse(path: String)
    /// There is a file that is no outbox, or nothing of it can be read.
    case notAnOutbox(path: String)
    /// An outbox of another size, both in MiB.
    case otherSize(path: String, found: Int, wanted: Int)
    /// A record longer than a segment takes, or empty.
    case unfitRecord(bytes: Int)

    /// The fault, for people, and what to do about it.
    package var description: String {
        switch self {
        case .disk(let call, let path, let reason): "\(call) \(path): \(reason)"
        case .inUse(let path): "\(path) is used by another process"
        case .notAnOutbox(let path):
            "\(path) is no outbox, or nothing of it can be read: move it away"
        case .otherSize(let path, let found, let wanted):
            "\(path) has \(found) MiB, not \(wanted): set outbox.megabytes to \(found), or move it"
                + " away once it is empty"
        case .unfitRecord(let bytes): "a record of \(bytes) bytes does not fit the outbox"
        }
    }
}

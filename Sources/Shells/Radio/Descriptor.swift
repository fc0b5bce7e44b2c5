import Glibc

/// A file or socket of the operating system that never makes us wait, closed when let go.
final class Descriptor {
    /// What a read gave.
    enum ReadOutcome: Equatable {
        /// The bytes, at least one.
        case bytes(Int)
        /// Nothing yet.
        case nothing
        /// The end: of the file, or because the peer closed.
        case ended
        /// The system's error number.
        case failed(Int32)
    }

    /// The longest path that fits into a socket address with its closing NUL.
    static let longestSocketPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    let number: Int32

    /// Takes over an open descriptor.
    init(owning number: Int32) { self.number = number }

    deinit { _ = close(number) }

    /// Opens a file for reading.
    static func open(path: String) throws(SystemFailure) -> Descriptor {
        let number = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw SystemFailure(call: "open", code: errno) }
        return Descriptor(owning: number)
    }

    /// Connects to a Unix socket, whose path is at most `longestSocketPath` bytes long.
    static func connect(path: String) throws(SystemFailure) -> Descriptor {
        let type = Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK
        let number = socket(AF_UNIX, type, 0)
        guard number >= 0 else { throw SystemFailure(call: "socket", code: errno) }
        let descriptor = Descriptor(owning: number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8.prefix(longestSocketPath))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw SystemFailure(call: "connect", code: errno) }
        return descriptor
    }

    /// Reads what is there into the start of `buffer`, which is not empty.
    func read(into buffer: inout [UInt8]) -> ReadOutcome {
        Self.outcome(
            buffer.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, $0.count) })
    }

    /// What a call that reads said, right after it.
    static func outcome(_ count: Int) -> ReadOutcome {
        if count > 0 { return .bytes(count) }
        if count == 0 { return .ended }
        let code = errno
        return code == EAGAIN || code == EINTR ? .nothing : .failed(code)
    }
}

/// A system call that failed.
struct SystemFailure: Error, Equatable, CustomStringConvertible {
    /// The call, as in its manual page.
    var call: String
    /// The system's error number.
    var code: Int32

    var description: String { "\(call): \(Self.text(code))" }

    /// The system's words for an error number.
    static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}

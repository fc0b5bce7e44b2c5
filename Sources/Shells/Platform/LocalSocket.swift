import Glibc

/// The name of a Unix socket for `bind` and `connect`, whose names are short, by a path of any length.
///
/// A longer path is reached through the open folder that it lies in: `/proc/self/fd/7/gym.sqlite.sock`.
/// The name holds while this object lives.
package final class LocalSocket: Sendable {
    /// Why a path cannot be the name of a socket.
    package struct Fault: Error, Equatable, CustomStringConvertible {
        /// What is wrong, with the path.
        package let description: String
    }

    /// The longest name, in bytes: what every system takes, and NIO therefore. Linux takes 107.
    package static let longestName = 103

    package let path: String
    /// What `bind` and `connect` are given, at most `longestName` bytes.
    package let name: String
    private let folder: Int32?

    /// The socket at `path`, which need not exist yet; its folder must. Throws if that cannot be
    /// opened, or if the last part of the path alone is too long.
    package init(_ path: String) throws(Fault) {
        self.path = path
        guard path.utf8.count > Self.longestName else {
            (name, folder) = (path, nil)
            return
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let place = parts.dropLast().joined(separator: "/")
        let folder = open(place.isEmpty ? "/" : place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else {
            throw Fault(description: "\(place): \(String(cString: strerror(errno)))")
        }
        let name = "/proc/self/fd/\(folder)/\(parts.last ?? "")"
        guard name.utf8.count <= Self.longestName else {
            close(folder)
            throw Fault(description: "\(path): too long a name for a socket")
        }
        (self.name, self.folder) = (name, folder)
    }

    deinit { if let folder { close(folder) } }

    /// Removes the socket that a process left which was killed. Whatever else is there stays.
    package func removeSocket() {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        unlink(path)
    }

    /// Lets nobody but the owner connect to the socket that is there. `false` if that failed.
    package func closeToOthers() -> Bool { chmod(path, 0o600) == 0 }

    /// Connects; the descriptor is the caller's to close. Throws the error number.
    package func connected() throws(SocketError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(name.utf8)) }
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SocketError(code: errno) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            close(descriptor)
            throw SocketError(code: code)
        }
        return descriptor
    }
}

/// What the system said about a socket.
package struct SocketError: Error, Equatable, CustomStringConvertible {
    /// The error number.
    package let code: Int32

    package init(code: Int32) { self.code = code }

    /// In words.
    package var description: String { String(cString: strerror(code)) }

    /// Nobody listens there.
    package var isNobody: Bool { [ENOENT, ECONNREFUSED, ENOTSOCK].contains(code) }
}

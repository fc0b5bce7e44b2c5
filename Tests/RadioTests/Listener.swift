import Foundation
import Glibc

/// The other end of a Unix socket, for tests.
final class Listener {
    /// Where it listens.
    let path: String
    private let descriptor: Int32

    /// Listens in the temporary directory, at a path of its own or one given.
    init?(path: String = Listener.freshPath()) {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, listen(descriptor, 4) == 0 else { return nil }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// A path nobody listens at.
    static func freshPath() -> String {
        FileManager.default.temporaryDirectory
            .appending(path: "radio-\(UUID().uuidString.prefix(8)).sock").path
    }

    /// The connection that was made first, which must have been made.
    func accepted() -> Int32 { accept(descriptor, nil, nil) }

    /// Writes to a connection.
    static func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
        bytes.withUnsafeBytes { Glibc.write(connection, $0.baseAddress, $0.count) } == bytes.count
    }
}

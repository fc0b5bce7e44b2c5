import Foundation
import Testing

/// A port the kernel accepts connections on, while nobody ever answers; when `isFull` the kernel
/// does not even accept, and a connection hangs half open.
final class SilentListener {
    let port: Int
    private var sockets: [Int32]

    init(isFull: Bool) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        sockets = [listener]
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, isFull ? 0 : 8) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        try #require(isBound)
        guard isFull else { return }
        for _ in 0..<4 {
            let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            let filler = socket(AF_INET, type, 0)
            sockets.append(filler)
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                    connect(filler, generic, length)
                }
            }
        }
    }

    deinit { sockets.forEach { close($0) } }
}

import Foundation
import Glibc

/// A datagram socket as systemd has one.
package final class NotifySocket {
    /// `bind` failed.
    package struct Failure: Error {
        package let code: Int32
    }

    /// As `NOTIFY_SOCKET` says it.
    package let name: String
    private let socket: Int32
    private let path: String?

    package init(isAbstract: Bool) throws {
        let stem = "beaconmesh-\(UUID().uuidString)"
        path = isAbstract ? nil : NSTemporaryDirectory() + stem
        name = path ?? "@" + stem
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(2 + bytes.count)
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
        }
        guard code == 0 else { throw Failure(code: errno) }
    }

    deinit {
        close(socket)
        if let path { unlink(path) }
    }

    /// What has come since the last call.
    package var received: [String] {
        var texts: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count >= 0 else { return texts }
            texts.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
    }
}

import Glibc

/// Finds a port of 127.0.0.1 nobody listens on.
package enum FreePort {
    /// The preferred port if it is free, else any; `otherwise` is told why not.
    ///
    /// - Throws: An `Exit` with 69 if the system has no free port.
    package static func find(preferring port: Int, otherwise: (String) -> Void = { _ in }) throws
        -> Int
    {
        if let port = bound(port) { return port }
        let reason = errno
        otherwise(
            reason == EADDRINUSE
                ? "in use by \(PortOwner.name(ofPort: port) ?? "another program")"
                : "not to be had: \(String(cString: strerror(reason)))")
        guard let port = bound(0) else { throw Exit(code: 69, text: "no free port on 127.0.0.1") }
        return port
    }

    /// Binds and releases; the port that was had, or `nil` with `errno`.
    private static func bound(_ port: Int) -> Int? {
        let number = UInt16(clamping: port)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer {
            let code = errno
            close(descriptor)
            errno = code
        }
        // As servers do: the last connections of one that has just ended are nobody.
        var isOn: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = number.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        return isBound ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }
}

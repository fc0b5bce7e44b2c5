import Glibc

/// Where this machine is found by others.
package enum OwnAddresses {
    /// The addresses of this machine in private networks (RFC 1918), in the order of its cards.
    package static func inPrivateNetworks() -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [String] = []
        for card in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let card, let address = card.pointee.ifa_addr,
                Int32(address.pointee.sa_family) == AF_INET
            else { continue }
            var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard
                getnameinfo(
                    address, socklen_t(MemoryLayout<sockaddr_in>.size), &host,
                    socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
            else { continue }
            let text = String(decoding: host.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self)
            if isPrivate(text) { found.append(text) }
        }
        return found
    }

    private static func isPrivate(_ address: String) -> Bool {
        let parts = address.split(separator: ".").compactMap { Int($0) }
        guard parts.count == 4 else { return false }
        return parts[0] == 10 || (parts[0] == 172 && (16...31).contains(parts[1]))
            || (parts[0] == 192 && parts[1] == 168)
    }
}

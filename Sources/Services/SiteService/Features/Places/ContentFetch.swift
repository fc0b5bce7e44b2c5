import Foundation
import Glibc
import Notifications
import Registry
import WebServer

/// Reads a list of cards, and the pictures beside it, from a web server. What that says is anybody's: it is bounded in size
/// and time, and a server of our own network is asked only where the site says so.
package struct ContentFetch {
    /// What came of it.
    package enum Outcome: Equatable {
        case file([UInt8], tag: String?)
        /// It is what is known by the tag.
        case same
        case refused(String)
    }

    /// In seconds, all in all.
    private static let patience = 30
    /// Bytes a second: what has no end ends by `patience`, after 30 MB on the disk. `max-filesize` of curl before 8.4 does
    /// not count what has no length.
    private static let rate = 1 << 20
    private static let longestTag = 256

    package let allowsPrivate: Bool

    package init(allowsPrivate: Bool) { self.allowsPrivate = allowsPrivate }

    /// Gets an address, at most so many bytes. Blocks for at most half a minute, on a thread of its own.
    package func get(_ url: String, tag: String? = nil, limit: Int) -> Outcome {
        if let fault = WebLink.fault(in: url) { return .refused(fault) }
        guard let target = Self.target(of: url) else {
            return .refused("has no name of a machine")
        }
        let addresses = Self.addresses(of: target.host)
        guard !addresses.isEmpty else { return .refused("\(target.host) is not known") }
        let usable = allowsPrivate ? addresses : addresses.filter { !Self.isOfOurOwn($0) }
        guard let address = usable.first else {
            return .refused(
                "\(target.host) is a machine of our own network: say content.private_source if that is meant"
            )
        }
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("beaconmesh-content-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let pinned = address.contains(":") ? "[\(address)]" : address
        let isName = Network.bytes(of: target.host) == nil
        var said = ""
        _ = Curl.run(
            """
            url = \(Curl.quoted(url))
            \(isName ? "resolve = \(Curl.quoted("\(target.host):\(target.port):\(pinned)"))" : "")
            \(tag.map { "header = \(Curl.quoted("If-None-Match: \($0)"))" } ?? "")
            proto = "=http,https"
            noproxy = "*"
            connect-timeout = 10
            max-time = \(Self.patience)
            max-filesize = \(limit)
            limit-rate = \(Self.rate)
            output = \(Curl.quoted(file.path))
            write-out = "%{http_code} %{exitcode} %header{etag}"
            globoff
            silent

            """
        ) { text in
            said = text
            return .answered(200)
        }
        return Self.outcome(said, file, limit)
    }

    private static func outcome(_ said: String, _ file: URL, _ limit: Int) -> Outcome {
        let words = said.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, let status = Int(words[0]) else { return .refused("no answer") }
        switch status {
        case 304: return .same
        case 200:
            guard words[1] == "0" else { return .refused("the answer broke off, or took too long") }
            let size = (try? FileManager.default.attributesOfItem(atPath: file.path)[.size]) as? Int
            guard let size, size <= limit else { return .refused("more than \(limit) bytes") }
            guard let bytes = FileManager.default.contents(atPath: file.path) else {
                return .refused("no answer")
            }
            return .file(
                Array(bytes), tag: words.dropFirst(2).first.flatMap { tag(String($0)) })
        case 300...399:
            return .refused("answered \(status): it is elsewhere now, say the new address")
        case 0:
            return .refused(words[1] == "63" ? "more than \(limit) bytes" : "does not answer")
        default: return .refused("answered \(status)")
        }
    }

    /// What may be sent back: an entity tag as RFC 9110 has it.
    private static func tag(_ text: String) -> String? {
        let tag = text.trimmingCharacters(in: .whitespaces)
        guard tag.utf8.count <= longestTag, tag.wholeMatch(of: /(?:W\/)?"[!#-~]*"/) != nil else {
            return nil
        }
        return tag
    }

    private static func target(of url: String) -> (host: String, port: Int)? {
        guard let parts = URLComponents(string: url), var host = parts.host, !host.isEmpty else {
            return nil
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        return (host, parts.port ?? (parts.scheme?.lowercased() == "https" ? 443 : 80))
    }

    /// What a name stands for, in the order of the resolver.
    private static func addresses(of host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let entry = next?.pointee {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if getnameinfo(
                entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0,
                NI_NUMERICHOST) == 0
            {
                addresses.append(
                    String(
                        decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
                        as: UTF8.self))
            }
            next = entry.ai_next
        }
        return addresses
    }

    /// Whether an address is no machine of the Internet: of this machine, a network at home, a link, or none at all (RFC
    /// 6890); also where IPv4 is wrapped into IPv6 (6to4, NAT64).
    static func isOfOurOwn(_ address: String) -> Bool {
        own.contains { $0.contains(address) } || Network.bytes(of: address) == nil
    }

    private static let own = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3", "::/127",
        "::/96", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "64:ff9b::/96", "64:ff9b:1::/48",
        "2001::/32",
        "2002::/16",
    ].compactMap { Network($0) }
}

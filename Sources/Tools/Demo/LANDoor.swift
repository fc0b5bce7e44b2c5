import Accounts
import Foundation
import Glibc
import Platform
import SiteModel
import SiteStore

/// How phones of the same network come to the demonstration: its addresses there, and an invitation for
/// its owner.
struct LANDoor {
    private let addresses: [String]
    private let secret: String

    /// Invites an owner to the site of a database. Throws an `Exit` with 69 without a network.
    init(to database: String) throws {
        addresses = Self.ownAddresses()
        guard !addresses.isEmpty else {
            throw Exit(
                code: 69, text: "--lan: this machine has no address in a private network")
        }
        secret = OneTimeSecret.make()
        let store = try Store(path: database)
        defer { store.close() }
        let now = AnchoredClock().now
        try Accounts(store).perform(
            .invite(
                name: "demo", role: .owner, user: nil,
                invitation: OneTimeSecret.hash(of: secret), expires: now + .seconds(7 * 86_400)),
            by: "demo", via: .cli, at: now)
    }

    /// Lines below the one of the dashboard: what a phone opens, and how it signs in.
    func lines(port: Int) -> String {
        let links = addresses.map { "http://\($0):\(port)/signin#invite=\(secret)" }
        return "\n  on phones  " + links.joined(separator: "\n             ")
            + "\n             (good once: choose a password; then sign in as demo)"
    }

    /// The addresses of this machine in private networks (RFC 1918), in the order of its cards.
    private static func ownAddresses() -> [String] {
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

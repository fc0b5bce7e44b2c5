import Glibc

/// A range of addresses in CIDR form, such as `192.168.0.0/16` or `fd00::/8`.
package struct Network: Equatable, Sendable, CustomStringConvertible {
    /// What machines of one's own network have, by the rules for private addresses: RFC 1918, 4193,
    /// 3927 and 4291, and this machine.
    package static let home: [Network] = [
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "::1/128",
        "fc00::/7", "fe80::/10",
    ].compactMap { Network($0) }

    package let description: String
    private let address: [UInt8]
    private let bits: Int

    /// Reads `address/bits`, or an address alone. `nil` if it is neither.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = Self.bytes(of: String(parts[0])) else {
            return nil
        }
        let most = 8 * address.count
        guard let bits = parts.count == 2 ? Int(parts[1]) : most, (0...most).contains(bits) else {
            return nil
        }
        self.address = address
        self.bits = bits
        description = text
    }

    /// Whether an address in text lies in it.
    package func contains(_ text: String) -> Bool {
        guard let other = Self.bytes(of: text), other.count == address.count else { return false }
        return (0..<bits).allSatisfy { bit in
            (address[bit / 8] ^ other[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
        }
    }

    /// Who is counted together when somebody guesses: of IPv6 the 64 bits that one household has.
    package static func household(of text: String) -> String {
        guard let bytes = bytes(of: text) else { return text }
        return bytes.prefix(bytes.count == 4 ? 4 : 8).map { "\($0)" }.joined(separator: ".")
    }

    /// The 4 or 16 bytes of an address; IPv4 in IPv6 clothes counts as IPv4. `nil`: it is none.
    package static func bytes(of text: String) -> [UInt8]? {
        // The zone of `fe80::1%eth0` says which network card, not which address.
        let plain = String(text.prefix { $0 != "%" })
        var four = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, plain, &four) == 1 { return four }
        var sixteen = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, plain, &sixteen) == 1 else { return nil }
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        return sixteen.starts(with: mapped) ? Array(sixteen[12...]) : sixteen
    }
}

/// How a machine speaks of itself.
package enum Loopback {
    /// Whether a host, as a configuration or a URL names it, is this very machine: `localhost`, `::1` also in
    /// brackets, or an address in 127.0.0.0/8 with all four numbers. A name that only begins like an address,
    /// such as `127.gym.example`, is another's, and so is everything else that a resolver may answer.
    package static func isHost(_ host: String) -> Bool {
        let host = host.lowercased()
        if ["localhost", "::1", "[::1]"].contains(host) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy(isNumber)
    }

    /// Whether a part of an address is 0 to 255. Swift's numbers may have a sign.
    private static func isNumber(_ part: Substring) -> Bool {
        part.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(part) != nil
    }
}

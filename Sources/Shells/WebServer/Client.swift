import Hummingbird

/// Where a request comes from, as far as it can be believed.
package struct Client: Equatable, Sendable {
    /// The address at the other end, or what a trusted proxy says of it.
    package var address: String
    /// Whether that is this machine and no proxy spoke.
    package var isHere: Bool
    /// Whether everything up to the browser is encrypted.
    package var isSecure: Bool
    /// `host[:port]` as the client called this server, in lower case.
    package var authority: String
    /// Whether it called it once, by something that can be a host and a port.
    var hasOneHost = true

    package init(
        address: String, isHere: Bool = false, isSecure: Bool = false, authority: String = ""
    ) {
        self.address = address
        self.isHere = isHere
        self.isSecure = isSecure
        self.authority = authority
    }

    /// Reads it from a request. `X-Forwarded-For` and `-Proto` count only if the other end is one of
    /// `proxies`; then the last address that no such proxy has is who asks.
    init(_ request: Request, from peer: String, proxies: [Network]) {
        authority = (request.head.authority ?? "").lowercased()
        // Of several lines the first is the authority, and the others stay among the fields.
        hasOneHost =
            !authority.isEmpty && !request.headers.contains { $0.name.canonicalName == "host" }
            && authority.utf8.allSatisfy { Self.ofHosts.contains($0) }
        let forwarded = request.headers.filter {
            ["forwarded", "x-forwarded-for"].contains($0.name.canonicalName)
        }
        guard proxies.contains(where: { $0.contains(peer) }) else {
            address = peer
            isHere = WebContext.isHere(peer) && forwarded.isEmpty
            isSecure = false
            return
        }
        let hops = forwarded.filter { $0.name.canonicalName == "x-forwarded-for" }
            .flatMap { $0.value.split(separator: ",") }
            .map { String($0.filter { $0 != " " }) }
        address =
            hops.last { hop in !proxies.contains { $0.contains(hop) } } ?? hops.first ?? peer
        isHere = hops.isEmpty && WebContext.isHere(peer)
        isSecure =
            HTTPFields.Element.Name("X-Forwarded-Proto").flatMap { request.headers[$0] } == "https"
    }

    /// What host names, addresses and ports are written with.
    private static let ofHosts = Set("abcdefghijklmnopqrstuvwxyz0123456789.-_:[]%~".utf8)

    /// The host of `host:port`, without the brackets of an IPv6 address.
    var host: String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return String(authority[authority.index(after: authority.startIndex)..<end])
        }
        return String(authority.prefix { $0 != ":" })
    }
}

import Hummingbird

/// Who may read.
package enum Access: Sendable {
    /// Anybody on this machine may see the live page and what it is made of without a token; for
    /// everything else, and from elsewhere, it is needed. Without a token to compare with, that is
    /// refused. A token that is sent must be right, also here.
    case anonymousReading(token: String?)
    /// Nobody reads without this token.
    case tokenOnly(String)
    /// Whoever can connect: the socket's file is open to its owner only. Nothing that a page of a
    /// browser can send passes.
    case owner

    /// Why a request is refused, or `nil` if it may go on.
    ///
    /// - Parameters:
    ///   - isFromHere: Whether the other end of the connection is on this machine.
    ///   - ownHost: The name or address this server was told to listen on.
    ///   - isLive: Whether it is for the page or its data, not for a route.
    package func refusal(
        of request: Request, isFromHere: Bool, ownHost: String, isLive: Bool
    ) -> Problem? {
        let authority = (request.head.authority ?? "").lowercased()
        if let origin = request.headers[.origin], !Self.isOwn(origin: origin, of: authority) {
            return .foreignOrigin
        }
        if case .owner = self {
            guard request.headers[.origin] == nil else { return .foreignOrigin }
            return authority == LocalListener.host ? nil : .foreignHost
        }
        if let credentials = request.headers[.authorization] {
            return accepts(credentials) ? nil : .tokenNeeded
        }
        guard case .anonymousReading = self, isFromHere, isLive else { return .tokenNeeded }
        // A proxy on this machine speaks for somebody elsewhere.
        let isForwarded = request.headers.contains {
            ["forwarded", "x-forwarded-for"].contains($0.name.canonicalName)
        }
        guard !isForwarded else { return .tokenNeeded }
        // A foreign page whose own name was made to point here arrives as the same origin.
        let host = String(Self.host(of: authority))
        let hosts = ["127.0.0.1", "::1", "localhost", ownHost.lowercased()]
        return hosts.contains(host) ? nil : .foreignHost
    }

    /// Whether an `Authorization` header carries the token. Takes as long for a token that is
    /// nearly right as for one that is all wrong.
    private func accepts(_ credentials: String) -> Bool {
        let token: String? =
            switch self {
            case .anonymousReading(let token): token
            case .tokenOnly(let token): token
            case .owner: nil
            }
        guard let token, !token.isEmpty, credentials.lowercased().hasPrefix("bearer ") else {
            return false
        }
        let expected = Array(token.utf8)
        let sent = Array(credentials.utf8.dropFirst("bearer ".utf8.count))
        var difference = expected.count ^ sent.count
        for (index, byte) in sent.enumerated() {
            difference |= Int(byte ^ expected[index % expected.count])
        }
        return difference == 0
    }

    private static func isOwn(origin: String, of authority: String) -> Bool {
        let origin = origin.lowercased()
        return origin == "http://" + authority || origin == "https://" + authority
    }

    /// The host of `host:port`, without the brackets of an IPv6 address.
    private static func host(of authority: String) -> Substring {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return authority[authority.index(after: authority.startIndex)..<end]
        }
        return authority.prefix { $0 != ":" }
    }
}

import Hummingbird

/// The rule of who may read over HTTP.
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

/// The context of a request: whether it comes from this machine.
package struct WebContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Whether the other end of the connection is on this machine.
    let isFromHere: Bool

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        isFromHere = Self.isHere(source.channel.remoteAddress?.ipAddress ?? "")
    }

    /// Whether an IP address is this machine's own.
    static func isHere(_ address: String) -> Bool {
        address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }
}

/// Stands around every route: who may pass, how refusals look, what every answer carries.
struct Gate: RouterMiddleware {
    let access: Access
    let ownHost: String
    /// The paths that exist, to tell a wrong method from a wrong path.
    let paths: Set<String>
    /// What else is served.
    let routes: [Route]

    /// The page may load from here only, and may not turn text into markup or code at all.
    static let policy =
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

    func handle(
        _ request: Request, context: WebContext,
        next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response = await answer(to: request, context: context, next: next)
        response.headers[.contentSecurityPolicy] = Self.policy
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        return response
    }

    private func answer(
        to request: Request, context: WebContext,
        next: (Request, WebContext) async throws -> Response
    ) async -> Response {
        let path = request.uri.path
        let here = routes.filter { $0.matches(path) }
        // A supervisor needs no secret to ask whether the process lives.
        if !WebServer.openPaths.contains(path), !here.contains(where: \.isOpen),
            let refusal = access.refusal(
                of: request, isFromHere: context.isFromHere, ownHost: ownHost,
                isLive: here.isEmpty)
        {
            return refusal.response
        }
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            if paths.contains(path) { return Problem.readsOnly.response }
            return (here.isEmpty ? Problem.unknownPath : .wrongMethod(allowed: here)).response
        } catch {
            return Problem.bug.response
        }
    }
}

import Hummingbird

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

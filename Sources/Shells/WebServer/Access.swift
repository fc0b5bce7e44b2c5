import Foundation
import Hummingbird
import NIOCore
import Permissions
import SiteModel
import Synchronization

/// Somebody who has proved who they are, and by what.
package struct Visitor: Equatable, Sendable {
    /// What proved it. It can end while they read.
    package enum Credential: Equatable, Sendable {
        /// The digest of a session's cookie.
        case session([UInt8])
        /// The digest of a token.
        case token([UInt8])
        /// Where they are: at the socket of the owner, or at this machine.
        case place
        /// Who typed a command, at the socket of the owner.
        case terminal
        /// The name it has at the broker: it asks over MQTT.
        case broker
    }

    package var principal: Principal
    package var credential: Credential

    package init(_ principal: Principal, by credential: Credential) {
        self.principal = principal
        self.credential = credential
    }
}

/// Who knows the secrets. Called on the web's threads for every request.
package struct Authority: Sendable {
    /// Whose token it is, or `nil` if nobody's.
    package var token: @Sendable (String) -> Visitor?
    /// Whose session a cookie's value stands for, or `nil`.
    package var session: @Sendable (String) -> Visitor?
    /// Whether a credential holds still.
    package var holds: @Sendable (Visitor) -> Bool
    /// Told of everybody who is known and asked for what they may not.
    package var onRefusal: @Sendable (Visitor, Route) -> Void

    package init(
        token: @escaping @Sendable (String) -> Visitor?,
        session: @escaping @Sendable (String) -> Visitor? = { _ in nil },
        holds: @escaping @Sendable (Visitor) -> Bool = { _ in true },
        onRefusal: @escaping @Sendable (Visitor, Route) -> Void = { _, _ in }
    ) {
        self.token = token
        self.session = session
        self.holds = holds
        self.onRefusal = onRefusal
    }
}

/// Who is let in over HTTP, and as whom. What they may do there is `Right`.
package struct Access: Sendable {
    /// Knows tokens and sessions.
    package var authority: Authority
    /// Whether anybody on this machine may see the live page without signing in.
    package var isReadingAnonymous = false
    /// From where anybody may connect at all.
    package var networks = Network.home
    /// Which reverse proxies are believed when they say who asks.
    package var proxies: [Network] = []
    /// What this server is called, beside addresses and `localhost`, in lower case.
    package var hosts: Set<String> = []
    /// Whether this is the socket of the owner: whoever can connect is one.
    var isOwners = false

    package init(_ authority: Authority) { self.authority = authority }

    /// The header of the command line, at the socket of the owner: who asks, for the audit, percent-encoded.
    package static let typist = "Beaconmesh-As"
    /// The longest name there, in bytes.
    private static let longestName = 256

    /// At the socket beside the database.
    static var owners: Access {
        var access = Access(Authority(token: { _ in nil }))
        access.isOwners = true
        return access
    }

    /// The cookie's name; with TLS one that no other server of this host can set, so that the other name
    /// counts for nothing there.
    package static func cookie(isSecure: Bool) -> String {
        isSecure ? "__Host-beaconmesh" : "beaconmesh"
    }

    /// What sets the cookie to `value`, with its attributes so far, for this host alone.
    package static func cookieSetting(_ value: String, _ client: Client) -> String {
        let secure = client.isSecure ? "; Secure" : ""
        return
            "\(cookie(isSecure: client.isSecure))=\(value); Path=/; HttpOnly; SameSite=Strict\(secure)"
    }

    /// What takes the cookie away.
    package static func cookieRemoval(_ client: Client) -> String {
        cookieSetting("; Max-Age=0", client)
    }

    /// Why a request from there is refused whoever asks, or `nil`.
    func refusal(of request: Request, from client: Client) -> Problem? {
        if isOwners {
            guard request.headers[.origin] == nil else { return .foreignOrigin }
            return client.authority == LocalListener.host ? nil : .foreignHost
        }
        guard isAllowed(client) else { return .foreignNetwork }
        guard client.hasOneHost else { return .oneHost }
        if let origin = request.headers[.origin], !isOwn(origin, client) { return .foreignOrigin }
        return nil
    }

    /// Whether anything is answered there. At the socket of the owner the kernel has decided.
    func isAllowed(_ client: Client) -> Bool {
        isOwners || networks.contains { $0.contains(client.address) }
    }

    /// Who asks, `nil` if they do not say. Throws a `Problem` where what they sent proves nothing.
    ///
    /// - Parameter isAnybody: It does not matter for which account a page asks: whoever signs in takes the place of
    ///   the one before.
    func visitor(
        of request: Request, from client: Client, isAnybody: Bool = false
    ) throws(Problem) -> Visitor? {
        if isOwners {
            guard let typist = HTTPFields.Element.Name(Self.typist).flatMap({ request.headers[$0] })
            else { return Visitor(.local, by: .place) }
            guard let name = typist.removingPercentEncoding,
                (1...Self.longestName).contains(name.utf8.count)
            else { throw .noTypist }
            return Visitor(Principal(name: name, role: .owner), by: .terminal)
        }
        if let credentials = request.headers[.authorization] {
            guard let visitor = bearer(credentials) else { throw .tokenNeeded }
            return visitor
        }
        let cookies = Self.values(
            of: Self.cookie(isSecure: client.isSecure), in: request.headers[values: .cookie])
        if !cookies.isEmpty {
            let visitors = cookies.compactMap { authority.session($0) }
            guard let visitor = visitors.first,
                visitors.allSatisfy({ $0.principal == visitor.principal })
            else { throw .signedOut }
            guard isOwn(host: client.host) else { throw .foreignHost }
            // What a page asks for whoever it was made for is not done for who signed in at another one since.
            if !isAnybody, let meant = Self.meantAccount(request),
                meant != visitor.principal.account
            {
                throw .otherAccount
            }
            // Every browser says where a request that changes something comes from.
            guard [.get, .head].contains(request.method) || request.headers[.origin] != nil else {
                throw .foreignOrigin
            }
            return visitor
        }
        guard isReadingAnonymous, client.isHere else { return nil }
        // A foreign page whose own name was made to point here arrives as the same origin.
        guard isOwn(host: client.host) else { throw .foreignHost }
        return Visitor(.neighbour, by: .place)
    }

    /// For which account a page asks, where it says so: in a header, or in the address of a stream, for which a
    /// browser sends none.
    private static func meantAccount(_ request: Request) -> String? {
        HTTPFields.Element.Name("Beaconmesh-Account").flatMap { request.headers[$0] }
            ?? (request.uri.path == WebServer.streamPath
                ? request.uri.queryParameters["account"].map(String.init) : nil)
    }

    private func bearer(_ credentials: String) -> Visitor? {
        guard credentials.lowercased().hasPrefix("bearer ") else { return nil }
        let token = String(credentials.dropFirst("bearer ".count))
        return token.isEmpty ? nil : authority.token(token)
    }

    /// Whoever makes a foreign name point here has a name, so an address is nobody's trick.
    func isOwn(host: String) -> Bool {
        host == "localhost" || hosts.contains(host) || Network.bytes(of: host) != nil
    }

    private func isOwn(_ origin: String, _ client: Client) -> Bool {
        let origin = origin.lowercased()
        return origin == "https://" + client.authority
            || (!client.isSecure && origin == "http://" + client.authority)
    }

    /// As many cookies of one name are looked at.
    private static let mostCookies = 8

    /// The first cookies of that name. There are several where another server of this host has set one for a
    /// longer path, which browsers send first.
    static func values(of name: String, in headers: [String]) -> [String] {
        let values = headers.flatMap { $0.split(separator: ";") }.compactMap { pair -> String? in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].filter({ $0 != " " }) == name else { return nil }
            return String(parts[1])
        }
        return Array(values.prefix(mostCookies))
    }
}

extension Problem: Error {}

/// The context of a request: where it comes from and who asks.
package struct WebContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The address at the other end of the connection.
    let peer: String
    /// Its connection.
    let channel: any Channel
    /// Where it comes from; set by the gate.
    var client = Client(address: "")
    /// Who asks; set by the gate, `nil` on paths that are open to anybody.
    var visitor: Visitor?
    /// How pages are shown to them; set by the gate.
    var preferences = PagePreferences()

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress?.ipAddress ?? ""
        channel = source.channel
    }

    /// Whether an IP address is this machine's own.
    static func isHere(_ address: String) -> Bool {
        address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }
}

/// Stands around every route: who may pass, how refusals look, what every answer carries.
struct Gate: RouterMiddleware {
    let access: Access
    /// What the server's own paths need.
    let own: [String: Right]
    /// The files of the pages, open to anybody: they hold nothing of anybody.
    let files: PageFiles
    /// What else is served, the shells of the pages among it.
    let routes: [Route]
    let refusals: RefusalCounts
    let connections: Connections

    /// The page may load from here only, and may not turn text into markup or code; one policy starts its worker.
    static let policy =
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types worker"

    func handle(
        _ request: Request, context: WebContext,
        next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.client = Client(request, from: context.peer, proxies: access.proxies)
        context.preferences = PagePreferences(of: request)
        var response = await answer(to: request, context: context, next: next)
        response.headers[.contentSecurityPolicy] = Self.policy
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        if context.client.isSecure {
            response.headers[.strictTransportSecurity] = "max-age=31536000"
        }
        return response
    }

    private func answer(
        to request: Request, context: WebContext,
        next: (Request, WebContext) async throws -> Response
    ) async -> Response {
        var context = context
        let path = request.uri.path
        let here = routes(at: path)
        do throws(Problem) {
            context.visitor = try admitted(request, context.client, here)
        } catch {
            return refused(error, request, context, here)
        }
        // Who is known keeps the place, once the body is here, until the answer has gone out; so does a supervisor.
        if let visitor = context.visitor {
            guard connections.begin(context.channel, by: visitor.principal.name) else {
                return shown(.tooManyAtOnce, request, context, here)
            }
        } else if WebServer.openPaths.contains(path) {
            _ = connections.begin(context.channel, by: path)
        }
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            if isOwn(path) { return Problem.readsOnly.response }
            guard here.isEmpty else { return Problem.wrongMethod(allowed: here).response }
            return shown(.unknownPath, request, context, here)
        } catch let problem as Problem {
            return refused(problem, request, context, here)
        } catch {
            return shown(.bug, request, context, here)
        }
    }

    /// What is served at a path. As for the router, a part that is spelled out is no parameter's value.
    private func routes(at path: String) -> [Route] {
        let matching = routes.filter { $0.matches(path) }
        let spelledOut = matching.filter { $0.path == path }
        return spelledOut.isEmpty ? matching : spelledOut
    }

    /// Whether a path is spelled as the router spells it: no empty part, at the end neither.
    private static func isCanonical(_ path: String) -> Bool {
        path == "/" || (path.hasPrefix("/") && !path.hasSuffix("/") && !path.contains("//"))
    }

    /// Whether the server itself has something at a path.
    private func isOwn(_ path: String) -> Bool {
        own[path] != nil || files.file(at: path) != nil || WebServer.openPaths.contains(path)
    }

    /// A refusal as whoever asked can read it: programs a document, people a page.
    private func shown(
        _ problem: Problem, _ request: Request, _ context: WebContext, _ here: [Route]
    ) -> Response {
        guard Doorway.isPassed(by: request) else { return problem.response }
        return Doorway.answer(
            to: request, refused: problem, isNowhere: here.isEmpty && !isOwn(request.uri.path),
            context.client,
            PageShell(
                context.preferences,
                for: (try? access.visitor(of: request, from: context.client))??.principal))
    }

    /// Counts a refusal; of who may not, whoever keeps the audit is told.
    private func refused(
        _ problem: Problem, _ request: Request, _ context: WebContext, _ here: [Route]
    ) -> Response {
        refusals.count(problem.code)
        if problem.code == .forbidden,
            let visitor = try? access.visitor(of: request, from: context.client),
            visitor.principal != .neighbour,
            let route = here.first(where: { $0.method.rawValue == request.method.rawValue })
        {
            access.authority.onRefusal(visitor, route)
        }
        return shown(problem, request, context, here)
    }

    /// Who asks, if they may ask this; the one place where that is decided.
    private func admitted(
        _ request: Request, _ client: Client, _ here: [Route]
    ) throws(Problem) -> Visitor? {
        let path = request.uri.path
        // A supervisor needs no secret to ask whether the process lives.
        if WebServer.openPaths.contains(path) { return nil }
        // One spelling of each path, so that what is asked for here is what the router finds.
        guard Self.isCanonical(path) else {
            throw access.isAllowed(client) ? .unknownPath : .foreignNetwork
        }
        // A calendar is asked for by any name: its path holds a secret.
        if here.contains(where: \.isSecret) {
            guard access.isAllowed(client) else { throw .foreignNetwork }
            return nil
        }
        if let refusal = access.refusal(of: request, from: client) { throw refusal }
        if files.file(at: path) != nil { return nil }
        let method = request.method == .head ? "GET" : request.method.rawValue
        let route = here.first { $0.method.rawValue == method }
        if let route, route.right == nil {
            // Else a foreign name that points here could have its visitors' browsers guess passwords.
            guard access.isOwn(host: client.host) else { throw .foreignHost }
            return (try? access.visitor(of: request, from: client, isAnybody: true)) ?? nil
        }
        guard let visitor = try access.visitor(of: request, from: client) else {
            throw .tokenNeeded
        }
        // Of what cannot be done by anybody, everybody is told so.
        guard let right = route?.right ?? (method == "GET" ? own[path] : nil) else {
            guard here.isEmpty || visitor.principal != .neighbour else { throw .tokenNeeded }
            return visitor
        }
        guard visitor.principal.reach(right) >= route?.whose.least ?? .nameless else {
            // Whoever only happens to be here may still say who they are.
            throw visitor.principal == .neighbour ? .tokenNeeded : .notAllowed
        }
        return visitor
    }
}

/// Counts of what was refused at the gate, by code.
final class RefusalCounts: Sendable {
    private let counts = Mutex<[ProblemCode: Int]>([:])

    func count(_ code: ProblemCode) { counts.withLock { $0[code, default: 0] += 1 } }

    /// Prometheus text.
    var metrics: String {
        let counts = counts.withLock { $0 }
        let lines = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            "mesh_http_refusals_total{code=\"\($0.key.rawValue)\"} \($0.value)\n"
        }
        return "# TYPE mesh_http_refusals_total counter\n" + lines.joined()
    }
}

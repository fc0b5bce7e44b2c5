import Glibc
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTPTypes

/// A Unix socket at which the user who runs this process asks what anybody else needs a token for, and
/// what is nobody else's to ask.
package struct LocalListener: Sendable {
    /// What `Host` is in every request.
    package static let host = "localhost"

    /// The socket's path as `bind` takes it, 103 bytes at most; nothing may be there.
    package var path: String
    /// What is served here beside the routes of the server.
    package var routes: [Route]
    /// Called once, when connections are accepted.
    package var onListening: @Sendable () -> Void
    /// Called with the system's reason if it cannot be listened here; the server goes on without it.
    package var onFailure: @Sendable (String) -> Void

    package init(
        path: String, routes: [Route], onListening: @escaping @Sendable () -> Void,
        onFailure: @escaping @Sendable (String) -> Void
    ) {
        self.path = path
        self.routes = routes
        self.onListening = onListening
        self.onFailure = onFailure
    }
}

extension WebServer {
    /// Serves the owner until the task is cancelled; whatever goes wrong here ends nothing else.
    func serve(_ local: LocalListener) async throws {
        // The body of an import may be long; how long, each route says.
        var limits = connections.limits
        limits.longestBody = max(
            limits.longestBody, 2 * (local.routes.map(\.longestBody).max() ?? 0))
        let owners = Connections(limits)
        let others = connections
        var application = Application(
            router: router(.owners, routes + local.routes),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [PeerWatch(others), ConnectionWatch(owners)],
                    httpDecoderConfiguration: Self.decoder)),
            configuration: .init(
                address: .unixDomainSocket(path: local.path), availableConnectionsDelegate: owners),
            onServerRunning: { _ in local.onListening() })
        application.logger.logLevel = .critical
        let server = application
        do {
            try await server.run()
        } catch {
            guard !Task.isCancelled else { return }
            local.onFailure("\(error)")
        }
        // Whoever waits for the first of several tasks to end must not take this one's end for theirs.
        try await Task.sleep(for: .seconds(1_000_000_000))
    }
}

/// Closes connections of other users than the one who runs this process, and root. The rights of the
/// socket's file keep them away already, but for the moment before they are set.
///
/// Belongs to the connection's event loop.
final class PeerWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let connections: Connections
    private var isKnown = false

    /// `connections` counts who is refused.
    init(_ connections: Connections) { self.connections = connections }

    /// Whether a user may ask.
    static func isWelcome(_ user: uid_t, own: uid_t = geteuid()) -> Bool {
        user == own || user == 0
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isKnown {
            guard let user = Self.user(of: context.channel), Self.isWelcome(user) else {
                connections.count(.foreign)
                context.close(promise: nil)
                return
            }
            isKnown = true
        }
        context.fireChannelRead(data)
    }

    /// `struct ucred` of socket(7), which Glibc's module does not have.
    private struct Credentials: Sendable {
        var process: pid_t
        var user: uid_t
        var group: gid_t
    }

    /// Who is at the other end, as the kernel noted it when they connected; `nil` if it does not say.
    private static func user(of channel: any Channel) -> uid_t? {
        guard let socket = channel as? any SocketOptionProvider else { return nil }
        let option: EventLoopFuture<Credentials> = socket.unsafeGetSocketOption(
            level: .init(rawValue: SOL_SOCKET), name: .init(rawValue: SO_PEERCRED))
        // Asked on the channel's own event loop, it is answered at once.
        var user: uid_t?
        option.assumeIsolated().whenSuccess { user = $0.user }
        return user
    }
}

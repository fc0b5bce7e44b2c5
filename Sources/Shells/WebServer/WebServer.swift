import Hummingbird
import HummingbirdCore
import Permissions

/// The coordinator's HTTP server: the dashboard, its event stream, health, metrics and further
/// routes.
package struct WebServer: Sendable {
    /// Why the server could not serve.
    package enum Failure: Error, Equatable, Sendable {
        /// The address is taken, not of this machine, or not allowed. `reason` is the system's.
        case cannotListen(host: String, port: Int, reason: String)
    }

    /// Answered without a token, to anybody who can connect; routes say it themselves.
    static let openPaths: Set<String> = ["/healthz", "/readyz"]

    /// Server-sent events, and the same state at once.
    package static let streamPath = "/api/v1/stream"
    package static let snapshotPath = "/api/v1/snapshot"

    /// Pages notice a lost line by the silence of two of these and a bit.
    private static let clockInterval = Duration.seconds(2)

    private let host: String
    private let port: Int
    private let feed: LiveFeed
    private let access: Access
    private let health: Health
    let routes: [Route]
    let connections: Connections
    let refusals = RefusalCounts()
    private let local: LocalListener?

    /// A server that does not listen yet.
    ///
    /// - Parameters:
    ///   - host: The name or address to listen on.
    ///   - port: The port, or 0 for any that is free.
    ///   - feed: What the pages see.
    ///   - access: Who may read.
    ///   - health: Asked on `/healthz`, `/readyz` and `/metrics`.
    ///   - routes: What else is served, each method of a path once.
    ///   - limits: How many may be connected, and how long they may take.
    ///   - local: Where the owner of this process asks, without a token; `nil`: nowhere.
    package init(
        host: String, port: Int, feed: LiveFeed, access: Access, health: Health,
        routes: [Route] = [], limits: ConnectionLimits = ConnectionLimits(),
        local: LocalListener? = nil
    ) {
        self.host = host
        self.port = port
        self.feed = feed
        self.access = access
        self.health = health
        self.routes = routes
        var limits = limits
        // The connection ends where no route takes so much; the route itself says what it takes.
        limits.longestBody = max(limits.longestBody, 2 * (routes.map(\.longestBody).max() ?? 0))
        connections = Connections(limits)
        self.local = local
    }

    /// Serves until the task is cancelled, then closes every connection, open streams too, and
    /// returns. Throws `Failure.cannotListen` if it cannot begin.
    ///
    /// - Parameter onListening: Called once, with the real port, when connections are accepted.
    package func run(onListening: @escaping @Sendable (Int) -> Void) async throws {
        let isListening = Once()
        let connections = connections
        var application = Application(
            router: router(access, routes),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [ConnectionWatch(connections)],
                    httpDecoderConfiguration: Self.decoder)),
            configuration: .init(
                address: .hostname(host, port: port), availableConnectionsDelegate: connections),
            onServerRunning: { channel in
                isListening.happened()
                onListening(channel.localAddress?.port ?? 0)
            })
        application.logger.logLevel = .critical
        let server = application
        do {
            try await withThrowingTaskGroup { group in
                group.addTask { try await server.run() }
                group.addTask { try await tellTime() }
                if let local { group.addTask { try await serve(local) } }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch {
            guard !Task.isCancelled else { return }
            guard isListening.hasHappened else {
                throw Failure.cannotListen(host: host, port: port, reason: "\(error)")
            }
            throw error
        }
    }

    /// What the head of a request may be.
    static let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
        maxHeaderFieldSize: ConnectionLimits.longestField,
        maxHeaderListSize: ConnectionLimits.longestHead,
        maxHeaderFieldCount: ConnectionLimits.mostFields)

    private func tellTime() async throws {
        while true {
            for turn in 1...8 {
                try await Task.sleep(for: Self.clockInterval)
                feed.tellTime(isHeartbeat: turn == 8, fault: health.fault() ?? health.obstacle())
            }
        }
    }
}

extension WebServer {
    /// What it serves beside routes and files, for the description of the interface.
    package static let described: [Route] = [
        Route(
            .get, streamPath, .live, whose: .filtered,
            about: RouteText(
                "The live state, then what changes, as server-sent events; Last-Event-ID goes on.",
                query: [topics, account], type: "text/event-stream", refusals: [.rateLimited])
        ) { _ in .json("") },
        Route(
            .get, snapshotPath, .live, whose: .filtered,
            about: RouteText(
                "The live state at once; a stream goes on after the header Last-Event-ID of the answer.",
                query: [topics],
                answer: [
                    .always(
                        "names", .object(names), "What is called how, as far as it may be seen."),
                    .always("topics", .map(.value), "Payloads by topic, as on MQTT."),
                    .always("server_ms", .time),
                    .init("data_ms", .time, "When a node was last heard."),
                ]
            )
        ) { _ in .json("") },
        Route(
            .get, "/metrics", .metrics,
            about: RouteText("Figures for Prometheus.", type: "text/plain")
        ) { _ in .json("") },
        Route(
            .get, "/healthz", nil,
            about: RouteText("Whether everything is recorded.", type: "text/plain")
        ) { _ in .json("") },
        Route(
            .get, "/readyz", nil,
            about: RouteText("Whether it can do its work now.", type: "text/plain")
        ) { _ in .json("") },
    ]

    /// What of the live state is wanted.
    private static let topics = RouteText.Field(
        "topics", .text(1...TopicChoice.longest),
        "Filters of topics below the site, with commas: `user/+/presence,room/+/state`. All if left out."
    )

    private static let account = RouteText.Field(
        "account", .text(1...64),
        "Refused with 401 if the session is another account's: for pages that are left open.")

    /// The names of a snapshot, by slug; none before there is a site.
    private static let names: [RouteText.Field] = [
        .init(
            "site",
            .object([
                .always("id", .slug), .always("name", .anyText), .always("demo", .flag),
            ])), .init("rooms", .map(.anyText)), .init("stations", .map(.anyText)),
        .init("nodes", .map(.anyText)), .init("users", .map(.anyText)),
        .init("beacons", .map(.anyText)),
    ]

    /// Every path there is.
    func router(_ access: Access, _ routes: [Route]) -> Router<WebContext> {
        let pages:
            [(path: String, right: Right, answer: @Sendable (Request, WebContext) -> Response)] =
                [
                    (Self.streamPath, .live, { stream($0, $1, access) }),
                    (
                        Self.snapshotPath, .live,
                        { request, context in
                            guard let view = context.visitor.flatMap({ FeedView(of: $0.principal) })
                            else { return Problem.notAllowed.response }
                            let choice: TopicChoice?
                            do throws(Problem) {
                                choice = try Self.choice(of: request, allowed: [Self.topics])
                            } catch { return error.response }
                            let (json, id) = feed.snapshot(as: view, of: choice)
                            var response = text(ByteBuffer(bytes: json), "application/json")
                            if let name = HTTPFields.Element.Name("Last-Event-ID") {
                                response.headers[name] = id
                            }
                            return response
                        }
                    ),
                    (
                        "/metrics", .metrics,
                        { _, _ in
                            let own = connections.metrics + refusals.metrics
                            return text(
                                ByteBuffer(string: health.metrics() + own),
                                "text/plain; version=0.0.4")
                        }
                    ),
                ]
        let probes: [(path: String, answer: @Sendable () -> Response)] = [
            ("/healthz", { verdict(health.fault(), well: "ok") }),
            ("/readyz", { verdict(health.fault() ?? health.obstacle(), well: "ready") }),
        ]
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        let routes = routes + PageSpec.all.map(\.route) + Pages.shared.routes
        let files = Pages.shared.files
        router.add(
            middleware: Gate(
                access: access,
                own: Dictionary(pages.map { ($0.path, $0.right) }) { first, _ in first },
                files: files, routes: routes, refusals: refusals, connections: connections))
        for (path, right, answer) in pages {
            router.get(RouterPath(path)) { request, context in
                // The gate has asked so by the path; this must not depend on that being the same.
                guard let visitor = context.visitor,
                    visitor.principal.reach(right) >= .nameless
                else { throw Problem.notAllowed }
                return answer(request, context)
            }
        }
        for (path, answer) in probes { router.get(RouterPath(path)) { _, _ in answer() } }
        for (name, file) in files.files {
            router.get(RouterPath(files.address(name))) { request, _ in file.response(to: request) }
        }
        let large = LargeBodies()
        for route in routes {
            guard let method = HTTPRequest.Method(route.method.rawValue) else { continue }
            router.on(RouterPath(route.routerPath), method: method) { request, context in
                try await route.response(to: request, context: context, large)
            }
        }
        return router
    }

    /// What of the live state a request asks for; `nil`: all.
    private static func choice(
        of request: Request, allowed: [RouteText.Field]
    ) throws(Problem) -> TopicChoice? {
        let query = (try? Route.query(request.uri.query ?? "")) ?? [("", "")]
        let (names, known) = (query.map(\.name), allowed.map(\.name))
        guard Set(names).isSubset(of: known), Set(names).count == names.count else {
            throw Problem(
                .badRequest, "Here \(known.joined(separator: " and ")) may be given, each once.")
        }
        guard let text = query.first(where: { $0.name == topics.name })?.value else { return nil }
        guard let choice = TopicChoice(text) else {
            throw Problem(
                .badRequest,
                "topics: up to \(TopicChoice.most) filters such as user/+/presence expected, with commas."
            )
        }
        return choice
    }

    /// Events until the page goes away, its session ends, or the server stops.
    private func stream(_ request: Request, _ context: WebContext, _ access: Access) -> Response {
        guard let visitor = context.visitor, let view = FeedView(of: visitor.principal) else {
            return Problem.notAllowed.response
        }
        let choice: TopicChoice?
        do throws(Problem) {
            choice = try Self.choice(of: request, allowed: [Self.topics, Self.account])
        } catch { return error.response }
        let last = HTTPFields.Element.Name("Last-Event-ID").flatMap { request.headers[$0] }
        let holds = access.authority.holds
        // Whoever is here unasked is not told apart.
        let reader = visitor.principal == .neighbour ? nil : visitor.principal.name
        let events: LiveFeed.Subscription
        do throws(LiveFeed.Crowd) {
            events = try feed.subscribe(
                as: view, of: choice, by: reader, after: last, whileTrue: { holds(visitor) })
        } catch {
            switch error {
            case .full: return Problem.tooManyPages.response
            case .tooManyOfOne: return Problem.tooManyOfYours.response
            }
        }
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        guard Gzip.isTaken(by: request) else {
            return Response(
                status: .ok, headers: headers,
                body: .init { writer in
                    for await event in events { try await writer.write(event) }
                    try await writer.finish(nil)
                })
        }
        headers[.contentEncoding] = "gzip"
        headers[.vary] = "Accept-Encoding"
        return Response(
            status: .ok, headers: headers,
            body: .init { writer in
                // Where zlib fails the stream ends, and the page asks again.
                let gzip = Gzip(.stream)
                for await event in events {
                    guard let packed = gzip?.packed(event) else { break }
                    try await writer.write(packed)
                }
                try await writer.finish(nil)
            })
    }

    /// `well`, or 503 with what is wrong.
    private func verdict(_ fault: String?, well: String) -> Response {
        guard let fault else { return text(ByteBuffer(string: well + "\n"), "text/plain") }
        var response = text(ByteBuffer(string: fault + "\n"), "text/plain")
        response.status = .serviceUnavailable
        return response
    }

    private func text(_ content: ByteBuffer, _ type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: "no-store"],
            body: .init(byteBuffer: content))
    }
}

/// What the server can say about the coordinator when asked by machines.
///
/// The closures are called on the web's threads, at any time and several at once.
package struct Health: Sendable {
    /// Why nothing is recorded, one word, or `nil` if all is well. Behind `/healthz` and `/readyz`.
    package var fault: @Sendable () -> String?
    /// Why the coordinator cannot do its work now, or `nil` if it can. Behind `/readyz`.
    package var obstacle: @Sendable () -> String?
    /// Figures in the Prometheus text format. Behind `/metrics`.
    package var metrics: @Sendable () -> String

    /// How to ask the coordinator.
    package init(
        fault: @escaping @Sendable () -> String?, obstacle: @escaping @Sendable () -> String?,
        metrics: @escaping @Sendable () -> String
    ) {
        self.fault = fault
        self.obstacle = obstacle
        self.metrics = metrics
    }
}

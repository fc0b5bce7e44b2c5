import Permissions
import Testing

@testable import WebServer

/// Who may read, and how refusals look.
@Suite(.timeLimit(.minutes(2)))
struct AccessTests {
    var fixture = ServerFixture()

    private func status(_ path: String, host: String = "localhost", _ header: String? = nil)
        async throws -> Substring
    {
        let answer =
            if let header {
                try await fixture.answer(to: "GET \(path)", host: host, header)
            } else {
                try await fixture.answer(to: "GET \(path)", host: host)
            }
        return answer.dropFirst("HTTP/1.1 ".count).prefix(3)
    }

    @Test(arguments: ["Bearer a-secret", "bearer a-secret"])
    func `the right token is let in`(credentials: String) async throws {
        #expect(try await status("/metrics", "Authorization: \(credentials)") == "200")
    }

    @Test(arguments: [
        "Bearer a-secre", "Bearer a-secreta-secret", "Bearer b-secret", "Bearer ", "Bearer",
        "Basic a-secret", "a-secret",
    ])
    func `a wrong token is refused, also from here`(credentials: String) async throws {
        let answer = try await fixture.answer(
            to: "GET /api/v1/snapshot", "Authorization: \(credentials)")
        #expect(answer.hasPrefix("HTTP/1.1 401 Unauthorized\r\n"))
        #expect(answer.contains("WWW-Authenticate: Bearer"))
        #expect(answer.contains("Content-Type: application/problem+json\r\n"))
        #expect(answer.contains(#""code":"unauthorised"}"#))
    }

    @Test mutating func `no token is right where none is set`() async throws {
        fixture.access = ServerFixture.access(token: nil, isReadingAnonymous: true)
        #expect(try await status("/metrics", "Authorization: Bearer x") == "401")
        #expect(try await status("/metrics") == "200")
        fixture.access = ServerFixture.access(token: "")
        #expect(try await status("/metrics", "Authorization: Bearer ") == "401")
    }

    @Test mutating func `without anonymous reading only health, the door and its files are open`()
        async throws
    {
        fixture.access = ServerFixture.access(token: "a-secret")
        #expect(try await status("/signin") == "200")
        #expect(try await status(Pages.shared.files.address("start.js")) == "200")
        for path in ["/", "/docs", "/api/v1/stream", "/api/v1/snapshot", "/metrics", "/nowhere"] {
            #expect(try await status(path) == "401", "\(path)")
        }
        #expect(try await status("/healthz") == "200")
        #expect(try await status("/metrics", "Authorization: Bearer a-secret") == "200")
    }

    @Test(arguments: ["http://evil.example", "null", "http://localhost:1"])
    func `pages of other origins are refused`(origin: String) async throws {
        #expect(try await status("/api/v1/snapshot", "Origin: \(origin)") == "403")
    }

    @Test func `the page's own origin is not foreign`() async throws {
        #expect(try await status("/metrics", "Origin: http://localhost:{port}") == "200")
    }

    @Test func `a foreign name that points here is refused`() async throws {
        #expect(try await status("/api/v1/snapshot", host: "evil.example") == "403")
        #expect(try await status("/api/v1/snapshot", host: "127.0.0.1") == "200")
    }

    @Test(arguments: ["X-Forwarded-For: 203.0.113.7", "Forwarded: for=203.0.113.7"])
    func `a proxy speaks for somebody elsewhere`(header: String) async throws {
        #expect(try await status("/metrics", header) == "401")
    }

    @Test mutating func `a proxy is believed only where it is named`() async throws {
        let forwarded = "X-Forwarded-For: 10.1.2.3, 203.0.113.7"
        let credentials = "Authorization: Bearer a-secret"
        func asked(_ more: String) async throws -> String {
            try await fixture.answer(to: "GET /metrics", forwarded, credentials, more)
        }
        #expect(try await asked("X-Forwarded-Proto: https").hasPrefix("HTTP/1.1 200 "))
        fixture.access.proxies = [try #require(Network("127.0.0.1"))]
        #expect(try await asked("Accept: */*").hasPrefix("HTTP/1.1 403 "), "from the internet")
        fixture.access.networks.append(try #require(Network("203.0.113.0/24")))
        let answer = try await asked("X-Forwarded-Proto: https")
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.contains("Strict-Transport-Security: max-age="))
        #expect(!(try await asked("X-Forwarded-Proto: http")).contains("Strict-Transport"))
    }

    @Test mutating func `a session needs its own origin, a name of ours, and no other cookie`()
        async throws
    {
        let visitor = Visitor(Principal(name: "account:a", role: .owner), by: .session([1]))
        fixture.access = Access(
            Authority(token: { _ in nil }, session: { $0 == "good" ? visitor : nil }))
        fixture.routes = [Route(.post, "/api/v1/things", .reports) { _ in .json("{}") }]
        let cookie = "Cookie: a=b; beaconmesh=good"
        let type = "Content-Type: application/json"
        #expect(try await status("/metrics", cookie) == "200")
        #expect(try await status("/metrics", "Cookie: beaconmesh=bad") == "401")
        #expect(try await status("/metrics", "Cookie: __Host-beaconmesh=good") == "401")
        #expect(try await status("/metrics", host: "evil.example", cookie) == "403")
        // Another server of this host has set one, too, for a path that is sent first.
        let two = "Cookie: beaconmesh=bad; beaconmesh=good"
        #expect(try await status("/metrics", two) == "200")
        fixture.access.hosts = ["gym.local"]
        #expect(try await status("/metrics", host: "gym.local", cookie) == "200")
        let post = "POST /api/v1/things"
        let without = try await fixture.answer(to: post, cookie, type, body: "{}")
        #expect(without.hasPrefix("HTTP/1.1 403 "))
        fixture.routes.append(Route(.post, "/api/v1/door", nil) { _ in .json("{}") })
        let guess = "POST /api/v1/door"
        for (host, start) in [("localhost", "200"), ("gym.local", "200"), ("evil.example", "403")] {
            let answer = try await fixture.answer(to: guess, host: host, type, body: "{}")
            #expect(answer.hasPrefix("HTTP/1.1 \(start) "), "\(host)")
        }
        let own = try await fixture.answer(
            to: post, cookie, type, "Origin: http://localhost:{port}", body: "{}")
        #expect(own.hasPrefix("HTTP/1.1 200 "))
    }

    @Test mutating func `what a page asks for one account is not done for another`() async throws {
        fixture.access.authority.session = { name in
            Visitor(Principal(name: "account:\(name)", role: .owner), by: .place)
        }
        let cookie = "Cookie: beaconmesh=bob"
        for (meant, code) in [("bob", "200"), ("ann", "401"), ("", "401")] {
            let answer = try await fixture.answer(
                to: "GET /metrics", cookie, "Beaconmesh-Account: \(meant)")
            #expect(answer.hasPrefix("HTTP/1.1 \(code) "), "\(meant)")
            guard code == "401" else { continue }
            #expect(
                try await status("/api/v1/stream?topics=info&account=\(meant)", cookie) == code)
        }
        // Whoever signs in at it takes the place of who signed in since.
        fixture.routes = [
            Route(.get, "/who", nil) { request in
                .json("{\"name\":\"\(request.visitor?.principal.name ?? "")\"}")
            }
        ]
        let open = try await fixture.answer(to: "GET /who", cookie, "Beaconmesh-Account: ann")
        #expect(open.contains("account:bob"), "\(open)")
        // A token is whose it is.
        let token = "Authorization: Bearer a-secret"
        let answer = try await fixture.answer(
            to: "GET /metrics", token, "Beaconmesh-Account: ann")
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
    }

    @Test(arguments: [
        ("http://evil.example/metrics", "400"), ("http://localhost/metrics", "400"),
        ("http://u@localhost:{port}/metrics", "400"), ("http://localhost:{port}/metrics", "200"),
        ("HTTP://LOCALHOST:{port}/metrics", "200"), ("/metrics", "200"),
    ])
    func `a target names the server that Host names`(target: String, code: String) async throws {
        let answer = try await fixture.answer(
            to: "GET \(target)", "Authorization: Bearer a-secret")
        #expect(answer.hasPrefix("HTTP/1.1 \(code) "), "\(answer.prefix(60))")
    }

    @Test func `a snapshot takes topics, and nothing else`() async throws {
        let token = "Authorization: Bearer a-secret"
        for (query, code) in [
            ("topics=user/%2B/presence", "200"), ("topics=", "400"), ("topics=%23%23", "400"),
            ("topic=a", "400"), ("topics=info&topics=info", "400"), ("account=a", "400"),
        ] {
            #expect(try await status("/api/v1/snapshot?\(query)", token) == code, "\(query)")
        }
    }

    @Test mutating func `cookies of two people sign in nobody`() async throws {
        fixture.access = Access(
            Authority(
                token: { _ in nil },
                session: { Visitor(Principal(name: "account:\($0)", role: .owner), by: .place) }))
        #expect(try await status("/metrics", "Cookie: beaconmesh=ann") == "200")
        #expect(try await status("/metrics", "Cookie: beaconmesh=ann; beaconmesh=bob") == "401")
    }

    @Test mutating func `over TLS only the cookie counts that no other server can set`()
        async throws
    {
        let visitor = Visitor(Principal(name: "account:a", role: .owner), by: .session([1]))
        fixture.access = Access(
            Authority(token: { _ in nil }, session: { $0 == "good" ? visitor : nil }))
        fixture.access.proxies = [try #require(Network("127.0.0.1"))]
        func asked(_ cookie: String) async throws -> Bool {
            try await fixture.answer(
                to: "GET /metrics", "X-Forwarded-Proto: https", "Cookie: \(cookie)"
            ).hasPrefix("HTTP/1.1 200 ")
        }
        #expect(try await asked("__Host-beaconmesh=good"))
        #expect(try await asked("beaconmesh=bad; __Host-beaconmesh=good"))
        let isPlainTaken = try await asked("beaconmesh=good")
        #expect(!isPlainTaken)
    }
}

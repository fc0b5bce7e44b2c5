import Testing

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

    @Test mutating func `without anonymous reading only health and the page's files are open`()
        async throws
    {
        fixture.access = ServerFixture.access(token: "a-secret")
        #expect(try await status("/") == "200")
        for path in ["/api/v1/stream", "/api/v1/snapshot", "/metrics", "/nowhere"] {
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
}

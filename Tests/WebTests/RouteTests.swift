import Testing

@testable import SiteModel
@testable import WebServer

/// What is served besides the dashboard.
@Suite(.timeLimit(.minutes(2)))
struct RouteTests {
    var fixture = ServerFixture()
    let token = "Authorization: Bearer a-secret"

    init() {
        fixture.routes = [
            Route(.get, "/api/v1/things", .reports) { request in
                let asked = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
                return .json(asked)
            },
            Route(.post, "/api/v1/things", .reports) { request in
                .json(
                    String(decoding: request.body, as: UTF8.self)
                        + (request.idempotencyKey ?? "none"), status: 201)
            },
            Route(.get, "/api/v1/refused", .reports) { _ in
                throw RouteProblem(.overlap, "“\"<b>”")
            },
            Route(.get, "/api/v1/broken", .reports) { _ in throw CancellationError() },
            Route(.get, "/api/v1/cut", .reports) { _ in
                RouteAnswer(
                    contentType: "text/csv",
                    body: .stream { write in
                        try await write(Array("first,".utf8)[...])
                        throw CancellationError()
                    })
            },
            Route(.get, "/api/v1/long", .reports) { _ in
                RouteAnswer(
                    contentType: "text/csv",
                    headers: [("Content-Disposition", "attachment; filename=\"a.csv\"")],
                    body: .stream { write in
                        for _ in 0..<100 {
                            try await write(
                                Array(String(repeating: "x", count: 10000).utf8)[...])
                        }
                    })
            },
            Route(.get, "/feeds/{secret}", nil, isSecret: true) { request in
                .json(request.parameters["secret"] ?? "none")
            },
        ]
    }

    @Test func `the query arrives decoded and in order`() async throws {
        let answer = try await fixture.answer(
            to: "GET /api/v1/things?b=%C3%A9+1&a=&b=%26&c", token)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("Cache-Control: no-store\r\n"))
        #expect(answer.hasSuffix("\r\n\r\nb=é 1&a=&b=&&c="))
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%ff", "%c3=1", "a=%+1"])
    func `a query that is not percent-encoded UTF-8 is refused`(query: String) async throws {
        let answer = try await fixture.answer(to: "GET /api/v1/things?\(query)", token)
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(answer.contains(#""code":"bad_request""#))
    }

    @Test func `a refusal is a problem document with its code`() async throws {
        let answer = try await fixture.answer(to: "GET /api/v1/refused", token)
        #expect(answer.hasPrefix("HTTP/1.1 409 Conflict\r\n"))
        #expect(answer.contains("Content-Type: application/problem+json\r\n"))
        #expect(answer.contains(#""status":409,"detail":"“\"<b>”","code":"overlap"}"#))
        let broken = try await fixture.answer(to: "GET /api/v1/broken", token)
        #expect(broken.hasPrefix("HTTP/1.1 500 "))
        #expect(broken.contains(#""code":"internal"}"#))
    }

    @Test func `a long answer arrives part by part, whole`() async throws {
        let answer = try await fixture.answer(to: "GET /api/v1/long", token)
        let head = answer.prefix(500)
        #expect(head.lowercased().contains("transfer-encoding: chunked\r\n"))
        #expect(head.contains("Content-Disposition: attachment; filename=\"a.csv\"\r\n"))
        let isWhole = answer.count { $0 == "x" } >= 1_000_000 && answer.hasSuffix("0\r\n\r\n")
        #expect(isWhole)
    }

    @Test func `half an answer does not look like a whole one`() async throws {
        let answer = try await fixture.answer(to: "GET /api/v1/cut", token)
        #expect(!answer.hasSuffix("0\r\n\r\n"))
    }

    @Test(arguments: ["GET", "HEAD", "POST", "DELETE"])
    func `what is kept about people needs the token, also from here`(method: String) async throws {
        let type = "Content-Type: application/json"
        for host in ["localhost", "127.0.0.1"] {
            let answer = try await fixture.answer(
                to: "\(method) /api/v1/things", host: host, type)
            #expect(answer.hasPrefix("HTTP/1.1 401 "), "\(host)")
        }
    }

    @Test func `only a token may write, also from here`() async throws {
        let type = "Content-Type: application/json"
        let anonymous = try await fixture.answer(to: "POST /api/v1/things", type, body: "{}")
        #expect(anonymous.hasPrefix("HTTP/1.1 401 "))
        let known = try await fixture.answer(
            to: "POST /api/v1/things", type, "Authorization: Bearer a-secret",
            "Idempotency-Key: k-1", body: "{}")
        #expect(known.hasPrefix("HTTP/1.1 201 Created\r\n"))
        #expect(known.hasSuffix("\r\n\r\n{}k-1"))
    }

    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "application/jsonx"])
    func `a body must be JSON`(type: String) async throws {
        let answer = try await fixture.answer(
            to: "POST /api/v1/things", "Content-Type: \(type)", "Authorization: Bearer a-secret",
            body: "{}")
        #expect(answer.hasPrefix("HTTP/1.1 415 "))
        #expect(answer.contains(#""code":"unsupported_type"}"#))
    }

    @Test mutating func `what needs no body takes none, and no type of it`() async throws {
        fixture.routes = [
            Route(.post, "/api/v1/bell", .reports, about: RouteText("Rings.")) { request in
                .json("rang \(request.body.count)")
            },
            Route(
                .post, "/api/v1/say", .reports,
                about: RouteText("Says.", body: [.init("it", .slug)])
            ) { _ in .json("said") },
        ]
        for header in ["Accept: */*", "Content-Length: 0"] {
            let rings = try await fixture.answer(to: "POST /api/v1/bell", token, header)
            #expect(rings.hasSuffix("\r\n\r\nrang 0"))
        }
        let type = "Content-Type: application/json"
        let empty = try await fixture.answer(to: "POST /api/v1/bell", token, type, body: "{}")
        #expect(empty.hasSuffix("\r\n\r\nrang 2"))
        for (path, body) in [("bell", "{}"), ("say", ""), ("say", "{}")] {
            let refused = try await fixture.answer(to: "POST /api/v1/\(path)", token, body: body)
            #expect(refused.hasPrefix("HTTP/1.1 415 "), "\(path) \(body)")
        }
    }

    @Test func `a body too long is refused`() async throws {
        let answer = try await fixture.answer(
            to: "POST /api/v1/things", "Content-Type: application/json; charset=utf-8",
            "Authorization: Bearer a-secret",
            body: String(repeating: " ", count: Route.largestBody + 1))
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
        #expect(answer.contains(#""code":"too_large"}"#))
    }

    @Test func `another method is told what the path takes`() async throws {
        let answer = try await fixture.answer(
            to: "DELETE /api/v1/things", "Authorization: Bearer a-secret")
        #expect(answer.hasPrefix("HTTP/1.1 405 "))
        #expect(answer.contains("Allow: GET, HEAD, POST\r\n"))
    }

    @Test mutating func `a path that is spelled out is no other one's parameter`() async throws {
        fixture.routes = [
            Route(.get, "/api/v1/things/{id}", .reports) { _ in .json("one") },
            Route(.delete, "/api/v1/things/{id}", .reports) { _ in .json("gone") },
            Route(.post, "/api/v1/things/swap", .reports) { _ in .json("swapped") },
        ]
        let wrong = try await fixture.answer(to: "GET /api/v1/things/swap", token)
        #expect(wrong.hasPrefix("HTTP/1.1 405 "))
        #expect(wrong.contains("Allow: POST\r\n"))
        let other = try await fixture.answer(to: "PUT /api/v1/things/7", token)
        #expect(other.contains("Allow: DELETE, GET, HEAD\r\n"))
    }

    @Test mutating func `a path that holds a secret needs no token`() async throws {
        fixture.access = ServerFixture.access(token: "a-secret")
        let answer = try await fixture.answer(to: "GET /feeds/abc", host: "calendar.example")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.hasSuffix("abc"))
        let deeper = try await fixture.answer(to: "GET /feeds/abc/d")
        #expect(deeper.hasPrefix("HTTP/1.1 401 "))
        let other = try await fixture.answer(to: "GET /api/v1/things")
        #expect(other.hasPrefix("HTTP/1.1 401 "))
    }
}

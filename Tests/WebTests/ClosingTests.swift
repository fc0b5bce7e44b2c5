import Testing

@testable import WebServer

/// What a client is told before its body is read, after it, and where it sent no request at all.
@Suite(.timeLimit(.minutes(5)))
struct ClosingTests {
    var fixture = ServerFixture()

    static let token = "Authorization: Bearer a-secret"
    static let json = "Content-Type: application/json"
    private static let invitation = "HTTP/1.1 100 Continue\r\n\r\n"

    init() {
        fixture.limits.linger = .seconds(60)
        fixture.routes = [
            Route(.post, "/api/v1/things", .reports) { .json("\($0.body.count) bytes") }
        ]
    }

    /// The head of a POST with a body.
    private static func head(_ length: Int, _ fields: String...) -> String {
        let lines =
            [
                "POST /api/v1/things HTTP/1.1", "Host: localhost", "Content-Length: \(length)",
            ] + fields
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    @Test func `a client that waits to be asked for its body is asked`() async throws {
        try await fixture.running { port in
            let connection = try await RawConnection.open(port: port)
            for _ in 0..<2 {
                try await connection.send(
                    Self.head(2, Self.token, Self.json, "Expect: 100-continue"))
                #expect(try await connection.read(until: "\r\n\r\n") == Self.invitation)
                try await connection.send("{}")
                let answer = try await connection.read(until: "2 bytes")
                #expect(answer.hasPrefix("HTTP/1.1 200 "))
            }
        }
    }

    @Test(arguments: [
        (fields: [ClosingTests.json], length: 2, status: 401),
        (fields: [ClosingTests.token, "Content-Type: text/plain"], length: 2, status: 415),
        (fields: [ClosingTests.token, ClosingTests.json], length: 100_000, status: 413),
    ])
    func `who is refused by the head is not asked for the body`(
        fields: [String], length: Int, status: Int
    ) async throws {
        try await fixture.running { port in
            let connection = try await RawConnection.open(port: port)
            let more = fields.joined(separator: "\r\n")
            try await connection.send(Self.head(length, more, "Expect: 100-continue"))
            let answer = try await connection.read(until: "}\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        }
    }

    @Test(arguments: [
        "GET nowhere HTTP/1.1", "GET /a b HTTP/1.1", "FOO / HTTP/1.1", "get / HTTP/1.1",
        "GET /\(String(repeating: "a", count: 9000)) HTTP/1.1", "GET / HTTP/1.1\r\nA b: c",
    ])
    func `what is no request is told so as everything is refused`(line: String) async throws {
        try await fixture.running { port in
            let (_, answers) = try await RawConnection.exchange(
                "\(line)\r\nHost: localhost\r\n\r\n", port: port)
            let answer = answers[0]
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(answer.contains("Content-Type: application/problem+json\r\n"))
            #expect(answer.contains("Connection: close\r\n"))
            #expect(answer.hasSuffix(#""code":"bad_request"}"# + "\n"))
        }
    }

    /// More than the kernel keeps for both sides: it can be sent only if it is read.
    @Test mutating func `a client that sends all before it reads sees why its body is refused`()
        async throws
    {
        fixture.limits.longestBody = 64 << 20
        fixture.limits.body = .seconds(60)
        let length = 24 << 20
        let body = String(repeating: " ", count: length)
        try await fixture.running { port in
            for end in ["Connection: close", "Accept: */*"] {
                let connection = try await RawConnection.open(port: port)
                try await connection.send(Self.head(length, Self.token, Self.json, end) + body)
                let answer = try await connection.read(until: "too_large\"}\n")
                #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(end)")
                if end == "Connection: close" {
                    #expect(try await connection.read() == "", "it is closed, and not reset")
                }
            }
        }
    }

    @Test func `a body that is too long for everybody ends the connection without a reset`()
        async throws
    {
        let length = ConnectionLimits().longestBody + 100_000
        try await fixture.running { port in
            let connection = try await RawConnection.open(port: port)
            try await connection.send(
                Self.head(length, Self.token, Self.json) + String(repeating: " ", count: length))
            let answer = try await connection.read()
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
            #expect(answer.contains(#""code":"too_large"}"#))
        }
    }
}

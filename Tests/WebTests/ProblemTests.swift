import Foundation
import Testing

@testable import SiteModel
@testable import WebServer

/// Every refusal of the server is a problem document with a code of the closed list.
@Suite(.timeLimit(.minutes(2)))
struct ProblemTests {
    var fixture = ServerFixture()

    init() {
        fixture.routes = [
            Route(.post, "/api/v1/things", .reports) { _ in throw RouteProblem(.lockedPeriod, "no")
            }
        ]
    }

    @Test(arguments: ProblemCode.allCases)
    func `each code has a status of an error, and is one word`(code: ProblemCode) {
        #expect((400...599).contains(code.status))
        #expect(code.rawValue.allSatisfy { $0.isLowercase || $0 == "_" })
    }

    @Test(arguments: [
        ("GET /nowhere", "localhost", [], 404, "not_found"),
        ("GET /%ff", "localhost", [], 404, "not_found"),
        ("POST /metrics", "localhost", [], 405, "method_not_allowed"),
        ("DELETE /api/v1/stream", "localhost", [], 405, "method_not_allowed"),
        (
            "GET /api/v1/things", "localhost", ["Authorization: Bearer a-secret"], 405,
            "method_not_allowed"
        ),
        ("GET /metrics", "localhost", ["Authorization: Bearer no"], 401, "unauthorised"),
        ("POST /api/v1/things", "localhost", [], 401, "unauthorised"),
        ("GET /metrics", "evil.example", [], 403, "forbidden"),
        ("GET /", "localhost", ["Origin: http://evil.example"], 403, "forbidden"),
        (
            "POST /api/v1/things", "localhost", ["Authorization: Bearer a-secret"], 415,
            "unsupported_type"
        ),
        (
            "POST /api/v1/things", "localhost",
            ["Authorization: Bearer a-secret", "Content-Type: application/json"], 423,
            "locked_period"
        ),
    ])
    func `each refusal says its code`(
        line: String, host: String, headers: [String], status: Int, code: String
    ) async throws {
        var answer = ""
        try await fixture.running { port in
            let connection = try await RawConnection.open(port: port)
            let lines = ["\(line) HTTP/1.1", "Host: \(host):\(port)", "Connection: close"]
            try await connection.send((lines + headers).joined(separator: "\r\n") + "\r\n\r\n")
            answer = try await connection.read()
        }
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains("Content-Type: application/problem+json\r\n"))
        let body = try #require(answer.split(separator: "\r\n\r\n").last)
        let document = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        #expect(document?["code"] as? String == code)
        #expect(document?["status"] as? Int == status)
        #expect(document?["detail"] is String && document?["title"] is String)
    }

    @Test func `one page too many is told so`() async throws {
        var pages: [LiveFeed.Subscription] = []
        for _ in 0..<LiveFeed.capacity { pages.append(try fixture.feed.subscribe()) }
        let answer = try await fixture.answer(to: "GET /api/v1/stream")
        #expect(answer.hasPrefix("HTTP/1.1 503 "))
        #expect(answer.contains(#""code":"unavailable"}"#))
        #expect(pages.count == LiveFeed.capacity)
    }
}

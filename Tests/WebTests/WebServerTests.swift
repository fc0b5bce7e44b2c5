import Foundation
import Testing

@testable import SiteModel
@testable import WebServer
@testable import Wire

/// The server over a real socket.
@Suite(.timeLimit(.minutes(2)))
struct WebServerTests {
    var fixture = ServerFixture()

    @Test func `the page comes with a policy that forbids code from anywhere else`() async throws {
        let answer = try await fixture.answer(to: "GET /")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("Content-Security-Policy: default-src 'self';"))
        #expect(answer.contains("require-trusted-types-for 'script'"))
        #expect(answer.contains("X-Content-Type-Options: nosniff\r\n"))
        #expect(answer.contains("Content-Type: text/html; charset=utf-8\r\n"))
        #expect(answer.contains("<title>Live · Beaconmesh</title>"))
    }

    /// Its address has the digest of all of them, so that another content has another address.
    @Test func `a file of the pages is sent once, packed`() async throws {
        let files = Pages.shared.files
        let path = files.address("words/words.js")
        let plain = try await fixture.answer(to: "GET \(path)")
        #expect(plain.contains("Cache-Control: public, max-age=31536000, immutable\r\n"))
        #expect(
            plain.contains(
                "Content-Length: \(files.files["words/words.js"]?.content.count ?? 0)\r\n"))
        for coding in ["gzip", "br, gzip;q=0.5"] {
            let packed = try await fixture.answer(to: "HEAD \(path)", "Accept-Encoding: \(coding)")
            #expect(packed.contains("Content-Encoding: gzip\r\n"))
        }
        for coding in ["br", "gzip;q=0"] {
            let other = try await fixture.answer(to: "HEAD \(path)", "Accept-Encoding: \(coding)")
            #expect(!other.contains("Content-Encoding"))
        }
        #expect(files.files["words/words.js"]?.packed?.starts(with: [0x1F, 0x8B]) == true)
        let old = try await fixture.answer(to: "GET /p/0123456789abcdef/words/words.js")
        #expect(old.hasPrefix("HTTP/1.1 404 "))
    }

    @Test(arguments: [
        ("X: y", "en"), ("Accept-Language: de-AT,de;q=0.9,en;q=0.8", "de"),
        ("Accept-Language: fr, en;q=0.5", "en"),
        ("Accept-Language: en;q=0.4, de;q=0.6", "de"), ("Cookie: beaconmesh_language=de", "de"),
        ("Cookie: beaconmesh_language=<b>", "en"),
    ])
    func `a page is in the language of who asks`(header: String, language: String) async throws {
        let answer = try await fixture.answer(to: "GET /", header)
        #expect(answer.contains("<html lang=\"\(language)\""))
        #expect(answer.contains(language == "de" ? "Zum Inhalt" : "Skip to content"))
    }

    @Test func `an unknown path is a problem document that does not repeat it`() async throws {
        let answer = try await fixture.answer(to: "GET /no<where>")
        #expect(answer.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(answer.contains("Content-Type: application/problem+json\r\n"))
        #expect(answer.contains(#""status":404"#))
        #expect(!answer.contains("where"))
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS"])
    func `what can only be read refuses other methods`(method: String) async throws {
        let answer = try await fixture.answer(to: "\(method) /api/v1/snapshot")
        #expect(answer.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
        #expect(answer.contains("Allow: GET, HEAD\r\n"))
        #expect(answer.contains(#""status":405"#))
    }

    @Test func `asking for the head of the stream leaves no page behind`() async throws {
        let answer = try await fixture.answer(to: "HEAD /api/v1/stream")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("Content-Type: text/event-stream\r\n"))
        #expect(fixture.feed.subscriberCount == 0)
    }

    @Test mutating func `readiness names the obstacle`() async throws {
        #expect(try await fixture.answer(to: "GET /readyz").hasSuffix("\r\n\r\nready\n"))
        fixture.obstacle = "the broker is away"
        let answer = try await fixture.answer(to: "GET /readyz")
        #expect(answer.hasPrefix("HTTP/1.1 503 "))
        #expect(answer.hasSuffix("\r\n\r\nthe broker is away\n"))
        #expect(try await fixture.answer(to: "GET /healthz").hasSuffix("\r\n\r\nok\n"))
    }

    @Test mutating func `health and readiness name the fault`() async throws {
        fixture.fault = "facts-refused"
        fixture.obstacle = "the broker is away"
        for path in ["/healthz", "/readyz"] {
            let answer = try await fixture.answer(to: "GET \(path)")
            #expect(answer.hasPrefix("HTTP/1.1 503 "))
            #expect(answer.hasSuffix("\r\n\r\nfacts-refused\n"))
        }
    }

    @Test func `metrics come as they are`() async throws {
        let answer = try await fixture.answer(to: "GET /metrics")
        #expect(answer.contains("Content-Type: text/plain; version=0.0.4\r\n"))
        #expect(answer.contains("\r\n\r\nbeaconmesh_up 1\n# TYPE mesh_http_connections gauge\n"))
        #expect(answer.contains("\nmesh_http_connections 1\n"))
    }

    @Test func `the stream begins with the state and goes on with the changes`() async throws {
        fixture.feed.replace(topics: [("a", Array("{}".utf8))], names: Array("{}".utf8))
        try await fixture.running { port in
            let page = try await RawConnection.open(port: port)
            try await page.send("GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let first = try await page.read(until: "\n\n")
            #expect(first.contains("Content-Type: text/event-stream\r\n"))
            #expect(first.contains("event: snapshot\n"))
            fixture.feed.send([
                Publication(topic: "b", payload: [0x7B, 0x7D], quality: 1, isRetained: true)
            ])
            let second = try await page.read(until: "\n\n")
            #expect(second.contains(#"{"topic":"b","payload":{},"server_ms":"#))
        }
    }

    @Test func `the stream is packed for who takes that, event by event`() async throws {
        fixture.feed.replace(topics: [], names: Array("{}".utf8))
        try await fixture.running { port in
            let page = try await RawConnection.open(port: port)
            try await page.send(
                "GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n")
            // What ends a flush (RFC 1951, 3.2.4: an empty stored block) is there before anything else happens.
            let flushed = "\0\0\u{FFFD}\u{FFFD}"
            let first = try await page.read(until: flushed)
            #expect(first.contains("Content-Encoding: gzip\r\n"))
            #expect(first.contains(flushed))
            #expect(!first.contains("event: snapshot"))
            fixture.feed.send([
                Publication(topic: "b", payload: [0x7B, 0x7D], quality: 1, isRetained: true)
            ])
            #expect(try await page.read(until: flushed).contains(flushed))
        }
    }

    @Test func `it stops at once, open streams or not`() async throws {
        var page: RawConnection?
        let time = try await fixture.running { port in
            let connection = try await RawConnection.open(port: port)
            try await connection.send("GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try await connection.read(until: "event: snapshot")
            page = connection
        }
        #expect(time < .seconds(20))  // Not as long as streams may stay open.
        let rest = try await page?.read()
        #expect(rest != nil)  // The connection ended; otherwise this would not have returned.
    }

    @Test func `a page that does not read does not keep it from stopping`() async throws {
        let long = Array(("{\"text\":\"" + String(repeating: "x", count: 1 << 20) + "\"}").utf8)
        let topics = (0..<16).map { (topic: "t\($0)", payload: long) }
        fixture.feed.replace(topics: topics, names: Array("{}".utf8))
        var page: RawConnection?
        let time = try await fixture.running { port in
            let connection = try await RawConnection.open(port: port)
            try await connection.send("GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try await connection.read(until: "event: snapshot")
            page = connection
        }
        #expect(time < .seconds(20))  // Not as long as streams may stay open.
        #expect(page != nil)
    }

    @Test func `a taken port is said to be taken`() async throws {
        try await fixture.running { port in
            let second = WebServer(
                host: "127.0.0.1", port: port, feed: fixture.feed, access: fixture.access,
                health: Health(fault: { nil }, obstacle: { nil }, metrics: { "" }))
            do {
                try await second.run { _ in Issue.record("it listens on a taken port") }
                Issue.record("it returned without an error")
            } catch WebServer.Failure.cannotListen(let host, let number, let reason) {
                #expect(host == "127.0.0.1")
                #expect(number == port)
                #expect(reason.contains("in use"))
            }
        }
    }
}

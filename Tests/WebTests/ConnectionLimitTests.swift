import Foundation
import Synchronization
import Testing

@testable import WebServer
@testable import Wire

/// What clients may take of the server: over real sockets, with limits so short that nobody waits.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionLimitTests {
    var fixture = ServerFixture()

    init() {
        fixture.limits.total = 12
        fixture.limits.silence = .seconds(1)
        fixture.limits.body = .seconds(1)
        fixture.routes = [
            Route(.post, "/api/v1/things", .reports) {
                .json(String(decoding: $0.body, as: UTF8.self))
            }
        ]
    }

    private static let get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// A figure of `/metrics`.
    private func ended(_ reason: String, at port: Int) async throws -> Int {
        let text = try await RawConnection.exchange(
            "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", port: port
        ).answers[0]
        let name = "mesh_http_connections_ended_total{reason=\"\(reason)\"} "
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.dropFirst(name.count)) } ?? -1
    }

    @Test(arguments: ["", "GET /he", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: y"])
    func `a request that does not come is not waited for`(beginning: String) async throws {
        try await fixture.running { port in
            let connection = try await RawConnection.open(port: port)
            try await connection.send(beginning)
            let answer = try await connection.read()
            #expect(answer == "")
            #expect(try await ended("slow", at: port) == 1)
        }
    }

    @Test func `a head that drips in is not waited for either`() async throws {
        try await fixture.running { port in
            let connection = try await RawConnection.open(port: port)
            try await connection.send("GET /healthz HTTP/1.1\r\n")
            let end = Task { try await connection.read() }
            // A sign of life each moment does not help; in the end there is nobody to send to.
            var fields = 0
            while fields < 200, (try? await connection.send("X-\(fields): y\r\n")) != nil {
                fields += 1
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(fields < 200)
            _ = try? await end.value
        }
    }

    @Test func `a body that drips in is not waited for`() async throws {
        try await fixture.running { port in
            let connection = try await RawConnection.open(port: port)
            try await connection.send(
                """
                POST /api/v1/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\
                Content-Type: application/json\r\nAuthorization: Bearer a-secret\r\n\r\n
                """)
            var sent = 0
            while sent < 200, (try? await connection.send(" ")) != nil {
                sent += 1
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(sent < 200)
            #expect(try await ended("slow", at: port) == 1)
        }
    }

    @Test mutating func `a body without end is cut, also where none is asked for`() async throws {
        fixture.limits.body = .seconds(60)
        try await fixture.running { port in
            let connection = try await RawConnection.open(port: port)
            try await connection.send(
                "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n")
            let chunk = String(repeating: "x", count: 65536)
            var sent = 0
            while sent < 1000, (try? await connection.send(chunk)) != nil { sent += 1 }
            #expect(sent < 1000)
            #expect(try await ended("long", at: port) == 1)
        }
    }

    @Test(arguments: [
        (path: 200_000, field: 1, fields: 1), (path: 1, field: 20_000, fields: 1),
        (path: 1, field: 1, fields: 200),
    ])
    func `a head that is too long is refused`(path: Int, field: Int, fields: Int) async throws {
        let line = "X: \(String(repeating: "a", count: field))\r\n"
        let request =
            "GET /\(String(repeating: "a", count: path)) HTTP/1.1\r\nHost: localhost\r\n"
            + String(repeating: line, count: fields) + "\r\n"
        try await fixture.running { port in
            let connection = try await RawConnection.open(port: port)
            try? await connection.send(request)
            let answer = (try? await connection.read()) ?? ""
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test mutating func `a connection between two requests is closed in time, and not before`()
        async throws
    {
        fixture.limits.silence = .seconds(2)
        try await fixture.running { port in
            let (connection, answers) = try await RawConnection.exchange(
                Self.get, port: port, until: "ok\n", times: 4, pause: .milliseconds(700))
            #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 200") })
            #expect(try await connection.read() == "")
            #expect(try await ended("slow", at: port) == 1)
        }
    }

    @Test func `an event stream goes on past all these times`() async throws {
        fixture.feed.replace(topics: [("a", Array("{}".utf8))], names: Array("{}".utf8))
        try await fixture.running { port in
            let page = try await RawConnection.open(port: port)
            try await page.send("GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try await page.read(until: "event: snapshot")
            // Meanwhile another one is cut for being silent.
            let silent = try await RawConnection.open(port: port)
            _ = try await silent.read()
            try await Task.sleep(for: .seconds(1))
            fixture.feed.send([
                Publication(topic: "b", payload: [0x7B, 0x7D], quality: 1, isRetained: true)
            ])
            #expect(try await page.read(until: #""topic":"b""#).contains("event: change"))
        }
    }

    @Test mutating func `silent connections keep nobody out`() async throws {
        fixture.limits.silence = .seconds(60)
        try await fixture.running { port in
            var silent: [RawConnection] = []
            for _ in 0..<300 { silent.append(try await RawConnection.open(port: port)) }
            for _ in 0..<20 {
                let connection = try await RawConnection.open(port: port)
                try await connection.send(Self.get)
                #expect(try await connection.read(until: "ok\n").hasPrefix("HTTP/1.1 200"))
            }
            #expect(try await ended("gave-way", at: port) >= 300 - fixture.limits.total)
            #expect(silent.count == 300)
        }
    }

    @Test(arguments: ["", "Authorization: Bearer a-secret\r\n"])
    mutating func `bodies under way keep nobody out, whoever sends them`(
        credentials: String
    ) async throws {
        fixture.limits.body = .seconds(60)
        try await fixture.running { port in
            var unfinished: [RawConnection] = []
            for _ in 0..<100 {
                let connection = try await RawConnection.open(port: port)
                try? await connection.send(
                    "POST /api/v1/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n"
                        + "Content-Type: application/json\r\n\(credentials)\r\n{")
                unfinished.append(connection)
            }
            for _ in 0..<20 {
                let connection = try await RawConnection.open(port: port)
                try await connection.send(Self.get)
                #expect(try await connection.read(until: "ok\n").hasPrefix("HTTP/1.1 200"))
            }
            #expect(try await ended("gave-way", at: port) >= 100 - fixture.limits.total)
            #expect(unfinished.count == 100)
        }
    }

    @Test mutating func `where all are being answered, one more is told so at once`() async throws {
        fixture.limits.silence = .seconds(60)
        fixture.feed.replace(topics: [], names: Array("{}".utf8))
        try await fixture.running { port in
            var pages: [RawConnection] = []
            for _ in 0..<fixture.limits.total {
                let page = try await RawConnection.open(port: port)
                try await page.send("GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
                _ = try await page.read(until: "event: snapshot")
                pages.append(page)
            }
            let late = try await RawConnection.open(port: port)
            let answer = try await late.read()
            #expect(answer.hasPrefix("HTTP/1.1 503 "))
            #expect(answer.contains(#""code":"unavailable"}"#))
            pages.removeLast()
            // There is a place again as soon as the server has noticed.
            let deadline = ContinuousClock.now + .seconds(20)
            var refused = -1
            while refused < 1, ContinuousClock.now < deadline {
                refused = (try? await ended("refused", at: port)) ?? -1
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(refused >= 1)
            #expect(pages.count == fixture.limits.total - 1)
        }
    }

    /// How often a route was asked.
    private final class Count: Sendable {
        private let value = Mutex(0)

        func increment() { value.withLock { $0 += 1 } }

        var now: Int { value.withLock { $0 } }
    }

    private static let slow =
        "GET /api/v1/slow HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a-secret\r\n\r\n"

    @Test mutating func `few requests are taken before the first is answered`() async throws {
        let count = Count()
        fixture.routes = [
            Route(.get, "/api/v1/slow", .reports) { _ in
                count.increment()
                try await Task.sleep(for: .milliseconds(200))
                return .json("{}")
            }
        ]
        try await fixture.running { port in
            let few = try await RawConnection.open(port: port)
            try await few.send(String(repeating: Self.slow, count: 3) + Self.get)
            let text = try await few.read(until: "ok\n")
            #expect(text.split(separator: "200 OK").count - 1 == 4, "\(text)")
            let many = try await RawConnection.open(port: port)
            try await many.send(String(repeating: Self.slow, count: 20))
            #expect(try await many.read() == "")
            #expect(count.now < 3 + 5)
            #expect(try await ended("pipelined", at: port) == 1)
        }
    }

    @Test mutating func `one asker is answered on so many connections at once`() async throws {
        let (count, released) = (Count(), Count())
        fixture.limits.perAsker = 2
        fixture.routes = [
            Route(.get, "/api/v1/slow", .reports) { _ in
                count.increment()
                while released.now == 0 { try await Task.sleep(for: .milliseconds(10)) }
                return .json("{}")
            }
        ]
        try await fixture.running { port in
            var busy: [RawConnection] = []
            for number in 1...2 {
                let connection = try await RawConnection.open(port: port)
                try await connection.send(Self.slow)
                busy.append(connection)
                while count.now < number { try await Task.sleep(for: .milliseconds(10)) }
            }
            let more = try await RawConnection.open(port: port)
            try await more.send(Self.slow)
            let refusal = try await more.read(until: "}")
            #expect(refusal.contains("429") && refusal.contains("rate_limited"), "\(refusal)")
            released.increment()
            for connection in busy {
                #expect(try await connection.read(until: "{}").contains("200 OK"))
            }
            // The end of an answer goes out behind what was read of it.
            try await Task.sleep(for: .milliseconds(200))
            let again = try await RawConnection.open(port: port)
            try await again.send(Self.slow)
            let answer = try await again.read(until: "{}")
            #expect(answer.contains("200 OK"), "\(answer)")
        }
    }

    @Test mutating func `a client that takes nothing of its answer is given up`() async throws {
        fixture.limits.stall = .milliseconds(500)
        let long = Array(("{\"text\":\"" + String(repeating: "x", count: 1 << 20) + "\"}").utf8)
        fixture.feed.replace(
            topics: (0..<16).map { (topic: "t\($0)", payload: long) }, names: Array("{}".utf8))
        let feed = fixture.feed
        try await fixture.running { port in
            let page = try await RawConnection.open(port: port)
            try await page.send("GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try await page.read(until: "event: snapshot")
            #expect(feed.subscriberCount == 1)
            // It does not read on; the kernel tries for a while before it gives up.
            let deadline = ContinuousClock.now + .seconds(60)
            while feed.subscriberCount > 0, ContinuousClock.now < deadline {
                feed.tellTime(isHeartbeat: false)
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(feed.subscriberCount == 0)
        }
    }
}

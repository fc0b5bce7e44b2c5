import Permissions

@testable import WebServer

/// A running server on a free port.
struct ServerFixture {
    var feed = LiveFeed()
    var access = ServerFixture.access(token: "a-secret", isReadingAnonymous: true)
    var fault: String?
    var obstacle: String?
    var routes: [Route] = []
    var limits = ConnectionLimits()

    /// One token, an owner's.
    static func access(token: String?, isReadingAnonymous: Bool = false) -> Access {
        var access = Access(
            Authority(token: { secret in
                secret == token ? Visitor(Principal(name: "t", role: .owner), by: .place) : nil
            }))
        access.isReadingAnonymous = isReadingAnonymous
        return access
    }

    var server: WebServer {
        let (fault, obstacle) = (fault, obstacle)
        return WebServer(
            host: "127.0.0.1", port: 0, feed: feed, access: access,
            health: Health(
                fault: { fault }, obstacle: { obstacle }, metrics: { "beaconmesh_up 1\n" }),
            routes: routes, limits: limits)
    }

    /// Runs the server for as long as `body` takes, and returns how long it took to stop.
    @discardableResult
    func running(_ body: (Int) async throws -> Void) async throws -> Duration {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let server = server
        let cancelled = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { port.finish() }
                try await server.run { port.yield($0) }
            }
            var numbers = ports.makeAsyncIterator()
            if let number = await numbers.next() { try await body(number) }
            let moment = ContinuousClock.now
            group.cancelAll()
            try await group.waitForAll()
            return moment
        }
        return ContinuousClock.now - cancelled
    }

    /// What the server answers to one request, headers and all.
    func answer(
        to line: String, host: String = "localhost", _ headers: String..., body: String = ""
    ) async throws -> String {
        var answer = ""
        try await running { port in
            let connection = try await RawConnection.open(port: port)
            let line = line.replacing("{port}", with: "\(port)")
            let lines = ["\(line) HTTP/1.1", "Host: \(host):\(port)", "Connection: close"]
            let own = headers.map { $0.replacing("{port}", with: "\(port)") }
            let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
            try await connection.send(
                (lines + own + length).joined(separator: "\r\n") + "\r\n\r\n" + body)
            answer = try await connection.read()
        }
        return answer
    }
}

@testable import SiteService
import Foundation
import FoundationNetworking
import Permissions
import Testing

@testable import Accounts
@testable import Platform
@testable import SiteModel
@testable import SiteStore
@testable import WebServer

/// Every route against every role, over a real socket: the table of rights is what happens.
@Suite(.timeLimit(.minutes(5)))
struct RouteMatrixTests {
    /// All that is served, with answers of nothing: only the gate is asked.
    static func routes() throws -> [Route] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("matrix-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(at: folder) }
        let store = try Store(path: folder.appendingPathComponent("site.sqlite").path)
        defer { store.close() }
        let desk = WriteDesk(
            store: store, mailbox: LoopMailbox(), clock: AnchoredClock(),
            directory: AccountDirectory(), feed: LiveFeed())
        return SiteInterface(desk: desk, signIn: SignIn()) {}.routes
    }

    @Test func `each role is let in where the table says, and nowhere else`() async throws {
        let routes = try Self.routes()
        var silent = routes
        for index in silent.indices {
            silent[index].check = { _ in }
            silent[index].answer = { _ in
                RouteAnswer(status: 204, contentType: nil, body: .bytes([]))
            }
        }
        let server = WebServer(
            host: "127.0.0.1", port: 0, feed: LiveFeed(), access: Access(Self.authority),
            health: Health(fault: { nil }, obstacle: { nil }, metrics: { "" }), routes: silent)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        var asked = 0
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run { port.yield($0) } }
            var numbers = ports.makeAsyncIterator()
            let number = try #require(await numbers.next())
            for route in routes where !route.isSecret {
                for role in Role.allCases {
                    let status = try await Self.status(route, role, number)
                    let principal = Self.principal(role)
                    let isLetIn =
                        route.right.map {
                            principal.reach($0) >= route.whose.least
                        } ?? true
                    asked += 1
                    #expect(
                        status == (isLetIn ? 204 : 403),
                        "\(role) \(route.method.rawValue) \(route.path)")
                }
                let anonymous = try await Self.status(route, nil, number)
                asked += 1
                #expect(anonymous == (route.right == nil ? 204 : 401), "\(route.path)")
            }
            group.cancelAll()
        }
        print("routes × roles: \(routes.count) routes, \(asked) requests")
    }

    /// Operations' keys are tried as programs in `ProcessOperationTests`.
    @Test func `a key that is none is refused wherever one may be sent`() async throws {
        let operations = Set(Operation.all.map { "\($0.method.rawValue) \($0.path)" })
        var asked: [String] = []
        for route in try Self.routes()
        where route.method == .post && route.right != nil && !route.about.isPure
            && !operations.contains("\(route.method.rawValue) \(route.path)")
        {
            asked.append(route.path)
            let problem = await #expect(throws: RouteProblem.self, "\(route.path)") {
                _ = try await route.answer(RouteRequest(idempotencyKey: "of two words"))
            }
            #expect(problem?.code == .badRequest, "\(route.path)")
            #expect(
                problem?.detail.hasPrefix("Idempotency-Key") == true,
                "\(route.path): \(problem?.detail ?? "nothing")")
        }
        #expect(asked.count > 5)
    }

    /// Another spelling of a path opens nothing, to nobody: neither of routes nor of the server's own pages.
    @Test func `no other spelling of a path is answered`() async throws {
        let routes = try Self.routes().map { route in
            var silent = route
            silent.check = { _ in }
            silent.answer = { _ in .json("{}") }
            return silent
        }
        let server = WebServer(
            host: "127.0.0.1", port: 0, feed: LiveFeed(), access: Access(Self.authority),
            health: Health(fault: { nil }, obstacle: { nil }, metrics: { "figures" }),
            routes: routes)
        let spellings: [(String) -> String] = [
            { $0 + "/" }, { "/" + $0 }, { $0 + "//" },
            { $0.replacing("/api", with: "//api").replacing("/metrics", with: "/%6Detrics") },
            { $0.replacing("/v1", with: "/V1").replacing("/metrics", with: "/Metrics") },
            { $0 + ";a=b" }, { $0 + "%2F" },
        ]
        let pages = ["/metrics", "/api/v1/snapshot", "/docs"]
        let paths = pages + Set(routes.map(\.path)).sorted()
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        var asked = 0
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run { port.yield($0) } }
            var numbers = ports.makeAsyncIterator()
            let number = try #require(await numbers.next())
            for path in paths {
                for spelling in spellings {
                    let other = spelling(path)
                    guard other != path else { continue }
                    // A parameter takes anything: it is then another one.
                    guard !routes.contains(where: { $0.matches(other) }) else { continue }
                    let roles: [Role?] =
                        pages.contains(path) ? Role.allCases + [nil] : [.owner, .screen, nil]
                    for role in roles {
                        let status = try await Self.raw(other, role, number)
                        asked += 1
                        #expect(
                            status == 404 || (role == nil && status == 401),
                            "\(role.map(\.rawValue) ?? "nobody") \(other): \(status)")
                    }
                }
            }
            group.cancelAll()
        }
        print("paths × spellings × roles: \(asked) requests")
    }

    /// The status of a GET whose path goes out as it is.
    private static func raw(_ path: String, _ role: Role?, _ port: Int) async throws -> Int {
        let path = path.replacing(/\{[a-z]+\}/, with: "u-a")
        var components = URLComponents()
        components.scheme = "http"
        components.host = "127.0.0.1"
        components.port = port
        components.percentEncodedPath = path
        var request = URLRequest(url: try #require(components.url))
        if let role {
            request.setValue("Bearer \(role.rawValue)", forHTTPHeaderField: "Authorization")
        }
        let (_, response) = try await URLSession.shared.data(for: request)
        return (response as? HTTPURLResponse)?.statusCode ?? -1
    }

    @Test func `every route says what it does, and each with its method once`() throws {
        let routes = try Self.routes()
        var seen: Set<String> = []
        for route in routes {
            #expect(!route.about.summary.isEmpty, "\(route.path)")
            #expect(seen.insert("\(route.method) \(route.path)").inserted, "\(route.path)")
        }
    }

    /// What somebody may do of themselves is bounded by the server, not by the route's good will.
    @Test func `each route that a member reaches says whose it is`() throws {
        let unbounded = try Self.routes().filter { route in
            route.right.map { Self.principal(.member).reach($0) == .own } ?? false
                && route.whose == .each
        }
        // The tests of these ask for another's.
        #expect(
            unbounded.map { "\($0.method.rawValue) \($0.path)" }.sorted() == [
                "DELETE /api/v1/workouts/{id}/notes/{note}",
                "GET /api/v1/near",
                "GET /api/v1/workouts/{id}", "GET /api/v1/workouts/{id}/notes",
                "POST /api/v1/attendance/corrections", "POST /api/v1/workouts/{id}/notes",
            ])
    }

    /// The published descriptions are the code's: `BEACONMESH_WRITE_DESCRIPTIONS=1` writes them.
    @Test func `the published descriptions are those of the routes and topics`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../..").standardized
        let routes = try Self.routes().filter { !$0.path.hasSuffix("api.json") }
        let topics = try String(
            contentsOf: folder.appending(path: "docs/topics.md"), encoding: .utf8)
        let all = [
            ("schemas/openapi.json", OpenAPI(try Self.routes()).text),
            ("schemas/asyncapi.json", AsyncAPI.text),
            ("docs/rights.md", RightsTable.text(try Self.routes())),
            ("docs/codes.md", CodesTable.text),
            ("docs/topics.md", TopicsTable.text(in: topics)),
            ("docs/reference/tables.md", TablesPage.text),
            ("deploy/mosquitto/beaconmesh.acl", AccessListExample.text),
        ]
        for (name, text) in all {
            let file = folder.appending(path: name)
            if ProcessInfo.processInfo.environment["BEACONMESH_WRITE_DESCRIPTIONS"] == "1" {
                try Data(text.utf8).write(to: file)
            }
            #expect(
                text == (try? String(contentsOf: file, encoding: .utf8)),
                "\(name): run the test with BEACONMESH_WRITE_DESCRIPTIONS=1 and look at what changes"
            )
        }
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(all[0].1.utf8)) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        for route in routes {
            #expect(
                paths[route.path]?[route.method.rawValue.lowercased()] != nil, "\(route.path)")
        }
    }

    @Test func `the description says who is let in, and what a secret shown once is answered`()
        throws
    {
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(OpenAPI(try Self.routes()).text.utf8))
                as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        for path in [WebServer.snapshotPath, WebServer.streamPath] {
            let roles = paths[path]?["get"]?["x-roles"] as? [String: String]
            #expect(roles?["screen"] == "no names" && roles?["kiosk"] == "no names", "\(path)")
            #expect(roles?["node"] == nil)
        }
        for path in [
            "accounts", "accounts/{name}/invitation", "feeds", "tokens", "webhooks",
        ] {
            let responses =
                paths["/api/v1/" + path]?["post"]?["responses"] as? [String: [String: Any]]
            let conflict = responses?["409"]?["description"] as? String
            #expect(conflict?.contains("bad_state") == true, "\(path)")
        }
        let checkIn =
            paths["/api/v1/attendance/check-in"]?["post"]?["requestBody"] as? [String: Any]
        let content = checkIn?["content"] as? [String: [String: Any]]
        let schema = try #require(content?["application/json"]?["schema"] as? [String: Any])
        #expect(schema["required"] == nil, "of oneself user may be left out")
    }

    private static func principal(_ role: Role) -> Principal {
        Principal(
            name: "x", role: role, user: "u-a",
            scopes: role == .integration ? [.peopleRead, .attendanceWrite] : [])
    }

    private static let authority = Authority(token: { secret in
        Role(rawValue: secret).map { Visitor(principal($0), by: .place) }
    })

    private static func status(_ route: Route, _ role: Role?, _ port: Int) async throws -> Int {
        let path = route.path.replacing(/\{[a-z]+\}/, with: "u-a")
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
        request.httpMethod = route.method.rawValue
        if route.method != .get, route.method != .delete {
            request.httpBody = Data("{}".utf8)
            request.setValue(route.takes, forHTTPHeaderField: "Content-Type")
        }
        if let role {
            request.setValue("Bearer \(role.rawValue)", forHTTPHeaderField: "Authorization")
        }
        let (_, response) = try await URLSession.shared.data(for: request)
        return (response as? HTTPURLResponse)?.statusCode ?? -1
    }
}

import Permissions
import Testing

@testable import WebServer

/// What a person who opens an address is shown, where a program gets a problem document.
@Suite(.timeLimit(.minutes(2)))
struct DoorwayTests {
    var fixture = ServerFixture()
    /// What browsers send for an address that somebody opens, on connections they do not trust.
    private static let accept =
        "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"

    /// A site that shows nothing to whoever has not signed in.
    init() { fixture.access = ServerFixture.access(token: "a-secret") }

    private func opened(_ target: String, _ header: String = "X: y") async throws -> String {
        try await fixture.answer(to: "GET \(target)", Self.accept, header)
    }

    @Test(arguments: [
        ("/", "%2F"), ("/docs", "%2Fdocs"), ("/?a=b&c=%20", "%2F%3Fa%3Db%26c%3D%2520"),
        ("/api/v1/snapshot", "%2Fapi%2Fv1%2Fsnapshot"),
    ])
    func `whoever opens a page unsigned is led to the door, and back afterwards`(
        target: String, next: String
    ) async throws {
        let answer = try await opened(target)
        #expect(answer.hasPrefix("HTTP/1.1 303 See Other\r\n"))
        #expect(answer.contains("Location: /signin?next=\(next)\r\n"))
        #expect(answer.contains("Content-Security-Policy: default-src 'self';"))
    }

    @Test func `what a page is made of, and the door, are for anybody`() async throws {
        let files = Pages.shared.files
        for name in files.files.keys {
            #expect(try await opened(files.address(name)).hasPrefix("HTTP/1.1 200 "), "\(name)")
        }
        for spec in PageSpec.all {
            let path = spec.path.replacing("{user}", with: "u-a")
            let status = spec.right == nil ? "200" : "303"
            #expect(try await opened(path).hasPrefix("HTTP/1.1 \(status) "), "\(path)")
        }
    }

    @Test(arguments: [
        "Accept: */*", "Accept: application/json", "Accept: text/event-stream",
        "Accept: application/json, text/html", "Accept: text/html;q=0, */*",
        "Accept: text/html;q=0.1, application/json;q=0.9", "Accept: ", "X: y",
    ])
    func `data is refused as data`(accept: String) async throws {
        for target in ["/", "/api/v1/snapshot", "/api/v1/stream", "/nowhere"] {
            let answer = try await fixture.answer(to: "GET \(target)", accept)
            #expect(answer.hasPrefix("HTTP/1.1 401 "), "\(target)")
            #expect(answer.contains("Content-Type: application/problem+json\r\n"))
        }
    }

    @Test func `a browser that says what it asks for is believed`() async throws {
        let script = try await fixture.answer(
            to: "GET /api/v1/snapshot", "Sec-Fetch-Dest: empty", "Accept: */*")
        #expect(script.hasPrefix("HTTP/1.1 401 "))
        let picture = try await opened("/", "Sec-Fetch-Dest: image")
        #expect(picture.hasPrefix("HTTP/1.1 401 "))
        // The worker of the pages asks for a page in the place of the browser.
        let worker = try await opened("/", "Sec-Fetch-Dest: empty")
        #expect(worker.hasPrefix("HTTP/1.1 303 "))
        let document = try await fixture.answer(
            to: "GET /", "Sec-Fetch-Dest: document", "Accept: */*")
        #expect(document.hasPrefix("HTTP/1.1 303 "))
    }

    @Test func `a wrong token is told so, not led away`() async throws {
        let answer = try await opened("/", "Authorization: Bearer b-secret")
        #expect(answer.hasPrefix("HTTP/1.1 401 "))
        #expect(try await opened("/", "Authorization: Bearer a-secret").hasPrefix("HTTP/1.1 200 "))
        let post = try await fixture.answer(to: "POST /", Self.accept)
        #expect(post.hasPrefix("HTTP/1.1 401 "))
    }

    @Test mutating func `where anybody may read nothing leads to the door`() async throws {
        fixture.access.isReadingAnonymous = true
        #expect(try await opened("/").hasPrefix("HTTP/1.1 200 "))
        #expect(try await opened("/docs").hasPrefix("HTTP/1.1 200 "))
    }

    /// A browser keeps cookies for a host whatever the port: of another site, or of an earlier one.
    @Test mutating func `a session that is over leads to the door, and is forgotten`() async throws
    {
        fixture.access.isReadingAnonymous = true
        let answer = try await opened("/", "Cookie: beaconmesh=old")
        #expect(answer.hasPrefix("HTTP/1.1 303 "))
        #expect(answer.contains("Set-Cookie: beaconmesh=; Max-Age=0; Path=/; HttpOnly;"))
    }

    /// A page of another site that leads here has the browser leave the session's cookie at home.
    @Test func `a session that was not shown is not ended`() async throws {
        let answer = try await opened("/")
        #expect(answer.hasPrefix("HTTP/1.1 303 ") && !answer.contains("Set-Cookie"))
    }

    @Test(arguments: ["/nowhere", "/persons", "/signin/x", "/%3Cb%3E"])
    func `nobody is at a loss at an unknown path`(target: String) async throws {
        for header in ["X: y", "Authorization: Bearer a-secret", "Cookie: beaconmesh=old"] {
            let answer = try await opened(target, header)
            #expect(answer.hasPrefix("HTTP/1.1 404 Not Found\r\n"), "\(header)")
            #expect(answer.contains("Content-Type: text/html; charset=utf-8\r\n"))
            #expect(answer.contains("Content-Security-Policy: default-src 'self';"))
            #expect(answer.contains("<a href=\"/\">"))
            #expect(!answer.contains("persons") && !answer.contains("3C"))
        }
    }

    @Test mutating func `what a route says of hostile text is no markup`() async throws {
        fixture.routes = [
            Route(.get, "/api/v1/things", .reports) { _ in
                throw RouteProblem(.notFound, "no “<script>&\"x\"”")
            }
        ]
        let answer = try await opened("/api/v1/things", "Authorization: Bearer a-secret")
        #expect(answer.hasPrefix("HTTP/1.1 404 "))
        #expect(answer.contains("no “&lt;script&gt;&amp;&quot;x&quot;”"))
        #expect(!answer.contains("<script>"))
    }

    @Test(arguments: [
        "//evil.example", "/\\evil.example", "http://evil.example/", "https:evil.example", "",
        "\\/evil.example", "/\t/evil.example", "/\n/evil.example", "/a\u{7F}", "/a\\b", "evil",
        "/ b",
        "/" + String(repeating: "a", count: 1024),
    ])
    func `only a path of this server is gone on to`(target: String) {
        #expect(Doorway.own(target) == "/")
    }

    @Test(arguments: ["/", "/docs", "/?a=//b", "/a//b", "/é"])
    func `a path of this server is`(target: String) { #expect(Doorway.own(target) == target) }
}

@testable import SiteService
import Foundation
import Testing

@testable import Accounts
@testable import Basics
@testable import Notifications
@testable import Permissions
@testable import Platform
@testable import Records
@testable import Registry
@testable import Reporting
@testable import SiteModel
@testable import SiteStore
@testable import WebServer

/// The members of answers are those that are described: a client can be generated from the description.
struct AnswerTests {
    private typealias Query = [(name: String, value: String)]

    @Test func `every answer in JSON names its members`() throws {
        for route in try RouteMatrixTests.routes() + WebServer.described
        where route.about.type == "application/json" {
            #expect(!route.about.answer.isEmpty, "\(route.method.rawValue) \(route.path)")
        }
    }

    @Test func `the document says what is needed, what can be null and nothing of other members`()
        throws
    {
        let document = try #require(
            try JSONSerialization.jsonObject(
                with: Data(OpenAPI(try RouteMatrixTests.routes()).text.utf8)) as? [String: Any])
        func schema(_ path: String) throws -> [String: Any] {
            let paths = document["paths"] as? [String: [String: [String: Any]]]
            let responses = paths?[path]?["get"]?["responses"] as? [String: [String: Any]]
            let content = responses?["200"]?["content"] as? [String: [String: Any]]
            return try #require(content?["application/json"]?["schema"] as? [String: Any])
        }
        let page = try schema("/api/v1/attendance/sessions")
        #expect(page["required"] as? [String] == ["sessions", "demo", "next"])
        #expect(page["additionalProperties"] == nil)
        let members = try #require(page["properties"] as? [String: [String: Any]])
        #expect(members["next"]?["type"] as? [String] == ["string", "null"])
        #expect(members["demo"]?["type"] as? String == "boolean")
        let session = try #require(members["sessions"]?["items"] as? [String: Any])
        let columns = try #require(session["properties"] as? [String: [String: Any]])
        #expect(columns["out_ms"]?["type"] as? [String] == ["integer", "null"])
        #expect(columns["length_s"]?["type"] as? String == "number")
        let corrections = try schema("/api/v1/attendance/corrections")
        #expect(corrections["type"] as? String == "array")
        let correction = try #require(corrections["items"] as? [String: Any])
        #expect((correction["required"] as? [String])?.contains("state") == true)
        #expect((correction["required"] as? [String])?.contains("decided_ms") == false)
    }

    /// What finds no fault would find none in a wrong description either.
    @Test func `what is not as described is found`() throws {
        let fields: [RouteText.Field] = [
            .always("id", .count), .init("user", .slug),
            .always("next", .text(1...2), isNullable: true),
        ]
        let wrong = [
            #"{"id":1}"#, #"{"id":null,"next":null}"#, #"{"id":1.5,"next":null}"#,
            #"{"id":"1","next":null}"#, #"{"id":1,"next":"abc"}"#,
            #"{"id":1,"next":null,"user":"U"}"#, #"{"id":1,"next":null,"user":null}"#,
            #"{"id":1,"next":null,"other":1}"#, #"{"id":[1],"next":null}"#,
        ]
        for text in wrong {
            let faults = AnswerFaults.list(try Self.tree(text), .object(fields), at: "")
            #expect(faults.count == 1, "\(text): \(faults)")
        }
        let right = try Self.tree(#"{"id":1,"next":null,"user":"u-ann"}"#)
        #expect(AnswerFaults.list(right, .object(fields), at: "") == [])
    }

    @Test func `what is answered of people and the books is described`() async throws {
        let site = try ReportSite()
        let directory = AccountDirectory()
        try Self.fill(site)
        try directory.reload(site.store)
        let routes = Self.routes(site.store, at: site.now, directory)
        let paths = [
            "/api/v1/accounts", "/api/v1/accounts/ada", "/api/v1/tokens",
            "/api/v1/users/u-ann/sharing", "/api/v1/audit", "/api/v1/session", "/api/v1/claim",
            "/api/v1/attendance/corrections", "/api/v1/attendance/sessions", "/api/v1/webhooks",
            "/api/v1/shifts", "/api/v1/feeds", "/api/v1/users", "/api/v1/rooms", "/api/v1/site",
        ]
        for path in paths {
            #expect(try await Self.faults(routes, path) == [])
        }
        #expect(
            try await Self.faults(
                routes, "/api/v1/leave", [("from", "2026-11-02"), ("to", "2026-11-04")]) == [])
        for path in ["/api/v1/notifications", "/api/v1/calibration"] {
            #expect(try await Self.faults(routes, path, mayBeEmpty: true) == [])
        }
        // A day before 1970 is a negative moment.
        for report in ["attendance-day", "late-early"] {
            #expect(
                try await Self.faults(
                    routes, "/api/v1/reports/\(report)", [("date", "1900-01-02")],
                    mayBeEmpty: true) == [])
        }
        for kind in ReportOrder.Kind.allCases {
            let query: Query =
                kind == .between
                ? [("from", "2026-11-02 08:00"), ("to", "2026-11-02 12:00")] : []
            #expect(
                try await Self.faults(
                    routes, "/api/v1/reports/\(kind.rawValue)", query, mayBeEmpty: true) == [])
        }
    }

    @Test func `what is answered of a site with everything is described`() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "answers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(at: folder) }
        let store = try Store(path: folder.appending(path: "site.sqlite").path)
        defer { store.close() }
        let now = Timestamp(milliseconds: 1_780_000_000_000)
        let document = try SiteFile(text: SiteFileWriterTests.site, named: "site").document
        try SiteImport(store).importDocument(document, at: now)
        _ = try Books(store).perform(
            .excuse(node: "n-1", reason: "stolen"), by: "ada", via: .cli, at: now
        ).get()
        let routes = Self.routes(store, at: now, AccountDirectory())
        for kind in SiteCollection.all {
            let list = "/api/v1/\(kind.name)"
            #expect(try await Self.faults(routes, list) == [])
            #expect(try await Self.faults(routes, list, [("fields", "id")]) == [])
            #expect(try await Self.faults(routes, list, [("limit", "1")]) == [])
            for row in try SiteRows(store).all(kind) {
                let id = try #require(row["id"]?.string)
                #expect(try await Self.faults(routes, "\(list)/\(id)") == [])
            }
        }
        let identity = try #require(document.beacons.first).identity.text
        for path in [
            "/api/v1/beacons/b-a/bindings", "/api/v1/beacons/b-a/identities",
            "/api/v1/identities/\(identity)", "/api/v1/site", "/api/v1/policy",
            "/api/v1/attendance/waiting",
        ] {
            #expect(try await Self.faults(routes, path) == [])
        }
    }

    @Test func `the snapshot is as described`() throws {
        let route = try #require(
            WebServer.described.first { $0.path == WebServer.snapshotPath })
        let kind = RouteText.Field.Kind.object(route.about.answer)
        let feed = LiveFeed()
        let empty = String(decoding: feed.snapshot().json, as: UTF8.self)
        #expect(AnswerFaults.list(try Self.tree(empty), kind, at: "empty") == [])
        let names = """
            {"site":{"id":"gym","name":"Gym","demo":false},"rooms":{"hall":"Hall"},"stations":{},\
            "nodes":{},"users":{"u-ann":"Ann"},"beacons":{}}
            """
        feed.replace(
            topics: [("mesh/v1/gym/state", Array(#"{"present":1}"#.utf8))],
            names: Array(names.utf8))
        for view in [FeedView.site, .nameless, .person("u-ann")] {
            let text = String(decoding: feed.snapshot(as: view).json, as: UTF8.self)
            #expect(AnswerFaults.list(try Self.tree(text), kind, at: "snapshot") == [])
        }
    }

    // MARK: Asking

    /// Something of everything that is written by people.
    private static func fill(_ site: ReportSite) throws {
        let (now, accounts) = (site.now, Accounts(site.store))
        let day = try #require(LocalDate("2026-11-03"))
        func digest() -> [UInt8] { OneTimeSecret.hash(of: OneTimeSecret.make()) }
        try accounts.perform(
            .invite(
                name: "ada", role: .manager, user: "u-ann", invitation: digest(),
                expires: now + .seconds(86_400)), by: "boss", via: .cli, at: now)
        try accounts.perform(
            .addToken(
                name: "door", hash: digest(), role: .integration, scopes: [.liveRead], user: nil,
                expires: now + .seconds(86_400)), by: "boss", via: .cli, at: now)
        try accounts.perform(
            .addToken(
                name: "phone", hash: digest(), role: .member, scopes: [], user: "u-bob",
                expires: nil), by: "boss", via: .cli, at: now)
        try accounts.perform(.revokeToken(name: "phone"), by: "boss", via: .cli, at: now)
        try Roster(site.store).addLeave(
            "u-bob", from: day, to: day, kind: "sick", isHalf: true, by: site.asker)
        try Feeds(site.store).add(hash: digest(), user: nil, kind: .shifts, by: site.asker)
        let feed = try Feeds(site.store).add(
            hash: digest(), user: "u-ann", kind: .attendance, by: site.asker)
        try Feeds(site.store).revoke(feed, by: site.asker)
        _ = try Webhooks(site.store).add(
            try WebhookAddress("https://127.0.0.1/hook"), secret: String(repeating: "a", count: 64),
            kinds: [.arrival], keepsQuiet: true, by: "boss", at: now)
        let books = Books(site.store)
        let asked = try books.perform(
            .request(
                .times(
                    1, revision: nil, from: try site.at("2026-11-02 08:00"),
                    to: try site.at("2026-11-02 16:00")), reason: "forgot"), by: "boss", via: .cli,
            at: now
        ).get()
        guard case .correction(let row) = asked else { throw CocoaError(.fileNoSuchFile) }
        _ = try books.perform(.refuse(row.id, reason: "no"), by: "boss", via: .cli, at: now).get()
        _ = try books.perform(
            .request(
                .add(
                    user: "u-bob", from: try site.at("2026-11-01 08:00"),
                    to: try site.at("2026-11-01 09:00")), reason: "forgot"), by: "boss", via: .cli,
            at: now
        ).get()
    }

    /// All routes over a database; reports are made at `now`.
    private static func routes(
        _ store: Store, at now: Timestamp, _ directory: AccountDirectory
    ) -> [Route] {
        let desk = WriteDesk(
            store: store, mailbox: LoopMailbox(), clock: AnchoredClock(), directory: directory,
            feed: LiveFeed())
        let reports = ReportRoutes(store: store, now: { now }).all
        return reports + SiteInterface(desk: desk, signIn: SignIn()) {}.routes
    }

    /// What of an owner's answer is not as described; with `mayBeEmpty` it may have lists of nothing.
    private static func faults(
        _ routes: [Route], _ path: String, _ query: Query = [], mayBeEmpty: Bool = false
    ) async throws -> [String] {
        let route = try #require(
            routes.first { $0.method == .get && $0.matches(path) }, "\(path)")
        var parameters: [String: String] = [:]
        for (name, value) in zip(route.path.split(separator: "/"), path.split(separator: "/"))
        where name.hasPrefix("{") {
            parameters[String(name.dropFirst().dropLast())] = String(value)
        }
        let answer = try await route.answer(
            RouteRequest(
                parameters: parameters, query: query,
                visitor: Visitor(Principal(name: "account:ada", role: .owner), by: .place)))
        let tree = try Self.tree(try await ReportSite.text(of: answer.body))
        let members = RouteText.Field.Kind.object(route.about.answer)
        let faults = AnswerFaults.list(
            tree, route.about.isList ? .list(members) : members, at: path)
        let isEmpty =
            switch tree {
            case .list(let items): items.isEmpty
            case .section(let members): members.contains { $0.value == .list([]) }
            case .text, .scalar, .null: false
            }
        return faults + (isEmpty && !mayBeEmpty ? ["\(path): an empty list proves nothing"] : [])
    }

    /// Reads any JSON.
    private static func tree(_ text: String) throws -> SiteTree {
        try SiteTree(json: text)
    }
}

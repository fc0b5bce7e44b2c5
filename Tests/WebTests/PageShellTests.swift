import Permissions
import Testing

@testable import WebServer
@testable import Wire

/// What the server makes of a page for each of those who may open it.
@Suite(.timeLimit(.minutes(2)))
struct PageShellTests {
    private static func shell(_ role: Role, user: String? = nil, name: String = "account:ada")
        -> PageShell
    {
        PageShell(PagePreferences(), for: Principal(name: name, role: role, user: user))
    }

    private static func links(_ html: String) -> [String] {
        let navigation = html.split(separator: "<nav").last?.split(separator: "</nav>").first ?? ""
        return navigation.matches(of: /href="([^"]+)"/).map { String($0.1) }
    }

    @Test(arguments: Role.allCases)
    func `the navigation leads to what one may open, and nowhere else`(role: Role) throws {
        let principal = Principal(name: "account:ada", role: role, user: "u-a")
        let live = try #require(PageSpec.all.first { $0.path == "/" })
        let links = Self.links(PageShell(PagePreferences(), for: principal).html(of: live))
        for spec in PageSpec.all {
            if links.contains(spec.path) {
                #expect(spec.isOpen(to: principal), "\(role) \(spec.path)")
            } else if case .sections = spec.place {
                #expect(!spec.isOpen(to: principal), "\(role) \(spec.path)")
            }
        }
        #expect(links.contains("/accounts") == (role == .owner))
        #expect(links.contains("/attendance") == [.owner, .manager, .auditor].contains(role))
    }

    @Test func `whoever is nobody registered has no day of their own`() throws {
        let live = try #require(PageSpec.all.first)
        #expect(!Self.links(Self.shell(.owner).html(of: live)).contains("/me"))
        #expect(Self.links(Self.shell(.owner, user: "u-a").html(of: live)).contains("/me"))
    }

    @Test func `a shell names what its module needs, and who looks`() throws {
        let spec = try #require(PageSpec.all.first { $0.name == "person" })
        let html = Self.shell(.member, user: "u-a", name: "account:<b>\"").html(of: spec)
        #expect(html.contains("data-page=\"person\" data-path=\"/people/{user}\""))
        // With what every page tells them.
        let topics = spec.topics + ["user/u-a/wait", "notify/u-a"]
        #expect(html.contains("data-topics=\"\(topics.joined(separator: ","))\""))
        #expect(html.contains("id=\"notices\" class=\"bell\" href=\"/notices\""))
        #expect(html.contains("data-role=\"member\""))
        #expect(html.contains("live:own") && !html.contains("accounts:"))
        #expect(html.contains("data-account=\"&lt;b&gt;&quot;\"") && !html.contains("<b>"))
        let files = Pages.shared.files
        #expect(html.contains("<script type=\"module\" src=\"\(files.address("start.js"))\">"))
        #expect(html.contains("modulepreload\" href=\"\(files.address("pages/person.js"))\""))
        #expect(html.contains("modulepreload\" href=\"\(files.address("words/en.js"))\""))
    }

    @Test func `a theme that was chosen is said to the browser`() throws {
        var preferences = PagePreferences()
        preferences.theme = .dark
        let html = PageShell(preferences, for: nil).html(of: try #require(PageSpec.all.last))
        #expect(html.contains("data-theme=\"dark\""))
        #expect(html.contains("<meta name=\"color-scheme\" content=\"dark\">"))
    }

    /// A member asks for what is theirs, and for what is not.
    @Test func `a role that opens another's page is told so, with a way on`() async throws {
        var fixture = ServerFixture()
        fixture.access = Access(
            Authority(token: { role in
                Role(rawValue: role).map {
                    Visitor(Principal(name: "token:x", role: $0, user: "u-a"), by: .place)
                }
            }))
        let accept = "Accept: text/html,*/*;q=0.8"
        for (role, path, status) in [
            ("member", "/people/u-a", 200), ("member", "/people/u-b", 403),
            ("member", "/people", 403),
            ("member", "/me", 200), ("screen", "/me", 403), ("screen", "/", 200),
            ("trainer", "/attendance", 403), ("auditor", "/attendance/2026-03-29", 200),
            ("manager", "/accounts", 403), ("owner", "/accounts", 200), ("node", "/", 403),
        ] {
            let answer = try await fixture.answer(
                to: "GET \(path)", accept, "Authorization: Bearer \(role)")
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(role) \(path)")
            #expect(answer.contains("<nav aria-label=\"Sections\">"))
            #expect(answer.contains("no-store"))
            if status == 403 { #expect(answer.contains("<h1>You don’t have permission.</h1>")) }
        }
    }
}

/// Which topics a page asks for.
struct TopicChoiceTests {
    @Test(arguments: [
        ("user/+/presence,state", "user/u-a/presence", true), ("state", "state", true),
        ("state", "room/a/state", false), ("user/u-a/why", "user/u-b/why", false),
        ("node/#", "node/n-a/config/active", true), ("+/+/state", "room/a/state", true),
    ])
    func `filters are those of MQTT, below the site`(list: String, topic: String, isIn: Bool) {
        #expect(TopicChoice(list)?.includes("mesh/v1/gym/\(topic)") == isIn)
    }

    @Test func `a coordinator's topics begin with core`() {
        #expect(TopicChoice("core/+/health")?.includes("mesh/v1/core/c1/health") == true)
        #expect(TopicChoice("+/health")?.includes("mesh/v1/core/c1/health") == false)
    }

    @Test(arguments: ["", "a,,b", "a+", "#/a", String(repeating: "a,", count: 40) + "a"])
    func `what is no filter is refused`(list: String) { #expect(TopicChoice(list) == nil) }

    @Test func `a stream has what it asks for, from the start and then`() async throws {
        let feed = LiveFeed(epoch: 7, now: { 1_000 })
        let topics = ["mesh/v1/gym/state", "mesh/v1/gym/room/a/state"]
        feed.replace(topics: topics.map { ($0, Array("{}".utf8)) }, names: Array("{}".utf8))
        var page = try feed.subscribe(of: TopicChoice("room/+/state")).makeAsyncIterator()
        let first = String(buffer: try #require(await page.next()))
        #expect(first.contains("room/a/state") && !first.contains("gym/state"))
        for topic in topics.reversed() {
            feed.send([
                Publication(
                    topic: topic, payload: Array("{\"n\":1}".utf8), quality: 1, isRetained: true)
            ])
        }
        let next = String(buffer: try #require(await page.next()))
        #expect(next.contains("room/a/state") && !next.contains("gym/state"))
    }

    @Test(arguments: ["topics=a+", "topics=", "topics=a&topics=b", "topic=a"])
    func `a stream that asks for nonsense is refused`(query: String) async throws {
        let answer = try await ServerFixture().answer(to: "GET /api/v1/stream?\(query)")
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
    }
}

import Permissions
import Testing

@testable import WebServer
@testable import Wire

/// Who sees what of the live state, field by field, and how a stream goes on.
@Suite(.timeLimit(.minutes(1)))
struct FeedViewTests {
    private let feed = LiveFeed(epoch: 7, now: { 1_000 })

    init() {
        feed.replace(
            topics: [
                ("mesh/v1/gym/state", #"{"present":2}"#),
                ("mesh/v1/gym/shadow", #"{"agreed":1}"#),
                ("mesh/v1/gym/room/hall/state", #"{"count":2}"#),
                ("mesh/v1/gym/station/rower/info", #"{"slots":2}"#),
                (
                    "mesh/v1/gym/station/rower/state",
                    #"{"state":"occupied","by":["u-a","u-b"],"here":["u-b","u-c"],"offered":[{"user":"u-c","until_ms":1},{"user":"u-a","until_ms":2}]}"#
                ),
                ("mesh/v1/gym/user/u-a/presence", #"{"room":"hall"}"#),
                ("mesh/v1/gym/user/u-a/attendance", #"{"in":1}"#),
                ("mesh/v1/gym/user/u-b/presence", #"{"room":"hall"}"#),
                ("mesh/v1/gym/user/u-b/attendance", #"{"in":2}"#),
                ("mesh/v1/gym/user/u-b/why", #"{"why":2}"#),
                ("mesh/v1/gym/user/u-a/why", #"{"why":1}"#),
                ("mesh/v1/gym/user/u-a/workout", #"{"state":"none"}"#),
                ("mesh/v1/gym/user/u-b/workout", #"{"state":"active"}"#),
                ("mesh/v1/gym/user/u-a/wait", #"{"station":"bench"}"#),
                ("mesh/v1/gym/user/u-b/wait", #"{"station":"rack"}"#),
                ("mesh/v1/gym/beacon/b-a/info", #"{"title":"Ada's tag"}"#),
                ("mesh/v1/gym/node/n-1/health", #"{"beacons":3}"#),
                ("strange", "{}"),
            ].map { ($0.0, Array($0.1.utf8)) },
            names: Array(
                """
                {"site":{"id":"gym"},"rooms":{"hall":"Hall"},"stations":{"rower":"Rower"},\
                "nodes":{"n-1":"Pi of Ada"},"users":{"u-a":"Ada","u-b":"Bea"},\
                "beacons":{"b-a":"Ada's tag"}}
                """.utf8))
    }

    private func seen(_ view: FeedView) -> String {
        String(decoding: feed.snapshot(as: view).json, as: UTF8.self)
    }

    @Test func `a manager sees everything`() {
        for word in ["u-a/presence", "u-b/why", "Ada", "Bea", "b-a", "n-1/health", "strange"] {
            #expect(seen(.site).contains(word), "\(word)")
        }
    }

    @Test func `a snapshot has the topics that are asked for`() {
        let choice = TopicChoice("user/+/presence")
        let text = String(decoding: feed.snapshot(of: choice).json, as: UTF8.self)
        #expect(text.contains("u-a/presence") && text.contains("u-b/presence"))
        #expect(!text.contains("/workout") && !text.contains("n-1/health"))
    }

    @Test func `a trainer sees the training of those who share`() throws {
        for user in ["u-a", nil] {
            let trainer = Principal(name: "account:tom", role: .trainer, user: user)
            let view = try #require(FeedView(of: trainer))
            feed.share([:])
            #expect(seen(view).contains("u-a/workout") == (user == "u-a"))
            #expect(!seen(view).contains("u-b/workout") && seen(view).contains("u-b/presence"))
            feed.share([.place: ["u-b"]])
            #expect(!seen(view).contains("u-b/workout"), "where they are is another thing")
            feed.share([.training: ["u-b"]])
            #expect(seen(view).contains("u-b/workout"))
        }
        // What a manager sees does not depend on it.
        let manager = try #require(FeedView(of: Principal(name: "account:mia", role: .manager)))
        feed.share([:])
        #expect(seen(manager).contains("u-b/workout"))
    }

    @Test func `a screen sees nobody`() {
        let text = seen(.nameless)
        for word in ["u-a", "u-b", "u-c", "Ada", "Bea", "b-a", "n-1", "shadow", "strange"] {
            #expect(!text.contains(word), "\(word)")
        }
        let station =
            #"{"state":"occupied","by":[],"here":[],"offered":[],"others":3,"others_here":2,"others_by":2,"others_offered":2}"#
        #expect(text.contains(#""mesh/v1/gym/station/rower/state":\#(station)"#))
        #expect(text.contains(#""mesh/v1/gym/station/rower/info":{"slots":2}"#))
        #expect(text.contains(#""rooms":{"hall":"Hall"}"#))
        #expect(text.contains(#""mesh/v1/gym/state":{"present":2}"#))
    }

    @Test func `a member sees themselves, and of others where they are if they share it`() {
        var text = seen(.person("u-a"))
        #expect(text.contains("u-a/presence") && text.contains("u-a/attendance"))
        #expect(
            text.contains(
                #""by":["u-a"],"here":[],"offered":[{"user":"u-a","until_ms":2}],"others":2,"others_here":2,"others_by":1,"others_offered":1}"#
            ))
        #expect(text.contains(#""users":{"u-a":"Ada"}"#))
        #expect(!text.contains("u-b") && !text.contains("Bea") && !text.contains("b-a"))
        feed.share([.training: ["u-b"]])
        #expect(seen(.person("u-a")) == text, "members see where others are, or nothing")
        feed.share([.place: ["u-b"]])
        text = seen(.person("u-a"))
        #expect(text.contains("u-b/presence") && text.contains("Bea"))
        #expect(
            text.contains(
                #""by":["u-a","u-b"],"here":["u-b"],"offered":[{"user":"u-a","until_ms":2}],"others":1,"others_here":1,"others_by":0,"others_offered":1}"#
            ))
        #expect(!text.contains("u-b/attendance") && !text.contains("u-b/why"))
        #expect(!seen(.nameless).contains("u-b"))
    }

    /// Who sees the other's topics of each kind. The whole table: presence is everybody's who may see the page.
    @Test(arguments: Role.allCases)
    func `a topic is seen by those only who have its right`(role: Role) {
        let scopes: [Set<Scope>] =
            role == .integration ? [[.liveRead], [.liveRead, .attendanceRead]] : [[]]
        for scope in scopes {
            let principal = Principal(name: "x", role: role, user: "u-a", scopes: scope)
            let text = FeedView(of: principal).map(seen) ?? ""
            for (kind, level) in [
                (PayloadKind.presence, "presence"), (.attendance, "attendance"),
                (.workout, "workout"), (.wait, "wait"), (.why, "why"),
            ] {
                let mine = "user/u-a/\(level)"
                let others = "user/u-b/\(level)"
                let reach =
                    principal.reach(.live) > .nothing
                    ? principal.reach(kind.topic.reader) : .nothing
                let who = "\(role) \(scope) \(level)"
                #expect(text.contains(mine) == (reach >= .own), "\(who)")
                // Training only of those who share, and nobody does.
                let isKept = principal.needsConsent(of: "u-b", for: kind.topic.reader)
                #expect(text.contains(others) == (reach == .site && !isKept), "\(who)")
            }
        }
    }

    @Test func `a trainer and a program for the live page read nobody's attendance`() throws {
        let trainer = Principal(name: "x", role: .trainer, user: "u-a")
        let program = Principal(name: "x", role: .integration, scopes: [.liveRead])
        for principal in [trainer, program] {
            let text = seen(try #require(FeedView(of: principal)))
            #expect(text.contains("u-b/presence") && text.contains("Bea"))
            #expect(!text.contains("u-b/attendance"))
        }
    }

    /// The rule behind the cases above, for each kind of topic that there is or will be.
    @Test func `what is somebody's is seen by nobody else without its right for the whole site`() {
        for kind in PayloadKind.allCases {
            let spec = kind.topic
            let topic = spec.path(
                spec.parameters.map { ["site": "gym", "user": "u-b"][$0] ?? "x" })
            #expect(PayloadKind.of(topic)?.kind == kind)
            for role in Role.allCases {
                let reach = spec.reader.reach(of: role)
                guard let view = FeedView(of: Principal(name: "x", role: role, user: "u-a")),
                    reach < .site
                else { continue }
                let sight = FeedFilter(view: view, sharing: [:]).sight(of: topic)
                switch spec.subject {
                case .places: #expect(sight == (reach > .nothing ? .whole : .nothing), "\(kind)")
                case .placesWithPeople: #expect(sight != .whole, "\(role) \(kind)")
                case .person, .everybody: #expect(sight == .nothing, "\(role) \(kind)")
                }
            }
        }
        #expect(PayloadKind.of("mesh/v1/gym/user/a/diary") == nil)
    }

    @Test func `one reader takes no more pages than a few`() throws {
        var pages: [LiveFeed.Subscription] = []
        for _ in 0..<LiveFeed.capacityOfOne { pages.append(try feed.subscribe(by: "account:a")) }
        #expect(throws: LiveFeed.Crowd.tooManyOfOne) { try feed.subscribe(by: "account:a") }
        pages.append(try feed.subscribe(by: "account:b"))
        pages.append(try feed.subscribe())
        pages.removeFirst()
        pages.append(try feed.subscribe(by: "account:a"))
        #expect(feed.subscriberCount == LiveFeed.capacityOfOne + 2)
    }

    @Test func `what changes is told to those only who may see it`() async throws {
        var screen = try feed.subscribe(as: .nameless).makeAsyncIterator()
        _ = await screen.next()
        func change(_ topic: String, _ payload: String) -> Publication {
            Publication(
                topic: "mesh/v1/gym/" + topic, payload: Array(payload.utf8), quality: 1,
                isRetained: true)
        }
        feed.send([change("user/u-a/presence", #"{"room":"bar"}"#)])
        feed.send([change("station/rower/state", #"{"by":["u-a"],"state":"free"}"#)])
        feed.rename(Array(#"{"users":{"u-a":"Ada L."},"rooms":{"hall":"The hall"}}"#.utf8))
        let text = String(buffer: try #require(await screen.next()))
        #expect(text.contains(#""payload":{"by":[],"state":"free","others":1,"others_by":1}"#))
        #expect(text.contains("The hall"))
        #expect(!text.contains("u-a") && !text.contains("Ada"))
    }

    @Test func `a stream goes on where it ended, without a hole`() async throws {
        func tell(_ number: Int) {
            feed.send([
                Publication(
                    topic: "t", payload: Array("{\"n\":\(number)}".utf8), quality: 1,
                    isRetained: true)
            ])
        }
        tell(1)
        tell(2)
        tell(3)
        var page = try feed.subscribe(after: "7-2").makeAsyncIterator()
        let text = String(buffer: try #require(await page.next()))
        #expect(text.contains("event: resumed\n") && !text.contains("event: snapshot"))
        #expect(!text.contains(#"{"n":1}"#))
        #expect(text.contains(#"{"n":2}"#) && text.contains(#"{"n":3}"#))
        #expect(text.hasSuffix("id: 7-4\n\n"))
    }

    @Test func `a stream goes on after a snapshot without a hole`() async throws {
        func tell(_ number: Int) {
            feed.send([
                Publication(
                    topic: "t", payload: Array("{\"n\":\(number)}".utf8), quality: 1,
                    isRetained: true)
            ])
        }
        tell(1)
        let (json, id) = feed.snapshot()
        #expect(String(decoding: json, as: UTF8.self).contains(#"{"n":1}"#))
        tell(2)
        var page = try feed.subscribe(after: id).makeAsyncIterator()
        let text = String(buffer: try #require(await page.next()))
        #expect(text.contains("event: resumed\n") && text.contains(#"{"n":2}"#))
        #expect(!text.contains(#"{"n":1}"#))
    }

    @Test(arguments: ["8-2", "7-99", "7-0", "7", "", "x-1", "7-2-3", "7--1"])
    func `where it cannot go on it says so by the whole state`(last: String) async throws {
        for number in 0..<3 {
            feed.send([
                Publication(
                    topic: "t", payload: Array("{\"n\":\(number)}".utf8), quality: 1,
                    isRetained: true)
            ])
        }
        var page = try feed.subscribe(after: last).makeAsyncIterator()
        let text = String(buffer: try #require(await page.next()))
        #expect(text.contains("event: snapshot\n") && !text.contains("event: resumed"))
    }

    @Test func `what has left the ring is not gone on from`() async throws {
        for number in 0...LiveFeed.bound {
            feed.send([
                Publication(
                    topic: "t", payload: Array("{\"n\":\(number)}".utf8), quality: 1,
                    isRetained: true)
            ])
        }
        var lost = try feed.subscribe(after: "7-1").makeAsyncIterator()
        #expect(String(buffer: try #require(await lost.next())).contains("event: snapshot\n"))
        var kept = try feed.subscribe(after: "7-2").makeAsyncIterator()
        let text = String(buffer: try #require(await kept.next()))
        #expect(text.split(separator: "event: change").count - 1 == LiveFeed.bound)
    }

    @Test func `a stream ends when its session does`() async throws {
        let isOver = Once()
        var page = try feed.subscribe { !isOver.hasHappened }.makeAsyncIterator()
        _ = await page.next()
        feed.review()
        #expect(feed.subscriberCount == 1)
        isOver.happened()
        feed.review()
        #expect(await page.next() == nil)
        #expect(feed.subscriberCount == 0)
    }
}

import Testing

@testable import WebServer
@testable import Wire

/// A page sees the whole state once, then every change, and never a hole.
@Suite(.timeLimit(.minutes(1)))
struct LiveFeedTests {
    let feed = LiveFeed(epoch: 7, now: { 1_000 })
    let names = Array(#"{"site":{"id":"gym"}}"#.utf8)

    private func retained(_ topic: String, _ payload: String) -> Publication {
        Publication(topic: topic, payload: Array(payload.utf8), quality: 1, isRetained: true)
    }

    private func snapshot() -> String { String(decoding: feed.snapshot().json, as: UTF8.self) }

    @Test func `the whole state comes first, topics in order, then what changes`() async throws {
        feed.replace(
            topics: [("b", Array("{}".utf8)), ("a", Array(#"{"n":1}"#.utf8))], names: names)
        var events = try feed.subscribe().makeAsyncIterator()
        let first = try #require(await events.next())
        #expect(
            String(buffer: first) == """
                retry: 1000
                event: snapshot
                data: {"names":{"site":{"id":"gym"}},"topics":{"a":{"n":1},"b":{}},"server_ms":1000}
                id: 7-1


                """)
        feed.send([retained("a", #"{"n":2}"#), retained("c", "{}")])
        let second = try #require(await events.next())
        #expect(
            String(buffer: second) == """
                event: change
                data: {"topic":"a","payload":{"n":2},"server_ms":1000}

                event: change
                data: {"topic":"c","payload":{},"server_ms":1000}

                id: 7-2


                """)
    }

    @Test func `other names are told as such, and nothing starts again`() async throws {
        feed.replace(topics: [("a", Array(#"{"n":1}"#.utf8))], names: names)
        var events = try feed.subscribe().makeAsyncIterator()
        _ = await events.next()
        feed.rename(names)
        feed.rename(Array(#"{"users":{}}"#.utf8))
        #expect(
            String(buffer: try #require(await events.next())) == """
                event: names
                data: {"names":{"users":{}},"server_ms":1000}

                id: 7-2


                """)
        #expect(snapshot().contains(#""names":{"users":{}},"topics":{"a":{"n":1}}"#))
    }

    @Test func `what piled up is one write`() async throws {
        var events = try feed.subscribe().makeAsyncIterator()
        _ = await events.next()
        feed.send([retained("a", #"{"n":1}"#)])
        feed.send([retained("a", #"{"n":2}"#)])
        let text = String(buffer: try #require(await events.next()))
        #expect(text.contains(#"{"n":1}"#) && text.contains(#"{"n":2}"#))
    }

    @Test func `an empty payload removes its topic`() async throws {
        feed.replace(topics: [("a", Array("{}".utf8))], names: names)
        var events = try feed.subscribe().makeAsyncIterator()
        _ = await events.next()
        feed.send([retained("a", "")])
        let text = String(buffer: try #require(await events.next()))
        #expect(text.contains(#"{"topic":"a","payload":null,"#))
        #expect(snapshot().contains(#""topics":{}"#))
    }

    @Test func `what is not retained is told once, what is already known is passed over`()
        async throws
    {
        feed.replace(topics: [("a", Array("{}".utf8))], names: names)
        var events = try feed.subscribe().makeAsyncIterator()
        _ = await events.next()
        let event = Publication(topic: "e", payload: [0x7B, 0x7D], quality: 1, isRetained: false)
        feed.send([event, retained("a", "{}"), retained("gone", "")])
        feed.send([retained("z", "{}")])
        let text = String(buffer: try #require(await events.next()))
        #expect(
            text == """
                event: change
                data: {"topic":"e","payload":{},"server_ms":1000}

                event: change
                data: {"topic":"z","payload":{},"server_ms":1000}

                id: 7-3


                """)
        #expect(snapshot().contains(#""topics":{"a":{},"z":{}}"#))
    }

    @Test(arguments: ["{", "{}x", "7", "\"text\"", "{\"a\":\"\u{1}\"}", "{}\n\nevent: clock"])
    func `a broken payload spoils nothing`(broken: String) {
        feed.replace(topics: [("a", Array("{}".utf8)), ("x", Array(broken.utf8))], names: names)
        feed.send([retained("y", broken)])
        #expect(snapshot().contains(#""topics":{"a":{}}"#))
    }

    @Test func `a line break in a payload begins no event of its own`() async throws {
        var events = try feed.subscribe().makeAsyncIterator()
        _ = await events.next()
        feed.send([retained("a", "{\"n\":\r\n\n1}")])
        let text = String(buffer: try #require(await events.next()))
        #expect(text.contains("{\"n\":   1}"))
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 6)
    }

    @Test func `a page that reads slowly loses nothing up to the bound`() async throws {
        var events = try feed.subscribe().makeAsyncIterator()
        _ = await events.next()
        for number in 1...LiveFeed.bound { feed.send([retained("a", "{\"n\":\(number)}")]) }
        let text = String(buffer: try #require(await events.next()))
        #expect(text.split(separator: "event: change").count == LiveFeed.bound)
    }

    @Test func `what is kept for slow pages is bounded in bytes, too`() async throws {
        var events = try feed.subscribe().makeAsyncIterator()
        _ = await events.next()
        let much = String(repeating: "x", count: LiveFeed.largest / 16)
        // Each stands there twice: as it is, and as the pages are told.
        for number in 1...7 { feed.send([retained("a", "{\"n\":\"\(number)\(much)\"}")]) }
        let all = String(buffer: try #require(await events.next()))
        #expect(all.split(separator: "event: change").count == 7)
        for number in 1...9 { feed.send([retained("a", "{\"n\":\"\(number)\(much)\"}")]) }
        let anew = String(buffer: try #require(await events.next()))
        #expect(anew.contains("event: snapshot\n") && !anew.contains("event: change"))
        for number in 0..<3 * LiveFeed.bound { feed.send([retained("b", "{\"n\":\(number)}")]) }
        _ = await events.next()
        feed.send([retained("a", "{\"n\":\"\(much)\"}")])
        let last = String(buffer: try #require(await events.next()))
        #expect(last.contains("event: change") && !last.contains("event: snapshot"))
        // One that is larger than all that is kept.
        feed.send([retained("a", "{\"n\":\"\(String(repeating: much, count: 9))\"}")])
        let whole = String(buffer: try #require(await events.next()))
        #expect(whole.contains("event: snapshot\n"))
    }

    @Test func `a page that fell behind starts again from the whole state`() async throws {
        var events = try feed.subscribe().makeAsyncIterator()
        _ = await events.next()
        for number in 0...LiveFeed.bound { feed.send([retained("a", "{\"n\":\(number)}")]) }
        feed.send([retained("a", #"{"n":-1}"#)])
        let text = String(buffer: try #require(await events.next()))
        #expect(text.contains("event: snapshot") && text.contains(#""topics":{"a":{"n":-1}}"#))
        #expect(!text.contains("event: change"))
        feed.send([retained("a", #"{"n":-2}"#)])
        let next = String(buffer: try #require(await events.next()))
        #expect(next.contains("event: change") && next.contains(#"{"n":-2}"#))
    }

    @Test func `a new plan starts every page again`() async throws {
        var events = try feed.subscribe().makeAsyncIterator()
        _ = await events.next()
        feed.send([retained("old", "{}")])
        feed.replace(topics: [("new", Array("{}".utf8))], names: names)
        let text = String(buffer: try #require(await events.next()))
        #expect(text.contains(#""topics":{"new":{}}"#) && !text.contains("old"))
    }

    @Test func `the time carries when a node was last heard, and never goes back`() async throws {
        feed.heard(at: 700)
        feed.heard(at: 600)
        var events = try feed.subscribe().makeAsyncIterator()
        _ = await events.next()
        feed.tellTime(isHeartbeat: true)
        let text = String(buffer: try #require(await events.next()))
        #expect(
            text
                == ": heartbeat\n\nevent: clock\ndata: {\"server_ms\":1000,\"data_ms\":700}\n\nid: 7-1\n\n"
        )
    }

    @Test func `pages are bounded, and one that goes makes room`() throws {
        var pages: [LiveFeed.Subscription] = []
        for _ in 0..<LiveFeed.capacity { pages.append(try feed.subscribe()) }
        #expect(throws: LiveFeed.Crowd.full) { try feed.subscribe() }
        pages.removeLast()
        #expect(feed.subscriberCount == LiveFeed.capacity - 1)
        pages.append(try feed.subscribe())
    }

    @Test func `a cancelled page is forgotten`() async throws {
        let page = try feed.subscribe()
        let reading = Task { for await _ in page {} }
        reading.cancel()
        await reading.value
        #expect(feed.subscriberCount == 0)
    }
}

import Testing

@testable import Simulation
@testable import SiteModel
@testable import Wire

/// The broker in memory does what a real one does, and fails as told.
struct SimBrokerTests {
    var broker = MemoryBroker()
    let now = Timestamp(milliseconds: 1_790_000_000_000)

    func message(
        _ topic: String, _ payload: [UInt8] = [1], quality: Int = 1, retained: Bool = false
    ) -> Publication {
        Publication(topic: topic, payload: payload, quality: quality, isRetained: retained)
    }

    @Test(arguments: [
        ("a", "a", true), ("a", "b", false), ("a", "a/b", false), ("a/b", "a", false),
        ("a/+", "a/b", true), ("a/+", "a", false), ("a/+", "a/b/c", false), ("a/+", "a/", true),
        ("+", "a", true), ("+", "/a", false), ("+/+", "/a", true), ("/+", "/a", true),
        ("+/b/+", "a/b/c", true), ("+/b/+", "a/c/c", false), ("#", "a/b/c", true), ("#", "a", true),
        ("a/#", "a", true), ("a/#", "a/b/c", true), ("a/#", "ab", false), ("a/#", "b/a", false),
        ("a/+/#", "a", false), ("a/+/#", "a/b", true), ("a/+/#", "a/b/c/d", true),
        ("+/#", "a", true), ("a/b/#", "a", false), ("a//b", "a//b", true), ("a//b", "a/b", false),
        ("#", "$SYS/x", false), ("+/x", "$SYS/x", false), ("$SYS/#", "$SYS/x", true),
        ("a/#", "a/$x", true), ("A", "a", false),
    ])
    func `filters match as MQTT says`(filter: String, topic: String, matches: Bool) {
        #expect(TopicFilter(filter)?.matches(topic) == matches)
    }

    @Test(arguments: ["", "a/#/b", "#/a", "a#", "a/b#", "a+", "+a/b", "a/+b", "##", "a\0b"])
    func `what is no filter is refused`(text: String) {
        #expect(TopicFilter(text) == nil)
    }

    @Test mutating func `a late subscriber gets what is retained, marked and in order`() {
        broker.publish(message("s/b", [2], retained: true), at: now)
        broker.publish(message("s/a", [1], retained: true), at: now)
        broker.publish(message("s/c", [3]), at: now)
        broker.connect("k", at: now)
        broker.subscribe("k", to: "s/#", at: now)
        let first = broker.deliveries(for: "k", at: now)
        #expect(first.map(\.topic) == ["s/a", "s/b"])
        #expect(first.map(\.isRetained) == [true, true])
        broker.publish(message("s/a", [9], retained: true), at: now)
        #expect(broker.deliveries(for: "k", at: now).map(\.isRetained) == [false])
        #expect(broker.retained.map(\.payload) == [[9], [2]])
    }

    @Test mutating func `an empty retained message clears, and is told to those present`() {
        broker.connect("k", at: now)
        broker.subscribe("k", to: "#", at: now)
        broker.publish(message("a", retained: true), at: now)
        broker.publish(message("a", [], retained: true), at: now)
        #expect(broker.retained.isEmpty)
        #expect(broker.deliveries(for: "k", at: now).map(\.payload) == [[1], []])
    }

    @Test mutating func `overlapping subscriptions bring one copy of the best quality`() {
        broker.connect("k", at: now)
        broker.subscribe("k", to: "a/#", quality: 0, at: now)
        broker.subscribe("k", to: "+/b", quality: 1, at: now)
        broker.publish(message("a/b", quality: 1), at: now)
        broker.publish(message("a/b", quality: 0), at: now)
        #expect(broker.deliveries(for: "k", at: now).map(\.quality) == [1, 0])
    }

    @Test mutating func `a client that drops leaves its will, one that says goodbye does not`() {
        let will = message("a/status", [0], retained: true)
        broker.connect("n", will: will, at: now)
        broker.disconnect("n", isClean: true, at: now)
        #expect(broker.retained.isEmpty)
        broker.connect("n", will: will, at: now)
        broker.connect("n", at: now)  // The same id again throws out the first.
        #expect(broker.retained == [will])
        #expect(broker.isConnected("n"))
    }

    @Test mutating func `a client that comes back starts without queue or subscriptions`() {
        broker.connect("k", at: now)
        broker.subscribe("k", to: "#", at: now)
        broker.publish(message("a"), at: now)
        broker.disconnect("k", isClean: false, at: now)
        #expect(broker.deliveries(for: "k", at: now).isEmpty)
        broker.connect("k", at: now)
        broker.publish(message("a"), at: now)
        #expect(broker.deliveries(for: "k", at: now).isEmpty)
    }

    @Test mutating func `a restart forgets everything`() {
        broker.connect("k", will: message("w", retained: true), at: now)
        broker.subscribe("k", to: "#", at: now)
        broker.publish(message("a", retained: true), at: now)
        broker.restart()
        #expect(broker.retained.isEmpty)
        #expect(!broker.isConnected("k"))
        let isSubscribed = broker.subscribe("k", to: "#", at: now)
        #expect(!isSubscribed)
    }

    @Test func `quality 0 is lost and quality 1 repeated as often as told`() {
        var faults = Faults()
        faults.loss = 0.2
        faults.duplication = 0.1
        var broker = MemoryBroker(faults: faults, seed: 5)
        broker.connect("k", at: now)
        broker.subscribe("k", to: "#", at: now)
        for _ in 0..<5000 {
            broker.publish(message("zero", quality: 0), at: now)
            broker.publish(message("one", quality: 1), at: now)
        }
        let got = broker.deliveries(for: "k", at: now)
        #expect((3850...4150).contains(got.count { $0.topic == "zero" }))
        #expect(got.count { $0.topic == "one" && !$0.isDuplicate } == 5000)
        #expect((430...570).contains(got.count { $0.topic == "one" && $0.isDuplicate }))
        #expect(!got.contains { $0.topic == "zero" && $0.isDuplicate })
    }

    @Test func `what is delayed arrives late, in order and entirely`() {
        var faults = Faults()
        faults.delay = .seconds(2)
        var broker = MemoryBroker(faults: faults, seed: 5)
        broker.connect("k", at: now)
        broker.subscribe("k", to: "#", at: now)
        for index in 0..<50 {
            let at = now + .milliseconds(Int64(index) * 100)
            broker.publish(message("a", [UInt8(index)]), at: at)
        }
        var got: [UInt8] = []
        for step in 0...70 {
            let at = now + .milliseconds(Int64(step) * 100)
            let arrived = broker.deliveries(for: "k", at: at).flatMap(\.payload)
            #expect(arrived.allSatisfy { Int($0) <= step && step <= Int($0) + 20 })
            got += arrived
        }
        #expect(got == Array(0..<50))
    }
}

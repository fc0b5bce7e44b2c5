import Glibc
import Hummingbird
import Synchronization
import Wire

/// The retained topics of a site as its pages see them, and the pages that are looking.
///
/// The coordinator's loop calls `replace`, `send` and `heard`; the web threads subscribe. A lock
/// guards a few copies of references and nothing else, so neither side waits long for the other.
package final class LiveFeed: Sendable {
    /// The most batches kept for a page that reads slowly. One more, and it starts again from
    /// the whole state: a page never sees a hole, and a stuck one never grows.
    package static let bound = 256

    /// The most pages that may look at once. Each costs a connection and up to `bound` batches.
    package static let capacity = 256

    /// What a page reads: each element is one write of one or more server-sent events.
    package typealias Subscription = AsyncCompactMapSequence<AsyncStream<Void>, ByteBuffer>

    private let state = Mutex(State())
    private let now: @Sendable () -> Int64

    /// An empty feed.
    ///
    /// - Parameter now: The coordinator's clock, in Unix milliseconds. Pages count every age
    ///   and every elapsed time from it, because their own clocks may be wrong.
    package init(now: @escaping @Sendable () -> Int64 = LiveFeed.wallClock) { self.now = now }

    /// Replaces everything, at start and when the plan changes; every page starts again.
    ///
    /// - Parameters:
    ///   - topics: Full topics with their retained payloads. As with `send`, what is no JSON
    ///     object is passed over.
    ///   - names: A JSON object: `site` (`id`, `name`, `demo`), then `rooms`, `stations`,
    ///     `nodes`, `users` and `beacons`, each from slug to name.
    package func replace(topics: [(topic: String, payload: [UInt8])], names: [UInt8]) {
        precondition(Self.isObject(names), "names must be a JSON object")
        let sound = topics.filter { Self.isObject($0.payload) }
        let topics = Dictionary(sound.map { ($0.topic, $0.payload) }) { _, later in later }
        state.withLock { state in
            state.topics = topics
            state.names = names
            state.startAgain()
        }
    }

    /// Tells the pages other names; everything else stays as it is.
    package func rename(_ names: [UInt8]) {
        precondition(Self.isObject(names), "names must be a JSON object")
        let moment = now()
        state.withLock { state in
            guard names != state.names else { return }
            state.names = names
            var events = ByteBuffer()
            let time = ServerTime(now: moment, heard: state.heard)
            events.writeEvent("names", EventText.names(names, at: time))
            state.tell(events)
        }
    }

    /// Tells the pages what changed. An empty payload removes its topic. Passed over is what is
    /// not retained, what is known already byte for byte, and what is no JSON object: one broken
    /// payload inside it would make the whole state unreadable to every page.
    package func send(_ changes: [Publication]) {
        let moment = now()
        state.withLock { state in
            let time = ServerTime(now: moment, heard: state.heard)
            var events = ByteBuffer()
            for change in changes where change.isRetained {
                guard change.payload != state.topics[change.topic] ?? [],
                    change.payload.isEmpty || Self.isObject(change.payload)
                else { continue }
                state.topics[change.topic] = change.payload.isEmpty ? nil : change.payload
                guard !state.subscribers.isEmpty else { continue }
                events.writeEvent(
                    "change",
                    EventText.change(topic: change.topic, payload: change.payload, at: time))
            }
            state.tell(events)
        }
    }

    /// Notes that a node was heard, in Unix milliseconds by the coordinator's clock. Pages show
    /// the age of their data from the newest such moment; without any, from the newest change.
    package func heard(at moment: Int64) {
        state.withLock { state in state.heard = max(state.heard ?? moment, moment) }
    }

    /// Sends every page the time, so that ages stay right and a lost connection is noticed.
    ///
    /// - Parameter isHeartbeat: Adds the comment that keeps proxies from closing the line.
    func tellTime(isHeartbeat: Bool) {
        let moment = now()
        state.withLock { state in
            var events = ByteBuffer()
            if isHeartbeat { events.writeString(": heartbeat\n\n") }
            events.writeEvent(
                "clock", EventText.clock(at: ServerTime(now: moment, heard: state.heard)))
            state.tell(events)
        }
    }

    /// Starts a stream: first the whole state, then what changes. It ends only with the task
    /// that reads it, and is forgotten once nobody holds it. `nil` while `capacity` pages look.
    package func subscribe() -> Subscription? {
        // The stream only wakes the reader, who then takes all there is in one write.
        let (wakes, wake) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        guard let number = state.withLock({ $0.add(wake) }) else { return nil }
        wake.onTermination = { [weak self] _ in self?.state.withLock { $0.remove(number) } }
        wake.yield()
        return wakes.compactMap { [self] _ in take(from: number) }
    }

    /// The whole state as one JSON object: `names`, `topics` and the time.
    package func snapshot() -> [UInt8] {
        let moment = now()
        let state = state.withLock { $0 }
        return EventText.snapshot(
            names: state.names, topics: state.topics,
            at: ServerTime(now: moment, heard: state.heard))
    }

    /// How many pages are looking.
    package var subscriberCount: Int { state.withLock { $0.subscribers.count } }

    /// The clock of this machine, in Unix milliseconds.
    package static let wallClock: @Sendable () -> Int64 = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func isObject(_ text: [UInt8]) -> Bool {
        (try? JSONObject(document: text.span, limit: .max)) != nil
    }

    /// What a page has not read yet, as one write, or `nil` if it has read everything.
    private func take(from number: Int) -> ByteBuffer? {
        switch state.withLock({ $0.take(from: number) }) {
        case .everything:
            // Rendered outside the lock. What changed since the line above is in here already
            // and is queued as well: told twice, and the same both times.
            var events = ByteBuffer(string: "retry: 1000\n")  // Browsers come back after 1 s.
            events.writeEvent("snapshot", snapshot())
            return events
        case .changes(let batches):
            guard var events = batches.first else { return nil }
            for batch in batches.dropFirst() { events.writeImmutableBuffer(batch) }
            return events
        }
    }
}

extension LiveFeed {
    /// What a page has still to read.
    package enum Unread {
        case everything
        case changes([ByteBuffer])
    }

    /// A page that is looking.
    struct Subscriber {
        let number: Int
        let wake: AsyncStream<Void>.Continuation
        var unread = Unread.everything
    }

    /// What the lock guards. Copying it copies references only.
    package struct State {
        package var names: [UInt8] = Array("{}".utf8)
        package var topics: [String: [UInt8]] = [:]
        package var heard: Int64?
        private(set) var subscribers: [Subscriber] = []
        private var latest = 0

        /// Adds a page and returns its number, or `nil` if there are too many.
        package mutating func add(_ wake: AsyncStream<Void>.Continuation) -> Int? {
            guard subscribers.count < LiveFeed.capacity else { return nil }
            latest += 1
            subscribers.append(Subscriber(number: latest, wake: wake))
            return latest
        }

        package mutating func remove(_ number: Int) {
            subscribers.removeAll { $0.number == number }
        }

        /// Gives every page the whole state once more.
        mutating func startAgain() {
            for index in subscribers.indices {
                subscribers[index].unread = .everything
                subscribers[index].wake.yield()
            }
        }

        /// Queues a batch of events for every page that has had the whole state.
        package mutating func tell(_ events: ByteBuffer) {
            guard events.readableBytes > 0 else { return }
            for index in subscribers.indices {
                guard case .changes(var batches) = subscribers[index].unread else { continue }
                subscribers[index].unread = .everything  // Leaves `batches` the only owner.
                if batches.count < LiveFeed.bound {
                    batches.append(events)
                    subscribers[index].unread = .changes(batches)
                }
                subscribers[index].wake.yield()
            }
        }

        /// Hands a page what it has not read.
        package mutating func take(from number: Int) -> Unread {
            guard let index = subscribers.firstIndex(where: { $0.number == number }) else {
                return .changes([])
            }
            defer { subscribers[index].unread = .changes([]) }
            return subscribers[index].unread
        }
    }
}

/// The two moments every event carries.
struct ServerTime: Equatable, Sendable {
    /// The coordinator's clock, in Unix milliseconds.
    var now: Int64
    /// When a node was last heard, or `nil` if that is not known.
    var heard: Int64?
}

/// What pages are sent: JSON objects, as server-sent events (WHATWG HTML 9.2), which are
/// `event:` and `data:` lines ended by an empty one.
enum EventText {
    /// `{"names":…,"topics":{topic:payload…},"server_ms":N}`, topics in alphabetical order.
    static func snapshot(names: [UInt8], topics: [String: [UInt8]], at time: ServerTime) -> [UInt8]
    {
        var json = JSONWriter()
        json.beginObject()
        json.key("names")
        json.raw(names)
        json.key("topics")
        json.beginObject()
        for (topic, payload) in topics.sorted(by: { $0.key < $1.key }) {
            json.key(topic)
            json.raw(payload)
        }
        json.endObject()
        finish(&json, at: time)
        return json.bytes
    }

    /// `{"topic":…,"payload":…,"server_ms":N}`; an empty payload is `null`: the topic is gone.
    static func change(topic: String, payload: [UInt8], at time: ServerTime) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("topic", topic)
        json.key("payload")
        if payload.isEmpty { json.null() } else { json.raw(payload) }
        finish(&json, at: time)
        return json.bytes
    }

    /// `{"names":…,"server_ms":N}`.
    static func names(_ names: [UInt8], at time: ServerTime) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("names")
        json.raw(names)
        finish(&json, at: time)
        return json.bytes
    }

    /// `{"server_ms":N}`.
    static func clock(at time: ServerTime) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        finish(&json, at: time)
        return json.bytes
    }

    private static func finish(_ json: inout JSONWriter, at time: ServerTime) {
        json.field("server_ms", time.now)
        if let heard = time.heard { json.field("data_ms", heard) }
        json.endObject()
    }
}

extension ByteBuffer {
    /// Writes one event with its data on one line. A line break in JSON is mere space, but here it
    /// would end the event, and let its author begin one of their own.
    mutating func writeEvent(_ name: String, _ json: [UInt8]) {
        writeString("event: \(name)\ndata: ")
        writeBytes(json.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
        writeString("\n\n")
    }
}

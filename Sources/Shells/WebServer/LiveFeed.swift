import Glibc
import Hummingbird
import JSON
import Permissions
import Synchronization
import Wire

/// The retained topics of a site as its pages see them, and the pages that are looking.
///
/// The coordinator's loop calls `replace`, `send` and `heard`; the web threads subscribe. A lock
/// guards a few copies of references and nothing else, so neither side waits long for the other. What
/// changed is kept once, for all pages: each reads on from where it was, and sees of it what it may.
package final class LiveFeed: Sendable {
    /// How many of the latest batches are kept. A page that reads more slowly starts again from the
    /// whole state: it never sees a hole, and a stuck one costs nothing.
    package static let bound = 256

    /// About how many bytes of batches are kept at most. One that adds a tag holds the list of all tags for each node.
    static let largest = 8 << 20

    /// The most pages that may look at once. Each costs a connection.
    package static let capacity = 512

    /// The most of them that one account or token may have: whoever opens more keeps others out.
    package static let capacityOfOne = 16

    /// Why nobody more may look.
    package enum Crowd: Error, Equatable, Sendable {
        /// `capacity` pages look.
        case full
        /// `capacityOfOne` pages of this reader look.
        case tooManyOfOne
    }

    /// What a page reads: each element is one write of one or more server-sent events.
    package typealias Subscription = AsyncCompactMapSequence<AsyncStream<Void>, ByteBuffer>

    private let state: Mutex<State>
    private let now: @Sendable () -> Int64

    /// An empty feed.
    ///
    /// - Parameters:
    ///   - epoch: Stands before the number of each event: what another process numbered is no place
    ///     to go on from.
    ///   - now: The coordinator's clock, in Unix milliseconds. Pages count every age and every
    ///     elapsed time from it, because their own clocks may be wrong.
    package init(
        epoch: UInt32 = .random(in: 0 ... .max),
        now: @escaping @Sendable () -> Int64 = LiveFeed.wallClock
    ) {
        self.now = now
        state = Mutex(State(epoch: epoch))
    }

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

    /// The retained payloads of topics that begin so below `mesh/v1/{site}/`, by topic.
    package func latest(_ prefix: String) -> [(topic: String, payload: [UInt8])] {
        let topics = state.withLock(\.topics)
        return topics.filter { topic, _ in
            topic.split(separator: "/", maxSplits: 3).last?.hasPrefix(prefix) ?? false
        }
        .map { (topic: $0.key, payload: $0.value) }.sorted { $0.topic < $1.topic }
    }

    /// The retained payload of one of these topics; `nil`: there is none.
    package func newest(_ topic: String) -> [UInt8]? {
        guard let site else { return nil }
        return state.withLock { $0.topics["mesh/v1/\(site)/\(topic)"] }
    }

    /// The site that they are of; `nil`: there are none yet.
    package var site: String? {
        state.withLock { state in
            state.topics.keys.first { !$0.hasPrefix("mesh/v1/core/") }
                .map { String($0.split(separator: "/", maxSplits: 3)[2]) }
        }
    }

    /// Tells the pages other names; everything else stays as it is.
    package func rename(_ names: [UInt8]) {
        precondition(Self.isObject(names), "names must be a JSON object")
        let moment = now()
        state.withLock { state in
            guard names != state.names else { return }
            state.names = names
            state.tell(Batch(names: names, at: ServerTime(now: moment, heard: state.heard)))
        }
    }

    /// Says who lets others see what, by slug. If that is another list, pages of people start again.
    package func share(_ sharing: [Shared: Set<String>]) {
        state.withLock { state in
            guard sharing != state.sharing else { return }
            state.sharing = sharing
            state.startAgain()
        }
    }

    /// Tells the pages what changed. An empty payload removes its topic; what is not retained is told once and is no part
    /// of the state. Passed over is what is known already byte for byte, and what is no JSON object: one broken
    /// payload inside it would make the whole state unreadable to every page.
    package func send(_ changes: [Publication]) {
        let moment = now()
        state.withLock { state in
            var batch = Batch(at: ServerTime(now: moment, heard: state.heard))
            // All nodes have one configuration, which is long: it is read once.
            var sound: [UInt8] = []
            for change in changes {
                guard change.isRetained else {
                    // Told to who looks now, and to nobody who comes later.
                    if Self.isObject(change.payload) { batch.add(change.topic, change.payload) }
                    continue
                }
                guard change.payload != state.topics[change.topic] ?? [],
                    change.payload.isEmpty || change.payload == sound
                        || Self.isObject(change.payload)
                else { continue }
                sound = change.payload
                state.topics[change.topic] = change.payload.isEmpty ? nil : change.payload
                batch.add(change.topic, change.payload)
            }
            if !batch.changes.isEmpty { state.tell(batch) }
        }
    }

    /// Notes that a node was heard, in Unix milliseconds by the coordinator's clock. Pages show
    /// the age of their data from the newest such moment; without any, from the newest change.
    package func heard(at moment: Int64) {
        state.withLock { state in state.heard = max(state.heard ?? moment, moment) }
    }

    /// Sends every page the time, so that ages stay right and a lost connection is noticed; ends
    /// those whose session is over.
    ///
    /// - Parameters:
    ///   - isHeartbeat: Adds the comment that keeps proxies from closing the line.
    ///   - fault: What is wrong with the coordinator, if anything is: what pages show may be old.
    func tellTime(isHeartbeat: Bool, fault: String? = nil) {
        review()
        let moment = now()
        state.withLock { state in
            let time = ServerTime(now: moment, heard: state.heard)
            state.tell(Batch(clock: time, isHeartbeat: isHeartbeat, fault: fault))
        }
    }

    /// Ends the streams of those who may not read any more. Called when a session or token ends.
    package func review() {
        let asked = state.withLock { $0.subscribers }
        for subscriber in asked where !subscriber.isWelcome() {
            state.withLock { $0.remove(subscriber.number) }
            subscriber.wake.finish()
        }
    }

    /// Starts a stream: first the whole state, then what changes. It ends with the task that reads
    /// it, and is forgotten once nobody holds it. Throws while too many look.
    ///
    /// - Parameters:
    ///   - view: What of it may be seen.
    ///   - choice: What of that is asked for; `nil`: everything.
    ///   - reader: Who looks, by what the audit calls them; `nil`: somebody who is not counted.
    ///   - last: The header `Last-Event-ID`: if all that came after it is still kept, the stream
    ///     goes on there with an event `resumed`; else it begins with the whole state.
    ///   - isWelcome: Asked now and then; the stream ends when it says no.
    func subscribe(
        as view: FeedView = .site, of choice: TopicChoice? = nil, by reader: String? = nil,
        after last: String? = nil, whileTrue isWelcome: @escaping @Sendable () -> Bool = { true }
    ) throws(Crowd) -> Subscription {
        // The stream only wakes the reader, who then takes all there is in one write.
        let (wakes, wake) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = try state.withLock { state throws(Crowd) in
            try state.add(wake, as: view, of: choice, by: reader, after: last, whileTrue: isWelcome)
        }
        wake.onTermination = { [weak self] _ in self?.state.withLock { $0.remove(number) } }
        wake.yield()
        return wakes.compactMap { [self] _ in take(from: number) }
    }

    /// What is seen and asked for, as JSON; and the id of its newest event, after which a stream goes on.
    func snapshot(as view: FeedView = .site, of choice: TopicChoice? = nil) -> (
        json: [UInt8], id: String
    ) {
        let (state, moment) = (state.withLock { $0 }, now())
        return (state.snapshot(as: view, of: choice, now: moment), state.id(of: state.latest))
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
        let moment = now()
        guard let (unread, state) = state.withLock({ $0.take(from: number) }) else { return nil }
        // Rendered outside the lock, from copies.
        var events = ByteBuffer()
        switch unread.place {
        case .beginning:
            events.writeString("retry: 1000\n")  // Browsers come back after 1 s.
            events.writeEvent(
                "snapshot", state.snapshot(as: unread.view, of: unread.choice, now: moment),
                id: state.id(of: state.latest))
        case .after(let last, let isResumed):
            if isResumed {
                events.writeString("retry: 1000\n")
                events.writeEvent(
                    "resumed", EventText.clock(at: ServerTime(now: moment, heard: state.heard)))
            }
            let filter = FeedFilter(
                view: unread.view, sharing: state.sharing, choice: unread.choice)
            for batch in state.batches(after: last) { batch.write(to: &events, through: filter) }
            guard events.readableBytes > 0 else { return nil }
            events.writeString("id: \(state.id(of: state.latest))\n\n")
        }
        return events
    }
}

extension LiveFeed {
    /// Where a page has read to.
    package enum Place: Equatable, Sendable {
        /// It has had nothing.
        case beginning
        /// It has had everything up to a batch. `isResumed`: in an earlier connection.
        case after(UInt64, isResumed: Bool = false)
    }

    /// A page that is looking.
    struct Subscriber: Sendable {
        let number: Int
        let view: FeedView
        let choice: TopicChoice?
        let reader: String?
        let wake: AsyncStream<Void>.Continuation
        let isWelcome: @Sendable () -> Bool
        var place: Place
    }

    /// What the lock guards. Copying it copies references only.
    package struct State: Sendable {
        package let epoch: UInt32
        package var names: [UInt8] = Array("{}".utf8)
        package var topics: [String: [UInt8]] = [:]
        package var heard: Int64?
        var sharing: [Shared: Set<String>] = [:]
        private(set) var subscribers: [Subscriber] = []
        private var newest = 0
        /// The newest batch's number.
        private(set) var latest: UInt64 = 0
        /// The batches that are kept, by their number's remainder.
        private var ring: [Batch?] = Array(repeating: nil, count: LiveFeed.bound)
        /// Nobody may go on from before this number: everything was replaced then, or is not kept any more.
        private var floor: UInt64 = 0
        /// The bytes of all batches that are kept.
        private var kept = 0

        package init(epoch: UInt32 = 0) { self.epoch = epoch }

        /// What an event of that number is called on the wire.
        func id(of number: UInt64) -> String { "\(epoch)-\(number)" }

        /// Adds a page and returns its number.
        mutating func add(
            _ wake: AsyncStream<Void>.Continuation, as view: FeedView = .site,
            of choice: TopicChoice? = nil, by reader: String? = nil, after last: String? = nil,
            whileTrue isWelcome: @escaping @Sendable () -> Bool = { true }
        ) throws(Crowd) -> Int {
            guard subscribers.count < LiveFeed.capacity else { throw .full }
            let own = reader.map { name in subscribers.count { $0.reader == name } } ?? 0
            guard own < LiveFeed.capacityOfOne else { throw .tooManyOfOne }
            newest += 1
            let place = last.flatMap(number(of:)).map { Place.after($0, isResumed: true) }
            subscribers.append(
                Subscriber(
                    number: newest, view: view, choice: choice, reader: reader, wake: wake,
                    isWelcome: isWelcome,
                    place: place ?? .beginning))
            return newest
        }

        package mutating func remove(_ number: Int) {
            subscribers.removeAll { $0.number == number }
        }

        /// Gives every page the whole state once more.
        mutating func startAgain() {
            latest += 1
            ring = Array(repeating: nil, count: LiveFeed.bound)
            (floor, kept) = (latest, 0)
            for index in subscribers.indices {
                subscribers[index].place = .beginning
                subscribers[index].wake.yield()
            }
        }

        /// Keeps a batch and wakes every page.
        package mutating func tell(_ batch: Batch) {
            latest += 1
            forget(latest)
            let bound = UInt64(LiveFeed.bound)
            if latest > bound { floor = max(floor, latest - bound) }
            ring[Int(latest % UInt64(LiveFeed.bound))] = batch
            kept += batch.size
            while kept > LiveFeed.largest, floor < latest {
                floor += 1
                forget(floor)
            }
            for subscriber in subscribers { subscriber.wake.yield() }
        }

        /// Lets go of the batch at the place of a number.
        private mutating func forget(_ number: UInt64) {
            let place = Int(number % UInt64(LiveFeed.bound))
            kept -= ring[place]?.size ?? 0
            ring[place] = nil
        }

        /// What a page has not read, with the state it is to be read from; `nil` if there is nothing.
        mutating func take(
            from number: Int
        ) -> (unread: (view: FeedView, choice: TopicChoice?, place: Place), state: State)? {
            guard let index = subscribers.firstIndex(where: { $0.number == number }) else {
                return nil
            }
            var place = subscribers[index].place
            if case .after(let last, let isResumed) = place {
                if !keeps(after: last) {
                    place = .beginning
                } else if last == latest, !isResumed {
                    return nil
                }
            }
            subscribers[index].place = .after(latest)
            return ((subscribers[index].view, subscribers[index].choice, place), self)
        }

        /// The batches after a number, oldest first.
        func batches(after last: UInt64) -> [Batch] {
            guard last < latest else { return [] }
            return (last + 1...latest).compactMap { ring[Int($0 % UInt64(LiveFeed.bound))] }
        }

        func snapshot(as view: FeedView, of choice: TopicChoice? = nil, now: Int64) -> [UInt8] {
            let filter = FeedFilter(view: view, sharing: sharing, choice: choice)
            return EventText.snapshot(
                names: filter.names(names), topics: filter.topics(topics),
                at: ServerTime(now: now, heard: heard))
        }

        private func keeps(after last: UInt64) -> Bool {
            last >= floor && last <= latest && latest - last <= UInt64(LiveFeed.bound)
        }

        /// The number in an event's name, if all that came after it is kept.
        private func number(of id: String) -> UInt64? {
            let parts = id.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0] == "\(epoch)", let number = UInt64(parts[1]),
                keeps(after: number)
            else { return nil }
            return number
        }
    }
}

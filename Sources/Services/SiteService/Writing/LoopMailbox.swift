import Notifications
import Operations
import Platform
import SiteModel
import SitePipeline
import SiteStore
import Synchronization
import Wire

/// The loop's mailbox for other threads: requests and writes that came over HTTP, notifications for
/// the broker.
package final class LoopMailbox: Sendable {
    /// A request, and where its answer goes.
    package struct Question: Sendable {
        package var verb: Verb
        package var payload: RequestPayload
        /// Who asks: no slug, so that it is nobody on MQTT.
        package var client: String
        /// Called once, on the loop's thread, after what the answer tells of is stored; with whether it was asked
        /// before, and this is what it was answered then.
        package var reply: @Sendable (ResponsePayload, _ isRepeated: Bool) -> Void

        package init(
            verb: Verb, payload: RequestPayload, client: String,
            reply: @escaping @Sendable (ResponsePayload, _ isRepeated: Bool) -> Void
        ) {
            self.verb = verb
            self.payload = payload
            self.client = client
            self.reply = reply
        }
    }

    /// Why a write is not answered as it should be: the coordinator stops.
    package struct Stopping: Error {
        /// Whether it is written; `nil` if that is not known.
        package var isDone: Bool?

        package init(isDone: Bool? = nil) { self.isDone = isDone }

        /// What to tell the caller.
        package var message: String {
            switch isDone {
            case false: "The coordinator stops; nothing was done. Ask again."
            case true: "The coordinator stops. It is written, and carried out at the next start."
            case nil: "The coordinator stops. Look whether it is done before asking again."
            }
        }
    }

    /// A transaction of the books, and where its outcome goes. Either the store begins it or the
    /// caller gives it up, never both: a call refused for lack of time must not happen later.
    package final class Write: Sendable {
        /// What the loop does when a write is stored, whether or not somebody still waits for its answer.
        package struct Sequel: Sendable {
            /// The id that what was asked for has used.
            package var used: Answer.Key?
            /// Something for the broker. Without a connection it is lost.
            package var message: Publication?

            package init(used: Answer.Key? = nil, message: Publication? = nil) {
                self.used = used
                self.message = message
            }
        }

        /// The store skipped it, as nobody waited any more.
        package struct GivenUp: Error {
            package init() {}
        }

        /// How it is brought to the disk.
        package enum Storing: Sendable {
            /// With others that wait; it survives a power cut once it is answered.
            case together
            /// In transactions of its own: it takes long, or reorganises the file.
            case alone
        }

        /// Done by the thread of the store; what it returns is the answer.
        package let work: @Sendable (Store) throws -> String
        /// Called once, on the loop's thread, after the write is stored, and what the machines made of
        /// it; also for one that was given up.
        package let reply: @Sendable (Result<String, any Error>) -> Void
        /// Whether plan and names are to be read anew after it although the plan's revision stands: who
        /// was erased has another name.
        package let renames: Bool
        /// Whether it may begin an erasure whose rest the store does by itself.
        package let erases: Bool
        package let storing: Storing
        /// Called once, on the loop's thread, when it is stored.
        package let sequel: @Sendable () -> Sequel
        /// Whether it was begun or given up.
        private let isDecided = Atomic(false)

        package init(
            renames: Bool = false, erases: Bool = false, storing: Storing = .alone,
            work: @escaping @Sendable (Store) throws -> String,
            sequel: @escaping @Sendable () -> Sequel = { Sequel() },
            reply: @escaping @Sendable (Result<String, any Error>) -> Void
        ) {
            self.sequel = sequel
            self.renames = renames
            self.erases = erases
            self.storing = storing
            self.work = work
            self.reply = reply
        }

        /// Whether the store may do it. Called once, by the store's thread.
        package func begin() -> Bool { decide() }

        /// Nobody waits any more. Whether it is certain that nothing was done, nor will be.
        package func giveUp() -> Bool { decide() }

        private func decide() -> Bool {
            isDecided.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
        }
    }

    /// What lies there.
    package enum Item: Sendable {
        case question(Question)
        case write(Write)
        case notice(Notice)
        /// Something for the broker, which nobody waits for.
        case messages([Publication])
        /// What people walked today, by slug.
        case days([String: DayPayload])
        /// What is near people, by slug; `nil`: they are nowhere.
        case near([String: NearPayload?])
    }

    /// What was asked of the rooms over MQTT, for the one task that answers it.
    package let requests: AsyncStream<RoomRequest>
    private let asked: AsyncStream<RoomRequest>.Continuation

    package init() {
        (requests, asked) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.mostQuestions))
    }

    /// The most unanswered requests at a time.
    package static let mostQuestions = 64

    /// Wakes the loop. When it is full a notification waits in the database for the notifier's next
    /// turn, and a caller gets the answer that the coordinator is busy.
    package let bell = WakeableQueue<Item>(capacity: 2 * mostQuestions)
    /// As many at most as the notifier has under way: it takes them before it leaves others.
    private let arrived = Mutex<[Int64]>([])
    /// Whether the broker was connected since the notifier asked last.
    private let isConnectedAnew = Atomic(false)
    package let notifier = NotifierBell()
    package let samples = SampleQueue()
    /// What detectors sent.
    package let detections = SampleQueue()
    package let raw = RawLooks()
    package let sightings = SightingQueue()
    package let days = ChangedDays()
    /// How many are unanswered; `nil` when nothing is taken any more.
    private let unanswered = Mutex<Int?>(0)

    /// The broker is connected: what was given before and has not arrived is to be given again.
    package func connected() {
        isConnectedAnew.store(true, ordering: .releasing)
        notifier.ring()
    }

    /// Whether the broker was connected since the last call.
    package func takeConnected() -> Bool {
        isConnectedAnew.exchange(false, ordering: .acquiringAndReleasing)
    }

    /// Leaves a notification; `false` if the mailbox is full.
    package func put(_ notice: Notice) -> Bool { bell.put(.notice(notice)) }

    /// Leaves messages for the broker; `false` if the mailbox is full. Without a broker they are lost.
    package func put(_ messages: [Publication]) -> Bool { bell.put(.messages(messages)) }

    /// Leaves what people walked today; `false` if the mailbox is full.
    package func put(_ days: [String: DayPayload]) -> Bool { bell.put(.days(days)) }

    /// Leaves what is near people, `nil` of who is nowhere; `false` if the mailbox is full.
    package func put(near: [String: NearPayload?]) -> Bool { bell.put(.near(near)) }

    /// Leaves a request of a room; `false` if too many wait.
    package func put(_ request: RoomRequest) -> Bool {
        if case .enqueued = asked.yield(request) { true } else { false }
    }

    /// Leaves a request; `false` if too many are unanswered. Call `isOver` when it no longer counts.
    package func put(_ question: Question) -> Bool { put(asked: .question(question)) }

    /// Leaves a write; `false` if too many are unanswered. Call `isOver` with the reply: until then it
    /// lies in the store's queue, and counts.
    package func put(_ write: Write) -> Bool { put(asked: .write(write)) }

    private func put(asked item: Item) -> Bool {
        // In one step with the counting: after `close` nothing lies there that was not seen.
        unanswered.withLock { count in
            guard let known = count, known < Self.mostQuestions, bell.put(item) else {
                return false
            }
            count = known + 1
            return true
        }
    }

    /// A request was answered, or nobody waits for the answer any more.
    package func isOver() { unanswered.withLock { count in count = count.map { $0 - 1 } } }

    /// How many are unanswered.
    package var waiting: Int { unanswered.withLock { $0 ?? 0 } }

    /// Takes no requests and writes any more.
    package func close() { unanswered.withLock { $0 = nil } }

    /// The broker has a notification.
    package func hasArrived(_ notice: Int64) {
        arrived.withLock { $0.append(notice) }
        notifier.ring()
    }

    /// The notifications the broker has acknowledged since the last call.
    package func takeArrived() -> [Int64] {
        arrived.withLock { arrived in
            defer { arrived = [] }
            return arrived
        }
    }
}

/// A bounded queue into the loop, with a pipe that wakes it once per batch.
///
/// Any thread may put; only the loop takes. A full queue refuses, and the caller decides what that
/// means; only results that the loop waits for are never refused.
package final class WakeableQueue<Item: Sendable>: Sendable {
    private let pipe = WakePipe()
    private let capacity: Int
    private let items = Mutex<[Item]>([])

    /// An empty queue for at most `capacity` items.
    package init(capacity: Int) { self.capacity = capacity }

    /// The descriptor to poll for reading.
    package var descriptor: Int32 { pipe.reading }

    /// Puts an item and wakes the loop. `false` if the queue is full.
    @discardableResult
    package func put(_ item: Item) -> Bool { put(item, among: capacity) }

    /// Puts a result that the loop asked for and waits for, also into a full queue. The loop asks for
    /// few at a time, so that the queue stays bounded by `capacity` and as many as that.
    package func putReserved(_ item: Item) { put(item, among: .max) }

    @discardableResult
    private func put(_ item: Item, among most: Int) -> Bool {
        let (isFull, isFirst) = items.withLock { items in
            guard items.count < most else { return (true, false) }
            items.append(item)
            return (false, items.count == 1)
        }
        if isFirst { pipe.wake() }
        return !isFull
    }

    /// Takes everything.
    package func take() -> [Item] {
        pipe.drain()
        return items.withLock { items in
            defer { items = [] }
            return items
        }
    }
}

import Basics
import SiteModel
import Wire

/// An MQTT broker without sockets: routes synchronously into a queue for each client.
///
/// It loses, repeats and delays what the faults say, never for a publisher, always on the way to a
/// subscriber. Sessions are clean: who disconnects is forgotten. Overlapping subscriptions get one
/// copy, of the best quality.
package struct MemoryBroker: Sendable {
    /// A message as a subscriber receives it.
    package struct Delivery: Equatable, Sendable {
        package var topic: String
        /// The bytes.
        package var payload: [UInt8]
        /// 0 or 1: the lesser of the publisher's and the subscription's.
        package var quality: Int
        /// Kept by the broker from before the subscription.
        package var isRetained: Bool
        /// The second of two deliveries of one message.
        package var isDuplicate: Bool

        package init(
            topic: String, payload: [UInt8], quality: Int, isRetained: Bool, isDuplicate: Bool
        ) {
            self.topic = topic
            self.payload = payload
            self.quality = quality
            self.isRetained = isRetained
            self.isDuplicate = isDuplicate
        }
    }

    private struct Client {
        let id: String
        var will: Publication?
        var subscriptions: [(text: String, filter: TopicFilter, quality: Int)] = []
        var queue: [(due: Timestamp, delivery: Delivery)] = []
    }

    private let faults: Faults
    private var random: SeededRandom
    private var clients: [Client] = []
    private var kept: [String: Publication] = [:]

    /// A broker with nobody connected. Of the faults, `loss`, `duplication` and `delay` count.
    package init(faults: Faults = Faults(), seed: UInt64 = 0) {
        self.faults = faults
        random = SeededRandom(seed: seed, stream: 6)
    }

    /// What is retained, sorted by topic.
    package var retained: [Publication] { kept.values.sorted { $0.topic < $1.topic } }

    /// Whether a client is connected.
    package func isConnected(_ id: String) -> Bool { clients.contains { $0.id == id } }

    /// A client comes. One of the same id is thrown out first, and its will is published.
    package mutating func connect(_ id: String, will: Publication? = nil, at now: Timestamp) {
        disconnect(id, isClean: false, at: now)
        clients.append(Client(id: id, will: will))
    }

    /// A client goes, with all that waits for it; unless it said goodbye, its will is published.
    package mutating func disconnect(_ id: String, isClean: Bool, at now: Timestamp) {
        guard let index = clients.firstIndex(where: { $0.id == id }) else { return }
        let client = clients.remove(at: index)
        if !isClean, let will = client.will { publish(will, at: now) }
    }

    /// Everybody is thrown out without a will, and nothing is retained: persistence is off.
    package mutating func restart() {
        clients = []
        kept = [:]
    }

    /// Subscribes, and delivers what is retained there. `false` if nobody of that id is connected
    /// or the text is no filter. The same filter again replaces the first.
    @discardableResult
    package mutating func subscribe(
        _ id: String, to text: String, quality: Int = 1, at now: Timestamp
    ) -> Bool {
        guard let index = clients.firstIndex(where: { $0.id == id }),
            let filter = TopicFilter(text)
        else { return false }
        clients[index].subscriptions.removeAll { $0.text == text }
        clients[index].subscriptions.append((text, filter, quality))
        for message in retained where filter.matches(message.topic) {
            enqueue(message, for: index, quality: quality, isRetained: true, at: now)
        }
        return true
    }

    /// Gives a subscription up again.
    package mutating func unsubscribe(_ id: String, from text: String) {
        guard let index = clients.firstIndex(where: { $0.id == id }) else { return }
        clients[index].subscriptions.removeAll { $0.text == text }
    }

    /// Routes a message to all subscribers, in the order they connected, and keeps it if retained;
    /// an empty retained one clears its topic instead.
    package mutating func publish(_ message: Publication, at now: Timestamp) {
        if message.isRetained { kept[message.topic] = message.payload.isEmpty ? nil : message }
        for index in clients.indices {
            var best: Int?
            for subscription in clients[index].subscriptions
            where subscription.filter.matches(message.topic) {
                best = max(best ?? 0, subscription.quality)
            }
            guard let best else { continue }
            enqueue(message, for: index, quality: best, isRetained: false, at: now)
        }
    }

    /// Takes out of a client's queue what has arrived by `now`, oldest first.
    package mutating func deliveries(for id: String, at now: Timestamp) -> [Delivery] {
        guard let index = clients.firstIndex(where: { $0.id == id }) else { return [] }
        // One connection: nothing overtakes what is still under way.
        let arrived = clients[index].queue.prefix { $0.due <= now }.map(\.delivery)
        clients[index].queue.removeFirst(arrived.count)
        return arrived
    }

    private mutating func enqueue(
        _ message: Publication, for index: Int, quality: Int, isRetained: Bool, at now: Timestamp
    ) {
        var delivery = Delivery(
            topic: message.topic, payload: message.payload, quality: min(message.quality, quality),
            isRetained: isRetained, isDuplicate: false)
        if delivery.quality == 0, random.chance(faults.loss) { return }
        var due = now
        if faults.delay > .milliseconds(0) {
            due = due + random.span(seconds: 0...faults.delay.seconds)
        }
        clients[index].queue.append((due, delivery))
        if delivery.quality > 0, random.chance(faults.duplication) {
            delivery.isDuplicate = true
            clients[index].queue.append((due, delivery))
        }
    }
}

import Glibc
import Permissions
import SiteModel
import Wire

/// A connection to a broker that somebody keeps up: its socket polled, what arrived read, what waits
/// written, and after a loss the next attempt begun when `Reconnect` says so.
///
/// Belongs to one thread. Who waits for nothing else calls `turn`; a loop with descriptors of its own
/// puts `entry` among them, waits no longer than `deadline`, then calls `serve` and `tick`. Callbacks
/// run inside those calls.
package final class BrokerSession {
    /// Why there is no connection.
    package enum Loss: Equatable, Sendable {
        /// The broker does not let us in, and says why.
        case refused(String)
        /// Nobody answered, or the connection ended.
        case gone(String)

        /// The reason, in the words of the broker, the library or the system.
        package var reason: String {
            switch self {
            case .refused(let reason), .gone(let reason): reason
            }
        }
    }

    /// The client, for its messages. The session has its `onConnect` and `onDisconnect`.
    package let client: MQTTClient
    /// Where the broker is.
    package let address: BrokerAddress
    /// The broker has accepted us. What is published in here waits to be written, like in every
    /// callback of the client.
    package var onConnect: () -> Void = {}
    /// An attempt failed, or the connection ended; `wait` until the next attempt, if there is one.
    package var onLoss: (_ loss: Loss, _ wait: Timestamp.Span?) -> Void = { _, _ in }
    /// The broker has answered a subscription, or left one without an answer: what it does not let us read, which is
    /// asked for again and again; empty if it lets us read everything.
    package var onSubscribed: (_ refused: [String]) -> Void = { _ in }

    private let now: () -> Timestamp
    private let keepalive: Int
    private let isRepeated: Bool
    private let seed: UInt64
    /// Signs in under its own name, as long as the broker may know that.
    private var tool: BrokerIdentity.Tool?
    private var reconnect: Reconnect
    private var subscriptions = Subscriptions()
    /// Why the broker refused us: it closes the connection next.
    private var refusal: String?
    private var nextMisc: Timestamp
    private var isEnded = false

    /// How often the client looks whether the connection lives.
    private static let upkeep = Timestamp.Span.seconds(1)
    /// `end` looks so often whether it is done.
    private static let step = Timestamp.Span.milliseconds(50)

    /// A session whose first attempt is due at once.
    ///
    /// - Parameters:
    ///   - will: What the broker publishes for us when the connection ends without `end`.
    ///   - keepalive: In seconds, from 5; see `MQTTClient.connect`.
    ///   - tool: The tool that signs in beside the program whose user and password `address` has. Where the
    ///     broker does not know the tool's name, it signs in as the program.
    ///   - isRepeated: Whether there is another attempt after a loss.
    ///   - seed: Spreads the waits of different processes.
    ///   - now: The caller's clock, which must not step.
    package init(
        id: String, will: Publication? = nil, address: BrokerAddress, keepalive: Int = 15,
        tool: BrokerIdentity.Tool? = nil, isRepeated: Bool = true,
        seed: UInt64 = .random(in: .min ... .max),
        now: @escaping () -> Timestamp
    ) {
        client = MQTTClient(id: id, will: will, version: address.version, tls: address.tls)
        self.address = address
        self.keepalive = keepalive
        self.tool = address.username == nil ? nil : tool
        self.isRepeated = isRepeated
        self.seed = seed
        self.now = now
        let moment = now()
        reconnect = Reconnect(seed: seed, host: address.host, at: moment)
        nextMisc = moment
        client.onConnect = { [unowned self] code in answered(code) }
        client.onDisconnect = { [unowned self] code in lost(client.loss(code)) }
        client.onSubscribed = { [unowned self] message, granted in
            subscriptions.answered(message, granted, at: self.now())
            tellSubscribed()
        }
    }

    /// When `tick` has something to do although nothing arrives.
    package var deadline: Timestamp {
        let due = client.isConnected ? subscriptions.deadline : nil
        return min(nextAttempt ?? nextMisc, nextMisc, due ?? nextMisc)
    }

    /// What to poll. While there is no connection its descriptor is −1, which poll(2) passes over.
    package var entry: pollfd {
        let events = POLLIN | (client.wantsWrite ? POLLOUT : 0)
        return pollfd(fd: client.descriptor ?? -1, events: Int16(events), revents: 0)
    }

    /// Reads and writes what poll(2) found possible.
    package func serve(_ entry: pollfd) {
        let events = Int32(entry.revents)
        if events & (POLLIN | POLLERR | POLLHUP) != 0 { client.readable() }
        if events & POLLOUT != 0 { client.writable() }
    }

    /// Begins an attempt that is due, keeps the connection alive, and writes what waits. To be called
    /// as often as one likes.
    package func tick() {
        let moment = now()
        if let nextAttempt, moment >= nextAttempt, reconnect.begin(at: moment) { connect() }
        if moment >= nextMisc {
            nextMisc = moment + Self.upkeep
            client.misc()
        }
        if let due = subscriptions.deadline, moment >= due, client.isConnected { askAgain() }
        if client.wantsWrite { client.writable() }
    }

    /// Waits for something to arrive from the broker, or for one of `others` to be readable, for
    /// `span` at most, and does what is to be done about the connection. Which of `others` are
    /// readable.
    @discardableResult
    package func turn(within span: Timestamp.Span, or others: [Int32] = []) -> [Int32] {
        tick()
        let left = min(span.milliseconds, (deadline - now()).milliseconds)
        var entries =
            [entry] + others.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&entries, nfds_t(entries.count), Int32(clamping: max(0, left))) > 0 else {
            return []
        }
        serve(entries[0])
        tick()
        return entries.dropFirst().filter { $0.revents != 0 }.map(\.fd)
    }

    /// Turns until something is so, `span` at most, or until one of `others` is readable. Whether it is
    /// so.
    package func run(
        within span: Timestamp.Span, or others: [Int32] = [], until isDone: () throws -> Bool
    ) rethrows -> Bool {
        let end = now() + span
        while try !isDone() {
            let left = end - now()
            guard left > .milliseconds(0), turn(within: min(left, Self.step), or: others).isEmpty
            else {
                return false
            }
        }
        return true
    }

    /// Says goodbye, so that the broker does not publish our will, and ends the session for good: what
    /// waits is written first. A broker that does not take it within `span` is left without.
    package func end(within span: Timestamp.Span) {
        onConnect = {}
        onLoss = { _, _ in }
        isEnded = true
        guard client.isConnected else { return client.drop() }
        client.disconnect()
        _ = run(within: span) { client.descriptor == nil }
        client.drop()
    }

    /// The loss in words, for the log.
    package func summary(of loss: Loss, next wait: Timestamp.Span?) -> String {
        let reason =
            switch loss {
            case .refused(let reason): "it refuses us: \(reason)"
            case .gone(let reason): reason
            }
        let next = wait.map { "; next attempt in \($0.seconds) s (\(failures) so far)" } ?? ""
        return "no broker at \(address.host):\(address.port): \(reason)\(next)"
    }

    /// Whether there is no connection, and no other attempt.
    package var isOver: Bool { client.descriptor == nil && nextAttempt == nil }

    /// How often in a row there was no connection.
    package var failures: Int { reconnect.failures }
}

extension BrokerSession {
    private var nextAttempt: Timestamp? {
        !isEnded && (isRepeated || failures == 0) ? reconnect.deadline : nil
    }

    private func connect() {
        do {
            try client.connect(
                host: address.host, port: address.port, keepalive: keepalive,
                username: address.username.map { tool?.userName(beside: $0) ?? $0 },
                password: address.password)
        } catch {
            lost(error.reason)
        }
    }

    private func answered(_ code: Int32) {
        guard code == 0 else {
            refusal = client.reason(code)
            return
        }
        reconnect.connected(at: now())
        subscriptions.forget()
        onConnect()
    }

    /// Asks for messages on filters; see `MQTTClient.subscribe`. What is refused is asked for again.
    package func subscribe(_ filters: [String], quality: Int) throws(MQTTError) {
        let message = try client.subscribe(filters, quality: quality)
        subscriptions.ask(filters, quality: quality, message: message, at: now())
    }

    /// Gives filters up again.
    package func unsubscribe(_ filters: [String]) throws(MQTTError) {
        subscriptions.giveUp(filters)
        tellSubscribed()
        try client.unsubscribe(filters)
    }

    private func askAgain() {
        // Without a connection everything is asked for at the next.
        try? subscriptions.retry(at: now()) { (filters, quality) throws(MQTTError) in
            try client.subscribe(filters, quality: quality)
        }
        tellSubscribed()
    }

    /// Says nothing while the first answers are under way.
    private func tellSubscribed() {
        let refused = subscriptions.refused
        if subscriptions.isWhole || !refused.isEmpty { onSubscribed(refused) }
    }

    private func lost(_ fault: String) {
        subscriptions.forget()
        if refusal != nil, tool != nil {
            // A broker whose files do not name tools.
            (refusal, tool) = (nil, nil)
            reconnect = Reconnect(seed: seed, host: address.host, at: now())
            return
        }
        let wait = reconnect.failed(at: now())
        let loss = refusal.map { Loss.refused($0) } ?? .gone(fault)
        refusal = nil
        onLoss(loss, isRepeated ? wait : nil)
    }
}

/// What a daemon's decisions ask of its connection to the broker. Made once by a session; tests script
/// one.
package struct BrokerLink {
    /// Whether the broker has accepted us.
    package var isConnected: () -> Bool
    /// Whether what was published still waits to be written: the line is slow, or the broker is.
    package var isBusy: () -> Bool
    /// Sends a message and returns its number; see `MQTTClient.publish`.
    package var publish: (Publication) throws(MQTTError) -> Int32
    /// Asks for messages on filters, with at most the given quality.
    package var subscribe: ([String], Int) throws(MQTTError) -> Void
    /// Gives filters up again.
    package var unsubscribe: ([String]) throws(MQTTError) -> Void

    package init(
        isConnected: @escaping () -> Bool, isBusy: @escaping () -> Bool,
        publish: @escaping (Publication) throws(MQTTError) -> Int32,
        subscribe: @escaping ([String], Int) throws(MQTTError) -> Void,
        unsubscribe: @escaping ([String]) throws(MQTTError) -> Void
    ) {
        self.isConnected = isConnected
        self.isBusy = isBusy
        self.publish = publish
        self.subscribe = subscribe
        self.unsubscribe = unsubscribe
    }
}

extension BrokerSession {
    /// The session's connection, as long as somebody holds the link.
    package var link: BrokerLink {
        let client = client
        return BrokerLink(
            isConnected: { client.isConnected }, isBusy: { client.wantsWrite },
            publish: { publication throws(MQTTError) in try client.publish(publication) },
            subscribe: { filters, quality throws(MQTTError) in
                try self.subscribe(filters, quality: quality)
            },
            unsubscribe: { filters throws(MQTTError) in try self.unsubscribe(filters) })
    }
}

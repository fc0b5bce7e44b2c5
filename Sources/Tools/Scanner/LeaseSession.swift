import Broker
import SiteModel
import Platform
import Wire

/// A lease on a node's radio: published, kept up, and cleared at the end, by the broker itself if we
/// are killed. Somebody else's lease on the same node is taken over; when theirs ends ours goes on.
final class LeaseSession {
    /// What is asked for.
    struct Terms {
        var perSecond: Int64
        var isRedacted: Bool
    }

    /// How far ahead a lease is asked for, and how often it is said again.
    private static let length = Timestamp.Span.seconds(120)
    private static let renewal = Timestamp.Span.seconds(30)
    /// How long the broker may take to connect us, and to say what it has kept.
    private static let patience = Timestamp.Span.seconds(5)
    private static let retainedPatience = Timestamp.Span.seconds(3)
    /// A difference of clocks that matters for a lease.
    private static let clockDifference: Int64 = 10_000
    /// The most nodes that are listed after a misspelt one.
    private static let listed = 12

    private let topics: SiteTopics
    private let node: String
    private let address: BrokerAddress
    private let terms: Terms
    private let clock: AnchoredClock
    private let session: BrokerSession
    private let client: MQTTClient
    private let id: String

    private var advertisements: [RawPayload] = []
    /// Whether any has come: then the node is there, whatever we may read of it.
    private var hasHeard = false
    private var states: [String: NodeStatusPayload.State] = [:]
    /// What the node's clock shows more than ours, in ms.
    private var difference: Int64 = 0
    /// When the lease is to be said next; `nil` while we are not connected.
    private var nextLease: Timestamp?
    private var subscribedAt: Timestamp?
    private var wasConnected = false
    private var refusal: String?
    private var loss: String?
    private var refusedFilters: [String] = []
    private var refusedTopics: [String] = []
    private var publishing: [Int32: String] = [:]

    /// Begins to connect at the first `work`.
    init(
        topics: SiteTopics, node: String, address: BrokerAddress, terms: Terms,
        clock: AnchoredClock
    ) {
        self.topics = topics
        self.node = node
        self.address = address
        self.terms = terms
        self.clock = clock
        let number = UInt64.random(in: .min ... .max)
        id = "scan-" + HexText.text(number, bytes: 8)
        session = BrokerSession(
            id: "beaconmesh-\(id)", will: Self.clearing(topics[.debugLease, node]),
            address: address, seed: number, now: { clock.now })
        client = session.client
        hook()
    }

    /// What is wrong although it may get better, or `nil`.
    var trouble: String? { loss.map { "the broker is gone: \($0)" } }

    /// What has come since the last time.
    func takeAdvertisements() -> [RawPayload] {
        defer { advertisements.removeAll(keepingCapacity: true) }
        return advertisements
    }

    /// Waits for something to come, at most until `deadline`. Throws an `Exit` if nothing can.
    func work(until deadline: Timestamp) throws {
        let span = min(deadline - clock.now, .seconds(1))
        session.turn(within: span, or: [StopSignal.descriptor])
        if client.isConnected, let nextLease, clock.now >= nextLease { try lease() }
        try check()
    }

    /// Clears the lease and says goodbye; two seconds at most.
    func end() {
        if client.isConnected {
            _ = Result { try publish(Self.clearing(topics[.debugLease, node])) }
            _ = session.run(within: .seconds(1)) { publishing.isEmpty || !client.isConnected }
        }
        session.end(within: .seconds(1))
    }
}

extension LeaseSession {
    private static func clearing(_ topic: String) -> Publication {
        Publication.retained(topic, [])
    }

    private func hook() {
        session.onConnect = { [unowned self] in
            (wasConnected, loss) = (true, nil)
            nextLease = clock.now
        }
        session.onLoss = { [unowned self] what, _ in
            if case .refused(let reason) = what { refusal = reason }
            loss = what.reason
            (nextLease, subscribedAt) = (nil, nil)
            publishing = [:]
        }
        client.onSubscribed = { [unowned self] _, granted in
            refusedFilters = zip(filters, granted).filter { $1 >= 128 }.map(\.0)
            subscribedAt = clock.now
        }
        client.onRefused = { [unowned self] message, _ in
            if let topic = publishing[message] { refusedTopics.append(topic) }
        }
        client.onPublished = { [unowned self] message in publishing[message] = nil }
        client.onMessage = { [unowned self] topic, payload, _, _ in took(topic, payload) }
    }

    private var filters: [String] {
        [
            topics[.raw, node], topics[.nodeBeat, node], topics[.nodeStatus, "+"],
            topics[.debugLease, node],
        ]
    }

    private func took(_ topic: String, _ payload: Span<UInt8>) {
        if topic == topics[.raw, node] {
            guard let raw = try? RawPayload(json: payload) else { return }
            hasHeard = true
            advertisements.append(raw)
        } else if topic == topics[.nodeBeat, node] {
            guard let beat = try? NodeBeatPayload(json: payload) else { return }
            let (found, isOverflow) = beat.tMs.subtractingReportingOverflow(clock.now.milliseconds)
            guard !isOverflow, abs(found - difference) > Self.clockDifference else { return }
            difference = found
            if nextLease != nil { nextLease = clock.now }
        } else if topic == topics[.debugLease, node] {
            // Somebody else's end is not ours.
            if payload.count == 0, nextLease != nil { nextLease = clock.now }
        } else if case .nodeStatus(let name)? = Inbound.parse(topic, site: site) {
            states[name] = (try? NodeStatusPayload(json: payload))?.state
        }
    }

    private var site: String { topics.site }

    private func lease() throws {
        nextLease = clock.now + Self.renewal
        if subscribedAt == nil { try client.subscribe(filters, quality: 0) }
        let payload = DebugLeasePayload(
            id: id, untilMs: (clock.now + Self.length).milliseconds + difference,
            maxPerS: terms.perSecond, redact: terms.isRedacted)
        try publish(topics.message(.debugLease, node, saying: payload))
    }

    private func publish(_ publication: Publication) throws {
        publishing[try client.publish(publication)] = publication.topic
    }
}

extension LeaseSession {
    /// Throws if nothing can come, and says what to do.
    private func check() throws {
        let broker = "\(address.host):\(address.port)"
        let who = address.username ?? "nobody"
        if let refusal {
            throw Exit(
                code: 77,
                text: """
                    the broker at \(broker) refuses us as \(who): \(refusal); \
                    give --username and --password-file as they are in its password file
                    """)
        }
        if !wasConnected, let loss {
            throw Exit(
                code: 69,
                text: """
                    no broker at \(broker): \(loss); is the address right, does mosquitto run \
                    there, and does it listen beyond its own machine (listener 8883)?
                    """)
        }
        if let filter = (refusedFilters + refusedTopics).first {
            throw Exit(
                code: 77,
                text: """
                    the broker does not let \(who) use \(filter); its ACL must allow reading \
                    \(topics.root)node/# and writing \(topics[.debugLease, "+"])
                    """)
        }
        if !hasHeard, let subscribedAt, clock.now - subscribedAt >= Self.retainedPatience {
            try checkNode()
        }
    }

    private func checkNode() throws {
        switch states[node] {
        case .online: return
        case .offline:
            throw Exit(
                code: 69,
                text: """
                    \(node) is offline; see on its machine: systemctl status beacon-node, \
                    beaconmesh doctor --config /etc/beaconmesh/node.yaml
                    """)
        case nil:
            let others = states.filter { $0.value == .online }.keys.sorted()
            let list = others.prefix(Self.listed).joined(separator: ", ")
            let known =
                others.isEmpty
                ? "no node is online there: is --site right, and may we read \(topics.root)node/#?"
                : "online there: \(list)\(others.count > Self.listed ? ", …" : "")"
            throw Exit(code: 69, text: "site \(site) has no node \(node); \(known)")
        }
    }
}

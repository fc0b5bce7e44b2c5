import Broker
import Glibc
import SiteModel
import Platform
import Wire

/// Tries a broker as a daemon would: connects, signs in, reads and writes where nobody is disturbed.
///
/// Reading is tried with what the broker has kept; writing with a message that comes back to us
/// (MQTT 3.1.1 has no other sign of a refusal), on topics that nobody else listens to.
final class BrokerProbe {
    /// How long the broker may take to take us, and to answer what is tried.
    private static let patience = Timestamp.Span.seconds(5)
    private static let trialPatience = Timestamp.Span.seconds(2)

    private let file: String
    private let address: BrokerAddress
    private let role: BrokerFacts.Role
    private let session: BrokerSession
    private let client: MQTTClient
    private let clock = AnchoredClock()

    private var accepted: Bool?
    private var refusal: String?
    private var loss: String?
    private var filters: [String] = []
    /// The answers to our subscription, in its order, or `nil` before it.
    private var granted: [Int32]?
    private var sent: [Int32: String] = [:]
    private var acknowledged: Set<String> = []
    private var refused: [String: String] = [:]
    private var returned: Set<String> = []
    private var kept: Set<String> = []

    /// A trial of the broker that `file` names.
    init(file: String, address: BrokerAddress, role: BrokerFacts.Role) {
        self.file = file
        self.address = address
        self.role = role
        let number = HexText.text(UInt64.random(in: .min ... .max), bytes: 8)
        let clock = clock
        session = BrokerSession(
            id: "beaconmesh-doctor-\(number)", address: address, tool: .doctor,
            isRepeated: false, now: { clock.now })
        client = session.client
        hook()
    }

    /// Tries it; some seconds at most.
    func run() -> BrokerFacts {
        BrokerFacts(
            file: file, host: address.host, port: address.port, username: address.username,
            role: role, outcome: outcome())
    }

    private func outcome() -> BrokerFacts.Outcome {
        session.tick()
        if let loss { return end(loss) }
        defer { session.end(within: .seconds(1)) }
        work(within: Self.patience) { accepted != nil || loss != nil }
        if let refusal { return .refused(reason: refusal) }
        guard accepted == true else {
            if let loss, !wasReached { return end(loss) }
            return wasReached ? .mute : .unreachable(reason: "no answer")
        }
        return .connected(rights())
    }

    /// What ended a connection before it stood.
    private func end(_ loss: String) -> BrokerFacts.Outcome {
        if let fault = client.tlsFault { return .unencrypted(fault) }
        return .unreachable(reason: loss)
    }

    /// Whether the connection stood, if nothing else did.
    private var wasReached: Bool {
        guard let socket = client.descriptor else { return false }
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(socket, $0, &length) == 0
            }
        }
    }

    private func rights() -> [BrokerFacts.Right] {
        let (written, read) = trials
        filters = written + read.filter { !written.contains($0) }
        do {
            try client.subscribe(filters, quality: 1)
            work(within: Self.trialPatience) { granted != nil || loss != nil }
            for topic in written {
                let message = try client.publish(
                    Publication(
                        topic: topic, payload: Array("{}".utf8), quality: 1, isRetained: false))
                sent[message] = topic
            }
        } catch {
            loss = error.reason
        }
        work(within: Self.trialPatience) {
            loss != nil
                || written.allSatisfy { returned.contains($0) || refused[$0] != nil }
                    && read.allSatisfy { isKept($0) }
        }
        return written.map(outcome(ofWriting:)) + read.map(outcome(ofReading:))
    }

    /// Topics to write to and have back, and topics at which something should be kept.
    private var trials: (written: [String], read: [String]) {
        switch role {
        case .node(let node, let site):
            let topics = SiteTopics(site: site)
            // Nobody but a viewer with a lease listens to `raw`, and it is told with care.
            return ([topics[.raw, node]], [topics[.nodeConfiguration, node]])
        case .coordinator(let name, let sites):
            let mark = HexText.text(UInt32.random(in: .min ... .max), bytes: 4)
            let topics = sites.map { SiteTopics(site: $0) }
            return (
                topics.map { "\($0.root)debug/doctor/\(mark)" }
                    + ["mesh/v1/core/\(name)/doctor-\(mark)"],
                topics.map { $0.filter(.nodeStatus) }
            )
        }
    }

    private func outcome(ofWriting topic: String) -> BrokerFacts.Right {
        let outcome: BrokerFacts.Right.Outcome
        if returned.contains(topic) {
            outcome = .granted
        } else if let reason = refused[topic] {
            outcome = .refused(reason: reason)
        } else if acknowledged.contains(topic), address.version == .five, !mustReturn(topic) {
            // Said to be taken, and we need not read it.
            outcome = .granted
        } else {
            outcome = .silent
        }
        return BrokerFacts.Right(verb: .write, topic: topic, outcome: outcome)
    }

    /// Whether the program must be able to read what it writes there: a coordinator all of its site.
    private func mustReturn(_ topic: String) -> Bool {
        switch role {
        case .node: false
        case .coordinator: !topic.hasPrefix("mesh/v1/core/")
        }
    }

    private func outcome(ofReading filter: String) -> BrokerFacts.Right {
        let code = filters.firstIndex(of: filter).flatMap { index in
            granted.flatMap { index < $0.count ? $0[index] : nil }
        }
        let outcome: BrokerFacts.Right.Outcome
        if let code, code >= 128 {
            outcome = .refused(reason: "the subscription was refused")
        } else {
            outcome = isKept(filter) ? .granted : .empty
        }
        return BrokerFacts.Right(verb: .read, topic: filter, outcome: outcome)
    }

    private func isKept(_ filter: String) -> Bool {
        guard filter.contains("+") else { return kept.contains(filter) }
        let levels = filter.split(separator: "/")
        return kept.contains { topic in
            let parts = topic.split(separator: "/")
            return parts.count == levels.count
                && zip(parts, levels).allSatisfy { $0 == $1 || $1 == "+" }
        }
    }

    private func hook() {
        session.onConnect = { [unowned self] in accepted = true }
        session.onLoss = { [unowned self] what, _ in
            switch what {
            case .refused(let reason): refusal = reason
            case .gone(let reason): loss = reason
            }
        }
        client.onSubscribed = { [unowned self] _, codes in granted = codes }
        client.onRefused = { [unowned self] message, code in
            if let topic = sent[message] { refused[topic] = client.reason(code) }
        }
        client.onPublished = { [unowned self] message in
            if let topic = sent[message] { acknowledged.insert(topic) }
        }
        client.onMessage = { [unowned self] topic, _, isRetained, _ in
            if isRetained { kept.insert(topic) } else { returned.insert(topic) }
        }
    }

    private func work(within span: Timestamp.Span, until isDone: () -> Bool) {
        _ = session.run(within: span) { isDone() || session.isOver }
    }
}

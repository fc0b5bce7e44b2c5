import Broker
import BrokerAccess
import Glibc
import Operations
import Permissions
import Platform
import SiteModel
import Wire

/// Tries at a running broker what some of those who are enrolled may read and write, and what not.
///
/// The broker's own answers prove nothing: mosquitto 2.0 grants each subscription and, with MQTT 3.1.1, takes
/// each message. So all of them subscribe to each topic that is tried, each writes one message to each, and
/// what counts is who receives what from whom. No message is retained, and none is one that a program of
/// ours takes: they are refused and counted. Each signs in beside the program whose password it is, which
/// goes on (`BrokerIdentity.Tool`).
package final class PolicyProbe {
    /// How somebody signs in.
    package struct Credential: Sendable {
        package var name: String
        package var password: String

        package init(name: String, password: String) {
            self.name = name
            self.password = password
        }
    }

    package enum Seen: String, Sendable {
        case allowed
        case denied
        /// Nobody who was tried could have shown it.
        case unproven
    }

    /// What is tried.
    package enum Right: String, Sendable {
        case read
        case write
        /// To take a client id, by which the broker ends the connection of who had it.
        case clientID = "client id"
    }

    /// What was found out about one right.
    package struct Trial: Equatable, Sendable {
        package var name: String
        package var right: Right
        /// The topic, or the client id.
        package var topic: String
        package var isExpected: Bool
        package var seen: Seen

        /// Whether the broker does otherwise than it should.
        package var isFault: Bool {
            switch seen {
            case .allowed: !isExpected
            case .denied: isExpected
            case .unproven: false
            }
        }
    }

    /// One of them, connected.
    private final class Party {
        let identity: BrokerIdentity
        let rights: BrokerRights
        let session: BrokerSession
        var isConnected = false
        var loss: BrokerSession.Loss?
        var isSubscribed = false
        var acknowledged = 0

        init(_ identity: BrokerIdentity, site: String, id: String, address: BrokerAddress) {
            self.identity = identity
            rights = BrokerRights(of: identity, site: site)
            let clock = AnchoredClock()
            session = BrokerSession(
                id: id, address: address, tool: .doctor, isRepeated: false, now: { clock.now })
        }

        var client: MQTTClient { session.client }
    }

    /// So long the broker may take to answer.
    private static let patience = Duration.seconds(20)
    /// After so long without a message none is expected any more.
    private static let quiet = Duration.seconds(1)

    /// The broker's, for messages.
    private let place: String
    private let site: String
    private let mark = HexText.text(UInt32.random(in: .min ... .max), bytes: 4)
    private let parties: [Party]
    /// Who received something, and whose messages came to somebody, by topic.
    private var readers: [String: Set<String>] = [:]
    private var writers: [String: Set<String>] = [:]
    private var lastArrival = ContinuousClock.now

    /// A trial of the broker at `address`, with `credentials`, of which each must be of one of `identities`.
    /// Throws an `Exit` with 64 for one that is not.
    package init(
        at address: BrokerAddress, site: String, identities: [BrokerIdentity],
        credentials: [Credential]
    ) throws(Exit) {
        place = "\(address.host):\(address.port)"
        self.site = site
        var parties: [Party] = []
        for credential in credentials {
            guard let identity = identities.first(where: { $0.name == credential.name }) else {
                throw Exit(code: 64, text: "\(credential.name) is not enrolled, or was revoked")
            }
            guard !parties.contains(where: { $0.identity == identity }) else { continue }
            var own = address
            own.username = identity.name
            own.password = credential.password
            let id = "doctor-\(mark)-\(identity.name)"
            parties.append(Party(identity, site: site, id: id, address: own))
        }
        self.parties = parties
    }

    /// Tries it; some seconds. The trials of each identity, in the order of the credentials. Throws an `Exit`
    /// with 69 if the broker does not answer, 77 if it lets one of them not in.
    package func run() throws(Exit) -> [Trial] {
        defer { parties.forEach { $0.session.end(within: .seconds(0.2)) } }
        let topics = self.topics
        for party in parties { hook(party) }
        try wait("it does not let all of them in") { $0.isConnected }
        for party in parties {
            try attempt { () throws(MQTTError) in
                _ = try party.client.subscribe(topics, quality: 1)
            }
        }
        try wait("it does not answer a subscription") { $0.isSubscribed }
        // A topic at a time, so that no queue grows long.
        for (index, topic) in topics.enumerated() {
            for party in parties {
                let text = "{\"doctor\":\"\(mark)\",\"by\":\"\(party.identity.name)\"}"
                try attempt { () throws(MQTTError) in
                    _ = try party.client.publish(
                        Publication(
                            topic: topic, payload: Array(text.utf8), quality: 1, isRetained: false))
                }
            }
            try wait("it does not answer a message") { $0.acknowledged > index }
        }
        lastArrival = .now
        while ContinuousClock.now - lastArrival < Self.quiet { work() }
        let trials = parties.flatMap { party in
            topics.flatMap { topic in
                BrokerRights.Access.allCases.map { trial(of: party, $0, topic) }
            }
        }
        // Last: it ends their connections.
        return try trials + thefts()
    }

    /// Each signs in once more, with the client id of the next. A broker that makes user names of client ids
    /// ends the first connection of the same name then, and no other.
    private func thefts() throws(Exit) -> [Trial] {
        var trials: [Trial] = []
        for (index, party) in parties.enumerated() {
            let name = party.identity.name
            let id =
                parties.count == 1
                ? "doctor-\(mark)" : parties[(index + 1) % parties.count].client.id
            let wasThere = party.loss == nil
            let thief = Party(
                party.identity, site: site, id: id, address: party.session.address)
            hook(thief)
            defer { thief.session.end(within: .seconds(0.2)) }
            var end = ContinuousClock.now + Self.patience
            while !thief.isConnected, thief.loss == nil, ContinuousClock.now < end { work([thief]) }
            guard thief.isConnected else {
                let reason = thief.loss?.reason ?? "no answer"
                throw Exit(code: 69, text: "\(place): \(name), a second time: \(reason)")
            }
            end = ContinuousClock.now + Self.quiet
            while party.loss == nil, ContinuousClock.now < end { work([thief]) }
            trials.append(
                Trial(
                    name: name, right: .clientID, topic: id, isExpected: false,
                    seen: wasThere && party.loss != nil ? .denied : .allowed))
        }
        return trials
    }

    private func trial(
        of party: Party, _ access: BrokerRights.Access, _ topic: String
    ) -> Trial {
        let name = party.identity.name
        let seen: Seen
        switch access {
        case .write:
            // Whoever may read there, and received something at all, would have seen it.
            let hasWitness = parties.contains { witness in
                witness.rights.allows(.read, topic)
                    && readers.values.contains { $0.contains(witness.identity.name) }
            }
            seen =
                writers[topic]?.contains(name) == true
                ? .allowed : hasWitness || readers[topic] != nil ? .denied : .unproven
        case .read:
            seen =
                readers[topic]?.contains(name) == true
                ? .allowed : readers[topic] != nil ? .denied : .unproven
        }
        return Trial(
            name: name, right: access == .read ? .read : .write, topic: topic,
            isExpected: party.rights.allows(access, topic),
            seen: seen)
    }

    /// What is tried: what each of them has rights to, and the like of what is others'. Nobody is called
    /// `doctor-…`, so that pages show nothing of it.
    private var topics: [String] {
        let paths = SiteTopics(site: site)
        let other = "doctor-\(mark)"
        let nodes = parties.filter { $0.identity.kind == .node }.map(\.identity.name)
        let clients = parties.map(\.identity.name)
        let topics = PayloadKind.allCases.flatMap { kind -> [String] in
            let topic = kind.topic
            func tried(_ parameter: String) -> [String] {
                switch parameter {
                case "site": [site]
                case "node": nodes + [other]
                case "user": parties.compactMap(\.identity.person) + [other]
                case "client": clients + [other]
                case "operation": Verb.all.map(\.name)
                default: [other]
                }
            }
            return topic.parameters.reduce([[]]) { lists, parameter in
                lists.flatMap { list in tried(parameter).map { list + [$0] } }
            }.map(topic.path)
        }
        // Two phones of one person have the same.
        var seen: Set<String> = []
        return (topics + [paths.root + "debug/doctor/\(mark)"]).filter { seen.insert($0).inserted }
    }

    private func hook(_ party: Party) {
        party.session.onConnect = { [unowned party] in party.isConnected = true }
        party.session.onLoss = { [unowned party] loss, _ in party.loss = loss }
        party.client.onSubscribed = { [unowned party] _, _ in party.isSubscribed = true }
        party.client.onPublished = { [unowned party] _ in party.acknowledged += 1 }
        party.client.onMessage = { [unowned self, unowned party] topic, payload, _, _ in
            guard let writer = author(of: payload) else { return }
            lastArrival = .now
            readers[topic, default: []].insert(party.identity.name)
            writers[topic, default: []].insert(writer)
        }
    }

    /// Who wrote a message, if it is one of this trial.
    private func author(of payload: Span<UInt8>) -> String? {
        let text = String(decoding: payload.indices.map { payload[$0] }, as: UTF8.self)
        return parties.map(\.identity.name).first {
            text == "{\"doctor\":\"\(mark)\",\"by\":\"\($0)\"}"
        }
    }

    private func attempt(_ body: () throws(MQTTError) -> Void) throws(Exit) {
        do { try body() } catch { throw Exit(code: 69, text: "\(place): \(error)") }
    }

    private func wait(_ otherwise: String, until isDone: (Party) -> Bool) throws(Exit) {
        let deadline = ContinuousClock.now + Self.patience
        while !parties.allSatisfy(isDone) {
            for party in parties {
                switch party.loss {
                case .refused(let reason)?:
                    throw Exit(
                        code: 77, text: "\(place) refuses \(party.identity.name): \(reason)")
                case .gone(let reason)?:
                    throw Exit(code: 69, text: "\(place): \(party.identity.name): \(reason)")
                case nil: break
                }
            }
            guard ContinuousClock.now < deadline else {
                throw Exit(code: 69, text: "\(place): \(otherwise)")
            }
            work()
        }
    }

    /// Waits for something to arrive, 50 ms at most.
    private func work(_ others: [Party] = []) {
        let parties = parties + others
        for party in parties { party.session.tick() }
        var entries = parties.map(\.session.entry)
        poll(&entries, nfds_t(entries.count), 50)
        for (party, entry) in zip(parties, entries) { party.session.serve(entry) }
    }
}

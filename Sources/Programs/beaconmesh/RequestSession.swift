import Broker
import Glibc
import SiteModel
import Platform
import Wire

/// One request to a site's coordinator over MQTT, and its answer.
final class RequestSession {
    /// How long the broker may take to let us in, and the coordinator to answer.
    private static let patience = Timestamp.Span.seconds(10)

    private let topics: SiteTopics
    private let site: String
    private let address: BrokerAddress
    private let clock = AnchoredClock()
    private let name: String
    private let client: MQTTClient
    private var response: ResponsePayload?
    private var info: SiteInfoPayload?
    private var isConnected = false
    private var granted: [Int32]?
    private var isTaken = false
    private var refusal: Int32?
    private var refusedTopic: Int32?
    private var loss: String?

    /// Who asks is the user of the broker, whose access list goes by it; without one, nobody before.
    init(site: String, address: BrokerAddress) {
        self.site = site
        self.address = address
        topics = SiteTopics(site: site)
        let number = HexText.text(UInt64.random(in: .min ... .max), bytes: 8)
        let own = "cli-\(number)"
        name = address.username.flatMap { Names.isSlug($0) ? $0 : nil } ?? own
        client = MQTTClient(id: "beaconmesh-\(own)", version: address.version)
        hook()
    }

    /// The site's time zone, if it has told it by now.
    var zone: String? { info?.tz }

    /// Asks, and waits for the answer. `arguments` are made when the site has told its time zone, for
    /// which `needsZone` waits. Throws an `Exit` with 69 if nobody answers.
    func ask(
        _ operation: Operation, id: String?, needsZone: Bool,
        arguments: (_ zone: String?) throws -> RequestPayload.Arguments
    ) throws -> ResponsePayload {
        defer { end() }
        try connect()
        let answers = topics.response(client: name, operation: operation.rawValue)
        try client.subscribe([answers, topics.info], quality: 1)
        try wait("the broker does not answer") { granted != nil }
        let needed = granted?.prefix(needsZone ? 2 : 1) ?? []
        if needed.contains(where: { $0 >= 128 }) { throw forbidden("reading \(answers)") }
        if needsZone {
            try wait("no coordinator ever told of site \(site) there: is --site right?") {
                info != nil
            }
        }
        let id = id ?? "cli-" + HexText.text(UInt64.random(in: .min ... .max), bytes: 8)
        // A person who gave up must not be checked in when the coordinator comes back.
        let expiry = clock.now + Self.patience
        let request = RequestPayload(
            id: id, args: try arguments(info?.tz), expMs: expiry.milliseconds)
        let topic = topics.request(client: name, operation: operation.rawValue)
        try client.publish(
            Publication(topic: topic, payload: request.json, quality: 1, isRetained: false))
        try wait(
            "no coordinator of site \(site) answers: does it run, and are both clocks right? The same "
                + "request is asked again with --request \(id)"
        ) {
            if refusedTopic != nil { throw forbidden("writing \(topic)") }
            return response?.id == id
        }
        guard let response else { preconditionFailure("an answer without one") }
        return response
    }

    private func hook() {
        client.onConnect = { [unowned self] code in
            if code == 0 { isConnected = true } else { refusal = code }
        }
        client.onDisconnect = { [unowned self] code in loss = MQTTClient.fault(code) }
        client.onSubscribed = { [unowned self] _, granted in self.granted = granted }
        client.onRefused = { [unowned self] _, code in refusedTopic = code }
        client.onMessage = { [unowned self] topic, payload, isRetained, _ in
            if topic == topics.info {
                info = try? SiteInfoPayload(json: payload)
            } else if !isRetained, let answer = try? ResponsePayload(json: payload) {
                response = answer
            }
        }
    }

    private func connect() throws {
        do {
            try client.connect(
                host: address.host, port: address.port, username: address.username,
                password: address.password)
        } catch {
            throw unreachable(error.reason)
        }
        try wait("it does not answer") { isConnected }
    }

    /// Lets the connection work until a condition holds.
    private func wait(_ otherwise: String, until condition: () throws -> Bool) throws {
        let deadline = clock.now + Self.patience
        while try !condition() {
            if let refusal {
                throw Exit(
                    code: 77,
                    text: """
                        the broker at \(address.host):\(address.port) refuses us as \
                        \(address.username ?? "nobody"): \(client.reason(refusal)); see --username \
                        and --password-file
                        """)
            }
            if let loss { throw unreachable(loss) }
            let left = (deadline - clock.now).milliseconds
            guard left > 0 else {
                throw isConnected ? Exit(code: 69, text: otherwise) : unreachable(otherwise)
            }
            guard !StopSignal.isRaised else { throw Exit(code: 130, text: "interrupted") }
            poll(milliseconds: Int32(min(left, 500)))
        }
    }

    private func poll(milliseconds: Int32) {
        var entries = [pollfd(fd: StopSignal.descriptor, events: Int16(POLLIN), revents: 0)]
        if let socket = client.descriptor {
            let events = POLLIN | (client.wantsWrite ? POLLOUT : 0)
            entries.append(pollfd(fd: socket, events: Int16(events), revents: 0))
        }
        _ = Glibc.poll(&entries, nfds_t(entries.count), milliseconds)
        client.readable()
        client.writable()
        client.misc()
    }

    private func end() {
        client.onDisconnect = { _ in }
        client.disconnect()
        let deadline = clock.now + .seconds(1)
        while client.descriptor != nil, clock.now < deadline { poll(milliseconds: 20) }
    }

    private func unreachable(_ reason: String) -> Exit {
        Exit(
            code: 69, text: "no broker at \(address.host):\(address.port): \(reason); see --broker")
    }

    private func forbidden(_ what: String) -> Exit {
        Exit(
            code: 77,
            text: """
                the broker does not let \(address.username ?? "nobody") ask: its ACL must allow \
                \(what)
                """)
    }
}

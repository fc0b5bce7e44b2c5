import Basics
import Broker
import Operations
import Permissions
import Platform
import SiteModel
import Wire

/// One request to a site's coordinator over MQTT, and its answer.
package final class RequestSession {
    /// How long the broker may take to let us in, and the coordinator to answer.
    private static let patience = Timestamp.Span.seconds(10)

    private let topics: SiteTopics
    private let site: String
    private let address: BrokerAddress
    private let clock = AnchoredClock()
    private let name: String
    private let session: BrokerSession
    private var response: ResponsePayload?
    private var info: SiteInfoPayload?
    private var isConnected = false
    private var granted: [Int32]?
    private var isTaken = false
    private var refusedTopic: Int32?
    private var loss: BrokerSession.Loss?

    /// Who asks is the user of the broker, whose access list goes by it; without one, nobody before. `tool`: see
    /// `BrokerSession`. The client's id is never the user's name: where the broker does not see to that itself,
    /// a terminal would end the connection of the kiosk whose user it is.
    package init(site: String, address: BrokerAddress, tool: BrokerIdentity.Tool? = nil) {
        self.site = site
        self.address = address
        topics = SiteTopics(site: site)
        let number = HexText.text(UInt64.random(in: .min ... .max), bytes: 8)
        let own = "cli-\(number)"
        name = address.username.flatMap { $0.isSlug ? $0 : nil } ?? own
        let clock = clock
        session = BrokerSession(
            id: "beaconmesh-\(own)", address: address, tool: tool, isRepeated: false,
            now: { clock.now })
        hook()
    }

    /// The site's time zone, if it has told it by now.
    package var zone: String? { info?.tz }

    /// Asks, and waits for the answer. `arguments` are made when the site has told its time zone, for
    /// which `needsZone` waits. Throws an `Exit` with 69 if nobody answers.
    package func ask(
        _ verb: Verb, id: String?, needsZone: Bool,
        arguments: (_ zone: String?) throws -> RequestPayload.Arguments
    ) throws -> ResponsePayload {
        defer { session.end(within: .seconds(1)) }
        try wait("it does not answer") { isConnected }
        let answers = topics[.response, name, verb.name]
        try session.client.subscribe([answers, topics[.siteInfo]], quality: 1)
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
        try session.client.publish(topics.message(.request, name, verb.name, saying: request))
        try wait(
            "no coordinator of site \(site) answers: does it run, and are both clocks right? The same "
                + "request is asked again with --request \(id)"
        ) {
            if refusedTopic != nil {
                throw forbidden("writing \(topics[.request, name, verb.name])")
            }
            return response?.id == id
        }
        guard let response else { preconditionFailure("an answer without one") }
        return response
    }

    private func hook() {
        session.onConnect = { [unowned self] in isConnected = true }
        session.onLoss = { [unowned self] loss, _ in self.loss = loss }
        session.client.onSubscribed = { [unowned self] _, granted in self.granted = granted }
        session.client.onRefused = { [unowned self] _, code in refusedTopic = code }
        session.client.onMessage = { [unowned self] topic, payload, isRetained, _ in
            if topic == topics[.siteInfo] {
                info = try? SiteInfoPayload(json: payload)
            } else if !isRetained, let answer = try? ResponsePayload(json: payload) {
                response = answer
            }
        }
    }

    /// Lets the connection work until a condition holds.
    private func wait(_ otherwise: String, until condition: () throws -> Bool) throws {
        let deadline = clock.now + Self.patience
        while try !condition() {
            switch loss {
            case .refused(let reason)?:
                throw Exit(
                    code: 77,
                    text: """
                        the broker at \(address.host):\(address.port) refuses us as \
                        \(address.username ?? "nobody"): \(reason); see --username and \
                        --password-file
                        """)
            case .gone(let reason)?: throw unreachable(reason)
            case nil: break
            }
            let left = deadline - clock.now
            guard left > .milliseconds(0) else {
                throw isConnected ? Exit(code: 69, text: otherwise) : unreachable(otherwise)
            }
            guard !StopSignal.isRaised else { throw Exit(code: 130, text: "interrupted") }
            session.turn(within: left, or: [StopSignal.descriptor])
        }
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

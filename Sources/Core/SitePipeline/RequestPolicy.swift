import JSON
import Operations
import Permissions
import SiteModel
import Wire

/// Who may ask for what with `req/{client}/{operation}`. The broker lets each client write its own level
/// only; what it may ask for there, and for whom, is decided here.
package struct RequestPolicy: Equatable, Sendable {
    package enum Verdict: Equatable, Sendable {
        case allowed
        /// A member asks for themselves; the slug of the person.
        case ownOnly(String)
        case forbidden
        /// A trainer asks for somebody who shares with nobody.
        case notAgreed
    }

    /// Whether nobody was ever enrolled: then requests carry no identity, and all are allowed.
    package let isOpen: Bool
    private let clients: [String: BrokerIdentity]
    private let roles: [String: Role]
    private let disabled: Set<String>
    private let sharing: Set<String>
    /// Those who have a client of their own, and no account that is disabled.
    let people: Set<String>

    /// `identities` are those in force, of which no two have one name. `roles` are those of the accounts
    /// behind them that were accepted, by the person's slug; whose account is `disabled` asks for nothing.
    /// `sharing` are those who let others see what they do.
    package init(
        identities: [BrokerIdentity], isOpen: Bool, roles: [String: Role] = [:],
        disabled: Set<String> = [], sharing: Set<String> = []
    ) {
        self.isOpen = isOpen
        self.roles = roles
        self.disabled = disabled
        self.sharing = sharing
        clients = Dictionary(
            identities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        people = Set(identities.compactMap(\.person)).subtracting(disabled)
    }

    /// Whether a client may ask for a verb on a user, `nil` where the request names nobody.
    package func verdict(on verb: Verb, user: String?, from client: String) -> Verdict {
        guard !isOpen else { return .allowed }
        guard let principal = principal(of: client) else { return .forbidden }
        let reach = principal.reach(verb.right)
        guard reach >= max(verb.subject.least, .own) else { return .forbidden }
        guard reach < .site else {
            let needsConsent =
                user.map {
                    principal.needsConsent(of: $0, for: verb.right) && !sharing.contains($0)
                } ?? false
            return needsConsent ? .notAgreed : .allowed
        }
        guard let person = principal.user, user == nil || user == person else { return .forbidden }
        return .ownOnly(person)
    }

    /// What a client that may not is told, and what to do about it.
    package func words(to client: String) -> String {
        if principal(of: client) != nil {
            return
                "this client may not ask for that, or not for them: see who may in docs/operating.md"
        }
        return isDisabled(client)
            ? "the account of this client's person is disabled (beaconmesh account change … disabled=false)"
            : "nobody is enrolled as \(client): enrol this client (beaconmesh enrol), and sign in as it"
    }

    private func isDisabled(_ client: String) -> Bool {
        clients[client]?.person.map { disabled.contains($0) } ?? false
    }

    /// Who a client is, or `nil` for nobody who is enrolled, and where the account behind it is disabled.
    package func principal(of client: String) -> Principal? {
        guard !isOpen, let identity = clients[client], !isDisabled(client) else { return nil }
        return identity.principal(whose: identity.person.flatMap { roles[$0] })
    }
}

extension BrokerIdentity {
    /// Who asks when it does: what it may is in the same table as for HTTP. `account` is the role of the
    /// account behind it, if there is one.
    fileprivate func principal(whose account: Role?) -> Principal {
        let role: Role =
            switch kind {
            case .kiosk: .kiosk
            case .member: account ?? .member
            case .integration: .integration
            case .screen: .screen
            // Neither has anything to ask for.
            case .node, .coordinator: .node
            }
        var scopes: Set<Permissions.Scope> = []
        if self.scopes.contains(.requests) { scopes.formUnion([.attendanceWrite, .workoutsWrite]) }
        if self.scopes.contains(.detections) { scopes.insert(.detectionsWrite) }
        return Principal(name: "mqtt:\(name)", role: role, user: person, scopes: scopes)
    }
}

/// Holds requests against the policy before anything else sees them: one that is refused reaches neither
/// the recording nor the machines, so that a replay decides the same.
package struct RequestGate: Sendable {
    enum Passage: Equatable {
        case unchanged
        /// A request, where nobody was ever enrolled.
        case unidentified
        /// These bytes in the place of its payload: the person is filled in.
        case changed([UInt8])
        /// The answer, and to whom.
        case refused(Publication, client: String)
    }

    package var policy: RequestPolicy {
        didSet { budgets = budgets.filter { policy.principal(of: $0.key) != nil } }
    }
    /// Of each client that is enrolled and asked for something.
    private var budgets: [String: RequestBudget] = [:]
    let topics: SiteTopics
    let site: String
    private let start: String
    private let measured: String
    /// Requests that were refused.
    package internal(set) var refused = 0
    private var hasWarned = false

    package init(_ policy: RequestPolicy, site: String) {
        self.policy = policy
        self.site = site
        topics = SiteTopics(site: site)
        start = topics.root + "req/"
        measured = topics.root + "ingest/"
    }

    /// What follows from a message. One that may pass is given to `body`, its payload as it is or with the
    /// person filled in, and `body` says what follows.
    package mutating func effects(
        _ topic: String, _ payload: Span<UInt8>, isRetained: Bool, at now: Timestamp,
        _ body: (Span<UInt8>) -> [Pipeline.Effect]
    ) -> [Pipeline.Effect] {
        guard topic.utf8.starts(with: start.utf8) || topic.utf8.starts(with: measured.utf8) else {
            return body(payload)
        }
        // What clears a topic, as we do below.
        guard !payload.isEmpty else { return [] }
        let effects = asked(topic, payload, isRetained: isRetained, at: now, body)
        // Nothing is to be retained here: it would fill the broker's memory. Whether something is, subscribers are
        // told as they connect; what is longer than any request is taken away in any case.
        guard isRetained || payload.count > RequestPayload.limit else { return effects }
        return effects + [
            .publish(Publication(topic: topic, payload: [], quality: 0, isRetained: true))
        ]
    }

    private mutating func asked(
        _ topic: String, _ payload: Span<UInt8>, isRetained: Bool, at now: Timestamp,
        _ body: (Span<UInt8>) -> [Pipeline.Effect]
    ) -> [Pipeline.Effect] {
        if topic.utf8.starts(with: measured.utf8),
            let effects = ingestEffects(topic, payload, isRetained: isRetained)
        {
            return effects
        }
        if !isRetained, topic.utf8.starts(with: start.utf8),
            let effects = excessEffects(topic, payload, at: now) ?? roomEffects(topic, payload)
        {
            return effects
        }
        switch passage(topic: topic, payload: payload, isRetained: isRetained) {
        case .unchanged: return body(payload)
        case .unidentified:
            guard !hasWarned else { return body(payload) }
            hasWarned = true
            let line = "requests carry no identity: nobody is enrolled (beaconmesh enrol)"
            return [.warn(line)] + body(payload)
        case .changed(let payload): return body(payload.span)
        case .refused(let answer, let client):
            refused += 1
            return [
                .publish(answer),
                .complain("a request of \(client) is refused", about: "forbidden request"),
            ]
        }
    }

    /// What follows from a request for which its client has no budget left, or `nil` for any other message. Of
    /// clients that are not enrolled there is no end, and they are refused anyway.
    private mutating func excessEffects(
        _ topic: String, _ payload: Span<UInt8>, at now: Timestamp
    ) -> [Pipeline.Effect]? {
        guard case .request(let client, let name)? = Inbound.parse(topic, site: site),
            policy.principal(of: client) != nil,
            !budgets[client, default: RequestBudget()].take(at: now)
        else { return nil }
        refused += 1
        let refusal = ProblemCode.rateLimited
        let response = ResponsePayload(
            refusing: payload, code: refusal.rawValue, because: refusal.message)
        let answer = response.map { response in
            Pipeline.Effect.publish(topics.message(.response, client, name, saying: response))
        }
        return [answer].compactMap(\.self) + [
            .complain("\(client) asks for too much, and is refused", about: "too many requests")
        ]
    }

    /// What follows from a request of a room, or `nil` for any other message. Where requests carry no
    /// identity nobody may.
    private mutating func roomEffects(
        _ topic: String, _ payload: Span<UInt8>
    ) -> [Pipeline.Effect]? {
        guard case .request(let client, let name)? = Inbound.parse(topic, site: site),
            let verb = Verb.named(name), case .room = verb.act
        else { return nil }
        let request: RequestPayload
        do throws(PayloadError) {
            request = try RequestPayload(json: payload)
            _ = try verb.read(request.args.span)
        } catch {
            refused += 1
            let words = "this is no request: \(error.words)"
            let answer = ResponsePayload(refusing: payload, because: words).map { response in
                Pipeline.Effect.publish(topics.message(.response, client, name, saying: response))
            }
            return [answer].compactMap(\.self) + [
                .complain(
                    "a request of \(client) is no request: \(error.words)", about: "bad request")
            ]
        }
        guard let principal = policy.principal(of: client) else {
            refused += 1
            let response = ResponsePayload(id: request.id, outcome: forbidden(to: client))
            return [
                .publish(topics.message(.response, client, name, saying: response)),
                .complain("a request of \(client) is refused", about: "forbidden request"),
            ]
        }
        return [
            .ask(RoomRequest(verb, of: principal, request, from: client, topics))
        ]
    }

    private func forbidden(to client: String) -> ResponsePayload.Outcome {
        .error(code: ProblemCode.forbidden.rawValue, message: policy.words(to: client))
    }

    /// How a message passes. What is no well-formed request passes unchanged: the pipeline refuses it, and
    /// counts why.
    func passage(topic: String, payload: Span<UInt8>, isRetained: Bool) -> Passage {
        guard topic.utf8.starts(with: start.utf8), !isRetained,
            case .request(let client, let name)? = Inbound.parse(topic, site: site),
            let verb = Verb.named(name), var request = try? RequestPayload(json: payload)
        else { return .unchanged }
        // What is wrong with it is said first, whoever asks: the person may still have to be filled in.
        let whole = verb.subject.filled(request.args.span, with: "x") ?? request.args
        guard policy.isOpen || (try? verb.read(whole.span)) != nil else { return .unchanged }
        let user = verb.subject.parameter.flatMap { Self.slug($0, in: request.args.span) }
        switch policy.verdict(on: verb, user: user, from: client) {
        case .allowed: return policy.isOpen ? .unidentified : .unchanged
        case .ownOnly(let person):
            guard let filled = verb.subject.filled(request.args.span, with: person) else {
                return .unchanged
            }
            request.args = filled
            return .changed(request.json)
        case .forbidden: return refusal(forbidden(to: client))
        case .notAgreed:
            let code = ProblemCode.consentRequired
            return refusal(.error(code: code.rawValue, message: code.message))
        }
        func refusal(_ outcome: ResponsePayload.Outcome) -> Passage {
            let response = ResponsePayload(id: request.id, outcome: outcome)
            return .refused(
                topics.message(.response, client, name, saying: response), client: client)
        }
    }

    /// A member that is an id.
    private static func slug(_ name: String, in json: Span<UInt8>) -> String? {
        guard let object = try? JSONObject(document: json, limit: RequestPayload.limit),
            let value = try? object.optional(name, json)
        else { return nil }
        return try? value.slug(json)
    }
}

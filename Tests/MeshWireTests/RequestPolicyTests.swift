import Permissions
import TestSupport
import Testing

@testable import Operations
@testable import SiteModel
@testable import SitePipeline
@testable import Wire

/// Who may ask for what over MQTT.
struct RequestPolicyTests {
    private static let identities = [
        BrokerIdentity(name: "n-press", kind: .node), BrokerIdentity(name: "board", kind: .screen),
        BrokerIdentity(name: "door", kind: .kiosk),
        BrokerIdentity(name: "ann-phone", kind: .member, person: "u-ann"),
        BrokerIdentity(name: "reports", kind: .integration, scopes: [.presence, .attendance]),
        BrokerIdentity(name: "desk", kind: .integration, scopes: [.requests]),
        BrokerIdentity(name: "coordinator", kind: .coordinator),
    ]
    private let policy = RequestPolicy(identities: identities, isOpen: false)
    private static let now = Timestamp(milliseconds: 1_780_000_000_000)
    private static let machines = Verb.all.filter { $0.subject.parameter != nil }
    private static let rooms = Verb.all.filter { !$0.isOfMachines }

    @Test(arguments: machines)
    func `each kind may ask for what it is there for`(verb: Verb) {
        func verdict(_ client: String, _ user: String? = "u-ann") -> RequestPolicy.Verdict {
            policy.verdict(on: verb, user: user, from: client)
        }
        let isWorkout = verb.right == .workoutsWrite
        for nobody in ["n-press", "board", "reports", "coordinator", "stranger", "u-ann", ""] {
            #expect(verdict(nobody) == .forbidden, "\(nobody)")
        }
        #expect(verdict("door") == (isWorkout ? .forbidden : .allowed))
        #expect(verdict("desk") == .allowed)
        #expect(verdict("ann-phone") == .ownOnly("u-ann"))
        #expect(verdict("ann-phone", nil) == .ownOnly("u-ann"))
        #expect(verdict("ann-phone", "u-ben") == .forbidden)
    }

    @Test(arguments: machines)
    func `a trainer asks for themselves and who shares`(verb: Verb) {
        let policy = RequestPolicy(
            identities: Self.identities, isOpen: false, roles: ["u-ann": .trainer],
            sharing: ["u-ben"])
        func verdict(_ user: String) -> RequestPolicy.Verdict {
            policy.verdict(on: verb, user: user, from: "ann-phone")
        }
        let isWorkout = verb.right == .workoutsWrite
        #expect(verdict("u-ann") == (isWorkout ? .allowed : .ownOnly("u-ann")))
        #expect(verdict("u-ben") == (isWorkout ? .allowed : .forbidden))
        #expect(verdict("u-cid") == (isWorkout ? .notAgreed : .forbidden))
    }

    @Test func `where nobody ever was enrolled all is allowed, and nothing where all are revoked`()
    {
        let open = RequestPolicy(identities: [], isOpen: true)
        let closed = RequestPolicy(identities: [], isOpen: false)
        #expect(open.verdict(on: .checkIn, user: "u-ann", from: "tests") == .allowed)
        #expect(closed.verdict(on: .checkIn, user: "u-ann", from: "tests") == .forbidden)
    }

    private func passage(
        _ topic: String, _ payload: [UInt8], isRetained: Bool = false
    ) -> RequestGate.Passage {
        RequestGate(policy, site: "gym").passage(
            topic: "mesh/v1/gym/" + topic, payload: payload.span, isRetained: isRetained)
    }

    private func request(_ user: String?) -> [UInt8] {
        RequestPayload(id: "r1", args: .init(user: user), expMs: 7).json
    }

    @Test func `a refusal answers whoever asked, under their own name`() throws {
        let passage = passage("req/ann-phone/attendance-check-in", request("u-ben"))
        guard case .refused(let answer, let client) = passage else {
            Issue.record("\(passage)")
            return
        }
        #expect(answer.topic == "mesh/v1/gym/res/ann-phone/attendance-check-in")
        #expect(!answer.isRetained && answer.quality == 1)
        let response = try ResponsePayload(json: answer.payload.span)
        #expect(response.id == "r1")
        guard case .error(let code, _) = response.outcome else {
            Issue.record("\(response)")
            return
        }
        #expect(code == "forbidden")
        #expect(client == "ann-phone")
    }

    @Test(arguments: ["ann-phone", "stranger"])
    func `what is wrong with a request is said before who may ask`(client: String) {
        let payload = Array(#"{"id":"7","args":{"user":"u-ben","zz":1}}"#.utf8)
        #expect(passage("req/\(client)/workout-start", payload) == .unchanged)
        let whole = Array(#"{"id":"7","args":{"user":"u-ben"}}"#.utf8)
        guard case .refused = passage("req/\(client)/workout-start", whole) else {
            Issue.record("it passes")
            return
        }
    }

    @Test func `a member who names nobody means themselves`() throws {
        let passage = passage("req/ann-phone/workout-start", request(nil))
        #expect(passage == .changed(request("u-ann")))
        #expect(self.passage("req/ann-phone/workout-start", request("u-ann")) == .unchanged)
        // Nobody else is filled in.
        #expect(self.passage("req/door/attendance-check-in", request(nil)) == .unchanged)
    }

    /// The pipeline refuses these itself, and counts why; no answer goes to a client that it made up.
    @Test func `what is no request passes to where it is refused or taken`() {
        for topic in [
            "node/n-press/frame", "req/stranger", "req/stranger/attendance-check-in/x",
            "req/stranger/attendance-fly", "req/a+b/attendance-check-in",
            "req/#/attendance-check-in", "req/\(String(repeating: "a", count: 65))/workout-start",
            "req//attendance-check-in", "request/stranger/attendance-check-in",
        ] {
            #expect(passage(topic, request("u-ann")) == .unchanged, "\(topic)")
        }
        let topic = "req/stranger/attendance-check-in"
        let whole = request("u-ann")
        for length in 0..<whole.count {
            #expect(passage(topic, Array(whole.prefix(length))) == .unchanged)
        }
        #expect(passage(topic, whole, isRetained: true) == .unchanged)
        #expect(passage(topic, whole) != .unchanged)
    }

    @Test(arguments: rooms)
    func `what is asked of the books is asked of whoever keeps them, and by nobody unknown`(
        verb: Verb
    ) throws {
        func effects(_ policy: RequestPolicy, _ client: String, _ payload: [UInt8]) -> [Pipeline
            .Effect]
        {
            var gate = RequestGate(policy, site: "gym")
            return gate.effects(
                "mesh/v1/gym/req/\(client)/\(verb.name)", payload.span, isRetained: false,
                at: Self.now
            ) { _ in [.warn("it reaches the machines")] }
        }
        let arguments = VerbArguments(of: verb).json
        let asked = Array(#"{"id":"r1","args":\#(arguments),"exp_ms":9}"#.utf8)
        guard case .ask(let request)? = effects(policy, "ann-phone", asked).first else {
            Issue.record("nobody is asked")
            return
        }
        #expect(
            request.principal == Principal(name: "mqtt:ann-phone", role: .member, user: "u-ann"))
        #expect(request.payload.id == "r1" && request.payload.expMs == 9)
        #expect(String(decoding: request.payload.args, as: UTF8.self) == arguments)
        #expect(
            request.refusal(.forbidden).topic == "mesh/v1/gym/res/ann-phone/\(verb.name)")
        let manager = RequestPolicy(
            identities: Self.identities, isOpen: false, roles: ["u-ann": .manager])
        guard case .ask(let theirs)? = effects(manager, "ann-phone", asked).first else {
            Issue.record("nobody is asked")
            return
        }
        #expect(theirs.principal.role == .manager)
        let open = RequestPolicy(identities: [], isOpen: true)
        for (policy, client) in [(policy, "stranger"), (open, "tests")] {
            guard case .publish(let answer)? = effects(policy, client, asked).first else {
                Issue.record("\(client) is not refused")
                continue
            }
            #expect(String(decoding: answer.payload, as: UTF8.self).contains("forbidden"))
        }
        #expect(effects(policy, "ann-phone", []).isEmpty, "it clears the topic")
        for wrong in ["{}", #"{"id":"","args":{}}"#, #"{"args":{}}"#] {
            let effects = effects(policy, "ann-phone", Array(wrong.utf8))
            guard case .complain? = effects.first, effects.count == 1 else {
                Issue.record("\(wrong) is taken: \(effects)")
                continue
            }
        }
        // Whoever can be answered is, also who may not ask.
        for client in ["ann-phone", "stranger"] {
            for wrong in [#"{"id":"r1"}"#, #"{"id":"r1","args":[]}"#] {
                let effects = effects(policy, client, Array(wrong.utf8))
                guard case .publish(let answer)? = effects.first, effects.count == 2 else {
                    Issue.record("\(wrong) is not answered: \(effects)")
                    continue
                }
                #expect(answer.topic == "mesh/v1/gym/res/\(client)/\(verb.name)")
                let response = try ResponsePayload(json: answer.payload.span)
                guard case .error("schema", let message) = response.outcome else {
                    Issue.record("\(response)")
                    continue
                }
                #expect(response.id == "r1" && message.contains("args is"), "\(message)")
            }
        }
    }

    @Test func `who is refused is told what to do`() {
        #expect(policy.words(to: "stranger").contains("beaconmesh enrol"))
        #expect(policy.words(to: "stranger").contains("stranger"))
        #expect(!policy.words(to: "door").contains("enrol"))
        let open = RequestPolicy(identities: [], isOpen: true)
        #expect(open.words(to: "tests").contains("beaconmesh enrol"))
        let disabled = RequestPolicy(
            identities: Self.identities, isOpen: false, disabled: ["u-ann"])
        #expect(disabled.words(to: "ann-phone").contains("account change"))
        #expect(disabled.words(to: "stranger").contains("beaconmesh enrol"))
    }

    @Test(arguments: machines)
    func `the phone of who is disabled asks for nothing, everybody else as before`(
        verb: Verb
    ) {
        let disabled = RequestPolicy(
            identities: Self.identities, isOpen: false, roles: ["u-ann": .manager],
            disabled: ["u-ann"])
        for user in ["u-ann", nil] {
            #expect(
                disabled.verdict(on: verb, user: user, from: "ann-phone") == .forbidden)
        }
        #expect(disabled.principal(of: "ann-phone") == nil)
        #expect(disabled.verdict(on: verb, user: "u-ann", from: "desk") == .allowed)
    }

    @Test func `that requests carry no identity is said once, at the first`() {
        var gate = RequestGate(RequestPolicy(identities: [], isOpen: true), site: "gym")
        var (warnings, bodies) = (0, 0)
        for topic in ["node/n-press/beat", "req/tests/workout-start", "req/tests/workout-pause"] {
            let effects = gate.effects(
                "mesh/v1/gym/" + topic, request("u-ann").span, isRetained: false, at: Self.now
            ) { _ in
                bodies += 1
                return []
            }
            warnings += effects.count
        }
        #expect(warnings == 1 && bodies == 3 && gate.refused == 0)
    }

    @Test func `what is refused is counted, and goes no further`() {
        var gate = RequestGate(policy, site: "gym")
        var bodies = 0
        for client in ["stranger", "door", "board"] {
            let effects = gate.effects(
                "mesh/v1/gym/req/\(client)/attendance-check-in", request("u-ben").span,
                isRetained: false, at: Self.now
            ) { _ in
                bodies += 1
                return []
            }
            #expect(effects.count == (client == "door" ? 0 : 2))
        }
        #expect(bodies == 1 && gate.refused == 2)
    }

    @Test(arguments: [
        "", "a+", "#", "a/b", "A", "a b", "a_b", "é", "a\n", "user root",
        String(repeating: "a", count: 65),
    ])
    func `a name that is no level of a topic is refused`(name: String) {
        #expect(BrokerIdentity(name: name, kind: .kiosk).fault != nil)
    }

    @Test func `members have a person, integrations have scopes, others have neither`() {
        for kind in BrokerIdentity.Kind.allCases {
            for person in [nil, "u-ann"] {
                for scopes in [[], [BrokerIdentity.Scope.events]] {
                    let isRight =
                        (kind == .member) == (person != nil)
                        && (kind == .integration) == !scopes.isEmpty
                    let identity = BrokerIdentity(
                        name: "x", kind: kind, person: person, scopes: scopes)
                    #expect((identity.fault == nil) == isRight, "\(identity)")
                }
            }
        }
        let twice = BrokerIdentity(
            name: "x", kind: .integration, scopes: [.requests, .presence, .requests])
        #expect(twice.scopes == [.presence, .requests])
    }

    @Test func `only who is enrolled as a detector, or may write detections, sends some`() throws {
        let policy = RequestPolicy(
            identities: [
                BrokerIdentity(name: "esp32", kind: .integration, scopes: [.detections]),
                BrokerIdentity(name: "reports", kind: .integration, scopes: [.presence]),
                BrokerIdentity(name: "ada-phone", kind: .member, person: "u-ada"),
                BrokerIdentity(name: "mo-phone", kind: .member, person: "u-mo"),
                BrokerIdentity(name: "ann-phone", kind: .member, person: "u-ann"),
            ], isOpen: false, roles: ["u-ada": .owner, "u-mo": .manager, "u-ann": .member])
        var gate = RequestGate(policy, site: "gym")
        let found = Array(#"{"id":"1","t_ms":1}"#.utf8)
        func sent(_ client: String) throws -> IngestRequest? {
            let effects = gate.effects(
                "mesh/v1/gym/ingest/detection/\(client)", found.span, isRetained: false,
                at: Self.now
            ) { _ in [] }
            guard case .ingest(let request)? = effects.first else { return nil }
            return request
        }
        #expect(try sent("esp32")?.person == nil && sent("esp32")?.sender == "esp32")
        #expect(try sent("ada-phone")?.person == "u-ada")
        #expect(try sent("mo-phone")?.person == "u-mo")
        for client in ["ann-phone", "reports", "nobody"] {
            #expect(try sent(client) == nil, "\(client)")
        }
    }

    @Test func `what is retained, and what is longer than any request, is cleared`() {
        var gate = RequestGate(policy, site: "gym")
        func clears(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) -> Bool {
            let topic = "mesh/v1/gym/" + topic
            let effects = gate.effects(
                topic, payload.span, isRetained: isRetained, at: Self.now
            ) { _ in [] }
            let clear = Publication(topic: topic, payload: [], quality: 0, isRetained: true)
            return effects.contains(.publish(clear))
        }
        let long = [UInt8](repeating: 0x20, count: RequestPayload.limit + 1)
        for topic in ["req/ann-phone/workout-start", "ingest/steps/u-ann", "req/x", "ingest/x/y/z"]
        {
            #expect(clears(topic, request(nil), isRetained: true), "\(topic)")
            #expect(clears(topic, long), "\(topic)")
            #expect(!clears(topic, request(nil)), "\(topic)")
            #expect(!clears(topic, [], isRetained: true) && !clears(topic, []), "\(topic)")
        }
        #expect(!clears("node/n-press/status", long, isRetained: true))
    }
}

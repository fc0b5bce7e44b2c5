import Testing

@testable import Operations
@testable import Permissions
@testable import SiteModel
@testable import SitePipeline
@testable import Wire

/// One client keeps neither the machines busy nor the disk full.
struct RequestBudgetTests {
    private static let policy = RequestPolicy(
        identities: ["door", "hall"].map { BrokerIdentity(name: $0, kind: .kiosk) }, isOpen: false)
    private static let start = Timestamp(milliseconds: 1_780_000_000_000)

    private var gate = RequestGate(policy, site: "gym")
    /// Requests that reached the machines, and the last one's answer otherwise.
    private var taken = 0
    private var answer: ResponsePayload?

    /// Asks `count` times, each `pause` ms after the one before, from `seconds` after the start on.
    private mutating func ask(
        _ count: Int, as client: String = "door", every pause: Int64 = 0, from seconds: Double = 0,
        payload: [UInt8] = RequestPayload(id: "r1", args: .init(user: "u-ann")).json
    ) throws {
        let topic = SiteTopics(site: "gym")[.request, client, Verb.checkIn.name]
        for index in 0..<count {
            var passed = false
            let effects = gate.effects(
                topic, payload.span, isRetained: false,
                at: Self.start + .seconds(seconds) + .milliseconds(Int64(index) * pause)
            ) { _ in
                passed = true
                return []
            }
            if passed { taken += 1 }
            if case .publish(let publication)? = effects.first {
                answer = try ResponsePayload(json: publication.payload.span)
            }
        }
    }

    @Test mutating func `a rush is taken, what goes on is answered rate_limited and counted`()
        throws
    {
        try ask(100)
        #expect(taken == 100 && answer == nil && gate.refused == 0)
        try ask(5900)
        #expect(taken == 100 && gate.refused == 5900)
        guard case .error("rate_limited", _)? = answer?.outcome else {
            Issue.record("\(String(describing: answer))")
            return
        }
        #expect(answer?.id == "r1")
        // The others' is their own.
        try ask(100, as: "hall")
        #expect(taken == 200)
        // Ten come back in a second, no more than there were.
        try ask(20, from: 1)
        #expect(taken == 210)
        try ask(200, from: 1000)
        #expect(taken == 310)
    }

    @Test mutating func `ten a second go on and on, until the day's are used`() throws {
        try ask(9000, every: 100)
        #expect(taken == 9000)
        try ask(5000, every: 100, from: 900)
        // Those that came back meanwhile, one in 8.64 s.
        #expect(taken >= Principal.mostRequestsADay && taken < Principal.mostRequestsADay + 170)
        let before = taken
        try ask(50, every: 100, from: 90_000)
        #expect(taken == before + 50, "the next day")
    }

    @Test mutating func `what is no request uses the budget, too, and what has no id is no answer`()
        throws
    {
        try ask(100, payload: Array("{}".utf8))
        try ask(1)
        #expect(taken == 100)
        #expect(answer?.id == "r1")
        answer = nil
        try ask(1, payload: Array("{}".utf8))
        #expect(answer == nil && gate.refused == 2)
    }

    @Test
    mutating func `who is revoked leaves nothing, and where nobody is enrolled there is no end`()
        throws
    {
        try ask(101)
        gate.policy = RequestPolicy(identities: [], isOpen: false)
        gate.policy = Self.policy
        try ask(100)
        #expect(taken == 200)
        gate.policy = RequestPolicy(identities: [], isOpen: true)
        try ask(1000)
        #expect(taken == 1200)
    }
}

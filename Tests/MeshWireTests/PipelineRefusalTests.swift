import Basics
import Testing

@testable import SitePipeline
@testable import Wire

/// What comes from outside is checked, and what is wrong is counted by its reason.
struct PipelineRefusalTests {
    var run = PipelineRun()

    private static let frame = FramePayload(boot: 1, seq: 1, tMs: 1_700_000_001_000, r: []).json
    private static let status = NodeStatusPayload(state: .online, boot: 1).json
    private static let rssi = RSSIPayload(
        boot: 1, seq: 1, tMs: 1_700_000_001_000, rssi: -60, n: 1, sd: 0
    ).json
    private static let beat = NodeBeatPayload(
        boot: 1, tMs: 1_700_000_001_000, wallMs: 0, synced: true, frameSeq: 1
    ).json

    struct Case: CustomTestStringConvertible, Sendable {
        var topic: String
        var payload: [UInt8] = []
        var isRetained = false
        var reason: String

        var testDescription: String { "\(topic): \(reason)" }
    }

    private static func text(_ topic: String, _ payload: String, _ reason: String) -> Case {
        Case(topic: topic, payload: Array(payload.utf8), reason: reason)
    }

    static let cases: [Case] = [
        Case(
            topic: "mesh/v1/gym/node/n1/frame", payload: frame, isRetained: true,
            reason: "retained"),
        Case(
            topic: "mesh/v1/gym/node/n1/rssi/tag-1", payload: rssi, isRetained: true,
            reason: "retained"),
        Case(
            topic: "mesh/v1/gym/node/n1/beat", payload: beat, isRetained: true, reason: "retained"),
        Case(
            topic: "mesh/v1/gym/req/kiosk/workout-start", payload: Array("{}".utf8),
            isRetained: true, reason: "retained"),
        Case(
            topic: "mesh/v1/gym/node/n1/frame",
            payload: Array(repeating: 0x20, count: FramePayload.limit + 1), reason: "oversize"),
        Case(
            topic: "mesh/v1/gym/node/n1/status", payload: Array(repeating: 0x20, count: 8193),
            reason: "oversize"),
        text("mesh/v1/gym/node/n1/frame", "no", "not-json"),
        text("mesh/v1/gym/node/n1/frame", "", "not-json"),
        text("mesh/v1/gym/req/kiosk/workout-start", "", "not-json"),
        text("mesh/v1/gym/node/n1/frame", "{}", "missing-field"),
        text("mesh/v1/gym/node/n1/status", #"{"state":1}"#, "wrong-type"),
        text("mesh/v1/gym/node/n1/status", #"{"state":"dozing"}"#, "unknown-value"),
        text("mesh/v1/gym/node/n1/status", "[]", "wrong-type"),
        Case(topic: "mesh/v1/spa/node/n1/frame", payload: frame, reason: "foreign"),
        Case(topic: "mesh/v1/gym/node/N1/frame", payload: frame, reason: "foreign"),
        Case(topic: "mesh/v1/gym/node/n1/frame/x", payload: frame, reason: "foreign"),
        Case(topic: "mesh/v1/gym/user/u-ann/presence", payload: frame, reason: "foreign"),
        Case(topic: "", payload: frame, reason: "foreign"),
        Case(topic: "mesh/v1/gym/node/n9/frame", payload: frame, reason: "unknown-node"),
        Case(topic: "mesh/v1/gym/node/n9/status", payload: status, reason: "unknown-node"),
        Case(topic: "mesh/v1/gym/node/n9/beat", payload: beat, reason: "unknown-node"),
        Case(topic: "mesh/v1/gym/node/n9/rssi/tag-1", payload: rssi, reason: "unknown-node"),
        text("mesh/v1/gym/req/kiosk/workout-dream", "{}", "unknown-operation"),
        text("mesh/v1/gym/req/kiosk/workout-start", "{}", "missing-field"),
    ]

    @Test(arguments: cases) mutating func `a bad message is counted and the next one is taken`(
        bad: Case
    ) {
        let effects = run.hear(bad.topic, bad.payload, isRetained: bad.isRetained, 1)
        #expect(effects.isEmpty)
        #expect(run.pipeline.counts.refused == [bad.reason: 1])
        run.second(1)
        run.second(2)
        let told = run.second(3)
        #expect(run.pipeline.counts.messages == 7)
        #expect(run.pipeline.counts.refused == [bad.reason: 1])
        #expect(run.effects.last("state") != nil, "\(told)")
    }

    @Test mutating func `a cleared retained topic is no fault`() {
        run.hear("mesh/v1/gym/node/n1/status", "", 1)
        run.hear("mesh/v1/gym/node/n1/health", "", 1)
        #expect(run.pipeline.counts.refused.isEmpty)
    }

    @Test mutating func `an expired request is counted, answered, and not performed`() throws {
        let effects = run.ask("workout-start", id: "1", expires: 5, 5.001)
        #expect(effects.count == 1)
        let answer = try #require(effects.last("res/kiosk/workout-start"))
        guard case .error("expired", _) = try ResponsePayload(json: answer.payload.span).outcome
        else {
            Issue.record("\(effects)")
            return
        }
        #expect(run.pipeline.counts.refused == ["expired": 1])
        let inTime = run.ask("workout-start", id: "1", expires: 5, 5)
        #expect(inTime.commits.count == 1)
    }

    @Test(arguments: [
        ("workout-fly", #"{"id":"7"}"#, "unknown-operation", "workout-fly"),
        ("workout-start", #"{"id":"7"}"#, "missing-field", "args is missing"),
        ("workout-start", #"{"id":"7","args":[]}"#, "wrong-type", "args is of the wrong type"),
        ("workout-start", #"{"id":"7","args":{"user":7}}"#, "wrong-type", "user is"),
        ("workout-start", #"{"id":"7","args":{"user":"Ann B."}}"#, "unknown-value", "user has"),
        ("workout-start", #"{"id":"7","args":{"usr":"u-ann"}}"#, "unknown-member", "“usr” is no"),
        ("workout-start", #"{"id":"7","args":{},"exp_ms":"x"}"#, "wrong-type", "exp_ms is"),
        (
            "workout-start", #"{"id":"7","args":{"user":"u-ann","user":"u-bob"}}"#,
            "repeated-member", "“user” comes twice"
        ),
        (
            "workout-start", #"{"id":"6","args":{"user":"u-ann"},"\u0069d":"7"}"#,
            "repeated-member", "“id” comes twice"
        ),
    ])
    mutating func `whoever sends no request but an id is told which member is wrong`(
        operation: String, json: String, reason: String, words: String
    ) throws {
        let effects = run.hear("mesh/v1/gym/req/kiosk/\(operation)", json, 1)
        #expect(effects.count == 1)
        let answer = try #require(effects.last("res/kiosk/\(operation)"))
        #expect(!answer.isRetained && answer.quality == 1)
        let response = try ResponsePayload(json: answer.payload.span)
        guard case .error(let code, let message) = response.outcome else {
            Issue.record("\(response)")
            return
        }
        #expect(response.id == "7" && code == "schema")
        #expect(message.contains(words), "\(message)")
        #expect(run.pipeline.counts.refused == [reason: 1])
        // Nothing of it is kept: its id is free.
        #expect(run.pipeline.isSettled)
        #expect(run.ask("workout-start", id: "7", 2).commits.count == 1)
    }

    @Test(arguments: [
        "", "{", "[]", "7", "{}", #"{"id":7}"#, #"{"id":""}"#, #"{"id":"a b"}"#, #"{"id":null}"#,
        #"{"id":"\#(String(repeating: "x", count: 65))"}"#,
        #"{"id":"7","x":"\#(String(repeating: "x", count: RequestPayload.limit))"}"#,
    ])
    mutating func `what has no id, or is longer than any request, is counted only`(json: String) {
        for operation in ["workout-start", "workout-fly"] {
            #expect(run.hear("mesh/v1/gym/req/kiosk/\(operation)", json, 1).isEmpty)
        }
        #expect(run.pipeline.counts.refused.values.reduce(0, +) == 2)
    }

    /// Who may publish one request must not make us publish much, nor paint over a terminal.
    @Test mutating func `a strange member is told short and harmless`() throws {
        let name = "\u{1B}[31m\u{202E}" + String(repeating: "a\u{301}", count: 1000)
        let json = #"{"id":"7","args":{\#(JSONEscape.string(name)):1}}"#
        let effects = run.hear("mesh/v1/gym/req/kiosk/workout-start", json, 1)
        let answer = try #require(effects.last("res/kiosk/workout-start"))
        #expect(answer.payload.count < 300)
        let text = String(decoding: answer.payload, as: UTF8.self)
        #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"), "\(text)")
    }

    @Test(arguments: [("u-nobody", nil), ("u-ann", "no-bench")] as [(String, String?)])
    mutating func `whoever names what does not exist is told so, as soon as that is stored`(
        user: String, station: String?
    ) throws {
        let effects = run.ask("workout-start", id: "7", user: user, station: station, 1)
        #expect(effects.commits.count == 1)
        let answer = try #require(run.settle().last("res/kiosk/workout-start"))
        #expect(!answer.isRetained && answer.quality == 1)
        let payload = try ResponsePayload(json: answer.payload.span)
        guard case .error(let code, _) = payload.outcome else {
            Issue.record("\(payload) is no error")
            return
        }
        #expect(payload.id == "7" && code == "not_found")
    }

    /// Bytes of all kinds on topics of all kinds.
    @Test(arguments: UInt64(1)...200) func `no message is fatal`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var run = PipelineRun()
        let good = [Self.frame, Self.status, Self.rssi, Self.beat]
        for second in 0..<40 {
            let topic = Self.cases.randomElement(using: &random)?.topic ?? ""
            var payload = good.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                payload[.random(in: payload.indices, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            payload = Array(payload.prefix(.random(in: 0...payload.count, using: &random)))
            run.hear(topic, payload, isRetained: .random(using: &random), Double(second))
            run.tick(Double(second))
            run.settle()
        }
        #expect(run.pipeline.counts.messages == 40)
        let isAlike = run.pipeline.mesh.saved == run.saved
        #expect(isAlike)
    }
}

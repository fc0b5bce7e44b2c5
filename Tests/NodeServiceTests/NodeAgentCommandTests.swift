import NodeEngine
import Testing

@testable import NodeService
@testable import SiteModel
@testable import Wire

/// What a node is told to do while it runs.
struct NodeAgentCommandTests {
    let node: ScriptedNode

    init() throws {
        node = try ScriptedNode()
        node.connect()
        node.radio(.up)
        _ = node.script.takePublished()
    }

    private var script: Script { node.script }

    private func command(
        _ id: String, _ operation: String, expires: Timestamp? = nil, isRetained: Bool = false
    ) throws -> [NodeResponsePayload] {
        let payload = NodeCommandPayload(id: id, op: operation, expMs: expires?.milliseconds)
        node.receive("cmd", payload.json, isRetained: isRetained)
        return try node.published("res", as: NodeResponsePayload.self)
    }

    private func failure(_ responses: [NodeResponsePayload]) -> String? {
        guard responses.count == 1, case .failed(let failure) = responses[0].outcome else {
            return nil
        }
        return failure.code
    }

    @Test func `asked who it is, it answers`() throws {
        let responses = try command("a", "info")
        guard case .done(let info?)? = responses.first?.outcome else {
            Issue.record("\(responses)")
            return
        }
        #expect(responses.map(\.id) == ["a"])
        #expect(info.source == "hci:hci0")
        #expect(info.configRev == 0)
    }

    @Test func `told to stop scanning it gives the radio up, once, until told to begin`() throws {
        #expect(try command("a", "scan-stop").map(\.outcome) == [.done(nil)])
        #expect(node.agent.isStopped)
        #expect(try command("b", "scan-stop").map(\.outcome) == [.done(nil)])
        #expect(script.radioCalls == ["stop"])
        #expect(try command("c", "scan-start").map(\.outcome) == [.done(nil)])
        #expect(!node.agent.isStopped)
        #expect(script.radioCalls == ["stop", "open"])
    }

    @Test func `a radio that is gone meanwhile is said, and not used`() throws {
        _ = try command("a", "scan-stop")
        script.isRadioThere = false
        #expect(failure(try command("b", "scan-start")) == "no-radio")
        #expect(node.agent.isStopped)
    }

    @Test func `a command that comes twice is answered twice and obeyed once`() throws {
        _ = try command("a", "scan-stop")
        _ = try command("b", "scan-start")
        #expect(try command("a", "scan-stop").map(\.outcome) == [.done(nil)])
        #expect(script.radioCalls == ["stop", "open"])
    }

    @Test func `a command that the broker kept, or that is too old, is not obeyed`() throws {
        #expect(try command("a", "scan-stop", isRetained: true).isEmpty)
        #expect(
            failure(try command("b", "scan-stop", expires: node.now + .seconds(-1))) == "expired")
        #expect(!node.agent.isStopped)
    }

    @Test func `what is no command is answered and counted`() throws {
        node.receive("cmd", Array("{}".utf8))
        let responses = try node.published("res", as: NodeResponsePayload.self)
        #expect(responses.map(\.id) == [nil])
        node.receive("other", [])
        node.pass(seconds: 31)
        let health = try node.published("health", as: NodeHealthPayload.self)
        #expect(health.last?.refused == 2)
    }

    @Test func `it restarts only where somebody starts it again`() throws {
        #expect(failure(try command("a", "restart")) == "not-supervised")
        #expect(node.agent.ending == nil)
        let supervised = try ScriptedNode(isSupervised: true)
        supervised.connect()
        supervised.receive("cmd", NodeCommandPayload(id: "a", op: "restart").json)
        #expect(supervised.agent.ending == 75)
    }

    @Test func `a machine without a light says so`() throws {
        #expect(failure(try command("a", "identify")) == "no-light")
    }

    @Test func `a lease of the raw stream lasts as long as the wall clock and the line say`() throws
    {
        script.wallOffset = .seconds(1000)
        let lease = DebugLeasePayload(
            id: "l", untilMs: (node.now + .seconds(1010)).milliseconds)
        func lend() {
            node.agent.receive(
                topic: "mesh/v1/gym/debug/lease/n1", payload: lease.json.span, isRetained: true)
            node.agent.work(at: node.now)
        }
        func raw(after seconds: Double) -> Int {
            _ = script.takePublished()
            node.pass(seconds: seconds) { node.hear(1, at: $0) }
            return script.takePublished().count { $0.topic == ScriptedNode.root + "raw" }
        }
        lend()
        #expect(raw(after: 2) > 0)
        node.disconnect()
        node.connect()
        #expect(raw(after: 2) == 0, "whoever asked may be gone")
        lend()
        #expect(raw(after: 2) > 0)
        node.pass(seconds: 10)
        #expect(raw(after: 2) == 0)
    }
}

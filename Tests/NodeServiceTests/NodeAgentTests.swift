import NodeEngine
import Testing

@testable import NodeService
@testable import Outbox
@testable import SiteModel
@testable import Wire

/// What a node does, and when, on a scripted clock, broker and radio.
struct NodeAgentTests {
    let node: ScriptedNode

    init() throws { node = try ScriptedNode() }

    private var script: Script { node.script }

    private func topics(_ publications: [Publication]) -> [String] {
        publications.map { String($0.topic.dropFirst(ScriptedNode.root.count)) }
    }

    @Test func `connected, it says once what the broker is to keep, and asks for its own topics`() {
        node.agent.work(at: node.now)
        node.agent.connected()
        script.isConnected = true
        #expect(script.takePublished().isEmpty, "what is published in a callback waits")
        node.agent.work(at: node.now)
        let published = script.takePublished()
        #expect(topics(published).sorted() == ["config/active", "health", "info", "status"])
        #expect(published.filter { !$0.isRetained } == [])
        let own = ["config/desired", "cmd", "cursor"].map { ScriptedNode.root + $0 }
        #expect(script.subscriptions.map(\.count) == [4])
        #expect(Set(own).subtracting(script.subscriptions.joined()) == [])
        node.agent.work(at: node.now)
        #expect(script.takePublished().isEmpty)
        #expect(script.subscriptions.count == 1)
    }

    @Test func `a connection that ended before it was acted upon is no connection`() {
        script.isConnected = true
        node.agent.connected()
        node.disconnect()
        node.agent.work(at: node.now)
        #expect(script.vain == 0)
        #expect(script.subscriptions.isEmpty)
        #expect(script.takePublished().isEmpty)
    }

    @Test func `it is ready once the radio listens and the broker sends it its topics`() {
        node.connect()
        node.radio(.up)
        node.pass(seconds: 1)
        #expect(!node.agent.isReady)
        node.agent.subscribed(refused: [])
        node.pass(seconds: 0.1)
        #expect(node.agent.isReady)
    }

    @Test func `half deaf it is not ready, and says so until all is granted`() throws {
        func alerts() throws -> [String] {
            try node.published("health", as: NodeHealthPayload.self).last?.alerts.map(\.id) ?? []
        }
        node.connect()
        node.radio(.up)
        node.agent.subscribed(refused: [ScriptedNode.root + "cursor"])
        node.pass(seconds: 40)
        #expect(!node.agent.isReady)
        #expect(try alerts().contains("half-deaf"))
        node.agent.subscribed(refused: [])
        node.pass(seconds: 40)
        #expect(node.agent.isReady)
        #expect(try !alerts().contains("half-deaf"))
    }

    @Test func `a configuration is applied once, answered once, and found at the next start`()
        throws
    {
        node.connect()
        _ = script.takePublished()
        let desired = ScriptedNode.configuration(4, minors: [1, 2])
        node.receive("config/desired", desired, isRetained: true)
        let answers = try node.published(
            "config/active", as: NodeConfigurationActivePayload.self)
        #expect(answers.map(\.rev) == [4])
        #expect(answers.map(\.ok) == [true])
        node.receive("config/desired", desired, isRetained: true)
        #expect(script.takePublished().isEmpty)
        try node.restart()
        node.connect()
        let kept = try node.published("config/active", as: NodeConfigurationActivePayload.self)
        #expect(kept.map(\.rev) == [4])
    }

    @Test func `a configuration of no use is answered with the fault and changes nothing`() throws {
        node.connect()
        node.receive("config/desired", ScriptedNode.configuration(4, minors: [1, 2]))
        _ = script.takePublished()
        node.receive("config/desired", ScriptedNode.configuration(5, minors: [3, 3]))
        let answers = try node.published(
            "config/active", as: NodeConfigurationActivePayload.self)
        #expect(answers.map(\.rev) == [5])
        #expect(answers.map(\.ok) == [false])
        #expect(answers.first?.error?.contains("b3") == true)
        // Cleared: ours stays in force, too.
        node.receive("config/desired", [])
        #expect(script.takePublished().isEmpty)
        node.disconnect()
        node.connect()
        let active = try node.published("config/active", as: NodeConfigurationActivePayload.self)
        #expect(active.map(\.rev) == [4])
    }

    @Test func `without a broker only evidence and events are kept, and sent in order later`()
        throws
    {
        node.receive("config/desired", ScriptedNode.configuration(1, minors: [1]))
        node.radio(.up)
        node.pass(seconds: 125) { node.hear(1, at: $0) }
        node.radio(.down)
        node.radio(.up)
        #expect(script.takePublished().isEmpty)
        node.connect()
        let told = topics(script.takePublished())
        #expect(!told.contains("frame"), "frames of earlier are old by now")
        #expect(!told.contains("evidence"), "the cursor has not come yet")
        node.pass(seconds: 12)
        let records = try node.records()
        #expect(
            records.map(\.kind) == [
                "started", "evidence", "evidence", "adapter-lost", "adapter-back",
            ])
        #expect(records.map(\.seq) == [1, 2, 3, 4, 5])
    }

    @Test func `what a cursor acknowledges is not sent, and a higher epoch has all sent again`()
        throws
    {
        node.radio(.up)
        node.radio(.down)
        node.radio(.up)
        node.connect()
        try node.cursor(epoch: 1, seq: 2)
        node.pass(seconds: 6)
        #expect(try node.records().map(\.seq) == [3])
        try node.cursor(epoch: 1, seq: 3)
        node.pass(seconds: 6)
        #expect(try node.records().isEmpty)
        // A coordinator restored from a backup knows less.
        try node.cursor(epoch: 2, seq: 1)
        node.pass(seconds: 1)
        #expect(try node.records().map(\.seq) == [2, 3])
    }

    @Test func `what was sent and never acknowledged is sent again after a connection`() throws {
        node.connect()
        try node.cursor(epoch: 1, seq: 0)
        node.pass(seconds: 6)
        #expect(try node.records().map(\.seq) == [1])
        node.disconnect()
        node.connect()
        try node.cursor(epoch: 1, seq: 0)
        node.pass(seconds: 6)
        #expect(try node.records().map(\.seq) == [1])
    }

    @Test func `an adapter that is lost and comes back is said at once`() throws {
        node.connect()
        node.radio(.up)
        _ = script.takePublished()
        node.radio(.down)
        let down = try node.published("health", as: NodeHealthPayload.self)
        #expect(down.last?.adapter == .down)
        node.radio(.up)
        let up = try node.published("health", as: NodeHealthPayload.self)
        #expect(up.last?.adapter == .up)
    }

    @Test func `a step of the wall clock is an event and an alert, and moves no frame`() throws {
        node.receive("config/desired", ScriptedNode.configuration(1, minors: [1]))
        node.connect()
        node.radio(.up)
        node.pass(seconds: 3) { node.hear(1, at: $0) }
        _ = script.takePublished()
        script.wallOffset = .seconds(3600)
        node.pass(seconds: 31) { node.hear(1, at: $0) }
        let published = script.takePublished()
        let events = try published.filter { $0.topic == ScriptedNode.root + "event" }
            .map { try NodeEventPayload(json: $0.payload.span) }
            .filter { $0.kind == .clockStepped }
        #expect(events.map(\.value) == [3600])
        let frames = try published.filter { $0.topic == ScriptedNode.root + "frame" }
            .map { try FramePayload(json: $0.payload.span).tMs }
        #expect(frames.count == 31)
        #expect(frames.last.map { abs($0 - node.now.milliseconds) < 2_000 } == true)
        let health = try published.filter { $0.topic == ScriptedNode.root + "health" }
            .map { try NodeHealthPayload(json: $0.payload.span) }
        #expect(health.last?.alerts.map(\.id) == ["clock-stepped"])
        #expect(health.last?.clock?.steps == 1)
    }

    @Test func `a slow line costs what is passing, and nothing that is kept`() throws {
        node.receive("config/desired", ScriptedNode.configuration(1, minors: [1]))
        node.connect()
        node.radio(.up)
        node.pass(seconds: 3) { node.hear(1, at: $0) }
        _ = script.takePublished()
        script.isBusy = true
        node.pass(seconds: 5) { node.hear(1, at: $0) }
        node.receive("cmd", NodeCommandPayload(id: "a", op: "info").json)
        #expect(topics(script.takePublished()) == ["res"])
        script.isBusy = false
        node.pass(seconds: 30) { node.hear(1, at: $0) }
        let health = try node.published("health", as: NodeHealthPayload.self)
        // Five frames and the beats between them.
        #expect(health.last?.drops.map { $0.unsent >= 7 } == true)
    }

    @Test func `leaving, it keeps the minute under way and says goodbye last`() throws {
        node.receive("config/desired", ScriptedNode.configuration(1, minors: [1]))
        node.connect()
        node.radio(.up)
        node.pass(seconds: 20) { node.hear(1, at: $0) }
        _ = script.takePublished()
        node.agent.leave(at: node.now)
        let last = try #require(script.takePublished().last)
        #expect(last.topic == ScriptedNode.root + "status")
        #expect(last.isRetained)
        #expect(try NodeStatusPayload(json: last.payload.span).state == .offline)
        node.end()
        let outbox = try Outbox(path: node.folder + "/outbox.ring", megabytes: 1, log: 0)
        let kinds = (0...1).compactMap { outbox.record(after: $0)?.bytes.first }
        #expect(kinds == [UInt8(ascii: "e"), UInt8(ascii: "E")])
    }

    @Test func `it wakes for the second under way, and for what is due before`() throws {
        #expect(node.agent.deadline == ScriptedNode.start + .seconds(1))
        node.connect()
        try node.cursor(epoch: 1, seq: 0)
        node.pass(seconds: 0.9)
        let due = node.agent.deadline
        #expect(due <= ScriptedNode.start + .seconds(1))
        script.isBusy = true
        #expect(node.agent.deadline == ScriptedNode.start + .seconds(1), "nothing to send it on")
    }
}

import Testing

@testable import SitePipeline
@testable import Wire

/// Outboxes seen from the broker: what is acknowledged, when, and what is not.
struct PipelineEvidenceTests {
    var run = PipelineRun()
    let topic = "\(PipelineSite.root)node/n1/evidence"

    private func evidence(
        seq: Int64 = 1, after: Int64? = nil, from: Double = 0, to: Double = 60
    ) -> [UInt8] {
        EvidencePayload(
            log: 0xAB, seq: seq, after: after ?? seq - 1, boot: 1,
            fromMs: PipelineRun.moment(from).milliseconds,
            toMs: PipelineRun.moment(to).milliseconds, listenedMs: 60_000, floorDbm: -95,
            synced: true,
            runs: [.init(beacon: "tag-1", first: 5, last: 40, count: 9, strongest: -50, mean: -55)]
        ).json
    }

    private func cursor(_ epoch: Int64 = 1, _ seq: Int64) -> [UInt8] {
        CursorPayload(epoch: epoch, log: 0xAB, seq: seq).json
    }

    /// The cursors of node 1 among some effects.
    private func cursors(_ effects: [Pipeline.Effect]) -> [String] {
        effects.publications.filter { $0.topic == "\(PipelineSite.root)node/n1/cursor" }
            .map { String(decoding: $0.payload, as: UTF8.self) }
    }

    private func text(_ payload: [UInt8]) -> String { String(decoding: payload, as: UTF8.self) }

    @Test mutating func `a cursor is told when the record is stored, and retained`() {
        run.connect(100)
        run.hear(topic, evidence(), 100)
        run.tick(101)
        #expect(cursors(run.effects) == [])
        run.settle()
        let told = run.effects.last("node/n1/cursor")
        #expect(told?.payload == cursor(1, 1))
        #expect(told?.isRetained == true && told?.quality == 1)
        let stored = run.saved.ledgers.flatMap(\.heard).flatMap(\.seconds.intervals)
        #expect(stored.count == 1, "in the same transaction as the seconds")
    }

    @Test mutating func `on a full disk nothing is acknowledged`() {
        run.hear(topic, evidence(), 100)
        run.tick(101)
        for second in 102...110 {
            run.refuse(.later("full"), Double(second))
            run.hear(topic, evidence(seq: 2), Double(second) + 0.2)
            run.tick(Double(second) + 2)
        }
        #expect(cursors(run.effects).allSatisfy { $0.isEmpty })
        run.settle()
        #expect(cursors(run.effects).last == text(cursor(1, 2)))
    }

    @Test mutating func `a node that sends what is stored is told so again, once a second`() {
        run.hear(topic, evidence(), 100)
        run.tick(101)
        run.settle()
        for _ in 0..<5 { run.hear(topic, evidence(), 101.3) }
        #expect(cursors(run.tick(102)) == [text(cursor(1, 1))])
        #expect(cursors(run.tick(103)) == [])
        #expect(run.pipeline.counts.refused == ["duplicate": 5])
    }

    @Test mutating func `evidence that contradicts itself is counted and passed over`() {
        run.hear(topic, evidence(from: 0, to: 61), 100)
        run.hear(topic, evidence(seq: 2, after: 2), 100)
        run.hear(topic, "{\"log\":\"00000000000000ab\",\"seq\":3,\"after\":2}", 100)
        run.tick(101)
        run.settle()
        #expect(cursors(run.effects).last == text(cursor(1, 3)))
        #expect(run.pipeline.counts.refused == ["out-of-range": 2, "missing-field": 1])
        #expect(run.saved.ledgers == [])
    }

    @Test mutating func `evidence without a number, retained, or of a stranger is refused`() {
        run.hear(topic, "{\"log\":\"00000000000000ab\"}", 100)
        run.hear(topic, evidence(), isRetained: true, 100)
        run.hear("\(PipelineSite.root)node/n9/evidence", evidence(), 100)
        run.tick(101)
        run.settle()
        #expect(run.pipeline.mesh.saved.cursors == [])
        #expect(
            run.pipeline.counts.refused
                == ["missing-field": 1, "retained": 1, "unknown-node": 1])
    }

    @Test mutating func `events of nodes are acknowledged in the same numbering`() {
        run.hear(topic, evidence(), 100)
        let event = NodeEventPayload(
            log: 0xAB, seq: 2, after: 1, boot: 1, tMs: PipelineRun.moment(90).milliseconds,
            kind: .adapterLost)
        run.hear("\(PipelineSite.root)node/n1/event", event.json, 100)
        run.tick(101)
        run.settle()
        #expect(cursors(run.effects).last == text(cursor(1, 2)))
        let kinds = run.effects.commits.joined().compactMap {
            if case .nodeEvent(let row) = $0 { row.event.kind } else { nil }
        }
        #expect(kinds == ["adapter-lost"])
    }

    /// The database is yesterday's: the broker retains what was told since.
    @Test mutating func `a cursor ahead of the database begins an epoch`() {
        run.hear(topic, evidence(), 100)
        run.tick(101)
        run.settle()
        let made = run.connect(110)
        let order = made.map { effect -> String in
            switch effect {
            case .subscribe(let filters, _):
                filters.contains { $0.hasSuffix("cursor") } ? "own" : ""
            case .publish(let publication): publication.topic.hasSuffix("cursor") ? "cursor" : ""
            default: ""
            }
        }
        #expect(order.filter { !$0.isEmpty } == ["own", "cursor"], "we are told the old one first")
        let effects = run.hear(
            "\(PipelineSite.root)node/n1/cursor", cursor(1, 500), isRetained: true, 110.2)
        #expect(effects.warnings.count == 1)
        run.tick(111)
        run.settle()
        #expect(run.effects.last("node/n1/cursor")?.payload == cursor(2, 1))
        #expect(run.saved.site.epoch == 2)
        #expect(
            run.pipeline.board.topics
                == RetainedTopics(rendering: run.pipeline.mesh, names: PipelineSite.names()).topics)
    }

    @Test mutating func `a higher epoch of somebody else is exceeded, a lower one is not`() {
        run.connect(100)
        let topic = "\(PipelineSite.root)node/n1/cursor"
        run.hear(topic, cursor(5, 0), isRetained: true, 100.1)
        run.tick(101)
        #expect(run.pipeline.mesh.epoch == 6)
        run.hear(topic, cursor(5, 900), isRetained: true, 101.1)
        run.hear(topic, cursor(1 << 40, 900), isRetained: true, 101.1)
        run.hear(topic, cursor(1 << 50, 1), isRetained: true, 101.2)
        run.hear(topic, "no cursor", isRetained: true, 101.3)
        run.tick(102)
        #expect(run.pipeline.mesh.epoch == 6)
    }

    @Test mutating func `our own cursor, retained since we told it, begins nothing`() {
        run.hear(topic, evidence(), 100)
        run.tick(101)
        run.settle()
        run.connect(110)
        run.hear("\(PipelineSite.root)node/n1/cursor", cursor(1, 1), isRetained: true, 110.1)
        // What we tell comes back to us, late at times.
        run.hear("\(PipelineSite.root)node/n1/cursor", cursor(1, 1), 110.2)
        run.hear(topic, evidence(seq: 2), 111)
        run.tick(112)
        run.settle()
        run.hear("\(PipelineSite.root)node/n1/cursor", cursor(1, 2), 112.1)
        run.hear("\(PipelineSite.root)node/n1/cursor", cursor(1, 1), 150)
        run.hear("\(PipelineSite.root)node/n1/cursor", "", 150)
        #expect(run.pipeline.mesh.epoch == 1)
        #expect(cursors(run.effects).count == 3)
        #expect(run.pipeline.counts.refused == [:])
    }

    @Test mutating func `a beat tells a node's clock`() {
        let beat = NodeBeatPayload(
            boot: 1, tMs: PipelineRun.moment(-900).milliseconds, wallMs: 0, synced: false,
            frameSeq: 0)
        run.hear("\(PipelineSite.root)node/n1/beat", beat.json, 100)
        run.hear(topic, evidence(from: -960, to: -900), 101)
        run.tick(102)
        run.settle()
        let first = run.saved.ledgers.first?.heard.first?.seconds.intervals.first
        #expect(first?.from == PipelineRun.moment(45))
    }
}

import Testing

@testable import Wire

/// Cursors that somebody else tells while we run.
struct ForgedCursorTests {
    var run = PipelineRun()
    let topic = "\(PipelineSite.root)node/n1/cursor"

    init() {
        run.connect(100)
        record(1, at: 100)
        // The broker's old messages are looked through by then.
        run.tick(110)
    }

    private mutating func record(_ seq: Int64, at second: Double) {
        let evidence = EvidencePayload(
            log: 0xAB, seq: seq, after: seq - 1, boot: 1,
            fromMs: PipelineRun.moment(0).milliseconds, toMs: PipelineRun.moment(60).milliseconds,
            listenedMs: 60_000, floorDbm: -95, synced: true, runs: [])
        run.hear("\(PipelineSite.root)node/n1/evidence", evidence.json, second)
        run.tick(second + 1)
        run.settle()
    }

    private func cursor(_ epoch: Int64, _ seq: Int64) -> [UInt8] {
        CursorPayload(epoch: epoch, log: 0xAB, seq: seq).json
    }

    private var told: [UInt8]? { run.effects.last("node/n1/cursor")?.payload }

    @Test mutating func `the subscription to cursors stays`() {
        let kept = run.effects.flatMap { effect -> [String] in
            if case .unsubscribe(let filters) = effect { filters } else { [] }
        }
        #expect(!kept.isEmpty && !kept.contains(run.pipeline.board.paths.cursors))
    }

    @Test(arguments: [(5, 1000), (1, 1000), (2, 0)] as [(Int64, Int64)])
    mutating func `one that is ahead of what is stored is answered with a higher epoch`(
        epoch: Int64, seq: Int64
    ) {
        let made = run.hear(topic, cursor(epoch, seq), 200)
        #expect(made.warnings.count == 1)
        run.tick(201)
        run.settle()
        #expect(told == cursor(epoch + 1, 1))
        #expect(run.saved.site.epoch == epoch + 1)
        // The node's next record is acknowledged as any other.
        record(2, at: 210)
        #expect(told == cursor(epoch + 1, 2))
    }

    @Test mutating func `who keeps forging them raises the epoch once a minute`() {
        for second in stride(from: 200.0, to: 500, by: 1) {
            run.hear(topic, cursor(run.pipeline.mesh.epoch + 900, 5), second)
            run.tick(second + 0.5)
            run.settle()
        }
        #expect(run.pipeline.mesh.epoch < 6 * 901)
        #expect(run.effects.warnings.count <= 6)
        // The last one is made good, too, once it is time.
        let last = run.pipeline.mesh.epoch + 7
        run.hear(topic, cursor(last, 5), 501)
        for second in stride(from: 502.0, to: 570, by: 1) { run.tick(second) }
        run.settle()
        #expect(told == cursor(run.pipeline.mesh.epoch, 1))
        #expect(run.pipeline.mesh.epoch > last)
    }

    @Test(arguments: [2000, 1 << 40, (1 << 53) - 1] as [Int64])
    mutating func `an absurd epoch is contradicted, and not exceeded`(epoch: Int64) {
        let made = run.hear(topic, cursor(epoch, 5), 200)
        #expect(made.publications.map(\.payload) == [cursor(1, 1)])
        #expect(made.publications.first?.isRetained == true)
        #expect(made.warnings.count == 1)
        #expect(run.hear(topic, cursor(epoch, 5), 201).warnings == [])
        run.tick(202)
        #expect(run.pipeline.mesh.epoch == 1)
    }

    @Test mutating func `one of a node without records is cleared if it cannot be`() {
        let made = run.hear("\(PipelineSite.root)node/n2/cursor", cursor(1 << 40, 5), 200)
        #expect(made.publications.map(\.payload) == [[]])
    }

    @Test mutating func `what is no cursor, and of no node, is passed over`() {
        run.hear(topic, "no cursor", 200)
        run.hear("\(PipelineSite.root)node/n9/cursor", cursor(5, 5), 200)
        run.tick(201)
        #expect(run.pipeline.mesh.epoch == 1)
    }
}

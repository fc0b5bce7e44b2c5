import Testing

@testable import NodeEngine
@testable import SiteEngine
@testable import SiteModel
@testable import SitePipeline
@testable import Wire

/// A node that goes back to an earlier outbox, and two nodes that send in turn under one id.
struct OutboxSwapTests {
    var run = PipelineRun()
    let topic = "\(PipelineSite.root)node/n1/evidence"

    private func evidence(log: UInt64, seq: Int64, after: Int64? = nil) -> [UInt8] {
        EvidencePayload(
            log: log, seq: seq, after: after ?? seq - 1, boot: log,
            fromMs: PipelineRun.moment(0).milliseconds, toMs: PipelineRun.moment(60).milliseconds,
            listenedMs: 60_000, floorDbm: -95, synced: true, runs: []
        ).json
    }

    private func cursors(_ effects: [Pipeline.Effect]) -> [Publication] {
        effects.publications.filter { $0.topic == "\(PipelineSite.root)node/n1/cursor" }
    }

    private func payload(log: UInt64, _ seq: Int64) -> [UInt8] {
        CursorPayload(epoch: 1, log: log, seq: seq).json
    }

    private mutating func send(_ log: UInt64, _ seq: Int64, at second: Double) -> [Publication] {
        let made = run.hear(topic, evidence(log: log, seq: seq), second)
        return cursors(made + run.tick(second + 1) + run.settle())
    }

    /// A card is swapped, and swapped back.
    @Test mutating func `the cursor is that of the outbox whose record just came`() {
        run.connect(100)
        #expect(send(0xA, 1, at: 100).last?.payload == payload(log: 0xA, 1))
        #expect(send(0xB, 1, at: 110).last?.payload == payload(log: 0xB, 1))
        #expect(send(0xA, 2, at: 120).last?.payload == payload(log: 0xA, 2))
        #expect(send(0xA, 3, at: 130).last?.payload == payload(log: 0xA, 3))
        #expect(run.effects.last("node/n1/cursor")?.isRetained == true)
        #expect(
            run.pipeline.board.topics
                == RetainedTopics(rendering: run.pipeline.mesh, names: PipelineSite.names()).topics)
        // Also after a restart.
        run = PipelineRun(saved: run.saved)
        let told = cursors(run.connect(200)).last
        #expect(told?.payload == payload(log: 0xA, 3))
    }

    @Test mutating func `a duplicate is answered for its own outbox`() {
        _ = send(0xA, 1, at: 100)
        _ = send(0xB, 1, at: 110)
        #expect(send(0xA, 1, at: 120).last?.payload == payload(log: 0xA, 1))
        // And a gap, though nothing of it can be acknowledged.
        _ = send(0xB, 1, at: 130)
        #expect(send(0xA, 3, at: 140).last?.payload == payload(log: 0xA, 1))
    }

    @Test mutating func `two outboxes in one second are both answered, the present one last`() {
        run.tick(100)
        run.hear(topic, evidence(log: 0xA, seq: 1), 100.1)
        run.hear(topic, evidence(log: 0xB, seq: 1), 100.2)
        run.hear(topic, evidence(log: 0xA, seq: 2), 100.3)
        run.tick(101)
        let told = cursors(run.settle())
        #expect(told.map(\.payload) == [payload(log: 0xB, 1), payload(log: 0xA, 2)])
        #expect(told.last?.isRetained == true)
    }

    /// More cards than are remembered, or made-up ones: the node goes back, and what it sends again is
    /// stored already.
    @Test mutating func `an outbox that was forgotten is told again from its beginning`() {
        for seq in Int64(1)...3 { _ = send(0xA, seq, at: Double(seq) * 10) }
        for log in UInt64(0xB0)...0xB0 + UInt64(CursorRow.mostLogs) {
            _ = send(log, 1, at: 100 + Double(log - 0xB0) * 10)
        }
        #expect(run.saved.cursors.cursor(of: NodeID(1), log: 0xA) == nil)
        // Nobody knows what was before: it is stored, and not acknowledged.
        #expect(send(0xA, 4, at: 200).last?.payload == payload(log: 0xA, 0))
        for minute in 1...5 { _ = send(0xA, 4, at: 200 + Double(minute) * 60) }
        let raised = cursors(run.effects).last?.payload
        #expect(raised == CursorPayload(epoch: 2, log: 0xA, seq: 0).json)
        for seq in Int64(1)...4 { _ = send(0xA, seq, at: 600 + Double(seq) * 10) }
        let told = cursors(run.effects).last?.payload
        #expect(told == CursorPayload(epoch: 2, log: 0xA, seq: 4).json)
        var numbers: Set<Int64> = []
        for case .evidence(let row) in run.effects.commits.joined()
        where row.evidence.record.log == 0xA {
            numbers.insert(row.evidence.record.sequence)
        }
        #expect(numbers == [1, 2, 3, 4])
    }

    /// Who has a card, its records, and what it believes to be acknowledged.
    private struct Sender {
        let log: UInt64
        var newest: Int64 = 0
        var replay: Replay
        var isOnline = false

        init(log: UInt64) {
            self.log = log
            replay = Replay(
                log: log, boot: log, newest: 0,
                acknowledged: Acknowledgement(epoch: 0, sequence: 0), at: PipelineRun.moment(0))
        }
    }

    /// Nodes of one id come and go as they like, two of them at once now and then; of what is sent,
    /// some is lost and some comes twice.
    @Test(arguments: UInt64(1)...40)
    func `however outboxes alternate, all is acknowledged and stored once`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var run = PipelineRun()
        run.connect(0)
        let count = Int.random(in: 2...CursorRow.mostLogs, using: &random)
        var senders = (0..<count).map { Sender(log: 0xA0 + UInt64($0)) }
        let end = 1800
        for second in 0..<end + 1500 {
            let now = Double(second)
            let isOver = second >= end
            for index in senders.indices {
                let change = Int.random(in: 0..<60, using: &random) == 0
                let wanted =
                    isOver
                    ? (second - end) / (1500 / count) == index
                    : (change ? Bool.random(using: &random) : senders[index].isOnline)
                if wanted != senders[index].isOnline {
                    senders[index].isOnline = wanted
                    if wanted {
                        senders[index].replay.connected(at: PipelineRun.moment(now))
                    } else {
                        senders[index].replay.disconnected()
                    }
                }
                if !isOver, Int.random(in: 0..<20, using: &random) == 0 {
                    senders[index].newest += 1
                    senders[index].replay.appended(senders[index].newest)
                }
                while senders[index].isOnline,
                    let position = senders[index].replay.due(at: PipelineRun.moment(now))
                {
                    guard position < senders[index].newest else {
                        senders[index].replay.exhausted()
                        break
                    }
                    senders[index].replay.sent(position + 1, at: PipelineRun.moment(now))
                    let copies = isOver ? 1 : Int.random(in: 0...4, using: &random)
                    for _ in 0..<min(copies, 2) {
                        run.hear(
                            topic, evidence(log: senders[index].log, seq: position + 1), now + 0.1)
                    }
                }
            }
            let told = cursors(run.tick(now + 0.9) + run.settle())
            for publication in told {
                guard let cursor = try? CursorPayload(json: publication.payload.span) else {
                    continue
                }
                for index in senders.indices where senders[index].isOnline {
                    _ = senders[index].replay.heard(
                        Acknowledgement(epoch: cursor.epoch, sequence: cursor.seq),
                        log: cursor.log, at: PipelineRun.moment(now + 0.95))
                }
            }
        }
        var stored: Set<Record> = []
        for case .evidence(let row) in run.effects.commits.joined() {
            stored.insert(row.evidence.record)
        }
        #expect(stored.count == Int(senders.map(\.newest).reduce(0, +)), "seed \(seed)")
        for sender in senders {
            #expect(
                sender.replay.acknowledged.sequence == sender.newest,
                "seed \(seed), log \(sender.log)")
        }
    }
}
